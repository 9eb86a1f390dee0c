use super::*;
use crate::krm::{FieldPath, Kind, Object, Resource};
use crate::platform::kubernetes;
use serde_json::{Value, json};

fn item(kind: Kind, name: &str, field: &str, value: Value) -> Resource {
    Object::new(kind, name).namespace(Some("rhoso")).field(field, value).build().unwrap()
}

fn node_set(name: &str, services: Value) -> Resource {
    item(openstack::NODE_SET, name, "spec", json!({"services": services}))
}

fn values(names: &[Sited<String>]) -> Vec<&str> {
    names.iter().map(|name| name.value.as_str()).collect()
}

#[test]
fn services_are_listed_or_the_default_ones() {
    let items = [node_set("listed", json!(["bootstrap", "nova"])), node_set("null", Value::Null)];
    let (plane, misreads) = read(&World::new(&items));
    assert!(misreads.is_empty());
    let [listed, null] = plane.node_sets.as_slice() else { panic!("there are two node sets") };
    assert_eq!((values(&listed.services), listed.lists_services), (vec!["bootstrap", "nova"], true));
    assert_eq!((values(&null.services), null.lists_services), (dataplane::DEFAULT_SERVICES.to_vec(), false));
    let nova = plane.nova_of(listed).unwrap();
    assert_eq!(nova.site.path, FieldPath::new("spec.services[1]"));
}

#[test]
fn every_name_that_cannot_be_read_is_a_misread() {
    let items = [node_set("gpu", json!(["bootstrap", null, ["nova"]]))];
    let (plane, misreads) = read(&World::new(&items));
    let paths: Vec<String> = misreads.iter().map(|misread| misread.site.path.to_string()).collect();
    assert_eq!(paths, ["spec.services[1]", "spec.services[2]"]);
    assert!(plane.node_sets[0].services.is_empty());
}

#[test]
fn the_type_of_a_service_is_its_own_or_its_name() {
    let service = |name, spec| item(openstack::DATA_PLANE_SERVICE, name, "spec", spec);
    let items = [
        service("custom", json!({"edpmServiceType": "nova"})),
        service("plain", json!({})),
        service("broken", json!({"edpmServiceType": ["nova"]})),
    ];
    let (plane, misreads) = read(&World::new(&items));
    let type_of = |name| plane.service_type(Some("rhoso"), name);
    assert_eq!(type_of("custom"), Some("nova"));
    assert_eq!(type_of("plain"), Some("plain"));
    assert_eq!(type_of("libvirt"), Some("libvirt"));
    assert_eq!((type_of("broken"), type_of("unknown")), (None, None));
    assert_eq!(plane.service_type(None, "custom"), None);
    assert_eq!(misreads.len(), 1);
}

#[test]
fn sources_lead_to_files_and_a_cell() {
    let sources = json!([
        {"configMapRef": {"name": "extra"}},
        {"secretRef": {"name": "nova-cell2-compute-config"}},
        {"secretRef": null, "name": "nova-migration-ssh-key"},
        {"configMapRef": "extra"},
    ]);
    let pci = "[pci]\ndevice_spec = {\"vendor_id\":\"10de\"}\n";
    let items = [
        item(openstack::DATA_PLANE_SERVICE, "nova", "spec", json!({"dataSources": sources})),
        item(kubernetes::CONFIG_MAP, "extra", "data", json!({"04-nova.conf": pci, "pci.conf": pci})),
    ];
    let world = World::new(&items);
    let (plane, misreads) = read(&world);
    let nova = &plane.services[0];
    let cell = nova.cell().map(|cell| (cell.value, cell.site.path.to_string()));
    assert_eq!(cell, Some(("cell2", "spec.dataSources[1].secretRef.name".to_owned())));
    assert!(nova.reads_config_map("extra"));
    let defects: Vec<Option<Defect>> = nova.sources.iter().map(|source| source.defect).collect();
    let misplaced = Defect::MisplacedName { reference: Some("secretRef") };
    assert_eq!(defects, [None, None, Some(misplaced), Some(Defect::Unreadable)]);
    assert_eq!(misreads[0].site.path, FieldPath::new("spec.dataSources[3].configMapRef"));
    let files: Vec<&str> = nova.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(files, ["04-nova.conf", "pci.conf"]);
    assert_eq!(device_specs(nova, &world).0.len(), 1, "Nova does not read pci.conf");
}

#[test]
fn variables_are_set_for_all_nodes_or_one() {
    let from = json!([{"configMapRef": {"name": "vars"}, "prefix": "edpm_"}]);
    let spec = json!({
        "nodeTemplate": {"ansible": {"ansibleVarsFrom": from}},
        "nodes": {
            "a": {"ansible": {"ansibleVars": {"edpm_kernel_args": "own"}}},
            "b": {"ansible": {"ansibleVars": {"edpm_tuned_profile": "x"}}},
        },
    });
    let items = [
        item(openstack::NODE_SET, "gpu", "spec", spec),
        item(kubernetes::CONFIG_MAP, "vars", "data", json!({"kernel_args": "shared"})),
    ];
    let world = World::new(&items);
    let node_set = read(&world).0.node_sets[0].item;
    let (variables, misreads) = variable("edpm_kernel_args", node_set, &world);
    assert!(misreads.is_empty());
    let found: Vec<(String, Option<&str>)> =
        variables.iter().map(|v| (v.site.path.to_string(), v.value.as_deref())).collect();
    assert_eq!(
        found,
        [
            ("spec.nodeTemplate.ansible.ansibleVars.edpm_kernel_args".to_owned(), Some("shared")),
            ("spec.nodes.a.ansible.ansibleVars.edpm_kernel_args".to_owned(), Some("own")),
        ]
    );
}
