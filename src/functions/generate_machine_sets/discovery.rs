//! Without a template in Git: a Job reads the cluster's MachineSets and runs this function on them. It
//! downloads nothing; the program comes from its own image.

mod access;
mod job;
mod script;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{GenerateMachineSets, GpuMachineSets};
use crate::functions::API_VERSION;
use crate::krm::{Fault, FieldPath, Function, Kind, Mistakes, Object, Resource};
use crate::platform::kubernetes;
use crate::platform::machine::NAMESPACE;

/// The name of all objects of the Job.
const NAME: &str = "gpu-machineset-generator";

/// A Job in the cluster instead of a template in Git.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Discovery {
    /// The rhoso-fn image, from which the Job copies the program.
    #[schemars(length(min = 1))]
    image: String,
    /// An image with `oc` and a shell, in which the Job runs.
    #[schemars(length(min = 1))]
    oc: String,
}

/// The Job, ready to be generated.
#[derive(Debug)]
pub struct DiscoveryJob {
    image: String,
    oc: String,
    /// The spec of the functionConfig that the Job uses: this one without the Job, the ClusterAutoscaler, which is
    /// generated beside the Job, and `keepTemplate`, because nothing is rendered in the cluster.
    spec: Value,
}

impl Discovery {
    /// The Job, which gets `config`.
    pub fn check(self, config: &GenerateMachineSets, mistakes: &mut Mistakes) -> Option<DiscoveryJob> {
        let path = FieldPath::new("spec.discover");
        for (field, image) in [("image", &self.image), ("oc", &self.oc)] {
            if image.is_empty() || image.contains(char::is_whitespace) {
                mistakes.add(path.clone().key(field), "must be the name of an image");
            }
        }
        let spec = serde_json::to_value(config).map_err(|error| error.to_string());
        let spec = mistakes.value(path, spec)?;
        Some(DiscoveryJob { image: self.image, oc: self.oc, spec })
    }
}

impl DiscoveryJob {
    /// The Job, what it may do, and its configuration.
    pub fn objects(&self, function: &GpuMachineSets) -> Result<Vec<Resource>, Fault> {
        let config = Object::new(Kind::new(API_VERSION, GenerateMachineSets::KIND), NAME);
        let config = config.field("spec", self.spec.clone()).build()?;
        let data = json!({"config.yaml": config.text(), "generate.sh": script::script()});
        let mut objects = access::objects(function.scales())?;
        objects.push(object(kubernetes::CONFIG_MAP).field("data", data).build()?);
        objects.push(job::job(self)?);
        Ok(objects)
    }
}

/// One of the objects, in the namespace of MachineSets.
fn object(kind: Kind) -> Object {
    Object::new(kind, NAME).namespace(Some(NAMESPACE))
}
