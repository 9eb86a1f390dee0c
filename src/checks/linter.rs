//! All checks together: what `rhoso-fn check` and ValidatePlatform run.

use super::suppression::{self, Syntax};
use super::{Selection, addresses, layer2, rules};
use crate::krm::{Resource, Results, Rule};
use crate::model::Model;

/// A check and the rules that it reports.
#[derive(Debug)]
pub struct Check {
    pub rules: &'static [&'static Rule],
    pub run: fn(&Model<'_>, &mut Results),
}

/// Every check.
pub static CHECKS: &[Check] = &[
    Check {
        rules: &[&rules::BAD_ADDRESS, &rules::BAD_RANGE, &rules::MISSING_KEY, &rules::WRONG_TYPE],
        run: |model, results| {
            for pool in &model.network.pools {
                super::no_addresses(pool, model.items(), results);
            }
            for misread in &model.misreads {
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
    Check { rules: &[&rules::RANGE_OVERLAP], run: addresses::range_overlap },
    Check { rules: &[&rules::NODE_ADDRESS_IN_RANGE], run: addresses::node_address_in_range },
    Check { rules: &[&rules::HOST_IN_RANGE], run: addresses::host_in_range },
    Check { rules: &[&rules::FIXED_IP_OUTSIDE_SUBNET], run: addresses::fixed_ip_outside_subnet },
    Check {
        rules: &[&rules::ADDRESS_TWICE],
        run: |model, results| {
            addresses::address_twice(model, results);
            addresses::static_address_of_many_nodes(model, results);
        },
    },
    Check { rules: &[&rules::OUTSIDE_SUBNET], run: addresses::outside_subnet },
    Check { rules: &[&rules::SUBNET_TWICE], run: addresses::subnet_twice },
    Check { rules: &[&rules::PUBLIC_ADDRESS], run: addresses::public_address },
    Check { rules: &[&rules::VLAN_TWICE], run: layer2::vlan_twice },
    Check { rules: &[&rules::VLAN_MISMATCH], run: layer2::vlan_mismatch },
    Check { rules: &[&rules::MTU_MISMATCH], run: layer2::mtu_mismatch },
    Check { rules: &[&rules::MISSING_INTERFACE], run: layer2::missing_interface },
];

/// The rules that can be selected.
pub fn rules_of_checks() -> Vec<&'static Rule> {
    let mut rules: Vec<&Rule> = CHECKS.iter().flat_map(|check| check.rules.iter().copied()).collect();
    rules.extend([&rules::DUPLICATE_OBJECT, &rules::UNUSED_IGNORE]);
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
