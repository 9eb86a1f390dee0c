//! Layer 2 networks: VLANs, MTUs and interfaces that do not agree.

mod missing_interface;
mod mtu;
mod vlan_mismatch;
mod vlan_twice;

pub use missing_interface::missing_interface;
pub use mtu::mtu_mismatch;
pub use vlan_mismatch::vlan_mismatch;
pub use vlan_twice::vlan_twice;
