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

/// The files of a service of type nova that do not reach Nova. Secrets may contain files for other programs.
pub fn unread_files(service: &Service) -> impl Iterator<Item = &SourceFile> {
    service.files.iter().filter(|file| file.is_in_config_map && !dataplane::reaches_nova(&file.name))
}

/// Reports a file that does not reach Nova.
pub fn config_not_read(file: &SourceFile, service: &Service, items: &[Resource], results: &mut Results) {
    let message = format!(
        "the service {} reads this file, but Nova reads only files named `*nova*.conf` and `provider*.yaml`; rename it",
        quoted(&service.id.name)
    );
    results.error(&rules::CONFIG_NOT_READ, message).at(file.site.location(items));
}

/// Reports fields that named the sources of services before `dataSources`.
pub fn removed_sources(service: &Service, items: &[Resource], results: &mut Results) {
    for site in &service.removed_sources {
        let message = "services no longer have this field, so the API server drops it and the service does not read \
                       what it names; use `dataSources`";
        results.error(&rules::CONFIG_NOT_READ, message).at(site.location(items));
    }
}

/// The files of a service with the same name from two sources, in the order of the second: all sources end up in one
/// directory.
pub fn files_of_one_name(service: &Service) -> Vec<(&SourceFile, &SourceFile)> {
    let mut last_of_name: HashMap<&str, &SourceFile> = HashMap::new();
    let pairs = service.files.iter().filter_map(|file| Some((last_of_name.insert(&file.name, file)?, file)));
    pairs.filter(|(first, second)| first.site.item != second.site.item).collect()
}

/// Reports two files with the same name. `advice` says what to do about them.
pub fn file_twice(
    (first, second): (&SourceFile, &SourceFile),
    advice: &str,
    service: &Service,
    items: &[Resource],
    results: &mut Results,
) {
    let message = format!(
        "{} also has this file, and the service {} reads both, so one replaces the other; {advice}",
        first.site.item.get(items).id(),
        quoted(&service.id.name)
    );
    let finding = results.error(&rules::FILE_TWICE, message).at(second.site.location(items));
    finding.related(first.site.location(items), "the other file");
}
