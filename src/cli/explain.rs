//! `explain` and `schema`: the reference of functions, fields, rules, GPUs and instance types.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::Reply;
use super::file_set::{self, Content, NewFile};
use crate::docs;
use crate::functions::REGISTRY;
use crate::krm::{Entry, Hint, quoted};

pub fn explain(what: &[String], width: usize) -> Result<Reply> {
    let what = match what {
        [catalogue, name @ ..] if catalogue.eq_ignore_ascii_case("gpu") => {
            return docs::explain_gpu(&name.join(" ")).map(Reply::text).map_err(anyhow::Error::msg);
        }
        [catalogue, name @ ..] if catalogue.eq_ignore_ascii_case("instance") => {
            return docs::explain_instance(&name.join(" ")).map(Reply::text).map_err(anyhow::Error::msg);
        }
        [what] => what,
        _ => {
            bail!("`explain` takes one function, field or rule; separate the parts of a field path with dots")
        }
    };
    if let Some(page) = docs::explain_rule(what, width) {
        return Ok(Reply::text(page));
    }
    let what = what.replace("[]", ""); // the reference pages mark lists with `[]`
    let mut path = what.split('.');
    let entry = find(path.next().unwrap_or_default())?;
    let path: Vec<&str> = path.collect();
    docs::explain(entry, &path, width).map(Reply::text).map_err(anyhow::Error::msg)
}

pub fn schema(kind: &str) -> Result<Reply> {
    let schema = docs::json_schema(find(kind)?);
    Ok(Reply::text(serde_json::to_string_pretty(&schema)? + "\n"))
}

/// Writes the schemas of all functions to a directory.
pub fn schemas(directory: &Path) -> Result<Reply> {
    let mut texts = Vec::new();
    for (name, schema) in docs::all_schemas(REGISTRY) {
        texts.push((PathBuf::from(name), serde_json::to_string_pretty(&schema)? + "\n"));
    }
    let files: Vec<NewFile> = texts
        .iter()
        .map(|(below, text)| NewFile { root: directory, below: below.clone(), content: Content::Text(text) })
        .collect();
    Ok(Reply::paths(&file_set::write(&files)?))
}

/// Finds a function by its kind or name, ignoring case.
pub fn find(name: &str) -> Result<&'static Entry> {
    let found = REGISTRY
        .functions
        .iter()
        .find(|e| e.kind.eq_ignore_ascii_case(name) || e.name.eq_ignore_ascii_case(name));
    let Some(entry) = found else {
        let functions = REGISTRY.functions.iter().flat_map(|e| [e.kind, e.name]);
        let hint = Hint::among(name, functions.chain(docs::rule_ids()));
        let lists = "`rhoso-fn list` lists the functions, `rhoso-fn rules` the rules";
        bail!("unknown function or rule {}; {}", quoted(name), hint.and(lists));
    };
    Ok(entry)
}
