//! Applications that their AppProject does not allow, and kinds that it allows in the wrong list.

mod kinds;

use super::rules;
use crate::formats::{glob, placeholder};
use crate::krm::{Hint, Location, Results, quoted};
use crate::model::Model;
use crate::model::projects::{self, Application, Destination, Project};
use crate::platform::app_project::destinations;

/// Reports Applications whose destination no AppProject of that name allows, objects of kinds that it does not allow, and
/// entries for kinds that have no effect.
pub fn project_forbids(model: &Model<'_>, results: &mut Results) {
    let projects = projects::read(&model.world);
    for application in &projects.applications {
        let candidates = projects.of(application);
        if let Some(first) = candidates.first()
            && candidates.iter().all(|project| !may_allow(project, &application.destination.value))
        {
            report_destination(application, first, model, results);
        }
    }
    for project in &projects.projects {
        kinds::report_wrong_lists(project, model, results);
    }
    kinds::report_objects(&projects, model, results);
    kinds::report_namespaces(&projects, model, results);
}

/// Whether a project may allow a destination. Argo CD looks up the server of a cluster by its name and the reverse, so
/// a server and a name may be the same cluster.
fn may_allow(project: &Project, destination: &Destination) -> bool {
    let Some(namespace) = destination.namespace.as_deref().filter(|text| !is_template(text)) else {
        return true;
    };
    project.destinations.iter().any(|allowed| {
        may_be_cluster(allowed, destination)
            && matches(allowed.namespace.as_deref().unwrap_or_default(), namespace)
    })
}

fn may_be_cluster(allowed: &Destination, destination: &Destination) -> bool {
    let both = |pattern: &Option<String>, text: &Option<String>| {
        let (pattern, text) = (pattern.as_deref()?, text.as_deref()?);
        Some(is_template(text) || matches(pattern.trim_end_matches('/'), text.trim_end_matches('/')))
    };
    let by_server = both(&allowed.server, &destination.server);
    let by_name = both(&allowed.name, &destination.name);
    match (by_server, by_name) {
        (None, None) => true,
        _ => [by_server, by_name].contains(&Some(true)) || allowed.name.as_deref() == Some("*"),
    }
}

/// Whether a pattern of Argo CD matches a text. Patterns with `!` and what else its globs support may match.
fn matches(pattern: &str, text: &str) -> bool {
    pattern.starts_with('!')
        || pattern.contains(['?', '[', '{', '\\', '$', '<'])
        || glob::matches(pattern, text)
}

/// Whether something replaces a text before Argo CD reads it.
fn is_template(text: &str) -> bool {
    text.contains("{{") || text.contains('$') || placeholder::is_in(text)
}

fn report_destination(
    application: &Application,
    project: &Project,
    model: &Model<'_>,
    results: &mut Results,
) {
    let destination = &application.destination;
    let is_cluster_allowed =
        project.destinations.iter().any(|allowed| may_be_cluster(allowed, &destination.value));
    let (key, value) = match &destination.value {
        Destination { namespace: Some(namespace), .. } if is_cluster_allowed => ("namespace", namespace),
        Destination { server: Some(server), .. } => ("server", server),
        Destination { name: Some(name), .. } => ("name", name),
        _ => return,
    };
    let message = if project.destinations.is_empty() {
        format!("the AppProject {} allows no destination; add this one to it", quoted(&application.project))
    } else {
        let namespaces = project.destinations.iter().filter_map(|allowed| allowed.namespace.as_deref());
        let hint = Hint::among(value, namespaces.filter(|_| key == "namespace"));
        format!(
            "the AppProject {} does not allow the {} {} as a destination; {}",
            quoted(&application.project),
            if key == "namespace" { key } else { "cluster" },
            quoted(value),
            hint.and("correct the Application, or add the destination to the project")
        )
    };
    let items = model.items();
    let allowed = Location::of_field(project.item.get(items), &destinations());
    results
        .error(&rules::PROJECT_FORBIDS, message)
        .at(destination.site.clone().key(key).location(items))
        .related(allowed, "what the project allows");
}
