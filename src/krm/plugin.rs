//! kustomize's legacy plugin protocol, the only one that `kubectl kustomize` and `oc kustomize` support: the first
//! argument names the config file, and stdin and stdout are plain documents.

use super::fault::Fault;
use super::id::Place;
use super::package::join;
use super::registry::Registry;
use super::resource::Resource;
use super::results::Results;
use super::rules;
use super::run::Outcome;
use crate::yaml::{Text, stream};

/// Runs the function that `config` names over the documents on stdin.
///
/// A generator gets no documents, and prints only what it generates.
pub fn run_plugin(config: &str, stdin: &str, registry: &Registry) -> Outcome {
    let mut results = Results::default();
    let stdout = match transform(config, stdin, registry, &mut results) {
        Ok(stdout) => stdout,
        Err(fault) => {
            results.add(fault.into_finding());
            stdin.to_owned()
        }
    };
    let failed = results.has_errors();
    Outcome {
        stdout: if failed { stdin.to_owned() } else { stdout },
        findings: results.into_sorted(),
        failed,
    }
}

fn transform(config: &str, stdin: &str, registry: &Registry, results: &mut Results) -> Result<String, Fault> {
    let config = match documents(config)?.into_iter().next() {
        Some(config) => config,
        None => return Err(Fault::new(&rules::FUNCTION_CONFIG, "the plugin's config file is empty")),
    };
    let entry = registry.dispatch(&config)?;
    let mut items = documents(stdin)?;
    entry.run(&config, &mut items, results)?;
    Ok(join(items.iter())?.to_string())
}

fn documents(text: &str) -> Result<Vec<Resource>, Fault> {
    let source: Text = text.into();
    let read = |range| Resource::from_file(source.clone(), range, Place::default());
    stream::documents(text)
        .into_iter()
        .map(|range| read(range).map_err(|e| Fault::new(&rules::YAML, e.to_string())))
        .collect()
}
