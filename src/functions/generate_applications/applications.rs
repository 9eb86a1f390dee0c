//! The Applications, or the ApplicationSet that creates them. Both are made from the same spec.

use serde_json::{Map, Value, json};

use super::{ApplicationSpec, Applications, Sync};
use crate::krm::{Fault, Object, Resource};
use crate::platform::argocd::{
    APPLICATION, APPLICATION_SET, BACKOFF, CREATE_NAMESPACE, IN_CLUSTER, PRUNE_LAST, RESPECT_IGNORED,
    SYNC_WAVE,
};

/// The part of `templatePatch` that adds automated sync.
const AUTO_PATCH: &str = r#"{{- if eq .sync "auto" }}
spec:
  syncPolicy:
    automated:
      prune: true
      selfHeal: true
{{- end }}
"#;

impl Applications {
    pub(super) fn applications(&self) -> Result<Vec<Resource>, Fault> {
        self.applications.iter().map(|application| self.application(application)).collect()
    }

    fn application(&self, application: &ApplicationSpec) -> Result<Resource, Fault> {
        let wave = application.wave.map(|wave| (SYNC_WAVE.to_owned(), json!(wave.to_string())));
        Object::new(APPLICATION, &application.name)
            .namespace(Some(&self.namespace))
            .annotations(wave.into_iter().collect())
            .field("spec", self.spec(&application.path, &application.destination, application.sync))
            .build()
    }

    /// By default, the controller adds a finalizer to the Applications, which deletes what they have deployed together
    /// with them. `preserveResourcesOnDeletion` prevents that.
    pub(super) fn application_set(&self, name: &str) -> Result<Resource, Fault> {
        let has_waves = self.applications.iter().any(|application| application.wave.is_some());
        let elements: Vec<Value> =
            self.applications.iter().map(|application| element(application, has_waves)).collect();
        let mut spec = json!({
            "goTemplate": true,
            "goTemplateOptions": ["missingkey=error"],
            "generators": [{"list": {"elements": elements}}],
            "syncPolicy": {"preserveResourcesOnDeletion": true},
            "template": {
                "metadata": {"name": "{{ .name }}"},
                "spec": self.spec("{{ .path }}", "{{ .destination }}", Sync::Manual),
            },
        });
        let mut patch = String::new();
        if self.applications.iter().any(|application| application.sync == Sync::Auto) {
            patch.push_str(AUTO_PATCH);
        }
        if has_waves {
            patch.push_str(&wave_patch());
        }
        if !patch.is_empty() {
            spec["templatePatch"] = json!(patch);
        }
        Object::new(APPLICATION_SET, name).namespace(Some(&self.namespace)).field("spec", spec).build()
    }

    /// The spec of an Application.
    fn spec(&self, path: &str, destination: &str, sync: Sync) -> Value {
        let mut source = json!({"repoURL": self.repo_url, "targetRevision": self.revision, "path": path});
        if let Some(plugin) = &self.plugin {
            source["plugin"] = json!({"name": plugin});
        }
        let mut spec = json!({
            "project": self.project,
            "source": source,
            "destination": {"server": IN_CLUSTER, "namespace": destination},
        });
        let policy = self.sync_policy(sync);
        if !policy.is_empty() {
            spec["syncPolicy"] = Value::Object(policy);
        }
        if !self.ignored.is_empty() {
            spec["ignoreDifferences"] = self.ignored.iter().map(|ignored| ignored.entry()).collect();
        }
        spec
    }

    fn sync_policy(&self, sync: Sync) -> Map<String, Value> {
        let mut policy = Map::new();
        if sync == Sync::Auto {
            policy.insert("automated".to_owned(), json!({"prune": true, "selfHeal": true}));
        }
        let options = [
            (self.create_namespace, CREATE_NAMESPACE),
            (self.prune_last, PRUNE_LAST),
            (!self.ignored.is_empty(), RESPECT_IGNORED),
        ];
        let options: Vec<&str> =
            options.iter().filter(|(is_set, _)| *is_set).map(|(_, option)| *option).collect();
        if !options.is_empty() {
            policy.insert("syncOptions".to_owned(), json!(options));
        }
        if let Some(retry) = self.retry {
            let (duration, factor, longest) = BACKOFF;
            let backoff = json!({"duration": duration, "factor": factor, "maxDuration": longest});
            policy.insert("retry".to_owned(), json!({"limit": retry.limit, "backoff": backoff}));
        }
        policy
    }
}

/// The parameters of an Application. With `missingkey=error`, either all have a wave or none has.
fn element(application: &ApplicationSpec, has_waves: bool) -> Value {
    let ApplicationSpec { name, path, destination, sync, wave } = application;
    let mut element = json!({"name": name, "path": path, "destination": destination, "sync": sync});
    if has_waves {
        element["wave"] = json!(wave.map(|wave| wave.to_string()).unwrap_or_default());
    }
    element
}

/// The part of `templatePatch` that adds the sync wave.
fn wave_patch() -> String {
    format!(
        "{{{{- if .wave }}}}\nmetadata:\n  annotations:\n    {SYNC_WAVE}: \"{{{{ .wave }}}}\"\n{{{{- end }}}}\n"
    )
}
