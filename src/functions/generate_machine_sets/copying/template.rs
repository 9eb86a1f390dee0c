//! The MachineSets that are copied: those among the resources that are plain workers, or the one that the config names.

mod choice;
mod signs;

use crate::checks::rules;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::choice::find;
use crate::krm::{Fault, FieldPath, Resource, quoted};
use crate::platform::architecture::{AMD64, ARM64, is_arm};
use crate::platform::autoscaler::CAPACITY_LABELS;
use crate::platform::machine::{self, ARCHITECTURE, CLUSTER};
use crate::platform::provider::{self, PROVIDERS, Provider, ZoneNames};

/// Selects a MachineSet.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TemplateName {
    /// `metadata.name` of the MachineSet.
    name: String,
}

/// A MachineSet to copy, and what the plan needs to know about it.
pub struct Template<'g> {
    pub resource: &'g Resource,
    pub provider: Provider,
    /// The infrastructure name of its cluster.
    pub cluster: String,
    pub zone: Option<String>,
    pub region: Option<String>,
    /// The architecture that its controller found its machines to have, or that the name of their size tells.
    pub architecture: Option<String>,
    /// What shows that it has GPUs already.
    pub sign_of_gpus: Option<String>,
}

impl<'g> Template<'g> {
    fn read(set: &'g Resource) -> Result<Self, Fault> {
        let provider = provider_of(set)?;
        let read = |path: Option<FieldPath>| path.map_or(Ok(None), |path| set.get::<String>(&path));
        Ok(Template {
            resource: set,
            provider,
            cluster: cluster_of(set)?,
            zone: read(provider.zone())?,
            region: read(provider.region())?,
            sign_of_gpus: signs::of_gpus(set)?,
            architecture: architecture(set, read(provider.size())?.as_deref(), provider)?,
        })
    }

    /// The architecture that its machines have as far as anybody can tell: types of a public cloud are amd64 unless
    /// their name tells otherwise.
    pub fn likely_architecture(&self) -> Option<&str> {
        self.architecture.as_deref().or_else(|| self.provider.is_cloud().then_some(AMD64))
    }

    /// The zone as names of MachineSets have it: `us-east-2a` on AWS, `us-central1-a` on GCP. If zones are numbers, the
    /// region precedes them, as in the installer's names: `centralus1` on Azure.
    pub fn zone_in_names(&self, zone: Option<&str>) -> String {
        let zone = zone.unwrap_or_default();
        let names = self.provider.facts().zones.as_ref().map(|zones| &zones.names);
        match (names, &self.region) {
            (Some(ZoneNames::Numbers(_)), Some(region)) => format!("{region}{zone}"),
            _ => zone.to_owned(),
        }
    }
}

fn provider_of(set: &Resource) -> Result<Provider, Fault> {
    let kind: String = set.get(&provider::kind())?.unwrap_or_default();
    Provider::of_kind(&kind).ok_or_else(|| {
        let known: Vec<&str> = PROVIDERS.iter().map(|provider| provider.facts().kind).collect();
        let message = format!("must be one of {}, got {}", known.join(", "), quoted(&kind));
        Fault::new(&rules::UNKNOWN_PROVIDER, message).field(set, &provider::kind())
    })
}

fn cluster_of(set: &Resource) -> Result<String, Fault> {
    for path in [machine::labels(), machine::machine_labels(), machine::selector_labels()] {
        if let Some(cluster) = set.get(&path.key(CLUSTER))? {
            return Ok(cluster);
        }
    }
    let message = format!("must have the label {} with the cluster's infrastructure name", quoted(CLUSTER));
    Err(Fault::new(&rules::NO_CLUSTER, message).field(set, &machine::machine_labels()))
}

/// The architecture of a set's machines: its controller's annotation, or the name of their size.
fn architecture(set: &Resource, size: Option<&str>, provider: Provider) -> Result<Option<String>, Fault> {
    let labels = set.annotation(CAPACITY_LABELS)?.unwrap_or_default();
    let pairs = labels.split(',').filter_map(|pair| pair.split_once('='));
    let annotated =
        pairs.filter(|(key, _)| *key == ARCHITECTURE).map(|(_, value)| value.to_owned()).next_back();
    let named = size.filter(|size| is_arm(provider, size)).map(|_| ARM64.to_owned());
    Ok(annotated.or(named))
}
