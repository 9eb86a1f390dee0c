//! The configuration of services in resources.

use super::service_options;
use crate::krm::{Finding, Results};
use crate::model::{Model, service_texts};

/// Reports options that services do not have or cannot read.
pub fn service_texts(model: &Model<'_>, results: &mut Results) {
    for group in service_texts::read(&model.world, &model.data_plane) {
        let all: Vec<&str> = group.texts.iter().map(|text| text.value.as_str()).collect();
        for text in &group.texts {
            for remark in service_options::remarks(group.project, &text.value, &all) {
                let item = text.site.item.get(model.items());
                let location = item.location_inside(&text.site.path, |_| Some(remark.range));
                results.add(Finding::new(remark.severity, remark.rule, remark.message)).at(location);
            }
        }
    }
}
