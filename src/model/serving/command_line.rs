//! The command line of a model's server, which KServe joins from the runtime and the service.

use super::{Arguments, ModelService, Serving};

/// Programs that run the text after `-c`.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "ash", "ksh", "zsh"];

impl Serving {
    /// The lists of words in the order in which KServe joins them: the command, then the arguments of the runtime and
    /// those of the service. The command of the service replaces that of the runtime. The last flag with a name is the
    /// one that counts.
    pub fn arguments_of<'s>(&'s self, service: &'s ModelService) -> impl Iterator<Item = &'s Arguments> {
        let of_runtime = self.runtime_of(service).and_then(|runtime| runtime.container.as_ref());
        let own = service.container.as_ref();
        let command = own.and_then(|own| own.command.as_ref());
        let command = command.or_else(|| of_runtime.and_then(|runtime| runtime.command.as_ref()));
        let arguments = [of_runtime, own].into_iter().flatten();
        command.into_iter().chain(arguments.filter_map(|container| container.arguments.as_ref()))
    }

    /// The script, and the list that has it, if a shell runs the server with the flags in that script. Further arguments
    /// then have no effect.
    pub fn script_of<'s>(&'s self, service: &'s ModelService) -> Option<(&'s str, &'s Arguments)> {
        let mut words =
            self.arguments_of(service).flat_map(|list| list.words.iter().map(move |word| (word, list)));
        let (program, _) = words.next()?;
        if !SHELLS.contains(&program.rsplit('/').next().unwrap_or_default()) {
            return None;
        }
        // `-c`, also with other options: `-euc`.
        let is_option = |word: &str| word.starts_with(['-', '+']);
        let takes_script = |word: &str| is_option(word) && !word.starts_with("--") && word.contains('c');
        words.by_ref().take_while(|(word, _)| is_option(word)).find(|(word, _)| takes_script(word))?;
        let (script, list) = words.find(|(word, _)| !is_option(word))?;
        let passes_arguments = ["$@", "$*", "${@", "${*"].iter().any(|all| script.contains(all));
        (!passes_arguments).then_some((script.as_str(), list))
    }
}

#[cfg(test)]
mod tests {
    use crate::model::serving::read;
    use crate::model::{World, testing};

    fn script(command: &str, args: &str) -> Option<String> {
        let service = format!(
            "apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata: {{name: qwen}}\nspec:\n  \
             predictor:\n    model: {{runtime: qwen, command: {command}, args: {args}}}\n"
        );
        let items = testing::resources(&service);
        let (serving, misreads) = read(&World::new(&items));
        assert_eq!(misreads, []);
        serving.script_of(&serving.services[0]).map(|(script, _)| script.to_owned())
    }

    #[test]
    fn scripts_of_shells_are_told_from_programs() {
        assert_eq!(script("[sh, -c, vllm serve]", "[]").as_deref(), Some("vllm serve"));
        assert_eq!(script("[/bin/bash, -e, -uc]", "[vllm serve, x]").as_deref(), Some("vllm serve"));
        assert_eq!(script("null", "[bash, -c, -x, vllm serve]").as_deref(), Some("vllm serve"));
        for (command, args) in [
            ("[vllm, serve, -c, x]", "[]"),
            ("[sh, /start.sh]", "[-c, x]"),
            ("[sh]", "[]"),
            ("[bash, --norc, /start.sh]", "[]"),
            ("[bash, -c, 'vllm serve \"$@\"', --]", "[--dtype=half]"),
            ("null", "null"),
        ] {
            assert_eq!(script(command, args), None, "{command} {args}");
        }
    }
}
