//! Checks a functionConfig, and returns what is ready to run if it has no mistakes.

use super::{Access, Allowed, ApplicationSpec, Applications, Form, GenerateApplications, Namespaces, kinds};
use crate::formats::dns;
use crate::krm::{FieldPath, Hint, Mistakes, quoted};
use crate::platform::argocd::ignored::{IGNORED, Ignored};
use crate::platform::argocd::{DEFAULT_PROJECT, OPENSHIFT_GITOPS};
use crate::platform::scopes::Scope;

pub fn check(spec: GenerateApplications) -> Result<Applications, Mistakes> {
    let mut mistakes = Mistakes::default();
    check_source(&spec, &mut mistakes);
    check_applications(&spec.applications, &mut mistakes);
    let set = set_name(&spec, &mut mistakes);
    let allowed = allowed(&spec, &mut mistakes);
    let ignored = ignored(&spec.defaults.ignore_differences, &mut mistakes);
    let namespaces = namespaces(&spec, &mut mistakes);
    if let Some(retry) = spec.defaults.retry
        && retry.limit < -1
    {
        let path = FieldPath::new("spec.defaults.retry.limit");
        mistakes.add(path, format!("must be -1 or more, got {}", retry.limit));
    }
    mistakes.unless_any(|| Applications {
        repo_url: spec.repo_url,
        revision: spec.revision,
        project: spec.project,
        allowed,
        namespace: spec.namespace,
        set,
        plugin: spec.plugin,
        applications: spec.applications,
        create_namespace: spec.defaults.create_namespace,
        prune_last: spec.defaults.prune_last,
        retry: spec.defaults.retry,
        ignored,
        namespaces,
    })
}

fn field(name: &'static str) -> FieldPath {
    FieldPath::new("spec").key(name)
}

/// The repository, the plugin, and where the Applications belong.
fn check_source(spec: &GenerateApplications, mistakes: &mut Mistakes) {
    let texts = [
        ("repoURL", Some(&spec.repo_url)),
        ("revision", Some(&spec.revision)),
        ("plugin", spec.plugin.as_ref()),
    ];
    for (name, text) in texts {
        if let Some((text, objection)) = text.and_then(|text| Some((text, objection_to_text(text)?))) {
            mistakes.add(field(name), format!("{objection}, got {}", quoted(text)));
        }
    }
    if !dns::is_subdomain(&spec.project) {
        let message = format!("must be the name of an AppProject, got {}", quoted(&spec.project));
        mistakes.add(field("project"), message);
    } else if spec.create_project.is_some() && spec.project == DEFAULT_PROJECT {
        let message = "must be another project than `default`, which every Argo CD has and other Applications use; or \
                       remove `createProject`";
        mistakes.add(field("project"), message);
    }
    if !dns::is_label(&spec.namespace) {
        let message = format!("must be the name of a namespace, got {}", quoted(&spec.namespace));
        mistakes.add(field("namespace"), message);
    }
}

fn check_applications(applications: &[ApplicationSpec], mistakes: &mut Mistakes) {
    let path = field("applications");
    if applications.is_empty() {
        mistakes.add(path.clone(), "must have at least one application");
    }
    for (i, application) in applications.iter().enumerate() {
        let path = path.clone().index(i);
        let ApplicationSpec { name, path: directory, destination, .. } = application;
        if !dns::is_label(name) {
            let message = format!(
                "must consist of at most {} lower case letters, digits and hyphens, and begin and end with a letter or \
                 a digit, got {}",
                dns::LABEL,
                quoted(name)
            );
            mistakes.add(path.clone().key("name"), message);
        } else if let Some(first) = applications[..i].iter().position(|other| other.name == *name) {
            let message =
                format!("must be unique, but `spec.applications[{first}]` has {} too", quoted(name));
            mistakes.add(path.clone().key("name"), message);
        }
        if let Some(objection) = objection_to_path(directory) {
            mistakes.add(path.clone().key("path"), format!("{objection}, got {}", quoted(directory)));
        }
        if !dns::is_label(destination) {
            let message = format!("must be the name of a namespace, got {}", quoted(destination));
            mistakes.add(path.key("destination"), message);
        }
    }
}

/// The name of the ApplicationSet, if there is one.
fn set_name(spec: &GenerateApplications, mistakes: &mut Mistakes) -> Option<String> {
    let path = field("name");
    match (spec.form, &spec.name) {
        (Form::Applications, None) => None,
        (Form::Applications, Some(_)) => {
            mistakes.add(path, "is only for `form: applicationset`; remove it");
            None
        }
        (Form::ApplicationSet, None) if spec.project == DEFAULT_PROJECT => {
            mistakes.add(path, "is required for an ApplicationSet in the project `default`");
            None
        }
        (Form::ApplicationSet, None) => Some(spec.project.clone()),
        (Form::ApplicationSet, Some(name)) => {
            if !dns::is_subdomain(name) {
                mistakes.add(path, format!("must be the name of an ApplicationSet, got {}", quoted(name)));
            }
            Some(name.clone())
        }
    }
}

fn allowed(spec: &GenerateApplications, mistakes: &mut Mistakes) -> Option<Allowed> {
    let project = spec.create_project.as_ref()?;
    let path = field("createProject").key("clusterKinds");
    let cluster = kinds::read(&project.cluster_kinds, Scope::Cluster, &path, mistakes);
    let path = field("createProject").key("namespacedKinds");
    let namespaced = project.namespaced_kinds.as_ref().map(|texts| {
        if texts.is_empty() {
            mistakes.add(path.clone(), "must have at least one kind; remove this field to allow all of them");
        }
        kinds::read(texts, Scope::Namespaced, &path, mistakes)
    });
    Some(Allowed { cluster, namespaced })
}

fn ignored(kinds: &[String], mistakes: &mut Mistakes) -> Vec<&'static Ignored> {
    let path = field("defaults").key("ignoreDifferences");
    let mut found: Vec<&'static Ignored> = Vec::new();
    for (i, kind) in kinds.iter().enumerate() {
        match Ignored::named(kind) {
            Some(ignored) if found.iter().any(|other| other.kind == ignored.kind) => {
                mistakes.add(path.clone().index(i), format!("must be unique, got {} twice", quoted(kind)));
            }
            Some(ignored) => found.push(ignored),
            None => mistakes.add(path.clone().index(i), unknown_kind(kind)),
        }
    }
    found
}

fn unknown_kind(kind: &str) -> String {
    let known = || IGNORED.iter().map(|ignored| ignored.kind.kind);
    let hint = Hint::among(kind, known())
        .or(|| format!("it must be one of {}", known().collect::<Vec<_>>().join(", ")));
    format!("no differences are known for {}; {hint}", quoted(kind))
}

fn namespaces(spec: &GenerateApplications, mistakes: &mut Mistakes) -> Option<Namespaces> {
    let namespaces = spec.namespaces.as_ref()?;
    let path = field("namespaces").key("serviceAccount");
    let account = match (&namespaces.service_account, namespaces.access) {
        (Some(account), Access::RoleBinding) => {
            if !dns::is_subdomain(account) {
                mistakes.add(path, format!("must be the name of a ServiceAccount, got {}", quoted(account)));
            }
            Some(account.clone())
        }
        (Some(_), _) => {
            mistakes.add(path, "is only for `access: roleBinding`; remove it");
            None
        }
        (None, Access::RoleBinding) if spec.namespace == OPENSHIFT_GITOPS.0 => {
            Some(OPENSHIFT_GITOPS.1.to_owned())
        }
        (None, Access::RoleBinding) => {
            let message = format!(
                "is required, because the name of the account in {} is not known",
                quoted(&spec.namespace)
            );
            mistakes.add(path, message);
            None
        }
        (None, _) => None,
    };
    Some(Namespaces {
        is_managed_by_label: namespaces.access == Access::Label,
        is_for_openshift_ai: namespaces.openshift_ai,
        account,
    })
}

/// What is wrong with a text that is one word, if anything. An ApplicationSet would read `{{` as a template.
fn objection_to_text(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        Some("must not be empty")
    } else if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        Some("must be without spaces and control characters")
    } else if text.contains("{{") {
        Some("must be without `{{`")
    } else {
        None
    }
}

/// What is wrong with a directory of the repository, if anything.
fn objection_to_path(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("must be a directory, or `.` for the root of the repository");
    }
    if path.starts_with('/') {
        return Some("must be relative to the root of the repository");
    }
    if path.contains(char::is_control) {
        return Some("must be without control characters");
    }
    let mut depth = 0_usize;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match depth.checked_sub(1) {
                Some(parent) => depth = parent,
                None => return Some("must be a directory inside the repository"),
            },
            _ => depth += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_inside_the_repository() {
        for path in [".", "a", "a/b/", "./a", "a/../b", "a/.."] {
            assert_eq!(objection_to_path(path), None, "{path:?}");
        }
        for path in ["", "/a", "..", "../a", "a/../../b", "a\n"] {
            assert!(objection_to_path(path).is_some(), "{path:?}");
        }
    }
}
