mod table;

use super::*;

#[track_caller]
fn found(project: &str, text: &str, context: &[&str], expected: &[&str]) {
    let remarks = remarks(project, text, context);
    let shown = |remark: &Remark| {
        let part = &text[remark.range.clone()];
        format!("{part} {} {}: {}", remark.severity, remark.rule.id, remark.message)
    };
    assert_eq!(remarks.iter().map(shown).collect::<Vec<_>>(), expected, "{text}");
}

/// The parts of a text that are remarked on, each with its severity.
#[track_caller]
fn parts(project: &str, text: &str, context: &[&str], expected: &[&str]) {
    let remarks = remarks(project, text, context);
    let shown = |remark: &Remark| format!("{} {}", remark.severity, &text[remark.range.clone()]);
    assert_eq!(remarks.iter().map(shown).collect::<Vec<_>>(), expected, "{text}: {remarks:?}");
}

#[test]
fn unknown_options_are_errors_if_the_right_one_is_known() {
    found(
        "nova",
        "[filter_scheduler]\nenabled_filtes = A\n[DEFAULT]\nenabled_filters = A\n",
        &[],
        &[
            "enabled_filtes error unknown-option: nova has no option `[filter_scheduler] enabled_filtes`, so it has no effect; did you mean \"enabled_filters\"?",
            "enabled_filters error unknown-option: nova has no option `[DEFAULT] enabled_filters`, so it has no effect; it is an option of `[filter_scheduler]`",
        ],
    );
    parts(
        "nova",
        "[DEFAULT]\nDebug = true\n[devices]\nmdev_enabled_types = a\n",
        &[],
        &["error Debug", "error mdev_enabled_types"],
    );
    found(
        "cinder",
        "[DEFAULT]\nvolume_driver = a\n{% if x == y %}\n",
        &[],
        &[
            "volume_driver error unknown-option: cinder has no option `[DEFAULT] volume_driver`, so it has no effect; it is an option of sections that you name, such as those of backends",
        ],
    );
    // Another vendor's, and one of a later release.
    parts("nova", "[DEFAULT]\nacme_pool = a\n[ovn]\nx = y\n", &[], &["info [ovn]", "info acme_pool"]);
    parts("neutron", "[ovn]\novs_create_tap = true\n", &[], &["info ovs_create_tap"]);
    parts("nova", "{{ if x = y }}\n[DEFAULT]\n{{ x }} = 1\n_replaced_ = 1\n[<name>]\na = 1\n", &[], &[]);
}

#[test]
fn general_names_are_errors_only_in_sections_of_the_service() {
    found(
        "nova",
        "[DEFAULT]\nregion_name = b\n",
        &[],
        &[
            "region_name error unknown-option: nova has no option `[DEFAULT] region_name`, so it has no effect; it is an option of `[cyborg]` or `[glance]` or `[ironic]` or 6 other sections",
        ],
    );
    parts("cinder", "[acme]\nvolume_driver = x\nusername = a\n", &[], &["info username"]);
}

#[test]
fn lines_that_oslo_config_refuses_are_errors() {
    let refused = |text: &str, line: &str, why: &str| {
        let expected = format!(
            "{line} error config-syntax: nova cannot read \"{line}\", because {why}, and does not start; write `[section]`, then `option = value`, without indentation"
        );
        found("nova", text, &[], &[&expected]);
    };
    refused("debug = true\nlonely\n[DEFAULT]\n", "debug = true", "no section is above it");
    refused("[DEFAULT]\ndebug = true\n\n  more\n", "more", "it is indented, but continues no option");
    refused("  [DEFAULT]\n  debug = true\n", "[DEFAULT]", "it is indented, but continues no option");
    refused("[DEFAULT]\nlonely\n", "lonely", "it is neither a section nor an option");
    refused("[pci\nalias = a\n", "[pci", "it is neither a section nor an option");
    for text in ["{{ section }}\ndebug = true\n", "CHANGEME\n", "{% if x %}\n", "# comment\n\n", ""] {
        parts("nova", text, &[], &[]);
    }
}

#[test]
fn short_names_and_numbers_are_misspelt_too() {
    parts(
        "nova",
        "[DEFAULT]\nhots = a\ndebug2 = true\n[oslo_messaging_rabbit]\nsl = true\n",
        &[],
        &["error hots", "error debug2", "error sl"],
    );
}

#[test]
fn sections_are_those_of_the_project_or_of_the_user() {
    parts(
        "nova",
        "[filter_schedulr]\na = 1\nb = 2\n[default]\na = 1\n[acme]\nx = 1\ny = 2\n[empty]\n",
        &[],
        &["error [filter_schedulr]", "error [default]", "info [acme]"],
    );
    let backend = "[ceph]\nrbd_pol = volumes\nrbd_user = openstack\n";
    parts("cinder", backend, &["[DEFAULT]\nenabled_backends = nfs, ceph\n"], &["error rbd_pol"]);
    parts("cinder", backend, &[], &["error rbd_pol"]);
    parts(
        "cinder",
        "[ceph]\nx = 1\n[backend_defaults]\nrbd_pol = 1\n",
        &[],
        &["info [ceph]", "error rbd_pol"],
    );
    parts("cinder", "[databas]\nx = 1\n[DEFAULT]\nenabled_backends = databas\n", &[], &["info x"]);
    parts(
        "glance",
        "[DEFAULT]\nenabled_backends = a:rbd\n[a]\nrbd_store_pol = 1\n",
        &[],
        &["error rbd_store_pol"],
    );
    parts("nova", "[own]\nusername = a\nx = 1\n[placement]\nauth_section = own\n", &[], &["info x"]);
    parts("keystone", "[auth]\nmethods = password,acme\nacme = x\nother = y\n", &[], &["info other"]);
    parts("neutron", "[genericswitch:leaf]\nanything = 1\n", &[], &[]);
    parts("nova", "[mdev_nvidia-35]\nmax_instance = 1\n", &[], &["error max_instance"]);
}

#[test]
fn former_names_are_warnings() {
    found(
        "nova",
        "[DEFAULT]\nlogdir = /x\npci_alias = {\"name\":\"a\"}\n[PLACEMENT]\ntenant-name = a\n",
        &[],
        &[
            "logdir warning deprecated-option: `[DEFAULT] logdir` is a former name of `[DEFAULT] log_dir`; use the current name",
            "pci_alias warning deprecated-option: `[DEFAULT] pci_alias` is a former name of `[pci] alias`; use the current name",
            "tenant-name warning deprecated-option: `[placement] tenant-name` is a former name of `[placement] project_name`; use the current name",
        ],
    );
    parts("aodh", "[sql]\nconnection = x\nother = y\n", &[], &["warning connection", "info other"]);
}

#[test]
fn values_have_the_type_of_their_option() {
    found(
        "nova",
        "[DEFAULT]\ndebug = maybe\nuse_json = true # yes\nuse_syslog =\n[vnc]\nnovncproxy_port = 70000\n[libvirt]\nvirt_type = KVM\nrx_queue_size = 300\n",
        &[],
        &[
            "maybe error wrong-option-value: `[DEFAULT] debug` must be true or false, but is \"maybe\"",
            "true # yes error wrong-option-value: `[DEFAULT] use_json` must be true or false, but is \"true # yes\"; write the comment on a line of its own",
            "use_syslog error wrong-option-value: `[DEFAULT] use_syslog` must be true or false, but is empty",
            "70000 error wrong-option-value: `[vnc] novncproxy_port` must be a port from 0 to 65535, but is \"70000\"",
            "KVM error wrong-option-value: `[libvirt] virt_type` must be one of kvm, lxc, parallels, qemu, not \"KVM\"; did you mean \"kvm\"?",
            "300 error wrong-option-value: `[libvirt] rx_queue_size` must be one of 1024, 256, 512, not \"300\"",
        ],
    );
    for value in ["True", "'on'", "$other", "{{ .Debug }}", "CHANGEME", "%(debug)s"] {
        parts("nova", &format!("[DEFAULT]\ndebug = {value}\n"), &[], &[]);
    }
    parts("nova", "[DEFAULT]\nlog_rotation_type = Size\n", &[], &[]);
    parts("nova", "[api]\nvendordata_providers = StaticJSON, DynamicJSON,\n", &[], &[]);
    found(
        "nova",
        "[api]\nvendordata_providers = StaticJSON, DynamicJson\n",
        &[],
        &[
            "StaticJSON, DynamicJson error wrong-option-value: `[api] vendordata_providers` must contain only DynamicJSON, StaticJSON, not \"DynamicJson\"; did you mean \"DynamicJSON\"?",
        ],
    );
}

#[test]
fn keys_and_values_of_pci_options_are_those_of_nova() {
    found(
        "nova",
        "[pci]\nalias = {\"name\": \"a\", \"vendorid\": \"10de\", \"product_id\": \"27B8\", \"device_type\": \"type-pf\", \"live_migratable\": \"yes\"}\nalias = { \"vendor_id\": 4318 }\nalias = nvidia\n",
        &[],
        &[
            "\"vendorid\": \"10de\" error unknown-option: `[pci] alias` has no key `vendorid`, so Nova refuses to start; did you mean \"vendor_id\"?",
            "\"device_type\": \"type-pf\" error wrong-option-value: `device_type` of `[pci] alias` must be one of type-PCI, type-PF, type-VF, not \"type-pf\"; Nova refuses to start otherwise",
            "\"live_migratable\": \"yes\" info unknown-option: `live_migratable` of `[pci] alias` is a key of later releases than that of RHOSO 18 (2023.1 Antelope); Nova refuses to start unless your images have it too",
            "\"vendor_id\": 4318 error wrong-option-value: `vendor_id` of `[pci] alias` must be text with four hexadecimal digits, not 4318; Nova refuses to start otherwise",
            "{ \"vendor_id\": 4318 } error wrong-option-value: `[pci] alias` needs a `name`; Nova refuses to start otherwise",
            "alias error alias-syntax: `[pci] alias = nvidia` is not a JSON object, so Nova refuses to start; write one JSON object per option",
        ],
    );
    parts(
        "nova",
        "[pci]\ndevice_spec = [{\"adress\": \"*\"},\n  {\"own_tag\": 1}]\npassthrough_whitelist = {'a': 1}\ndevice_spec = []\ndevice_spec = {\"vendor_id\": \"CHANGEME\", \"x\": 1}\n",
        &[],
        &[
            "error \"adress\": \"*\"",
            "info \"own_tag\": 1",
            "warning passthrough_whitelist",
            "error {'a': 1}",
        ],
    );
    let fine = "[pci]\ndevice_spec = {\"vendor_id\": \"0x10de\", \"product_id\": \"*\", \"physical_network\": null, \"trusted\": true, \"address\": {\"bus\": \"0[1-3]\"}}\n";
    parts("nova", fine, &[], &[]);
    parts("neutron", "[DEFAULT]\nhost = x\n", &[], &[]);
}
