//! What data plane services read.

use std::collections::HashMap;

use super::rules;
use crate::krm::{Resource, Results, quoted};
use crate::model::data_plane::{Defect, Service, SourceFile};
use crate::platform::dataplane;

/// Reports sources whose `name` is beside the reference instead of below it. The operator accepts them and reads
/// nothing.
pub fn misplaced_name(service: &Service, items: &[Resource], results: &mut Results) {
    for source in &service.sources {
        let Some(Defect::MisplacedName { reference }) = source.defect else { continue };
        let message = match reference {
            Some(key) => format!(
                "`name` is beside `{key}`, which is null, so the service reads nothing here; indent `name` to be below \
                 `{key}`"
            ),
            None => format!(
                "`name` must be below `{}` or `{}`; without them, the service reads nothing here",
                dataplane::SECRET_REF,
                dataplane::CONFIG_MAP_REF
            ),
        };
        let location = source.site.clone().key("name").location(items);
        results.error(&rules::MISPLACED_NAME, message).at(location);
    }
}

/// Reports files of a service of type nova that do not reach Nova. Secrets may contain files for other
/// programs.
pub fn config_not_read(service: &Service, items: &[Resource], results: &mut Results) {
    let is_unseen = |file: &&SourceFile| file.is_in_config_map && !dataplane::reaches_nova(&file.name);
    for file in service.files.iter().filter(is_unseen) {
        let message = format!(
            "the service {} reads this file, but Nova reads only files named `*nova*.conf` and `provider*.yaml`; rename \
             it",
            quoted(&service.id.name)
        );
        results.error(&rules::CONFIG_NOT_READ, message).at(file.site.location(items));
    }
}

/// Reports files with the same name from two sources: all sources end up in one directory. `advice` says what
/// to do about two such files.
pub fn file_twice(
    service: &Service,
    advice: impl Fn(&SourceFile, &SourceFile) -> String,
    items: &[Resource],
    results: &mut Results,
) {
    let mut last_of_name: HashMap<&str, &SourceFile> = HashMap::new();
    for file in &service.files {
        let Some(other) = last_of_name.insert(&file.name, file) else { continue };
        if other.site.item == file.site.item {
            continue;
        }
        let message = format!(
            "{} also has this file, and the service {} reads both, so one replaces the other; {}",
            other.site.item.get(items).id(),
            quoted(&service.id.name),
            advice(other, file)
        );
        let finding = results.error(&rules::FILE_TWICE, message).at(file.site.location(items));
        finding.related(other.site.location(items), "the other file");
    }
}
