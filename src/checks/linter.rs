//! All checks together: what `rhoso-fn check` and ValidatePlatform run.

use super::suppression::{self, IgnoreEverywhere, Syntax};
use super::{
    Selection, Stage, addresses, control_plane, data_plane, data_sources, external_computes, layer2, metallb,
    nova_aliases, nova_cells, one_cause, rules, serving,
};
use crate::krm::{Order, Resource, Results, Rule, side_by_side};
use crate::model::{Misread, Model};
use crate::platform::crds::Schemas;

/// A check and the rules that it reports.
#[derive(Debug)]
pub struct Check {
    pub rules: &'static [&'static Rule],
    pub run: fn(&Model<'_>, &mut Results),
}

/// Every check.
pub static CHECKS: &[Check] = &[
    Check {
        rules: &[
            &rules::BAD_ADDRESS,
            &rules::MISSING_KEY,
            &rules::NO_ADDRESSES,
            &rules::PLACEHOLDER,
            &rules::WRONG_TYPE,
        ],
        run: metallb::misreads,
    },
    Check { rules: &[&rules::MISSING_NAME], run: metallb::missing_names },
    Check {
        rules: &[&rules::POOL_TWICE],
        run: |model, results| super::pool_in_two_namespaces(&model.network, model.items(), results),
    },
    Check {
        rules: &[&rules::POOL_OVERLAP],
        run: |model, results| super::pool_overlap(&model.network, model.items(), results),
    },
    Check { rules: &[&rules::POOL_EXHAUSTED], run: metallb::exhausted_pools },
    Check { rules: &[&rules::POOL_NOT_ADVERTISED], run: super::pool_not_advertised },
    Check { rules: &[&rules::POOL_NOT_ALLOWED], run: super::pool_not_allowed },
    Check { rules: &[&rules::UNKNOWN_POOL], run: super::unknown_pool },
    Check { rules: &[&rules::VIP_OUTSIDE_POOL], run: super::vip_outside_pool },
    Check { rules: &[&rules::VIP_CONFLICT], run: metallb::vip_conflicts },
    Check { rules: &[&rules::RABBITMQ_KEY], run: metallb::rabbitmq_keys },
    Check { rules: &[&rules::LOAD_BALANCER_IP], run: metallb::load_balancer_ips },
    Check {
        rules: &[&rules::UNKNOWN_ANNOTATION],
        run: |model, results| metallb::each_service(model, results, super::unknown_annotation),
    },
    Check {
        rules: &[&rules::BOTH_PREFIXES],
        run: |model, results| metallb::each_service(model, results, super::both_prefixes),
    },
    Check {
        rules: &[&rules::NO_SERVICE],
        run: |model, results| metallb::each_service(model, results, super::no_service),
    },
    Check {
        rules: &[&rules::NOT_A_LOAD_BALANCER],
        run: |model, results| metallb::each_service(model, results, super::not_a_load_balancer),
    },
    Check {
        rules: &[
            &rules::EQUAL_VALUES,
            &rules::KNOWN_DEFAULT,
            &rules::MISSING_KEY,
            &rules::MISSING_SECRET,
            &rules::SECRET_VALUE,
            &rules::WELL_KNOWN_WORD,
            &rules::WRONG_TYPE,
        ],
        run: super::secrets::package_secrets,
    },
    Check {
        rules: &[&rules::WRONG_TYPE],
        run: |model, results| {
            let is_value = |misread: &&Misread| !super::is_placeholder(misread, model.items());
            super::wrong_type(model.openstack_misreads.iter().filter(is_value), results);
        },
    },
    Check { rules: &[&rules::UNKNOWN_FIELD, &rules::WRONG_FIELD_TYPE], run: super::unknown_field::fields },
    Check { rules: &[&rules::MISSPELT_KIND], run: super::misspelt_kind::kinds },
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
    Check {
        rules: &[
            &rules::ALIAS_SYNTAX,
            &rules::CONFIG_SYNTAX,
            &rules::DEPRECATED_OPTION,
            &rules::UNKNOWN_OPTION,
            &rules::WRONG_OPTION_VALUE,
        ],
        run: super::service_texts,
    },
    Check {
        rules: &[&rules::UNKNOWN_OPTION],
        run: |model, results| super::cni_keys(&model.network, model.items(), results),
    },
    Check { rules: &[&rules::ALIAS_NAME], run: nova_aliases::names },
    Check { rules: &[&rules::DEVICE_TYPE], run: nova_aliases::device_types },
    Check { rules: &[&rules::ALIAS_WITHOUT_DEVICE], run: super::alias_without_device },
    Check { rules: &[&rules::NO_SUCH_CELL], run: data_plane::cells },
    Check {
        rules: &[&rules::CELL_CHANGED, &rules::CELL_NAME, &rules::MISSPELT_CELL, &rules::NO_SUCH_CELL],
        run: external_computes::cells_of_nodes,
    },
    Check { rules: &[&rules::NO_CELL], run: data_plane::services_without_cell },
    Check { rules: &[&rules::CELL_WITHOUT_SERVICE], run: data_plane::annotated_cells },
    Check { rules: &[&rules::MISSING_CELL], run: nova_cells::missing_cell },
    Check { rules: &[&rules::METADATA_TWICE], run: nova_cells::metadata_twice },
    Check { rules: &[&rules::SERVICE_IN_CELL_ZERO], run: nova_cells::service_in_cell_zero },
    Check { rules: &[&rules::SHARED_MESSAGE_BUS], run: nova_cells::shared_message_bus },
    Check { rules: &[&rules::CONTROL_PLANE_TWICE], run: control_plane::control_plane_twice },
    Check { rules: &[&rules::VERSION_NAME], run: control_plane::version_name },
    Check { rules: &[&rules::MISSING_DEPENDENCY], run: control_plane::missing_dependency },
    Check { rules: &[&rules::UNKNOWN_ENDPOINT], run: control_plane::unknown_endpoint },
    Check { rules: &[&rules::DEPRECATED_FIELD], run: control_plane::deprecated_field },
    Check { rules: &[&rules::BUS_USER], run: control_plane::bus_user },
    Check { rules: &[&rules::FOREIGN_TOPOLOGY], run: control_plane::foreign_topology },
    Check { rules: &[&rules::ROUTE_CERTIFICATE], run: control_plane::route_certificate },
    Check {
        rules: &[&rules::MISSING_STORAGE_CLASS],
        run: |model, results| super::missing_storage_class(&model.storage, model.items(), results),
    },
    Check {
        rules: &[&rules::VOLUMES_SHORT],
        run: |model, results| super::volumes_short(&model.storage, model.items(), results),
    },
    Check {
        rules: &[&rules::PLAIN_CREDENTIAL],
        run: |model, results| super::plain_credential(model.items(), results),
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
    Check { rules: &[&rules::NET_CONFIG_TWICE], run: control_plane::net_config_twice },
    Check { rules: &[&rules::BAD_DOMAIN], run: addresses::bad_domain },
    Check { rules: &[&rules::DOMAIN_TWICE], run: addresses::domain_twice },
    Check { rules: &[&rules::PUBLIC_ADDRESS], run: addresses::public_address },
    Check { rules: &[&rules::VLAN_TWICE], run: layer2::vlan_twice },
    Check { rules: &[&rules::VLAN_MISMATCH], run: layer2::vlan_mismatch },
    Check { rules: &[&rules::MTU_MISMATCH], run: layer2::mtu_mismatch },
    Check { rules: &[&rules::MISSING_INTERFACE], run: layer2::missing_interface },
    Check { rules: &[&rules::PROJECT_FORBIDS], run: super::project_forbids::project_forbids },
    Check { rules: &[&rules::ARGS_CONFLICT], run: serving::args_conflict::args_conflict },
    Check {
        rules: &[&rules::CANARY_WITHOUT_KNATIVE],
        run: serving::canary_without_knative::canary_without_knative,
    },
    Check {
        rules: &[&rules::DEPRECATED_DEPLOYMENT_MODE],
        run: serving::deprecated_deployment_mode::deprecated_deployment_mode,
    },
    Check { rules: &[&rules::GPU_UNAVAILABLE], run: serving::gpu_unavailable::gpu_unavailable },
    Check { rules: &[&rules::MISSING_CONNECTION], run: serving::missing_connection::missing_connection },
    Check { rules: &[&rules::MISSING_RUNTIME], run: serving::missing_runtime::missing_runtime },
    Check { rules: &[&rules::TAINT_NOT_TOLERATED], run: serving::taint_not_tolerated::taint_not_tolerated },
    Check { rules: &[&rules::TENSOR_PARALLEL], run: serving::tensor_parallel::tensor_parallel },
];

/// The rules that can be selected.
pub fn rules_of_checks() -> Vec<&'static Rule> {
    let mut rules: Vec<&Rule> = CHECKS.iter().flat_map(|check| check.rules.iter().copied()).collect();
    rules.extend([
        &rules::DUPLICATE_KEY,
        &rules::DUPLICATE_OBJECT,
        &rules::PLACEHOLDER,
        &rules::UNUSED_IGNORE,
    ]);
    rules.order_by_key(|rule| rule.id);
    rules.dedup();
    rules
}

/// What the user ignores.
#[derive(Debug, Clone, Copy)]
pub struct Ignores<'i> {
    /// How comments and annotations are written.
    pub syntax: Syntax,
    /// What is ignored in all resources.
    pub everywhere: &'i [IgnoreEverywhere],
}

impl From<Syntax> for Ignores<'_> {
    fn from(syntax: Syntax) -> Self {
        Ignores { syntax, everywhere: &[] }
    }
}

/// Runs the selected checks, and leaves out what the user ignores. `results` has findings about the same items.
pub fn check(
    items: &[Resource],
    results: Results,
    stage: Stage,
    selection: &Selection,
    ignores: Ignores<'_>,
) -> Results {
    check_with_crds(items, results, stage, selection, ignores, None)
}

/// Like [`check`], with the CRDs of the user's cluster.
pub fn check_with_crds(
    items: &[Resource],
    mut results: Results,
    stage: Stage,
    selection: &Selection,
    ignores: Ignores<'_>,
    crds: Option<&Schemas>,
) -> Results {
    // An ignore of a rule that cannot be judged yet is not unused.
    let selection = &stage.narrow(selection);
    let model = Model { crds, ..Model::read(items) };
    run_checks(
        side_by_side::threads(items.iter().map(|item| item.text().len()).sum()),
        &model,
        selection,
        &mut results,
    );
    if selection.includes(rules::PLACEHOLDER.id) {
        super::placeholders(&model, stage, &mut results);
    }
    let mut findings = results.into_sorted();
    findings.retain_mut(|finding| {
        finding.severity = stage.severity(finding);
        selection.includes(finding.rule.id)
    });
    one_cause::keep_one_each(&mut findings);
    suppression::apply(items, findings, ignores.syntax, ignores.everywhere, selection)
}

/// Runs the selected checks side by side.
fn run_checks(threads: usize, model: &Model<'_>, selection: &Selection, results: &mut Results) {
    let is_selected = |check: &&Check| check.rules.iter().any(|rule| selection.includes(rule.id));
    let selected: Vec<&Check> = CHECKS.iter().filter(is_selected).collect();
    let found = side_by_side::map(threads, selected.len(), |position| {
        let mut results = Results::default();
        (selected[position].run)(model, &mut results);
        results
    });
    found.into_iter().for_each(|found| results.extend(found));
}

#[cfg(test)]
mod tests;
