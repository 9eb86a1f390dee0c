//! The rules about objects of any kind.

crate::rules! {
    /// The rules about objects of any kind.
    OBJECTS in "objects":

    /// An ignore comment or annotation has no effect.
    ///
    /// Nothing at that place violates the rule, the rule does not exist, or the ignore has no reason. An ignore that
    /// is left over would hide the next defect. Remove it, or correct the name of the rule.
    UNUSED_IGNORE = "unused-ignore", Warning;
}
