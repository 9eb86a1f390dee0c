//! The links between pages.

use std::fs;
use std::path::Path;

use super::all_pages;
use crate::host::root;

/// The targets of links and images in a page, except those in code.
fn targets(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        // Every second part is between backquotes.
        for part in line
            .replace("](", "\u{1}")
            .split('`')
            .step_by(2)
            .collect::<Vec<_>>()
            .join("")
            .split('\u{1}')
            .skip(1)
        {
            found.extend(part.split_once(')').map(|(target, _)| target.to_owned()));
        }
        for attribute in ["src=\"", "srcset=\""] {
            let parts = line.split(attribute).skip(1);
            found.extend(parts.filter_map(|part| part.split_once('"')).map(|(target, _)| target.to_owned()));
        }
    }
    found
}

/// The anchors of a page, the way GitHub and GitLab name them.
fn anchors(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if let (false, Some(title)) = (is_code, line.strip_prefix('#')) {
            let title = title.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
            found.push(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    }
    found
}

/// What is wrong with a link in a page, if anything.
fn problem(page: &Path, text: &str, target: &str) -> Option<String> {
    if target.starts_with("https://") || target.starts_with("http://") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { page.to_owned() } else { page.parent()?.join(file) };
    if !path.exists() {
        return Some("no such file".to_owned());
    }
    let other = if file.is_empty() { text.to_owned() } else { fs::read_to_string(&path).unwrap_or_default() };
    let is_known = anchor.is_empty() || anchors(&other).iter().any(|known| known == anchor);
    (!is_known).then(|| "no such heading".to_owned())
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut problems = Vec::new();
    for page in all_pages() {
        let text = fs::read_to_string(&page).unwrap();
        for target in targets(&text) {
            if let Some(problem) = problem(&page, &text, &target) {
                problems
                    .push(format!("{}: {target}: {problem}", page.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A page that no index mentions is not found.
#[test]
fn every_page_is_in_the_index() {
    let index = fs::read_to_string(root().join("docs/README.md")).unwrap();
    let listed = targets(&index);
    for folder in ["docs", "examples"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_page = path.extension().is_some_and(|extension| extension == "md") && name != "README.md";
            let link = if folder == "docs" { name } else { format!("../examples/{name}/README.md") };
            let is_page = if folder == "docs" { is_page } else { path.is_dir() };
            assert!(!is_page || listed.contains(&link), "docs/README.md does not link to {link}");
        }
    }
}

#[test]
fn links_and_anchors_are_found() {
    let page = "# A `b` (c)\n[x](y.md#z) `[no](no)` ![p](q.png)\n```\n[no](no)\n# no\n```\n";
    assert_eq!(targets(page), ["y.md#z", "q.png"]);
    assert_eq!(anchors(page), ["a-b-c"]);
}
