//! The node sets whose hosts have the GPUs.

use super::compute::Compute;
use super::{Injection, alias, device_spec, placement};
use crate::checks::{nova_config, rules, wrong_type};
use crate::functions::compute_files::{ComputeFiles, FilePlace};
use crate::krm::{Fault, Resource, Results};
use crate::model::World;
use crate::model::data_plane;
use crate::platform::nova;

impl Injection {
    pub(super) fn compute_files(&self) -> ComputeFiles<'_> {
        let files = self.computes.iter().map(|compute| &compute.file).collect();
        ComputeFiles { files, target: self.target.as_ref(), list: "spec.computes" }
    }

    /// Configures the node sets. Missing ConfigMaps and services were created before.
    pub(super) fn configure_computes(
        &self,
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        if self.computes.is_empty() {
            return Ok(());
        }
        self.compute_files().configure(items, results, &mut |place, items, results| {
            let compute = &self.computes[place.index];
            self.write_config(compute, place, items, results)?;
            match &compute.kernel_args {
                Some(kernel_args) => kernel_args.set(place.node_set, items, results),
                None => Ok(()),
            }
        })
    }

    /// Writes what nova-compute reads into the ConfigMap: its devices, and the same aliases as the API's.
    fn write_config(
        &self,
        compute: &Compute,
        place: &FilePlace<'_>,
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        let site = place.site;
        let before: String = site.item.get(items).get(&site.path)?.unwrap_or_default();
        let (mut others, misreads) = match place.service {
            Some(service) => data_plane::device_specs(service, &World::new(items)),
            None => (Vec::new(), Vec::new()),
        };
        if wrong_type(&misreads, results) {
            return Ok(());
        }
        others.retain(|spec| spec.site != *site);
        let specs = &compute.device_specs;
        let mut text =
            device_spec::add_all(specs, before.clone(), &others, self.replace, &mut |wanted, obstacle| {
                let location = obstacle.elsewhere.as_ref().unwrap_or(site).location(items);
                let finding = results.warning(&rules::DEVICE_SPEC, obstacle.message(wanted));
                finding.at(location).current(obstacle.spec.to_string());
            });
        nova_config::alias_syntax(&text, site, items, results);
        text = alias::with_aliases(&compute.aliases, text, self.on_conflict(), site, items, results);
        if self.placement {
            let option = nova::REPORT_IN_PLACEMENT;
            text = placement::with_option(option, text, self.replace, site, items, results);
        }
        if self.replace {
            text = device_spec::without_replaced(&before, &text);
        }
        site.item.get_mut(items).set(&site.path, text)
    }
}
