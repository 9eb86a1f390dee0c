//! Connections of models: Secrets that are missing, or of the wrong type.

use super::{is_template, services};
use crate::checks::rules;
use crate::krm::{FieldPath, Hint, Location, Resource, Results, quoted};
use crate::model::Model;
use crate::model::secrets::connections::{Connection, connections};
use crate::model::serving::ModelService;
use crate::platform::serving::{DOCKER_CONFIG, OCI, OCI_SCHEME, S3, S3_SCHEME};

/// Reports connections that are missing beside others, and connections that do not fit the model.
pub fn missing_connection(model: &Model<'_>, results: &mut Results) {
    let connections = connections(&model.world);
    for service in services(model) {
        let named = service.connection.value.as_deref().filter(|name| !name.is_empty());
        // OpenShift AI's dashboard gives the Secret the name of the service.
        let name = named.unwrap_or(&service.name);
        let may_be = |connection: &&Connection| connection.name == name && is_near(service, connection);
        match connections.iter().find(may_be) {
            Some(connection) => report_type(service, connection, model, results),
            None if named.is_some() && !is_template(name) => {
                report_absent(service, name, &connections, model, results);
            }
            None => {}
        }
    }
}

fn is_near(service: &ModelService, connection: &Connection) -> bool {
    let namespaces = service.namespace.as_ref().zip(connection.namespace.as_ref());
    namespaces.is_none_or(|(own, other)| own == other)
}

/// A package without connections gets them from elsewhere.
fn report_absent(
    service: &ModelService,
    name: &str,
    connections: &[Connection],
    model: &Model<'_>,
    results: &mut Results,
) {
    let near = || connections.iter().filter(|other| other.protocol.is_some() && is_near(service, other));
    if near().next().is_none() {
        return;
    }
    let hint = Hint::among(name, near().map(|other| other.name.as_str()));
    let message = format!(
        "there is no Secret {} among the resources, and OpenShift AI rejects a service whose connection does not exist; \
         {}",
        quoted(name),
        hint.and("add it, unless it comes from elsewhere")
    );
    results.warning(&rules::MISSING_CONNECTION, message).at(service.connection.site.location(model.items()));
}

fn report_type(service: &ModelService, connection: &Connection, model: &Model<'_>, results: &mut Results) {
    let Some(protocol) = &connection.protocol else { return };
    let uri = service.storage_uri.value.as_deref().unwrap_or_default();
    let items: &[Resource] = model.items();
    let secret = connection.item.get(items);
    let expected = [(OCI_SCHEME, OCI, S3), (S3_SCHEME, S3, OCI)];
    for (scheme, right, wrong) in expected {
        if uri.starts_with(scheme) && protocol.value == wrong {
            let message = format!(
                "the connection is of the type {}, but the model is at {}; use a connection of the type {}, or none",
                quoted(wrong),
                quoted(uri),
                quoted(right)
            );
            results
                .warning(&rules::MISSING_CONNECTION, message)
                .at(protocol.site.location(items))
                .related(service.storage_uri.site.location(items), "the model");
            return;
        }
    }
    if protocol.value == OCI && connection.secret_type.as_deref().is_some_and(|own| own != DOCKER_CONFIG) {
        let message = format!(
            "a connection of the type {} needs a Secret of the type {}, or no image can be pulled with it; change the \
             `type`",
            quoted(OCI),
            quoted(DOCKER_CONFIG)
        );
        results
            .warning(&rules::MISSING_CONNECTION, message)
            .at(Location::of_field(secret, &FieldPath::new("type")));
    }
}
