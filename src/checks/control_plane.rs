//! Control planes: what the webhooks of the OpenStack operators reject or warn of.

mod bus_user;
mod deprecated_field;
mod foreign_topology;
mod missing_dependency;
mod one_per_namespace;
mod route_certificate;
mod unknown_endpoint;
mod version_name;

pub use bus_user::bus_user;
pub use deprecated_field::deprecated_field;
pub use foreign_topology::foreign_topology;
pub use missing_dependency::missing_dependency;
pub use one_per_namespace::{control_plane_twice, net_config_twice};
pub use route_certificate::route_certificate;
pub use unknown_endpoint::unknown_endpoint;
pub use version_name::version_name;
