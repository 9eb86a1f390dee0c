//! What annotations of services request from MetalLB.

use crate::formats::ip::IpList;
use crate::platform::metallb::{Annotation, Domain};

/// What a service requests from MetalLB.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    pub pool: Option<String>,
    pub sharing_key: Option<String>,
    pub addresses: Option<IpList>,
}

/// An annotation for MetalLB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotationLine {
    pub annotation: Annotation,
    pub domain: Domain,
    pub value: String,
}

/// An annotation with different values in both domains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    pub first: AnnotationLine,
    pub second: AnnotationLine,
}
