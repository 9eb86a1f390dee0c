//! Kinds of Kubernetes and OpenShift, and names in them.

use serde_json::{Map, Value, json};

use crate::krm::GroupKind;

pub const CONFIG_MAP: GroupKind = GroupKind { group: "", kind: "ConfigMap" };
pub const JOB: GroupKind = GroupKind { group: "batch", kind: "Job" };
pub const NODE: GroupKind = GroupKind { group: "", kind: "Node" };
pub const PERSISTENT_VOLUME: GroupKind = GroupKind { group: "", kind: "PersistentVolume" };
pub const SECRET: GroupKind = GroupKind { group: "", kind: "Secret" };
pub const SERVICE: GroupKind = GroupKind { group: "", kind: "Service" };

/// A machine before it is a node; its name becomes the node's.
pub const BARE_METAL_HOST: GroupKind = GroupKind { group: "metal3.io", kind: "BareMetalHost" };

/// The label by which volumes and pods find their node.
pub const HOSTNAME: &str = "kubernetes.io/hostname";

/// Says what an object is for, across objects of one application.
pub const COMPONENT: &str = "app.kubernetes.io/component";

/// The `metadata` of a new object.
pub fn metadata(name: &str, namespace: Option<&str>) -> Map<String, Value> {
    let namespace = namespace.map(|namespace| ("namespace".to_owned(), json!(namespace)));
    std::iter::once(("name".to_owned(), json!(name))).chain(namespace).collect()
}
