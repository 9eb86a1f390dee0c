//! Rules about what SetServiceConfig changes.

crate::rules! {
    /// Rules about changes of the configuration of services.
    SERVICE_CONFIG in "config":

    /// An option has another value, which is kept because `replace` is false.
    ///
    /// The function reports this so that you can see which settings of the functionConfig have no effect. To set them,
    /// remove `replace: false`.
    KEPT_OPTION = "kept-option", Info;

    /// Another file that nova-compute reads keeps a change from taking effect.
    ///
    /// Nova reads all files of its service in the order of their names, and the last value of an option counts. An
    /// option that is removed from one file still applies if another file has it. Remove the option from the file in
    /// the message, or set `configMap` and `key` in `spec.services` to change that file.
    OPTION_OVERRIDDEN = "option-overridden", Warning;

    /// The configuration of a service changes, but the control plane does not deploy the service.
    ///
    /// If the OpenStackControlPlane has no section for the service, it is not changed, because the operator would deploy
    /// the service. If the section is disabled, the configuration is written, but no service reads it. Add or enable
    /// the section, or exclude this control plane with `target`.
    SERVICE_NOT_DEPLOYED = "service-not-deployed", Warning;
}
