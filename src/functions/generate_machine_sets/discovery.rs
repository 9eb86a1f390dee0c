//! The way without a template in Git: a Job reads the cluster's MachineSets and runs this function on them. It downloads
//! nothing; the program comes from its own image.

mod access;
mod job;
mod script;

use crate::checks::rules;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::GenerateMachineSets;
use crate::functions::API_VERSION;
use crate::krm::{BadField, Fault, Function, Kind, Object, Resource};
use crate::platform::kubernetes;
use crate::platform::machine::NAMESPACE;

/// The name of all objects of the Job.
const NAME: &str = "gpu-machineset-generator";

/// A Job in the cluster instead of a template in Git.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Discovery {
    /// The image of rhoso-fn, from which the Job copies the program.
    #[schemars(length(min = 1))]
    image: String,
    /// An image with `oc` and a shell, in which the Job runs.
    #[schemars(length(min = 1))]
    oc: String,
}

impl Discovery {
    pub fn check(&self) -> Result<(), BadField> {
        for (field, image) in [("image", &self.image), ("oc", &self.oc)] {
            if image.is_empty() || image.contains(char::is_whitespace) {
                return Err(BadField::new(format!("discover.{field}"), "must be the name of an image"));
            }
        }
        Ok(())
    }

    /// The Job, what it may do, and its configuration.
    pub fn objects(&self, spec: &GenerateMachineSets) -> Result<Vec<Resource>, Fault> {
        let mut objects = access::objects(spec)?;
        let data = json!({"config.yaml": config(spec)?, "generate.sh": script::script()});
        objects.push(object(kubernetes::CONFIG_MAP).field("data", data).build()?);
        objects.push(job::job(self)?);
        Ok(objects)
    }
}

/// One of the objects, in the namespace of MachineSets.
fn object(kind: Kind) -> Object {
    Object::new(kind, NAME).namespace(Some(NAMESPACE))
}

/// The functionConfig for the Job: this one, without the Job and without the ClusterAutoscaler, which is an object
/// beside the Job.
fn config(spec: &GenerateMachineSets) -> Result<String, Fault> {
    let spec = serde_json::to_value(spec).map_err(|e| Fault::new(&rules::FUNCTION_CONFIG, e.to_string()))?;
    let mut spec: Map<String, Value> = spec.as_object().cloned().unwrap_or_default();
    spec.shift_remove("clusterAutoscaler");
    let config = Object::new(Kind::new(API_VERSION, GenerateMachineSets::KIND), NAME).field("spec", spec);
    Ok(config.build()?.text().to_owned())
}
