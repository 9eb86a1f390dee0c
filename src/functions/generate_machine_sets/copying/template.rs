//! The MachineSets that are copied: those among the resources that are plain workers, or the one that the config names.

mod choice;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::choice::{choose, misreads_of};
use crate::checks::rules;
use crate::krm::{Fault, Resource, quoted};
use crate::model::machines::MachineSet;
use crate::platform::architecture::AMD64;
use crate::platform::machine::{self, CLUSTER};
use crate::platform::provider::{self, PROVIDERS, Provider, ZoneNames};

/// Selects a MachineSet.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TemplateName {
    /// `metadata.name` of the MachineSet.
    pub name: String,
}

/// A MachineSet to copy, whose provider and cluster are known.
pub struct Template<'m> {
    pub set: &'m MachineSet,
    pub resource: &'m Resource,
    pub provider: Provider,
    /// The infrastructure name of its cluster.
    pub cluster: &'m str,
    /// What shows that it already has GPUs.
    pub sign_of_gpus: Option<String>,
}

/// The templates, by name. All belong to one cluster.
pub fn read<'m>(sets: &[&'m MachineSet], items: &'m [Resource]) -> Result<Vec<Template<'m>>, Fault> {
    let templates: Vec<Template<'_>> =
        sets.iter().map(|set| Template::read(set, items)).collect::<Result<_, Fault>>()?;
    let Some(first) = templates.first() else { return Ok(templates) };
    match templates.iter().find(|template| template.cluster != first.cluster) {
        Some(other) => Err(several_clusters(first.cluster, other.cluster)),
        None => Ok(templates),
    }
}

impl<'m> Template<'m> {
    fn read(set: &'m MachineSet, items: &'m [Resource]) -> Result<Self, Fault> {
        let resource = set.item.get(items);
        Ok(Template {
            set,
            resource,
            provider: set.provider.ok_or_else(|| unknown_provider(&set.provider_kind, resource))?,
            cluster: set.cluster.as_deref().ok_or_else(|| no_cluster(resource))?,
            sign_of_gpus: set.sign_of_gpus(),
        })
    }

    /// The architecture that its machines most likely have: types of a public cloud are amd64 unless their
    /// name says otherwise.
    pub fn likely_architecture(&self) -> Option<&str> {
        self.set.architecture.as_deref().or_else(|| self.provider.is_cloud().then_some(AMD64))
    }

    /// The zone as it appears in the names of MachineSets: `us-east-2a` on AWS, `us-central1-a` on GCP. If
    /// zones are numbers, the region precedes them, as in the installer's names: `centralus1` on Azure.
    pub fn zone_in_names(&self, zone: Option<&str>) -> String {
        let zone = zone.unwrap_or_default();
        let names = self.provider.facts().zones.as_ref().map(|zones| &zones.names);
        match (names, &self.set.region) {
            (Some(ZoneNames::Numbers(_)), Some(region)) => format!("{region}{zone}"),
            _ => zone.to_owned(),
        }
    }
}

fn unknown_provider(kind: &str, set: &Resource) -> Fault {
    let known: Vec<&str> = PROVIDERS.iter().map(|provider| provider.facts().kind).collect();
    let message = format!("must be one of {}, got {}", known.join(", "), quoted(kind));
    Fault::new(&rules::UNKNOWN_PROVIDER, message).field(set, &provider::kind())
}

fn no_cluster(set: &Resource) -> Fault {
    let message = format!("must have the label {} with the cluster's infrastructure name", quoted(CLUSTER));
    Fault::new(&rules::NO_CLUSTER, message).field(set, &machine::machine_labels())
}

fn several_clusters(first: &str, other: &str) -> Fault {
    let message = format!(
        "the worker MachineSets belong to several clusters, {} and {}; set `spec.template` to the one to copy",
        quoted(first),
        quoted(other)
    );
    Fault::new(&rules::SEVERAL_CLUSTERS, message)
}
