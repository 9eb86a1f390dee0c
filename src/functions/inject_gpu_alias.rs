use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::formats::ini::{Ini, IniOption};
use crate::formats::pci::PciId;
use crate::krm::{BadField, Fault, Function, Resource, Results, Transformer, quoted};
use crate::platform::nova::{self, DeviceType, NumaPolicy, PciAlias};
use crate::platform::openstack;

/// Adds PCI aliases for GPUs to Nova's API service.
///
/// A flavor asks for a GPU by an alias (`pci_passthrough:alias=nvidia:1`), and Nova's API must know the
/// alias. This function writes it into the section `[pci]` of
/// `spec.nova.template.apiServiceTemplate.customServiceConfig` of an OpenStackControlPlane. Every other
/// byte of that text stays: other sections, comments, templates, repeated options. Missing parents and a
/// missing section are made. An alias that is there already, however it is spaced or ordered, is left
/// alone; one of the same name for another device is an error that shows both, unless `replace` is set:
/// then it is the only one of its name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InjectGpuAlias {
    /// The aliases, at least one. Each name may stand once.
    #[schemars(length(min = 1))]
    aliases: Vec<GpuAlias>,
    /// The control plane to change. Without it, every OpenStackControlPlane is changed. A target that
    /// matches nothing is an error.
    target: Option<Target>,
    /// Whether an alias of the same name for another device is replaced instead of refused.
    #[serde(default)]
    replace: bool,
}

/// One alias.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct GpuAlias {
    /// The name that flavors ask for: without `,`, `:` and `$`.
    #[schemars(length(min = 1))]
    name: String,
    /// The PCI vendor id, four hex digits in quotes: `"10de"` is NVIDIA.
    vendor_id: PciId,
    /// The PCI product id, four hex digits in quotes: `"27b8"` is the L4.
    product_id: PciId,
    /// What the device is. The compute nodes must say the same, or no host will match.
    device_type: DeviceType,
    /// How strictly a guest must share the device's NUMA node.
    numa_policy: Option<NumaPolicy>,
}

/// Picks control planes by name, by namespace, or by both.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Target {
    /// `metadata.name` of the control plane.
    name: Option<String>,
    /// `metadata.namespace` of the control plane.
    namespace: Option<String>,
}

impl Function for InjectGpuAlias {
    const KIND: &'static str = "InjectGpuAlias";
    const NAME: &'static str = "inject-gpu-alias";

    fn check(&self) -> Result<(), BadField> {
        if self.aliases.is_empty() {
            return Err(BadField::new("aliases", "must name at least one alias"));
        }
        if let Some(Target { name: None, namespace: None }) = self.target {
            let message =
                "must have a `name` or a `namespace`; without `target`, every control plane is changed";
            return Err(BadField::new("target", message));
        }
        let mut first_of_name = HashMap::new();
        for (i, alias) in self.aliases.iter().enumerate() {
            if let Some(message) = objection(&alias.name) {
                return Err(BadField::new(format!("aliases[{i}].name"), message));
            }
            if let Some(first) = first_of_name.insert(&alias.name, i) {
                let message = format!(
                    "the alias {} is given twice, first in `spec.aliases[{first}]`",
                    quoted(&alias.name)
                );
                return Err(BadField::new(format!("aliases[{i}].name"), message));
            }
        }
        Ok(())
    }
}

impl Transformer for InjectGpuAlias {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let mut matched = false;
        for item in items.iter_mut().filter(|item| item.is(openstack::CONTROL_PLANE)) {
            if self.target.as_ref().is_none_or(|target| target.matches(item)) {
                matched = true;
                self.inject(item, results)?;
            }
        }
        if matched { Ok(()) } else { Err(self.nothing_matched(items)) }
    }
}

impl InjectGpuAlias {
    fn inject(&self, plane: &mut Resource, results: &mut Results) -> Result<(), Fault> {
        let path = openstack::nova_api_config();
        if plane.get(&openstack::nova_enabled())? == Some(false) {
            let message = "Nova is disabled in this control plane, so nothing will read the alias";
            results.warning("nova-disabled", message).field(plane, &openstack::nova_enabled());
        }
        let mut text: String = plane.get(&path)?.unwrap_or_default();
        for alias in &self.aliases {
            match alias.add_to(&text, self.replace) {
                Ok(new) => text = new,
                Err(refusal) => {
                    let finding = results.error(refusal.rule, refusal.message).field(plane, &path);
                    if let Some(current) = refusal.current {
                        finding.current(current).proposed(alias.to_nova().to_string());
                    }
                }
            }
        }
        plane.set(&path, text)
    }

    fn nothing_matched(&self, items: &[Resource]) -> Fault {
        let planes: Vec<String> = items
            .iter()
            .filter(|item| item.is(openstack::CONTROL_PLANE))
            .map(|item| quoted(item.id().qualified_name()))
            .collect();
        let message = match (&self.target, planes.as_slice()) {
            (_, []) => "there is no OpenStackControlPlane among the resources".to_owned(),
            (target, planes) => {
                let target = target.as_ref().map(ToString::to_string).unwrap_or_default();
                format!(
                    "no OpenStackControlPlane matches `spec.target` ({target}); there is {}",
                    planes.join(", ")
                )
            }
        };
        Fault::new("no-match", message)
    }
}

/// What is wrong with a name, if anything. A flavor parts aliases by commas and counts by colons,
/// oslo.config takes a dollar sign for the start of another option's name, and Nova's limit is 255.
fn objection(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("must not be empty")
    } else if name.len() > 255 {
        Some("must not be longer than 255 characters")
    } else if name.trim() != name || name.chars().any(|c| c.is_control() || matches!(c, ',' | ':' | '$')) {
        Some(
            "must not have blanks around it, control characters, `,`, `:` or `$`: a flavor could not ask for it",
        )
    } else {
        None
    }
}

impl Target {
    fn matches(&self, item: &Resource) -> bool {
        let id = item.id();
        self.name.as_ref().is_none_or(|name| *name == id.name)
            && self.namespace.as_ref().is_none_or(|namespace| Some(namespace) == id.namespace.as_ref())
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let part = |key: &str, value: &Option<String>| value.as_ref().map(|v| format!("{key} {}", quoted(v)));
        let parts = [part("name", &self.name), part("namespace", &self.namespace)];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// Why an alias was not added.
struct Refusal {
    rule: &'static str,
    message: String,
    current: Option<String>,
}

impl GpuAlias {
    fn to_nova(&self) -> PciAlias {
        let mut pairs = vec![
            ("vendor_id", json!(self.vendor_id.to_string())),
            ("product_id", json!(self.product_id.to_string())),
            ("device_type", json!(self.device_type)),
            ("name", json!(self.name)),
        ];
        pairs.extend(self.numa_policy.map(|policy| ("numa_policy", json!(policy))));
        PciAlias::new(pairs)
    }

    fn add_to(&self, text: &str, replace: bool) -> Result<String, Refusal> {
        let wanted = self.to_nova();
        let ini = Ini::parse(text);
        let (mut namesakes, mut differences): (Vec<&IniOption>, Vec<Vec<String>>) = (Vec::new(), Vec::new());
        for (section, key) in [nova::ALIAS, nova::OLD_ALIAS] {
            for option in ini.all(section, key) {
                let alias = read_alias(option)?;
                if alias.name() == Some(&self.name) {
                    namesakes.push(option);
                    differences.push(alias.differences(&wanted));
                }
            }
        }
        let is_there = differences.iter().any(Vec::is_empty);
        let value = wanted.to_string();
        match namesakes.as_slice() {
            [] => {
                let (section, key) = nova::ALIAS;
                Ok(ini.with_option(section, key, &value))
            }
            [_] if is_there => Ok(text.to_owned()),
            _ if replace => Ok(ini.with_replaced(&namesakes, &value)),
            // Nova takes several aliases of one name together; the one that is wanted is among them.
            _ if is_there => Ok(text.to_owned()),
            [first, ..] => {
                let (name, there) = (quoted(&self.name), one_line(&first.value));
                let keys = differences[0].join(", ");
                Err(Refusal {
                    rule: "alias-conflict",
                    message: format!(
                        "the alias {name} is there already with another {keys}: there `{there}`, wanted `{value}`; \
                         choose another name, or set `replace: true`"
                    ),
                    current: Some(there),
                })
            }
        }
    }
}

fn read_alias(option: &IniOption) -> Result<PciAlias, Refusal> {
    let (section, key, value) = (&option.section, &option.key, one_line(&option.value));
    PciAlias::parse(&option.value).ok_or_else(|| Refusal {
        rule: "alias-syntax",
        message: format!(
            "`[{section}] {key} = {value}` is not a JSON object, and Nova will refuse to start with it"
        ),
        current: None,
    })
}

fn one_line(text: &str) -> String {
    text.split('\n').map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn l4() -> GpuAlias {
        GpuAlias {
            name: "nvidia".into(),
            vendor_id: PciId::parse("10de").unwrap(),
            product_id: PciId::parse("27b8").unwrap(),
            device_type: DeviceType::Pci,
            numa_policy: Some(NumaPolicy::Preferred),
        }
    }

    const LINE: &str = r#"alias = { "vendor_id":"10de", "product_id":"27b8", "device_type":"type-PCI", "name":"nvidia", "numa_policy":"preferred" }"#;

    fn add(text: &str, replace: bool) -> Result<String, String> {
        l4().add_to(text, replace).map_err(|refusal| refusal.message)
    }

    #[test]
    fn the_alias_is_written_as_the_documentation_spells_it() {
        assert_eq!(add("", false), Ok(format!("[pci]\n{LINE}\n")));
    }

    #[test]
    fn other_spellings_of_the_alias_are_left_alone() {
        for there in [
            LINE.to_owned(),
            r#"alias={"name":"nvidia","numa_policy":"preferred","product_id":"27B8","vendor_id":"10DE","device_type":"type-PCI"}"#.to_owned(),
            "alias: { \"vendor_id\":\"10de\", \"product_id\":\"27b8\",\n   \"name\":\"nvidia\", \"numa_policy\":\"preferred\",\n   \"device_type\":\"type-PCI\", \"capability_type\":\"pci\" }".to_owned(),
        ] {
            let text = format!("[PCI]\n{there}\n");
            assert_eq!(add(&text, false), Ok(text));
        }
        let old = "[DEFAULT]\npci_alias = {\"name\":\"nvidia\",\"numa_policy\":\"preferred\",\"product_id\":\"27b8\",\"vendor_id\":\"10de\",\"device_type\":\"type-PCI\"}\n";
        assert_eq!(add(old, false), Ok(old.to_owned()));
    }

    #[test]
    fn a_namesake_is_refused_or_replaced() {
        let text = "[pci]\nalias = {\"name\":\"nvidia\",\n  \"vendor_id\":\"10de\", \"product_id\":\"20f1\"}\nx = 1\n";
        let message = add(text, false).unwrap_err();
        assert!(message.contains("20f1") && message.contains("27b8"), "{message}");
        assert_eq!(add(text, true), Ok(format!("[pci]\n{LINE}\nx = 1\n")));
        let twice = format!(
            "{text}[DEFAULT]\npci_alias = {{\"name\":\"nvidia\", \"vendor_id\":\"10de\", \"product_id\":\"2235\"}}\n"
        );
        assert_eq!(add(&twice, true), Ok(format!("[pci]\n{LINE}\nx = 1\n[DEFAULT]\n")));
    }

    #[test]
    fn one_of_several_namesakes_is_enough() {
        let other = r#"alias = {"name":"nvidia", "vendor_id":"10de", "product_id":"20f1"}"#;
        let both = format!("[pci]\n{other}\n{LINE}\n");
        assert_eq!(add(&both, false), Ok(both.clone()));
        assert_eq!(add(&both, true), Ok(format!("[pci]\n{LINE}\n")));
    }

    #[test]
    fn a_broken_alias_is_named() {
        assert!(add(&format!("[pci]\n{LINE}\nalias = nvidia\n"), false).is_err());
        assert!(add("[pci]\nalias = nvidia\n", false).unwrap_err().contains("not a JSON object"));
    }
}
