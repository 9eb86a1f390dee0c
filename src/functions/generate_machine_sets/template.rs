//! The MachineSets that are copied.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::krm::{Fault, FieldPath, Resource, did_you_mean, quoted};
use crate::platform::architecture::{AMD64, ARM64, is_arm};
use crate::platform::gpu_label::describes_gpus;
use crate::platform::instance::{self, InstanceType};
use crate::platform::machine::{
    self, ACCELERATOR, ARCHITECTURE, CAPACITY, CLUSTER, GPU_PRESENT, GPU_ROLE, GPUS, MACHINE_SET, NODE_ROLE,
    PROVIDERS, Provider, ROLE, STORAGE_NODE, WORKER_ROLE, provider_field,
};

/// Picks a MachineSet.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TemplateName {
    /// `metadata.name` of the MachineSet.
    name: String,
}

/// A MachineSet to copy, and what must be known of it.
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

/// The template of that name, or every worker MachineSet that may serve as one, by name. At least one.
pub fn find<'g>(given: &'g [Resource], wanted: Option<&TemplateName>) -> Result<Vec<Template<'g>>, Fault> {
    let sets = || given.iter().filter(|item| item.is(MACHINE_SET));
    if let Some(TemplateName { name }) = wanted {
        return match sets().find(|set| set.id().name == *name) {
            Some(set) => Ok(vec![Template::read(set)?]),
            None => Err(not_there(name, sets().map(|set| set.id().name.as_str()).collect())),
        };
    }
    let (mut templates, mut objections) = (Vec::new(), Vec::new());
    for set in sets() {
        match objection(set)? {
            Some(objection) => objections.push(format!("{} {objection}", quoted(&set.id().name))),
            None => templates.push(Template::read(set)?),
        }
    }
    templates.sort_by_key(|template| &template.resource.id().name);
    match templates.first() {
        None => Err(none_will_do(&objections)),
        Some(first) => match templates.iter().find(|template| template.cluster != first.cluster) {
            Some(other) => Err(Fault::new(
                "several-clusters",
                format!(
                    "the worker MachineSets belong to several clusters, {} and {}; name one as `spec.template`",
                    quoted(&first.cluster),
                    quoted(&other.cluster)
                ),
            )),
            None => Ok(templates),
        },
    }
}

fn not_there(name: &str, sets: Vec<&str>) -> Fault {
    let what = match did_you_mean(name, sets.iter().copied()) {
        Some(close) => format!("did you mean {}?", quoted(close)),
        None if sets.is_empty() => format!("there is no MachineSet at all; {UNDER_TRANSFORMERS}"),
        None => format!("there is {}", sets.iter().map(quoted).collect::<Vec<_>>().join(", ")),
    };
    Fault::new("no-match", format!("no MachineSet is named {}; {what}", quoted(name)))
        .in_config("template.name")
}

const UNDER_TRANSFORMERS: &str =
    "kustomize gives a function under `generators:` no resources, so list this one under `transformers:`";

fn none_will_do(objections: &[String]) -> Fault {
    let message = if objections.is_empty() {
        format!(
            "there is no MachineSet among the resources; put one of the cluster beside this config (`oc get \
             machineset -n openshift-machine-api NAME -o yaml`), or use `discover`; {UNDER_TRANSFORMERS}"
        )
    } else {
        format!(
            "no MachineSet among the resources is a plain worker's: {}; name the one to copy as `spec.template`",
            objections.join("; ")
        )
    };
    Fault::new("no-match", message)
}

/// Why a MachineSet is no template by itself, if there is a reason.
fn objection(set: &Resource) -> Result<Option<String>, Fault> {
    let role: Option<String> = set.get(&machine::machine_labels().key(ROLE))?;
    if let Some(sign) = sign_of_gpus(set)? {
        return Ok(Some(format!("has GPUs already ({sign})")));
    }
    if let Some(role) = role.filter(|role| role != "worker") {
        return Ok(Some(format!("has the role {}", quoted(role))));
    }
    if let Some(key) = taint_keys(set)?.first() {
        return Ok(Some(format!("has the taint {}", quoted(key))));
    }
    let dedicated = labels(set, &machine::node_labels())?
        .into_keys()
        .find(|key| key == STORAGE_NODE || (key.starts_with(NODE_ROLE) && key != WORKER_ROLE));
    Ok(dedicated.map(|key| format!("labels its nodes {}", quoted(key))))
}

/// What shows that machines have GPUs: labels, taints, the provider's own words, the catalogue.
fn sign_of_gpus(set: &Resource) -> Result<Option<String>, Fault> {
    let annotated = set.annotation(GPUS)?.filter(|count| count != "0").map(|n| format!("`{GPUS}: {n}`"));
    let labels = [labels(set, &FieldPath::new("metadata.labels"))?, labels(set, &machine::node_labels())?];
    let is_sign =
        |key: &&String| [ACCELERATOR, GPU_PRESENT, GPU_ROLE].contains(&key.as_str()) || describes_gpus(key);
    let labelled =
        labels.iter().flat_map(BTreeMap::keys).find(is_sign).map(|key| format!("the label {}", quoted(key)));
    let tainted = taint_keys(set)?
        .into_iter()
        .find(|key| instance::gpu_resources().any(|resource| resource == key))
        .map(|key| format!("the taint {}", quoted(key)));
    let attached: Option<Vec<Value>> = set.get(&provider_field("gpus"))?;
    let attached = attached.filter(|gpus| !gpus.is_empty()).map(|_| "`gpus` of its providerSpec".to_owned());
    let sized = instance_type(set)?.map(|known| quoted(known.name));
    Ok(annotated.or(labelled).or(tainted).or(attached).or(sized))
}

/// The instance type of a set's machines, if the catalogue has it.
pub fn instance_type(set: &Resource) -> Result<Option<&'static InstanceType>, Fault> {
    for path in PROVIDERS.into_iter().filter(|p| p.is_cloud()).filter_map(Provider::size) {
        let size: Option<String> = set.get(&path)?;
        if let Some(known) = size.and_then(|size| instance::by_name(&size)) {
            return Ok(Some(known));
        }
    }
    Ok(None)
}

fn labels(set: &Resource, path: &FieldPath) -> Result<BTreeMap<String, String>, Fault> {
    Ok(set.get(path)?.unwrap_or_default())
}

fn taint_keys(set: &Resource) -> Result<Vec<String>, Fault> {
    let taints: Vec<Map<String, Value>> = set.get(&machine::taints())?.unwrap_or_default();
    Ok(taints.iter().filter_map(|taint| taint.get("key")?.as_str().map(str::to_owned)).collect())
}

impl<'g> Template<'g> {
    fn read(set: &'g Resource) -> Result<Self, Fault> {
        let path = provider_field("kind");
        let kind: String = set.get(&path)?.unwrap_or_default();
        let provider = Provider::of_kind(&kind).ok_or_else(|| {
            let known: Vec<&str> = PROVIDERS.iter().map(|provider| provider.kind()).collect();
            let message = format!("must be one of {}, got {}", known.join(", "), quoted(&kind));
            Fault::new("unknown-provider", message).field(set, &path)
        })?;
        let mut cluster = None;
        for path in [FieldPath::new("metadata.labels"), machine::machine_labels(), machine::selector_labels()]
        {
            cluster = cluster.or(set.get(&path.key(CLUSTER))?);
        }
        let Some(cluster) = cluster else {
            let message =
                format!("must say the cluster's infrastructure name in the label {}", quoted(CLUSTER));
            return Err(Fault::new("no-cluster", message).field(set, &machine::machine_labels()));
        };
        let read = |path: Option<FieldPath>| path.map_or(Ok(None), |path| set.get::<String>(&path));
        let (zone, region) = (read(provider.zone())?, read(provider.region())?);
        let sign_of_gpus = sign_of_gpus(set)?;
        let architecture = architecture(set, read(provider.size())?.as_deref(), provider)?;
        Ok(Template { resource: set, provider, cluster, zone, region, architecture, sign_of_gpus })
    }

    /// The architecture that its machines have as far as anybody can tell: types of a public cloud are amd64 unless
    /// their name says otherwise.
    pub fn likely_architecture(&self) -> Option<&str> {
        self.architecture.as_deref().or_else(|| self.provider.is_cloud().then_some(AMD64))
    }

    /// The zone as names of MachineSets have it: `us-east-2a` on AWS, `us-central1-a` on GCP. Zones of Azure are
    /// numbers, so the region precedes them, as in the installer's names: `centralus1`.
    pub fn zone_in_names(&self, zone: Option<&str>) -> String {
        let zone = zone.unwrap_or_default();
        match (self.provider, &self.region) {
            (Provider::Azure, Some(region)) => format!("{region}{zone}"),
            _ => zone.to_owned(),
        }
    }
}

/// The architecture of a set's machines: its controller's annotation, or the name of their size.
fn architecture(set: &Resource, size: Option<&str>, provider: Provider) -> Result<Option<String>, Fault> {
    let labels = set.annotation(&format!("{CAPACITY}labels"))?.unwrap_or_default();
    let pairs = labels.split(',').filter_map(|pair| pair.split_once('='));
    let annotated =
        pairs.filter(|(key, _)| *key == ARCHITECTURE).map(|(_, value)| value.to_owned()).next_back();
    let named = size.filter(|size| is_arm(provider, size)).map(|_| ARM64.to_owned());
    Ok(annotated.or(named))
}
