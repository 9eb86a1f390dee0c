//! All checks together: what `rhoso-fn check` and ValidatePlatform run.

use super::suppression::{self, Syntax};
use super::{Selection, data_plane, data_sources, nova_aliases, rules};
use crate::krm::{Resource, Results, Rule};
use crate::model::{Misread, Model};
use crate::platform::metallb;

/// A check and the rules that it reports.
#[derive(Debug)]
pub struct Check {
    pub rules: &'static [&'static Rule],
    pub run: fn(&Model<'_>, &mut Results),
}

/// Every check.
pub static CHECKS: &[Check] = &[
    Check {
        rules: &[&rules::BAD_RANGE, &rules::WRONG_TYPE],
        run: |model, results| {
            for pool in &model.network.pools {
                super::no_addresses(pool, model.items(), results);
            }
            let is_of_pool =
                |misread: &&Misread| model.world.get(misread.site.item).is(metallb::ADDRESS_POOL);
            for misread in model.misreads.iter().filter(is_of_pool) {
                super::network_misread(misread, &model.network, model.items(), results);
            }
        },
    },
    Check {
        rules: &[&rules::POOL_OVERLAP],
        run: |model, results| super::pool_overlap(&model.network, model.items(), results),
    },
    Check {
        rules: &[&rules::UNKNOWN_ANNOTATION],
        run: |model, results| {
            for service in &model.network.services {
                super::unknown_annotation(service, model.items(), results);
            }
        },
    },
    Check {
        rules: &[&rules::ANNOTATION_CONFLICT],
        run: |model, results| {
            for service in &model.network.services {
                super::annotation_conflict(service, model.items(), results);
            }
        },
    },
    Check {
        rules: &[&rules::NO_SERVICE],
        run: |model, results| {
            for service in &model.network.services {
                super::no_service(service, model.items(), results);
            }
        },
    },
    Check {
        rules: &[&rules::WRONG_TYPE],
        run: |model, results| {
            let is_value = |misread: &&Misread| !super::is_placeholder(misread, model.items());
            super::wrong_type(model.openstack_misreads.iter().filter(is_value), results);
        },
    },
    Check { rules: &[&rules::SERVICE_TYPE_TWICE], run: data_plane::service_types },
    Check { rules: &[&rules::SERVICE_OVERRIDDEN], run: data_plane::services_overridden },
    Check {
        rules: &[&rules::UNKNOWN_SERVICE],
        run: |model, results| super::unknown_service(&model.data_plane, model.items(), results),
    },
    Check {
        rules: &[&rules::DEPLOYMENT_WITHOUT_NODE_SET],
        run: |model, results| super::deployment_without_node_set(&model.data_plane, model.items(), results),
    },
    Check {
        rules: &[&rules::NODE_TWICE],
        run: |model, results| super::node_twice(&model.network.hosts, model.items(), results),
    },
    Check {
        rules: &[&rules::MISPLACED_NAME],
        run: |model, results| {
            for service in &model.data_plane.services {
                data_sources::misplaced_name(service, model.items(), results);
            }
        },
    },
    Check { rules: &[&rules::FILE_TWICE], run: data_plane::files_twice },
    Check { rules: &[&rules::CONFIG_NOT_READ], run: data_plane::unread_config },
    Check { rules: &[&rules::ALIAS_SYNTAX], run: nova_aliases::syntax },
    Check { rules: &[&rules::ALIAS_NAME], run: nova_aliases::names },
    Check { rules: &[&rules::DEVICE_TYPE], run: nova_aliases::device_types },
    Check { rules: &[&rules::ALIAS_WITHOUT_DEVICE], run: super::alias_without_device },
    Check { rules: &[&rules::NO_SUCH_CELL], run: data_plane::cells },
    Check {
        rules: &[&rules::MISSING_STORAGE_CLASS],
        run: |model, results| super::missing_storage_class(&model.storage, model.items(), results),
    },
    Check {
        rules: &[&rules::VOLUMES_SHORT],
        run: |model, results| super::volumes_short(&model.storage, model.items(), results),
    },
    Check {
        rules: &[&rules::PLACEHOLDER],
        run: |model, results| super::placeholders(model.items(), results),
    },
    Check {
        rules: &[&rules::PLAIN_CREDENTIAL],
        run: |model, results| super::plain_credential(model.items(), results),
    },
];

/// The rules that can be selected.
pub fn rules_of_checks() -> Vec<&'static Rule> {
    let mut rules: Vec<&Rule> = CHECKS.iter().flat_map(|check| check.rules.iter().copied()).collect();
    rules.extend([&rules::DUPLICATE_KEY, &rules::DUPLICATE_OBJECT, &rules::UNUSED_IGNORE]);
    rules.sort_by_key(|rule| rule.id);
    rules.dedup();
    rules
}

/// Runs the selected checks, and leaves out what the user ignores. `results` has findings about the same items.
pub fn check(items: &[Resource], mut results: Results, selection: &Selection, ignores: Syntax) -> Results {
    let model = Model::read(items);
    for check in CHECKS.iter().filter(|check| check.rules.iter().any(|rule| selection.includes(rule.id))) {
        (check.run)(&model, &mut results);
    }
    let mut findings = results.into_sorted();
    findings.retain(|finding| selection.includes(finding.rule.id));
    suppression::apply(items, findings, ignores, selection)
}
