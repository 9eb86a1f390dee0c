//! The rules about objects of any kind.

crate::rules! {
    /// The rules about objects of any kind.
    OBJECTS in "objects":

    /// An ignore comment or annotation has no effect.
    ///
    /// Nothing at that place violates the rule, the rule does not exist, or the ignore has no reason. An ignore that
    /// is left over would hide the next defect. Remove it, or correct the name of the rule.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: ctlplane, namespace: metallb-system}
    /// spec:
    ///   addresses:
    ///   - 192.168.122.80-192.168.122.90 # rhoso-fn: ignore[pool-overlap] moved next week
    /// ```
    UNUSED_IGNORE = "unused-ignore", Warning;
}
