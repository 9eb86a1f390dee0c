use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::krm::{Fault, FieldPath, Function, Resource, Results, Validator, quoted};
use crate::platform::secrets::{self, Form, NEEDS, Name, Need};
use crate::platform::{dataplane, kubernetes, openstack, service_overrides};

/// Checks the secrets of an OpenStack before a cluster does.
///
/// For each service that an OpenStackControlPlane deploys, the secret that it reads must have the key that
/// it asks for, by default or by its `passwordSelectors`; a key of the wrong form (Heat's 32 characters,
/// Barbican's 32 bytes in base64) or without a value is an error, and so is a value that is a known
/// default, such as `12345678`. Secrets and ExternalSecrets are looked into. A secret that is not among the
/// resources may be elsewhere: that is a warning, or with `complete` an error.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ValidateSecrets {
    /// Whether every secret that is needed must be among the resources.
    #[serde(default)]
    complete: bool,
}

impl Function for ValidateSecrets {
    const KIND: &'static str = "ValidateSecrets";
    const NAME: &'static str = "validate-secrets";
}

impl Validator for ValidateSecrets {
    fn validate(&self, given: &[Resource], results: &mut Results) -> Result<(), Fault> {
        let mut secrets = Vec::new();
        for item in given {
            secrets.extend(Holder::read(item)?);
        }
        let mut wanted = Wanted::default();
        let planes: Vec<&Resource> = given.iter().filter(|item| item.is(openstack::CONTROL_PLANE)).collect();
        for plane in &planes {
            for need in &NEEDS {
                wanted.add(need, plane)?;
            }
        }
        for node_set in given.iter().filter(|item| item.is(openstack::NODE_SET)) {
            wanted.add_libvirt(node_set, given)?;
        }
        if wanted.0.is_empty() {
            let message = "there is no OpenStackControlPlane or OpenStackDataPlaneNodeSet that needs a secret among the resources";
            return Err(Fault::new("no-match", message));
        }
        for ((namespace, name), keys) in &wanted.0 {
            let mut found =
                secrets.iter().filter(|s| s.name == *name && s.item.id().namespace == *namespace).peekable();
            if found.peek().is_none() {
                self.missing(name, keys, results);
            }
            found.for_each(|secret| secret.check(keys, results));
        }
        // Secrets that nobody asks for now may be asked for later.
        let is_asked = |secret: &Holder<'_>| {
            wanted.0.contains_key(&(secret.item.id().namespace.clone(), secret.name.clone()))
        };
        for secret in secrets.iter().filter(|secret| secrets::is_ours(&secret.name) && !is_asked(secret)) {
            secret.check(&[], results);
        }
        Ok(())
    }
}

impl ValidateSecrets {
    fn missing(&self, name: &str, keys: &[Asked<'_>], results: &mut Results) {
        let names: Vec<&str> = keys.iter().map(|asked| asked.key.as_str()).collect();
        let message = format!(
            "the secret {} is not among the resources; it must have {}",
            quoted(name),
            names.join(", ")
        );
        let Some(Asked { by, field, .. }) = keys.first() else { return };
        let finding = if self.complete {
            results.error("missing-secret", message)
        } else {
            results.warning("missing-secret", message)
        };
        finding.field(by, field);
    }
}

/// A key that a service asks for.
struct Asked<'r> {
    key: String,
    form: Form,
    by: &'r Resource,
    /// The part of it that asks.
    part: FieldPath,
    /// The field that names the secret.
    field: FieldPath,
}

/// What is asked for, by namespace and name of the secret.
#[derive(Default)]
struct Wanted<'r>(BTreeMap<(Option<String>, String), Vec<Asked<'r>>>);

impl<'r> Wanted<'r> {
    fn add(&mut self, need: &Need, plane: &'r Resource) -> Result<(), Fault> {
        let part = FieldPath::new(need.part);
        if plane.value(&part)?.is_none() || !service_overrides::is_enabled(plane, &part)? {
            return Ok(());
        }
        let default: Option<String> = plane.get(&FieldPath::new(secrets::DEFAULT_SECRET))?;
        let default = default.filter(|_| !matches!(need.secret, Name::OwnField(_)));
        let default = default.unwrap_or_else(|| secrets::OSP_SECRET.to_owned());
        let (mut names, field) = match need.secret {
            Name::Fixed(name) => (vec![name.to_owned()], part.clone()),
            Name::Field(path) | Name::OwnField(path) => {
                let fields = plane.fields(&FieldPath::new(path))?;
                let names = fields.iter().map(|field| plane.get(field)).collect::<Result<Vec<_>, _>>()?;
                let field = fields.into_iter().next().unwrap_or(FieldPath::new(secrets::DEFAULT_SECRET));
                (names.into_iter().flatten().collect(), field)
            }
        };
        if names.is_empty() {
            names.push(default);
        }
        names.sort();
        names.dedup();
        let selected = need.selector.map(|path| plane.get(&FieldPath::new(path))).transpose()?.flatten();
        let selectors =
            need.selector.map(|path| plane.value(&FieldPath::new(path).parent())).transpose()?.flatten();
        let default_key = need.other_key.filter(|_| selectors.is_some()).unwrap_or(need.key);
        let key: String = selected.unwrap_or_else(|| default_key.to_owned());
        for name in names {
            let (key, part, field) = (key.clone(), part.clone(), field.clone());
            let asked = Asked { key, form: need.form, by: plane, part, field };
            self.0.entry((plane.id().namespace.clone(), name)).or_default().push(asked);
        }
        Ok(())
    }

    /// The service libvirt reads its password from a secret of its own.
    fn add_libvirt(&mut self, node_set: &'r Resource, items: &[Resource]) -> Result<(), Fault> {
        let namespace = node_set.id().namespace.clone();
        for (index, service) in dataplane::services_of(node_set)?.iter().enumerate() {
            let kind = dataplane::type_of_service(service, items, namespace.as_deref())?;
            if kind.as_deref() == Some(dataplane::LIBVIRT_TYPE) {
                let field = dataplane::services().index(index);
                let (key, part) = ("LibvirtPassword".to_owned(), field.clone());
                let asked = Asked { key, form: Form::Password, by: node_set, part, field };
                let name = (namespace.clone(), secrets::LIBVIRT_SECRET.to_owned());
                self.0.entry(name).or_default().push(asked);
            }
        }
        Ok(())
    }
}

/// A Secret or an ExternalSecret, and what it will hold.
struct Holder<'r> {
    item: &'r Resource,
    /// The name of the secret in the cluster.
    name: String,
    keys: Vec<String>,
    /// Values, by key and with where they are. An ExternalSecret has none.
    values: Vec<(String, FieldPath)>,
    /// Whether the keys are all that there will be.
    is_all: bool,
}

impl<'r> Holder<'r> {
    fn read(item: &'r Resource) -> Result<Option<Self>, Fault> {
        if item.is(kubernetes::SECRET) {
            let mut values = Vec::new();
            for path in item
                .fields(&FieldPath::new("data.*"))?
                .into_iter()
                .chain(item.fields(&FieldPath::new("stringData.*"))?)
            {
                values.extend(path.last_key().map(|key| (key.to_owned(), path.clone())));
            }
            let keys = values.iter().map(|(key, _)| key.clone()).collect();
            return Ok(Some(Holder { item, name: item.id().name.clone(), keys, values, is_all: true }));
        }
        if !item.is(openstack::EXTERNAL_SECRET) {
            return Ok(None);
        }
        let target: Option<String> = item.get(&FieldPath::new("spec.target.name"))?;
        let mut keys = Vec::new();
        for path in item.fields(&FieldPath::new("spec.data[*].secretKey"))? {
            keys.extend(item.get::<String>(&path)?);
        }
        let template: Option<Map<String, Value>> = item.get(&FieldPath::new("spec.target.template.data"))?;
        keys.extend(template.unwrap_or_default().keys().cloned());
        let mut is_all = true;
        for elsewhere in ["spec.dataFrom", "spec.target.template.templateFrom"] {
            is_all &= item.value(&FieldPath::new(elsewhere))?.is_none();
        }
        Ok(Some(Holder {
            item,
            name: target.unwrap_or_else(|| item.id().name.clone()),
            keys,
            values: Vec::new(),
            is_all,
        }))
    }

    fn check(&self, asked: &[Asked<'_>], results: &mut Results) {
        for Asked { key, by, part, .. } in asked.iter().filter(|_| self.is_all) {
            if !self.keys.contains(key) {
                let message = format!("there is no key {}, which `{part}` of {} needs", quoted(key), by.id());
                results.error("missing-key", message).on(self.item);
            }
        }
        for (key, path) in &self.values {
            let form =
                asked.iter().find(|asked| asked.key == *key).map_or(Form::Password, |asked| asked.form);
            if let Err(objection) = self.check_value(key, path, form) {
                results.error(objection.0, objection.1).field(self.item, path);
            }
        }
    }

    fn check_value(&self, key: &str, path: &FieldPath, form: Form) -> Result<(), (&'static str, String)> {
        let wrong = |message: &str| ("secret-value", message.to_owned());
        let text: String = match self.item.get(path) {
            Ok(text) => text.unwrap_or_default(),
            Err(_) => return Err(wrong("must be a string; put it into quotes")),
        };
        let is_encoded = path.to_string().starts_with("data");
        let value = if is_encoded {
            STANDARD
                .decode(text.split_ascii_whitespace().collect::<String>())
                .map_err(|_| wrong("must be base64; plain text belongs under `stringData`"))?
        } else {
            text.into_bytes()
        };
        if let Some(objection) = form.objection(&value) {
            return Err(wrong(objection));
        }
        if secrets::is_known(key, &value) {
            return Err((
                "known-default",
                "this value is a default that everybody knows; `rhoso-fn new-secrets` draws others"
                    .to_owned(),
            ));
        }
        Ok(())
    }
}
