//! SetModelEnvironment: the spec, and its check.

mod defaults;
mod flags;
mod names;
mod others;
mod placement;
mod remarks;
mod settings;
mod sizes;
mod targets;
mod tolerations;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::checks;
use crate::formats::{dns, label};
use crate::krm::{Fault, FieldPath, Function, Mistakes, Resource, Results, Transformer, quoted};
use crate::model::{World, serving};
use crate::platform::kubernetes;
use flags::FlagChange;
use names::Names;
use sizes::{Replicas, Sizes};
use tolerations::Tolerations;

/// Prepares a model and its runtime for one environment: development, staging or production.
///
/// It changes the InferenceServices and LLMInferenceServices of the package, their ServingRuntimes, and the Secrets,
/// PersistentVolumeClaims and ServiceAccounts that these name. Other resources are not changed. Every model of the
/// package gets the same settings, so use one package, or one kustomization, per model and environment.
///
/// References follow names by their meaning: `model.runtime`, `storage.key`, the annotation
/// `opendatahub.io/connections`, `pvc://` locations, service accounts, and Secrets in volumes, variables and
/// ServiceAccounts. A name that already has the prefix is not changed, and a reference to the name before or after the
/// change is correct either way. If `namespace` moves objects of several namespaces to one, they can name each other, so
/// references then also follow names between them. kustomize's `namePrefix` changes none of these references.
///
/// Flags of vLLM are set by name, not by their position in a list. `--max-model-len=8000` and `--max-model-len 8000` are
/// both changed where they are, in `args` or `command` of the ServingRuntime or of the InferenceService, and keep their
/// form. A new flag is added to the arguments of the model. KServe adds these to the arguments of the runtime, so a flag
/// that both have is reported. Flags in the script of a shell (`sh -c "…"`) cannot be set.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetModelEnvironment {
    /// The name of the environment, such as `production`. It becomes the label `environment`.
    environment: String,
    /// The namespace of the environment. Resources move there.
    namespace: Option<String>,
    /// What names begin with in this environment, such as `prod-`.
    prefix: Option<String>,
    /// The name that OpenShift AI shows. The package must have exactly one model.
    display_name: Option<String>,
    /// How many replicas of the model run. An LLMInferenceService, which is not scaled, gets the minimum.
    replicas: Option<Replicas>,
    /// The CPUs and the memory of each replica. Resources that are not listed are kept. A request above its limit is an
    /// error.
    resources: Option<Sizes>,
    /// The number of GPUs of each replica, as limit and request. `--tensor-parallel-size` gets the same value if it
    /// exists or if there is more than one GPU.
    #[schemars(range(min = 1))]
    gpus: Option<u32>,
    /// Flags of vLLM by name, without dashes: `max-model-len: 32768`. `true` and `false` set a flag without a value, and
    /// `null` removes a flag. Misspelt names and values of the wrong type are errors.
    #[serde(default)]
    args: Map<String, Value>,
    /// `fromMachineSets` adds tolerations for the taints of the GPU MachineSets in the package, or for `nvidia.com/gpu`
    /// if it has none. A list replaces the tolerations of the model.
    tolerations: Option<Tolerations>,
    /// The HardwareProfile of OpenShift AI. The annotation for its namespace has the namespace of that HardwareProfile in
    /// the package, or else that of the model.
    hardware_profile: Option<String>,
    /// The model itself. The package must have exactly one.
    model: Option<Model>,
    /// Whether to write what KServe's webhooks would write: the current name of the deployment mode, the annotation
    /// `modelFormat`, and `protocolVersion: v2` for vLLM and Triton. Argo CD then sees no difference.
    #[serde(default)]
    webhook_defaults: bool,
}

/// The model itself.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Model {
    /// Where the model is: `oci://…`, `pvc://…`, `s3://…`, `hf://…`.
    storage_uri: String,
}

/// A SetModelEnvironment without mistakes.
#[derive(Debug)]
pub struct ModelEnvironment {
    environment: String,
    names: Names,
    display_name: Option<String>,
    replicas: Replicas,
    sizes: Sizes,
    gpus: Option<u32>,
    flags: Vec<FlagChange>,
    tolerations: Option<Tolerations>,
    hardware_profile: Option<String>,
    storage_uri: Option<String>,
    webhook_defaults: bool,
}

impl Function for SetModelEnvironment {
    const KIND: &'static str = "SetModelEnvironment";
    const NAME: &'static str = "set-model-environment";

    type Ready = ModelEnvironment;

    fn check(self) -> Result<ModelEnvironment, Mistakes> {
        let mut mistakes = Mistakes::default();
        self.check_names(&mut mistakes);
        let (replicas, sizes) = (self.replicas.unwrap_or_default(), self.resources.unwrap_or_default());
        replicas.check(&mut mistakes);
        sizes.check(self.gpus.is_some(), &mut mistakes);
        if self.gpus == Some(0) {
            let message = "must be at least 1; for a model without GPUs, remove `gpus`";
            mistakes.add(FieldPath::new("spec.gpus"), message);
        }
        let flags = flags::read(&self.args, &mut mistakes);
        mistakes.unless_any(|| ModelEnvironment {
            environment: self.environment,
            names: Names { namespace: self.namespace, prefix: self.prefix.unwrap_or_default() },
            display_name: self.display_name,
            replicas,
            sizes,
            gpus: self.gpus,
            flags,
            tolerations: self.tolerations,
            hardware_profile: self.hardware_profile,
            storage_uri: self.model.map(|model| model.storage_uri),
            webhook_defaults: self.webhook_defaults,
        })
    }
}

impl SetModelEnvironment {
    fn check_names(&self, mistakes: &mut Mistakes) {
        if self.environment.is_empty() || !label::is_value(&self.environment) {
            let message = format!(
                "must be the value of a label: letters, digits, `-`, `_` and `.`, got {}",
                quoted(&self.environment)
            );
            mistakes.add(FieldPath::new("spec.environment"), message);
        }
        if let Some(namespace) = self.namespace.as_ref().filter(|name| !dns::is_label(name)) {
            let message = format!("must be the name of a namespace, got {}", quoted(namespace));
            mistakes.add(FieldPath::new("spec.namespace"), message);
        }
        // KServe requires names that begin with a letter and have no dots.
        let is_prefix = |prefix: &&String| {
            prefix.starts_with(|c: char| c.is_ascii_lowercase()) && dns::is_label(&format!("{prefix}x"))
        };
        if let Some(prefix) = self.prefix.as_ref().filter(|prefix| !is_prefix(prefix)) {
            let message = format!(
                "must begin with a lower case letter and have only lower case letters, digits and hyphens, got {}",
                quoted(prefix)
            );
            mistakes.add(FieldPath::new("spec.prefix"), message);
        }
        for (field, text) in
            [("displayName", &self.display_name), ("hardwareProfile", &self.hardware_profile)]
        {
            if text.as_ref().is_some_and(String::is_empty) {
                mistakes.add(FieldPath::new("spec").key(field), "must not be empty");
            }
        }
        let uri = self.model.as_ref().map(|model| model.storage_uri.as_str());
        if let Some(uri) = uri.filter(|uri| !uri.contains("://")) {
            let message = format!("must be a URI such as oci://registry/model:tag, got {}", quoted(uri));
            mistakes.add(FieldPath::new("spec.model.storageUri"), message);
        }
    }
}

impl Transformer for ModelEnvironment {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        self.set_location(items)?;
        let (given, misreads) = serving::read(&World::new(items));
        if checks::wrong_type(&misreads, results) {
            return Ok(());
        }
        self.require_models(items)?;
        let selected = names::selected(&given, items, &self.names);
        if self.names.check(&selected, items, results) {
            return Ok(());
        }
        self.describe_models(items, results)?;
        self.names.report_others(&selected, items, results);
        self.names.apply(&given, &selected, items)?;
        for item in &selected {
            let path = kubernetes::labels().key("environment");
            item.get_mut(items).set(&path, self.environment.clone())?;
        }
        self.set_sizes(items, results)?;
        self.set_flags(items, results)?;
        self.place(items, results)?;
        self.set_defaults(items)?;
        ModelEnvironment::report(items, results);
        Ok(())
    }
}

/// Labels or amounts by name.
type ByName = BTreeMap<String, Value>;
