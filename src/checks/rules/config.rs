//! Rules about the configuration of OpenStack services, which is text inside of resources.

crate::rules! {
    /// Rules about options in the configuration of services.
    CONFIG in "config":

    /// A service cannot read a line of its configuration.
    ///
    /// oslo.config stops at a line that is neither a section nor an option of a section, and the service does not start:
    /// an option before the first section, a line without `=` or `:`, or an indented line that continues no option.
    /// Write `[section]` on a line of its own and without indentation, then `option = value`. The rule reports the first
    /// such line of a text, unless a template is in or above it.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   nova:
    ///     template:
    ///       apiServiceTemplate:
    ///         customServiceConfig: |
    ///           debug = true
    /// ```
    CONFIG_SYNTAX = "config-syntax", Error;

    /// An option is written with a former name.
    ///
    /// The service still reads it, but later releases may not. Use the current name, which the message shows. If the
    /// configuration has the option under both names, only one of them takes effect.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   nova:
    ///     template:
    ///       apiServiceTemplate:
    ///         customServiceConfig: |
    ///           [DEFAULT]
    ///           logdir = /var/log/nova
    /// ```
    DEPRECATED_OPTION = "deprecated-option", Warning;

    /// A service does not have an option, a section or a key of its configuration.
    ///
    /// OpenStack services ignore options that they do not know, so a misspelt one has no effect, and nothing reports it.
    /// The rule knows the options of the services in the release of RHOSO 18 (2023.1 Antelope) and in later ones. It
    /// reads every `customServiceConfig` of an OpenStackControlPlane, the ConfigMaps that services of the data plane give
    /// to Nova, Neutron and Ceilometer, and the values files of the architecture repository. Sections that users name,
    /// such as the backends of Cinder, are known by `enabled_backends` and similar options.
    ///
    /// This is an error if the name is almost that of another option of the section, or if the option belongs to another
    /// section. The severity is info if a driver that is not part of OpenStack may read the option, and for an option
    /// that only later releases have.
    ///
    /// The rule also reports unknown keys in the JSON of Nova's `[pci] alias` and `device_spec`, and misspelt ones in
    /// that of NetworkAttachmentDefinitions.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   nova:
    ///     template:
    ///       schedulerServiceTemplate:
    ///         customServiceConfig: |
    ///           [filter_scheduler]
    ///           enabled_filtes = ComputeFilter,PciPassthroughFilter
    /// ```
    UNKNOWN_OPTION = "unknown-option", Error;

    /// A service cannot read the value of an option.
    ///
    /// The value does not have the type of the option, such as a number, or is not one of its choices. Most services do
    /// not start with such a value. A comment after the value is part of it: write comments on lines of their own. The
    /// rule also reports values in the JSON of Nova's `[pci] alias` and `device_spec` that Nova does not accept. Values
    /// with templates, references to other options and placeholders are not checked.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   nova:
    ///     template:
    ///       apiServiceTemplate:
    ///         customServiceConfig: |
    ///           [DEFAULT]
    ///           debug = maybe
    /// ```
    WRONG_OPTION_VALUE = "wrong-option-value", Error;
}
