//! Kinds that an AppProject does not allow, or allows in the wrong list.

use super::matches;
use crate::checks::rules;
use crate::krm::{FieldPath, FieldPattern, Id, Location, Resource, Results, quoted};
use crate::model::Model;
use crate::model::projects::{Application, GroupKind, Project, Projects};
use crate::platform::app_project::{cluster_kinds, is_namespaced, namespaced_kinds};
use crate::platform::argocd::{APPLICATION, APPLICATION_SET, PROJECT};
use crate::platform::kubernetes::{NAMESPACE, ROLE_BINDING};

/// Reports objects in the namespaces of Applications whose AppProjects do not allow their kind.
pub fn report_objects(projects: &Projects, model: &Model<'_>, results: &mut Results) {
    for (_, object) in model.world.items().filter(|(_, item)| !item.is_local()) {
        let id = object.id();
        let Some(namespace) = &id.namespace else { continue };
        if [APPLICATION, APPLICATION_SET, PROJECT].into_iter().any(|kind| object.is(kind)) {
            continue;
        }
        let deploying = projects
            .applications
            .iter()
            .filter(|it| it.destination.value.namespace.as_ref() == Some(namespace));
        let forbidding: Option<Vec<(&Application, &Project)>> = deploying
            .map(|application| Some((application, forbidding(projects, application, id)?)))
            .collect();
        let Some(&(application, project)) = forbidding.as_ref().and_then(|all| all.first()) else { continue };
        if lets_in(object, application) {
            continue;
        }
        let message = format!(
            "the AppProject {} does not allow {} objects, so the Application {} cannot deploy this one; add the kind to \
             `{}`, unless something else deploys the object",
            quoted(&application.project),
            id.kind,
            quoted(&application.id.name),
            namespaced_kinds()
        );
        let allowed = Location::of_field(project.item.get(model.items()), &namespaced_kinds());
        results
            .warning(&rules::PROJECT_FORBIDS, message)
            .at(Location::of_field(object, &FieldPath::new("kind")))
            .related(allowed, "what the project allows");
    }
}

/// The project of an Application, if it does not allow a kind. None if a project that may be that of the Application
/// allows it, or is not known.
fn forbidding<'p>(projects: &'p Projects, application: &Application, id: &Id) -> Option<&'p Project> {
    let kind = GroupKind { group: id.group().to_owned(), kind: id.kind.clone() };
    let candidates = projects.of(application);
    let is_allowed = |project: &&Project| {
        let kinds = project.namespaced_kinds.as_deref();
        kinds.is_none_or(|kinds| kinds.iter().any(|entry| includes(&entry.value, &kind)))
    };
    candidates.first().copied().filter(|_| !candidates.iter().any(is_allowed))
}

/// Whether an object gives Argo CD access to the namespace. Argo CD cannot deploy that by itself.
fn lets_in(object: &Resource, application: &Application) -> bool {
    let Some(own) = application.id.namespace.as_ref().filter(|_| object.is(ROLE_BINDING)) else {
        return false;
    };
    let namespaces = object.fields(&FieldPattern::new("subjects[*].namespace")).unwrap_or_default();
    namespaces.iter().any(|path| object.get::<String>(path).ok().flatten().as_ref() == Some(own))
}

/// Reports Applications that create their namespace, although their AppProject does not allow that.
pub fn report_namespaces(projects: &Projects, model: &Model<'_>, results: &mut Results) {
    let namespace = GroupKind { group: String::new(), kind: NAMESPACE.kind.to_owned() };
    let is_allowed =
        |project: &&Project| project.cluster_kinds.iter().any(|entry| includes(&entry.value, &namespace));
    for application in &projects.applications {
        let candidates = projects.of(application);
        let (Some(option), Some(first)) = (&application.creates_namespace, candidates.first()) else {
            continue;
        };
        if candidates.iter().any(is_allowed) {
            continue;
        }
        let message = format!(
            "the AppProject {} does not allow Namespace objects, so Argo CD does not create a missing namespace; add the \
             kind to `{}`, or create the namespace elsewhere and remove the option",
            quoted(&application.project),
            cluster_kinds()
        );
        let items = model.items();
        let allowed = Location::of_field(first.item.get(items), &cluster_kinds());
        results
            .warning(&rules::PROJECT_FORBIDS, message)
            .at(option.location(items))
            .related(allowed, "what the project allows");
    }
}

/// Reports kinds in the list for the other scope, where Argo CD does not look for them, unless the right list has them
/// too.
pub fn report_wrong_lists(project: &Project, model: &Model<'_>, results: &mut Results) {
    let of_cluster = Some(project.cluster_kinds.as_slice());
    let of_namespaces = project.namespaced_kinds.as_deref();
    let lists = [
        (of_cluster, of_namespaces, true, "in namespaces", namespaced_kinds()),
        (of_namespaces, of_cluster, false, "in no namespace", cluster_kinds()),
    ];
    for (list, right, scope, are, right_field) in lists {
        for entry in list.unwrap_or_default() {
            let GroupKind { group, kind } = &entry.value;
            let is_allowed =
                right.is_none_or(|kinds| kinds.iter().any(|other| includes(&other.value, &entry.value)));
            if is_namespaced(group, kind) != Some(scope) || is_allowed {
                continue;
            }
            let message = format!(
                "{kind} objects are {are}, so Argo CD does not look for them in this list and does not deploy them; move \
                 the entry to `{right_field}`"
            );
            results.warning(&rules::PROJECT_FORBIDS, message).at(entry.site.location(model.items()));
        }
    }
}

/// Whether an entry of a list includes a kind.
fn includes(pattern: &GroupKind, kind: &GroupKind) -> bool {
    matches(&pattern.group, &kind.group) && matches(&pattern.kind, &kind.kind)
}
