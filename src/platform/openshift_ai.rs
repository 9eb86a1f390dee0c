//! Names of OpenShift AI.

use crate::krm::Kind;

pub const INFERENCE_SERVICE: Kind = Kind::new("serving.kserve.io/v1beta1", "InferenceService");

/// The label of namespaces that the dashboard shows as projects.
pub const DASHBOARD: (&str, &str) = ("opendatahub.io/dashboard", "true");
