//! Nova's configuration as the users write it: that of the API in control planes, and that of the compute nodes in
//! ConfigMaps.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::control_plane::ControlPlane;
use super::data_plane::{DataPlane, NodeSet, Service, SourceFile};
use super::{Site, World};
use crate::formats::ini::Ini;
use crate::formats::placeholder;
use crate::krm::{FieldPath, FieldPattern, Location, Resource};
use crate::platform::nova::{self, PciSpec};
use crate::platform::{dataplane, kubernetes};

/// The configuration of Nova in one namespace.
#[derive(Debug, Default)]
pub struct NovaConfig {
    /// The configuration of the API. None if no control plane with Nova is among the items.
    pub api: Option<Vec<ConfigText>>,
    /// The files of the compute nodes.
    pub computes: Vec<ConfigText>,
    /// Whether the items include node sets.
    has_node_sets: bool,
    /// Whether a service may read configuration that is not known.
    has_unknown_files: bool,
}

impl NovaConfig {
    /// Whether all aliases of the API are known.
    pub fn has_all_aliases(&self) -> bool {
        self.api.as_ref().is_some_and(|texts| texts.iter().all(|text| text.is_complete))
    }

    /// Whether all devices of the node sets among the items are known.
    pub fn has_all_devices(&self) -> bool {
        self.has_node_sets && !self.has_unknown_files && self.computes.iter().all(|text| text.is_complete)
    }
}

/// One text of configuration, with its options for PCI devices.
#[derive(Debug)]
pub struct ConfigText {
    pub site: Site,
    pub text: String,
    pub aliases: Vec<PciOption>,
    pub device_specs: Vec<PciOption>,
    /// Whether all aliases and devices could be read.
    pub is_complete: bool,
}

/// An `alias` or a `device_spec`.
#[derive(Debug, Clone)]
pub struct PciOption {
    pub spec: PciSpec,
    site: Site,
    /// The bytes of the option in the text.
    range: Range<usize>,
}

impl PciOption {
    pub fn location(&self, items: &[Resource]) -> Location {
        self.site.item.get(items).location_inside(&self.site.path, |_| Some(self.range.clone()))
    }

    /// Whether two options are in the same text.
    pub fn is_beside(&self, other: &PciOption) -> bool {
        self.site == other.site
    }
}

impl ConfigText {
    fn new(site: Site, text: String) -> Self {
        let ini = Ini::parse(&text);
        let option = |range, spec| PciOption { spec, site: site.clone(), range };
        let aliases = nova::aliases(&ini)
            .filter_map(|(written, alias)| Some(option(written.range(), alias?)))
            .collect();
        let device_specs =
            nova::device_specs(&ini).map(|(written, spec)| option(written.range(), spec)).collect();
        let is_complete = !placeholder::is_in(&text)
            && nova::aliases(&ini).all(|(_, alias)| alias.is_some())
            && nova::unreadable_device_specs(&ini).next().is_none();
        ConfigText { site, aliases, device_specs, is_complete, text }
    }
}

/// Reads the configuration by namespace. Fields of the wrong type are left out: the readers of control planes and of the
/// data plane record them.
pub fn read(
    world: &World<'_>,
    control_planes: &[ControlPlane],
    data_plane: &DataPlane,
) -> BTreeMap<Option<String>, NovaConfig> {
    let mut configs: BTreeMap<Option<String>, NovaConfig> = BTreeMap::new();
    for plane in control_planes {
        let Some(nova) = plane.deployed_nova() else { continue };
        let api = configs.entry(plane.id.namespace.clone()).or_default().api.get_or_insert_default();
        let text = nova.api.value.clone();
        api.extend(text.map(|text| ConfigText::new(nova.api.site.clone(), text)));
    }
    let mut files = Files { world, seen: HashSet::new() };
    for node_set in &data_plane.node_sets {
        let config = configs.entry(node_set.id.namespace.clone()).or_default();
        config.has_node_sets = true;
        config.has_unknown_files |= has_unknown_service(node_set, data_plane);
        config.computes.extend(files.of_stock_nova(node_set, data_plane));
    }
    for service in data_plane.services.iter().filter(|service| service.is_nova()) {
        let config = configs.entry(service.id.namespace.clone()).or_default();
        config.has_unknown_files |= has_unknown_source(service, world);
        config.computes.extend(files.of_service(service));
    }
    configs
}

/// Whether a service of a node set may be of type nova, or writes `device_spec` options itself.
fn has_unknown_service(node_set: &NodeSet, data_plane: &DataPlane) -> bool {
    let namespace = node_set.id.namespace.as_deref();
    node_set.services.is_empty()
        || node_set.services.iter().any(|service| {
            service.value == dataplane::DERIVE_DEVICE_SPEC
                || data_plane.service_type(namespace, &service.value).is_none()
        })
}

/// Whether a service reads configuration from a ConfigMap that is not among the items, or from a Secret.
fn has_unknown_source(service: &Service, world: &World<'_>) -> bool {
    let is_secret_config =
        |file: &SourceFile| !file.is_in_config_map && dataplane::is_nova_config(&file.name);
    service.files.iter().any(is_secret_config)
        || service.sources.iter().any(|source| {
            let is_known = source.secret.as_deref().is_some_and(dataplane::is_operator_secret)
                || source.find(service.id.namespace.as_deref(), world).is_some();
            source.defect.is_some() || !is_known && !source.is_optional
        })
}

/// Reads files, each once.
struct Files<'w, 'r> {
    world: &'w World<'r>,
    seen: HashSet<Site>,
}

impl Files<'_, '_> {
    fn of_service(&mut self, service: &Service) -> Vec<ConfigText> {
        let is_config = |file: &&SourceFile| file.is_in_config_map && dataplane::is_nova_config(&file.name);
        let sites: Vec<Site> = service.files.iter().filter(is_config).map(|file| file.site.clone()).collect();
        self.read(sites)
    }

    /// The files of the ConfigMap that the operator's own service `nova` reads.
    fn of_stock_nova(&mut self, node_set: &NodeSet, data_plane: &DataPlane) -> Vec<ConfigText> {
        let namespace = node_set.id.namespace.as_deref();
        let uses_stock = node_set.services.iter().any(|service| service.value == dataplane::NOVA)
            && data_plane.service(namespace, dataplane::NOVA).is_none();
        let map = self.world.find(kubernetes::CONFIG_MAP, namespace, dataplane::NOVA_EXTRA_CONFIG);
        let Some(map) = map.filter(|_| uses_stock) else { return Vec::new() };
        let files = FieldPattern::each_of(&FieldPath::new("data"));
        let files = self.world.get(map).fields(&files).unwrap_or_default().into_iter();
        let is_config = |path: &FieldPath| path.last_key().is_some_and(dataplane::is_nova_config);
        self.read(files.filter(is_config).map(|path| Site::new(map, path)).collect())
    }

    fn read(&mut self, sites: Vec<Site>) -> Vec<ConfigText> {
        let new = sites.into_iter().filter(|site| self.seen.insert(site.clone()));
        let texts = new.filter_map(|site| {
            let text: String = self.world.get(site.item).get(&site.path).ok().flatten()?;
            Some(ConfigText::new(site, text))
        });
        texts.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing;
    use crate::model::{control_plane, data_plane};

    const PLANE: &str = "apiVersion: core.openstack.org/v1beta1
kind: OpenStackControlPlane
metadata: {name: openstack}
spec: {nova: {template: {apiServiceTemplate: {customServiceConfig: \"[pci]\\nalias = {}\"}}}}
";
    const NODE_SET: &str = "---
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneNodeSet
metadata: {name: computes}
spec: {services: [nova]}
";
    const EXTRA: &str = "---
apiVersion: v1
kind: ConfigMap
metadata: {name: nova-extra-config}
data:
  25-nova-extra.conf: |
    [pci]
    device_spec = [{\"vendor_id\":\"10de\"}, {\"vendor_id\":\"1002\"}]
  other.conf: \"[pci]\\ndevice_spec = {}\"
";

    fn config(text: &str) -> NovaConfig {
        let items = testing::resources(text);
        let world = World::new(&items);
        let (planes, _) = control_plane::read(&world);
        let (data_plane, _) = data_plane::read(&world);
        read(&world, &planes, &data_plane).remove(&None).unwrap_or_default()
    }

    #[test]
    fn the_operators_nova_reads_one_more_config_map() {
        let found = config(&format!("{PLANE}{NODE_SET}{EXTRA}"));
        assert_eq!(found.api.as_ref().map(Vec::len), Some(1));
        let specs: Vec<usize> = found.computes.iter().map(|text| text.device_specs.len()).collect();
        assert_eq!(specs, [2], "Nova does not read other.conf");
        assert!(found.has_all_aliases() && found.has_all_devices());
        let own = "---
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneService
metadata: {name: nova}
spec: {dataSources: [secretRef: {name: nova-cell1-compute-config}]}
";
        assert!(config(&format!("{NODE_SET}{own}{EXTRA}")).computes.is_empty(), "the user has changed it");
    }

    #[test]
    fn what_is_not_known_is_noticed() {
        let of_service = |source: &str| {
            let service = format!(
                "---
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneService
metadata: {{name: nova}}
spec: {{dataSources: [{source}]}}
"
            );
            config(&format!("{NODE_SET}{service}")).has_all_devices()
        };
        assert!(of_service("{secretRef: {name: nova-cell1-compute-config}}"));
        assert!(of_service("{configMapRef: {name: elsewhere, optional: true}}"));
        assert!(!of_service("{configMapRef: {name: elsewhere}}"));
        assert!(!of_service("{secretRef: {name: elsewhere}}"));
        let services = |list: &str| config(&NODE_SET.replace("[nova]", list)).has_all_devices();
        assert!(services("[nova]") && !services("[nova, own]") && !services("[nova, derive-pci-devicespec]"));
        let off = PLANE.replace("nova: {", "nova: {enabled: false, ");
        assert!(config(&off).api.is_none() && !config(PLANE).has_all_devices());
    }
}
