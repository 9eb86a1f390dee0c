use super::*;
use crate::platform::service_config::PLACES;

fn nova() -> ProjectOptions {
    of_project("nova").unwrap()
}

#[test]
fn every_place_has_options() {
    for place in &PLACES {
        assert!(of_project(place.project).is_some(), "{}", place.project);
    }
    assert!(of_project("horizon").is_none() && of_project("*").is_none());
}

#[test]
fn names_of_sections_ignore_case_and_those_of_options_do_not() {
    let has = |section: &str, option: &str| {
        nova().section(section).is_some_and(|section| section.option(option).is_some())
    };
    assert!(has("DEFAULT", "debug") && has("DEFAULT", "cpu_allocation_ratio"));
    assert!(!has("default", "debug") && !has("DEFAULT", "Debug"));
    assert!(has("PCI", "alias") && has("oslo_concurrency", "lock_path"));
    let swift = of_project("swift").unwrap();
    assert!(swift.section("DEFAULT").unwrap().option("debug").is_none());
}

#[test]
fn users_choose_names_of_sections() {
    assert!(nova().section("mdev_nvidia-35").is_some() && nova().section("mdev_").is_none());
    assert!(nova().section("ceph").is_none() && nova().user_named().is_none());
    let cinder = of_project("cinder").unwrap();
    assert!(cinder.section("ceph").is_none());
    assert!(cinder.user_named().unwrap().option("rbd_pool").is_some());
    let switch = of_project("neutron").unwrap().section("genericswitch:leaf1").unwrap();
    assert!(switch.is_open_ended() && !nova().section("pci").unwrap().is_open_ended());
    assert!(nova().section_names().all(|name| !name.contains('<')));
}

#[test]
fn options_that_may_be_repeated_are_known_by_every_name() {
    let cinder = of_project("cinder").unwrap();
    for (options, section, option, is_multi) in [
        (nova(), "pci", "alias", true),
        (nova(), "PCI", "device_spec", true),
        (nova(), "DEFAULT", "pci_alias", true),
        (nova(), "DEFAULT", "debug", false),
        (nova(), "filter_scheduler", "enabled_filters", false),
        (nova(), "none", "none", false),
        (cinder, "ceph", "replication_device", true),
        (cinder, "ceph", "rbd_pool", false),
    ] {
        assert_eq!(options.is_multi_valued(section, option), is_multi, "[{section}] {option}");
    }
}

#[test]
fn former_names_lead_to_the_current_ones() {
    let renamed = |section: &str, option: &str| {
        let found = nova().renamed(section, option);
        found.iter().map(|(section, new)| format!("{section}/{}", new.name())).collect::<Vec<_>>()
    };
    assert_eq!(renamed("DEFAULT", "pci_alias"), ["pci/alias"]);
    assert_eq!(renamed("placement", "tenant-name"), ["placement/project_name"]);
    assert_eq!(renamed("DEFAULT", "logdir"), ["DEFAULT/log_dir"]);
    assert!(renamed("pci", "alias").is_empty());
    assert_eq!(nova().sections_with("enabled_filters"), ["filter_scheduler"]);
}

#[test]
fn columns_are_read() {
    let of = |section: &str, option: &str| nova().section(section).unwrap().option(option).unwrap();
    let size = of("libvirt", "rx_queue_size");
    assert_eq!((size.kind(), size.choices().collect::<Vec<_>>()), (Kind::Int, vec!["1024", "256", "512"]));
    assert!(!size.is_newer() && of("DEFAULT", "log_color").is_newer());
    assert!(of("DEFAULT", "log_rotation_type").ignores_case());
}

#[test]
fn the_table_is_sorted_and_complete() {
    let mut count = 0;
    for (at, entry) in index().iter().enumerate() {
        let next = index().get(at + 1);
        assert!(next.is_none_or(|next| (entry.project, entry.section) < (next.project, next.section)));
        let names: Vec<&str> = entry.lines.lines().map(|line| OsloOption::new(line).name()).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{} {}", entry.project, entry.section);
        count += names.len();
    }
    assert!(count > 16_000, "{count}");
}
