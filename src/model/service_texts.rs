//! The configuration of services as users write it: in control planes, in ConfigMaps for the data plane, and in values
//! files.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::data_plane::DataPlane;
use super::{ItemId, Site, Sited, World};
use crate::krm::{FieldPath, FieldPattern};
use crate::platform::kubernetes::{self, CONFIG_MAP};
use crate::platform::service_config::{FIELD, PLACES};
use crate::platform::values::{self, Content};
use crate::platform::{dataplane, openstack};

/// The texts of one project in one resource, or of one service of the data plane. The project reads them together.
#[derive(Debug)]
pub struct ServiceTexts {
    /// The name of the project in the table of options.
    pub project: &'static str,
    pub texts: Vec<Sited<String>>,
}

/// Reads all texts, each once. Fields of the wrong type are left out.
pub fn read(world: &World<'_>, data_plane: &DataPlane) -> Vec<ServiceTexts> {
    let mut found = Vec::new();
    for (item, _) in world.of_kind(openstack::CONTROL_PLANE) {
        let texts = PLACES.iter().flat_map(|place| {
            let paths = world.get(item).fields(&place.texts()).unwrap_or_default();
            paths.into_iter().map(|path| (place.project, path))
        });
        found.extend(by_project(item, texts.collect(), world));
    }
    for service in &data_plane.services {
        let Some(project) = service.service_type.as_deref().and_then(dataplane::project) else { continue };
        let files = service.files.iter().filter(|file| file.is_in_config_map);
        let files = files.filter(|file| dataplane::is_config_of(project, &file.name));
        let texts = files.filter_map(|file| text(file.site.clone(), world)).collect();
        found.push(ServiceTexts { project, texts });
    }
    for (item, resource) in world.of_kind(CONFIG_MAP) {
        let texts = match Content::of(&resource.id().name).filter(|_| resource.is_local()) {
            Some(Content::Services) => values_of_services(item, world),
            Some(Content::NodeSets) => values_of_node_sets(item, world),
            _ if resource.id().name == dataplane::NOVA_EXTRA_CONFIG => extra_config(item, world),
            _ => continue,
        };
        found.extend(by_project(item, texts, world));
    }
    let mut seen = HashSet::new();
    for group in &mut found {
        group.texts.retain(|text| seen.insert(text.site.clone()));
    }
    found
}

fn text(site: Site, world: &World<'_>) -> Option<Sited<String>> {
    let value = world.get(site.item).get(&site.path).ok().flatten()?;
    Some(Sited { value, site })
}

fn by_project(
    item: ItemId,
    texts: Vec<(&'static str, FieldPath)>,
    world: &World<'_>,
) -> impl Iterator<Item = ServiceTexts> {
    let mut groups: BTreeMap<&'static str, Vec<Sited<String>>> = BTreeMap::new();
    for (project, path) in texts {
        groups.entry(project).or_default().extend(text(Site::new(item, path), world));
    }
    groups.into_iter().map(|(project, texts)| ServiceTexts { project, texts })
}

/// The files of the ConfigMap that the operator's own service `nova` reads.
fn extra_config(item: ItemId, world: &World<'_>) -> Vec<(&'static str, FieldPath)> {
    let files = kubernetes::FILES.map(FieldPattern::new);
    let files = files.iter().flat_map(|files| world.get(item).fields(files).unwrap_or_default());
    let is_config = |path: &FieldPath| path.last_key().is_some_and(dataplane::is_nova_config);
    files.filter(is_config).map(|path| (dataplane::NOVA_PROJECT, path)).collect()
}

fn values_of_node_sets(item: ItemId, world: &World<'_>) -> Vec<(&'static str, FieldPath)> {
    let patterns = values::NOVA_TEXTS.map(FieldPattern::new);
    let paths = patterns.iter().flat_map(|pattern| world.get(item).fields(pattern).unwrap_or_default());
    paths.map(|path| (dataplane::NOVA_PROJECT, path)).collect()
}

/// Each `customServiceConfig` below a key that names a service of the control plane.
fn values_of_services(item: ItemId, world: &World<'_>) -> Vec<(&'static str, FieldPath)> {
    let data = FieldPath::new("data");
    let mut found = Vec::new();
    if let Ok(Some(value)) = world.get(item).value(&data) {
        collect(&value, &data, &mut Vec::new(), &mut found);
    }
    found
}

fn collect<'v>(
    value: &'v Value,
    path: &FieldPath,
    keys: &mut Vec<&'v str>,
    found: &mut Vec<(&'static str, FieldPath)>,
) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let path = path.clone().key(key.clone());
                if key == FIELD && value.is_string() {
                    found.extend(values::project(keys).map(|project| (project, path)));
                } else {
                    keys.push(key);
                    collect(value, &path, keys, found);
                    keys.pop();
                }
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                collect(value, &path.clone().index(index), keys, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{data_plane, testing};

    fn found(text: &str) -> Vec<String> {
        let items = testing::resources(text);
        let world = World::new(&items);
        let (data_plane, _) = data_plane::read(&world);
        let texts = |group: ServiceTexts| {
            let project = group.project;
            group.texts.into_iter().map(move |text| format!("{project} {} {}", text.site.path, text.value))
        };
        read(&world, &data_plane).into_iter().flat_map(texts).collect()
    }

    #[test]
    fn control_planes_have_texts_of_many_projects() {
        let plane = "apiVersion: core.openstack.org/v1beta1
kind: OpenStackControlPlane
metadata: {name: openstack}
spec:
  glance: {enabled: false, template: {customServiceConfig: a, glanceAPIs: {default: {customServiceConfig: b}}}}
  galera: {templates: {openstack: {customServiceConfig: no}}}
  ironic: {template: {ironicConductors: [{customServiceConfig: c}], ironicInspector: {customServiceConfig: d}}}
  neutron: {template: {customServiceConfig: [1]}}
";
        assert_eq!(
            found(plane),
            [
                "glance spec.glance.template.customServiceConfig a",
                "glance spec.glance.template.glanceAPIs.default.customServiceConfig b",
                "ironic spec.ironic.template.ironicConductors[0].customServiceConfig c",
                "ironic-inspector spec.ironic.template.ironicInspector.customServiceConfig d",
            ]
        );
    }

    #[test]
    fn services_of_the_data_plane_read_config_maps() {
        let service = |name: &str| {
            format!(
                "apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneService
metadata: {{name: {name}}}
spec: {{dataSources: [{{configMapRef: {{name: files}}}}, {{secretRef: {{name: secret}}}}]}}
---
apiVersion: v1
kind: ConfigMap
metadata: {{name: files}}
data: {{01-nova.conf: a, other.conf: b, ceilometer.conf: c, x.yaml: d}}
---
apiVersion: v1
kind: Secret
metadata: {{name: secret}}
stringData: {{02-nova.conf: no}}
"
            )
        };
        assert_eq!(found(&service("nova")), ["nova data[01-nova.conf] a"]);
        assert_eq!(found(&service("libvirt")), [""; 0]);
        assert_eq!(found(&service("telemetry")), ["ceilometer data[ceilometer.conf] c"]);
        assert_eq!(found(&service("neutron-sriov")).len(), 3);
        let extra = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nova-extra-config}\ndata: {25-nova-x.conf: e, y: no}\n";
        assert_eq!(found(extra), ["nova data[25-nova-x.conf] e"]);
    }

    #[test]
    fn values_files_have_texts_at_many_depths() {
        let values = |name: &str, data: &str| {
            found(&format!(
                "apiVersion: v1
kind: ConfigMap
metadata: {{name: {name}, annotations: {{config.kubernetes.io/local-config: \"true\"}}}}
data: {data}
"
            ))
        };
        let services = "{nova: {cell0Conductor: {customServiceConfig: a}}, cinderVolumes: {ceph: {customServiceConfig: b}}, horizon: {customServiceConfig: no}, ironic: {ironicInspector: {customServiceConfig: c}}}";
        assert_eq!(
            values("service-values", services),
            [
                "cinder data.cinderVolumes.ceph.customServiceConfig b",
                "ironic-inspector data.ironic.ironicInspector.customServiceConfig c",
                "nova data.nova.cell0Conductor.customServiceConfig a",
            ]
        );
        let nodes = "{nova: {pci: {conf: a}, dataSources: [x]}, nova-extra-config: b}";
        assert_eq!(
            values("edpm-nodeset-values", nodes),
            ["nova data.nova.pci.conf a", "nova data.nova-extra-config b"]
        );
        assert_eq!(values("olm-values", services), [""; 0]);
    }
}
