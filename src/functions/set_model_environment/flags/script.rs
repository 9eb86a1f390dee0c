//! Flags in the script of a shell, which are not changed.

use crate::checks::rules;
use crate::functions::set_model_environment::ModelEnvironment;
use crate::krm::{Resource, Results, quoted};
use crate::model::Site;
use crate::platform::vllm::TENSOR_PARALLEL_SIZE;

impl ModelEnvironment {
    /// Reports flags that would have no effect. A script may build its flags in any way, so it is not changed.
    pub(super) fn report_script(&self, script: &str, list: &Site, items: &[Resource], results: &mut Results) {
        let names: Vec<String> = self.flags.iter().map(|flag| quoted(format!("--{}", flag.name))).collect();
        if !names.is_empty() {
            let message = format!(
                "a shell runs this script, in which {} cannot be set; write the program and its flags as separate elements \
                 of `command` and `args`, or remove `args` from the functionConfig",
                names.join(", ")
            );
            results.error(&rules::WRONG_VALUE, message).field(list.item.get(items), &list.path);
        } else if let Some(gpus) = self.gpus.filter(|gpus| *gpus > 1 && !uses(script, *gpus)) {
            let message = format!(
                "a shell runs this script, which is not changed; set {} to {gpus} in it",
                quoted(format!("--{TENSOR_PARALLEL_SIZE}"))
            );
            results.warning(&rules::TENSOR_PARALLEL, message).field(list.item.get(items), &list.path);
        }
    }
}

/// Whether the script has the flag with this number.
fn uses(script: &str, gpus: u32) -> bool {
    let words: Vec<String> =
        script.split_whitespace().map(|word| word.trim_matches(['"', '\'']).to_owned()).collect();
    super::value_of(&words, TENSOR_PARALLEL_SIZE) == Some(gpus)
}
