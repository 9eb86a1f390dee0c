//! The hosts of a network: of nodes, pods, services and compute nodes, in the subnet of the instance.

use std::net::IpAddr;

use super::drafts::Draft;
use super::layers::{Choice, Given, Level};
use super::network_spec::{NetworkSpec, RouteSpec};
use super::plan::{Link, Network, Route, Source, Sourced};
use super::setting::{Ranges, Setting};
use crate::formats::hosts::Hosts;
use crate::formats::ip::IpRange;
use crate::krm::Mistakes;

/// Finds the hosts of a network.
pub struct Allocation<'a, 's> {
    pub draft: &'a Draft<'s>,
    /// Whether services may have addresses outside the subnet, because routers learn them.
    pub are_routed: bool,
    pub mistakes: &'a mut Mistakes,
    /// Hosts of the plan that the subnet does not have.
    misfits: Vec<String>,
}

impl<'a, 's> Allocation<'a, 's> {
    pub fn new(draft: &'a Draft<'s>, are_routed: bool, mistakes: &'a mut Mistakes) -> Self {
        Allocation { draft, are_routed, mistakes, misfits: Vec::new() }
    }

    /// The network of the draft. None if it has mistakes, which are reported.
    pub fn network(mut self, link: Link, shares_with: Option<usize>) -> Option<Network> {
        let (draft, plan) = (self.draft, self.draft.plan);
        let layers = &draft.layers;
        let mtu = layers.find("mtu", |spec| &spec.mtu);
        let dns_domain = layers.find("dnsDomain", |spec| &spec.dns_domain).map(|given| given.value.clone());
        let nodes = self.host("nodes", |spec| &spec.nodes, plan.nodes);
        let attach = self.range("attach", |spec| &spec.attach, plan.attach);
        let pool = self.range("pool", |spec| &spec.pool, plan.pool);
        let allocate = self.ranges();
        let gateway = self.host("gateway", |spec| &spec.gateway, plan.gateway);
        let routes = self.routes();
        let is_complete = self.misfits.is_empty();
        self.report_misfits();
        is_complete.then(|| Network {
            name: draft.name,
            subnet: draft.subnet.clone(),
            link,
            mtu: mtu.map(|given| Sourced::new(*given.value, Source::Given(given.path))),
            gateway,
            routes,
            dns_domain: dns_domain.unwrap_or_else(|| format!("{}.example.com", draft.name)),
            nodes: nodes.filter(|_| shares_with.is_none()),
            shares_with,
            attach,
            pool,
            allocate,
        })
    }

    fn range(
        &mut self,
        key: &'static str,
        field: impl Fn(&'s NetworkSpec) -> &'s Setting<Hosts>,
        plan: Option<&'static str>,
    ) -> Option<Sourced<IpRange>> {
        match self.draft.layers.choose(key, field) {
            Choice::Given(given) => self.given(key, &given),
            Choice::Without => None,
            Choice::Plan => self.planned(key, plan?),
        }
    }

    /// A range that is one host.
    fn host(
        &mut self,
        key: &'static str,
        field: impl Fn(&'s NetworkSpec) -> &'s Setting<Hosts>,
        plan: Option<&'static str>,
    ) -> Option<Sourced<IpAddr>> {
        let range = self.range(key, field, plan)?;
        self.one(range)
    }

    fn one(&mut self, range: Sourced<IpRange>) -> Option<Sourced<IpAddr>> {
        if range.value.size() != 1 {
            self.mistakes.add(range.source.path(), format!("must be one host, got {}", range.value));
            return None;
        }
        Some(Sourced::new(range.value.first(), range.source))
    }

    /// infra-operator rejects a range of one address.
    fn several(&mut self, range: Sourced<IpRange>) -> Option<Sourced<IpRange>> {
        if range.value.size() > 1 {
            return Some(range);
        }
        let message = format!(
            "must have at least two hosts, because infra-operator rejects a range of one, got {}",
            range.value.first()
        );
        self.mistakes.add(range.source.path(), message);
        None
    }

    fn ranges(&mut self) -> Vec<Sourced<IpRange>> {
        const KEY: &str = "allocate";
        let plan = self.draft.plan.allocate;
        match self.draft.layers.choose(KEY, |spec| &spec.allocate) {
            Choice::Given(Given { value: Ranges(list), level, path }) => {
                let is_one = list.len() == 1;
                let each = list.iter().enumerate().map(|(index, value)| {
                    let path = if is_one { path.clone() } else { path.clone().index(index) };
                    Given { value, level, path }
                });
                each.filter_map(|given| self.given(KEY, &given).and_then(|range| self.several(range)))
                    .collect()
            }
            Choice::Without => Vec::new(),
            Choice::Plan => plan.iter().filter_map(|text| self.planned(KEY, text)).collect(),
        }
    }

    fn routes(&mut self) -> Vec<Route> {
        let Some(given) = self.draft.layers.find("routes", |spec| &spec.routes) else {
            let (destination, text) = match self.draft.plan.route(self.draft.subnet.value.family()) {
                Some(route) => route,
                None => return Vec::new(),
            };
            let next_hop = self.planned("routes", text).and_then(|range| self.one(range));
            return next_hop.map(|next_hop| Route { destination, next_hop }).into_iter().collect();
        };
        let route = |(index, route): (usize, &'s RouteSpec)| {
            let path = given.path.clone().index(index).key("nextHop");
            let next_hop = Given { value: &route.next_hop, level: given.level, path };
            let next_hop = self.given("routes", &next_hop).and_then(|range| self.one(range))?;
            Some(Route { destination: route.destination.0, next_hop })
        };
        given.value.iter().enumerate().filter_map(route).collect()
    }

    fn given(&mut self, key: &'static str, given: &Given<'_, Hosts>) -> Option<Sourced<IpRange>> {
        let subnet = self.draft.subnet.value;
        let source = Source::Given(given.path.clone());
        match given.level {
            Level::Own => {
                let routed = given.value.addresses().filter(|_| self.are_routed && key == "pool");
                let range = given.value.resolve(subnet).or_else(|why| routed.ok_or(why));
                let range =
                    range.map_err(|why| format!("{why}; give hosts of this subnet, or another `cidr`"));
                self.mistakes.value(given.path.clone(), range).map(|range| Sourced::new(range, source))
            }
            Level::Fleet => match given.value.resolve_moved(self.draft.base, subnet) {
                Ok(range) => Some(Sourced::new(range, source)),
                Err(_) => {
                    self.misfits.push(format!("`{key}` ({})", given.value));
                    None
                }
            },
        }
    }

    fn planned(&mut self, key: &'static str, text: &'static str) -> Option<Sourced<IpRange>> {
        let owner = self.draft.owner;
        match Hosts::parse(text).and_then(|hosts| hosts.resolve(self.draft.subnet.value)) {
            Ok(range) => {
                Some(Sourced::new(range, Source::Slot { slot: owner.slot, position: owner.position }))
            }
            Err(_) => {
                self.misfits.push(format!("`{key}` ({text})"));
                None
            }
        }
    }

    fn report_misfits(&mut self) {
        if self.misfits.is_empty() {
            return;
        }
        let subnet = &self.draft.subnet;
        let last = subnet.value.host(subnet.value.last_host()).map(|ip| ip.to_string()).unwrap_or_default();
        let message = format!(
            "{} does not have the hosts of {}: its last address is {last}; use a subnet that has them, or give other hosts",
            subnet.value,
            self.misfits.join(", "),
        );
        self.mistakes.add(subnet.source.path(), message);
    }
}
