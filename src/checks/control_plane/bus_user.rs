//! Users of a message bus that all services would share.

use crate::checks::rules;
use crate::krm::Results;
use crate::model::Model;
use crate::model::control_plane::top_level_users;

/// Reports `bus-user`.
pub fn bus_user(model: &Model<'_>, results: &mut Results) {
    for plane in &model.control_planes {
        for user in top_level_users(plane.item, model.world.get(plane.item)) {
            let message = "openstack-operator rejects `user` here, because each service has its own user; remove it, or \
                           set it in the template of a service";
            results.error(&rules::BUS_USER, message).at(user.site.location(model.items()));
        }
    }
}
