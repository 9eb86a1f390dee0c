//! Reads the CRDs that the user names: files, or directories with CRDs among other manifests.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use super::exclude::Exclude;
use super::manifests::{self, Request};
use crate::krm::Results;
use crate::model::definitions::{self, Definition};
use crate::platform::crds::{Builder, Schemas};
use crate::yaml::{self, Document, search, stream};

/// The fields of all CRDs. Files without CRDs are skipped, even if they cannot be parsed.
pub fn read(paths: &[PathBuf]) -> Result<Builder> {
    let mut read = Definitions::default();
    // What is worth a warning about manifests, such as a link, is not about CRDs.
    let request = Request { paths, output: None, exclude: &Exclude::default() };
    let (files, _) = manifests::find(request, &mut Results::default())?;
    for file in files {
        let bytes = fs::read(&file.path).with_context(|| format!("cannot read {}", file.path.display()))?;
        read.file(&file.path, &bytes)?;
    }
    if read.files.is_empty() {
        let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        bail!("no {} in {}; pass what `oc get crd -o yaml` prints", definitions::KIND, paths.join(", "));
    }
    Ok(read.builder)
}

/// The fields of all CRDs, for checks.
pub fn schemas(paths: &[PathBuf]) -> Result<Option<Schemas>> {
    if paths.is_empty() { Ok(None) } else { read(paths).map(|builder| Some(builder.finish())) }
}

#[derive(Default)]
struct Definitions {
    builder: Builder,
    /// The file of each kind.
    files: HashMap<(String, String), PathBuf>,
}

impl Definitions {
    fn file(&mut self, path: &Path, bytes: &[u8]) -> Result<()> {
        if search::find(bytes, definitions::KIND).is_none() {
            return Ok(());
        }
        let text = yaml::utf8(bytes).map_err(|e| anyhow!("{}: {}", path.display(), e.message()))?;
        for range in stream::documents(text) {
            let part = &text[range.clone()];
            if !part.contains(definitions::KIND) {
                continue;
            }
            let first = text[..range.start].matches('\n').count() + 1;
            let doc = Document::parse(part).map_err(|e| {
                let error = e.below(first);
                let line = error.at.map(|at| format!(":{}", at.line)).unwrap_or_default();
                anyhow!("{}{line}: {}", path.display(), error.message())
            })?;
            let found = definitions::read(&doc, &mut self.builder)
                .map_err(|why| anyhow!("{}:{first}: {why}", path.display()))?;
            for definition in found {
                self.add(definition, path)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, Definition { api_version, kind, root }: Definition, path: &Path) -> Result<()> {
        let is_other = self.builder.define(&api_version, &kind, root).is_some();
        let name = (api_version, kind);
        if is_other && let Some(first) = self.files.get(&name) {
            bail!(
                "{} and {} define {} of {} differently; pass the one that your cluster has",
                first.display(),
                path.display(),
                name.1,
                name.0
            );
        }
        self.files.entry(name).or_insert_with(|| path.to_owned());
        Ok(())
    }
}
