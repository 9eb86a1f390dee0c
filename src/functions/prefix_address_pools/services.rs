//! Services as MetalLB will see them: their annotations, or those of the override that an operator makes
//! them from.

use crate::checks::rules;
use serde_json::{Map, Value};

use super::pools::{Pool, Pools};
use crate::formats::ip::IpList;
use crate::krm::{Fault, FieldPath, FieldPattern, Finding, Resource, Results, Severity, quoted};
use crate::platform::kubernetes;
use crate::platform::metallb::{self, Annotation, Domain};
use crate::platform::service_overrides::{self, Port, SERVICE_OVERRIDES, ServiceOverride};

#[derive(Debug)]
pub struct Service {
    pub item: usize,
    /// Where its annotations are.
    pub at: FieldPath,
    /// What it said to MetalLB.
    lines: Vec<Line>,
    /// What it shall say.
    pub pool: Option<String>,
    pub key: Option<String>,
    pub addresses: Option<IpList>,
    pub ports: Vec<Port>,
    /// Whether there will be such a Service at all.
    pub exists: bool,
    /// RabbitMQ's clusters cannot share: each has an address of its own.
    pub is_alone: bool,
    /// Where to say that it is a LoadBalancer, if it does not say so.
    pub type_at: Option<FieldPath>,
    /// Whether it shall get what is missing: a key and an address to share, or one that nobody else has.
    pub needs_address: bool,
    /// What new annotations begin with.
    pub domain: Domain,
}

/// An annotation for MetalLB.
#[derive(Debug)]
struct Line {
    annotation: Annotation,
    domain: Domain,
    value: String,
}

/// The services of a control plane, in the order of its text.
pub fn of_control_plane(item: usize, plane: &Resource, results: &mut Results) -> Result<Vec<Service>, Fault> {
    let spec = FieldPath::new("spec");
    let mut places = Vec::new();
    annotated(&plane.value(&spec)?.unwrap_or_default(), spec, &mut places);
    let mut known: Vec<(FieldPath, &ServiceOverride)> = Vec::new();
    for over in SERVICE_OVERRIDES {
        known.extend(plane.fields(&over.annotations())?.into_iter().map(|path| (path, over)));
    }
    let mut services = Vec::new();
    for at in places {
        let over = known.iter().find(|(path, _)| *path == at).map(|(_, over)| *over);
        if over.is_none() {
            let said: Map<String, Value> = plane.get(&at)?.unwrap_or_default();
            if !said.keys().any(|key| metallb::names_metallb(key)) {
                continue;
            }
            let message = "an OpenStackControlPlane has no service override here, so these annotations reach no Service";
            results.warning(&rules::NO_SERVICE, message).field(plane, &at);
        }
        let mut service = Service::new(item, at, over);
        service.ports = service_overrides::ports_of(plane, &service.at, over)?;
        service.exists = over.is_some() && service_overrides::is_enabled(plane, &service.at)?;
        service.read(plane, results)?;
        services.push(service);
    }
    Ok(services)
}

/// The service of a resource, if it is a Service that MetalLB serves.
pub fn of_service(item: usize, service: &Resource, results: &mut Results) -> Result<Option<Service>, Fault> {
    if !service.is(kubernetes::SERVICE) {
        return Ok(None);
    }
    let kind: Option<String> = service.get(&FieldPath::new("spec.type"))?;
    if kind.as_deref() != Some(metallb::LOAD_BALANCER) {
        return Ok(None);
    }
    let old = FieldPath::new("spec.loadBalancerIP");
    if service.value(&old)?.is_some() {
        let message = "this field is deprecated and not moved; ask for the address by an annotation instead";
        results.warning(&rules::LOAD_BALANCER_IP, message).field(service, &old);
    }
    let at = FieldPath::new("metadata.annotations");
    let annotations: Map<String, Value> = service.get(&at)?.unwrap_or_default();
    if !annotations.keys().any(|key| metallb::is_for_metallb(key)) {
        return Ok(None);
    }
    let mut found = Service { exists: true, ports: ports(service)?, ..Service::new(item, at, None) };
    found.read(service, results)?;
    Ok(Some(found))
}

fn ports(service: &Resource) -> Result<Vec<Port>, Fault> {
    let mut found = Vec::new();
    for at in service.fields(&FieldPattern::new("spec.ports[*]"))? {
        let protocol: Option<String> = service.get(&at.clone().key("protocol"))?;
        let protocol = match protocol.as_deref() {
            Some("UDP") => "UDP",
            Some("SCTP") => "SCTP",
            _ => "TCP",
        };
        found.extend(service.get(&at.key("port"))?.map(|port| (port, protocol)));
    }
    Ok(found)
}

/// Every `annotations` that has a key for MetalLB, in the order of the text. Labels and selectors may have
/// such keys too.
fn annotated(value: &Value, at: FieldPath, found: &mut Vec<FieldPath>) {
    match value {
        Value::Object(map) => {
            if at.last_key() == Some("annotations") && map.keys().any(|key| metallb::is_for_metallb(key)) {
                found.push(at.clone());
            }
            for (key, value) in map {
                annotated(value, at.clone().key(key.clone()), found);
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                annotated(value, at.clone().index(index), found);
            }
        }
        _ => {}
    }
}

impl Service {
    pub fn new(item: usize, at: FieldPath, over: Option<&ServiceOverride>) -> Self {
        Service {
            item,
            is_alone: service_overrides::is_rabbitmq(&at),
            at,
            lines: Vec::new(),
            pool: None,
            key: None,
            addresses: None,
            ports: over.map(ServiceOverride::ports).unwrap_or_default(),
            exists: true,
            type_at: None,
            needs_address: false,
            domain: Domain::Deprecated,
        }
    }

    /// Reads what it says to MetalLB, and says what MetalLB would not understand.
    fn read(&mut self, resource: &Resource, results: &mut Results) -> Result<(), Fault> {
        let annotations: Map<String, Value> = resource.get(&self.at)?.unwrap_or_default();
        let mut in_conflict = Vec::new();
        for key in annotations.keys().filter(|key| metallb::is_for_metallb(key)) {
            let at = self.at.clone().key(key.clone());
            let Some((annotation, domain)) = Annotation::read(key) else {
                let message = unknown_annotation(key);
                let finding = Finding::new(self.severity(), &rules::UNKNOWN_ANNOTATION, message);
                results.add(finding).field(resource, &at);
                continue;
            };
            // MetalLB takes an empty one for none.
            let value: String = resource.get(&at)?.unwrap_or_default();
            if value.is_empty() {
                continue;
            }
            if let Some(other) = self.lines.iter().find(|l| l.annotation == annotation && l.value != value) {
                let (first, second) = (annotation.key(other.domain), annotation.key(domain));
                let message = format!(
                    "`{first}` is {} and `{second}` is {}; MetalLB takes the one of `{}`: remove the other",
                    quoted(&other.value),
                    quoted(&value),
                    Domain::Current.name()
                );
                let finding = Finding::new(self.severity(), &rules::ANNOTATION_CONFLICT, message);
                results.add(finding).field(resource, &at);
                in_conflict.push(annotation);
            }
            self.lines.push(Line { annotation, domain, value });
        }
        // Whoever wrote two values must choose: neither is followed or changed.
        self.lines.retain(|line| !in_conflict.contains(&line.annotation));
        self.domain = self.lines.first().map_or(self.domain, |line| line.domain);
        self.pool = self.said(Annotation::AddressPool).map(str::to_owned);
        self.key = self.said(Annotation::AllowSharedIp).map(str::to_owned);
        match self.said(Annotation::LoadBalancerIps).map(IpList::parse).transpose() {
            Ok(addresses) => self.addresses = addresses,
            Err(why) => {
                let message = format!("MetalLB cannot use this: {why}");
                let finding = Finding::new(self.severity(), &rules::BAD_ADDRESS, message);
                results.add(finding).field(resource, &self.place_of(Annotation::LoadBalancerIps));
            }
        }
        Ok(())
    }

    fn said(&self, annotation: Annotation) -> Option<&str> {
        self.lines.iter().find(|line| line.annotation == annotation).map(|line| line.value.as_str())
    }

    /// The pool and the sharing key as they are in the text.
    pub fn given_names(&self) -> impl Iterator<Item = &str> {
        [Annotation::AddressPool, Annotation::AllowSharedIp].into_iter().filter_map(|a| self.said(a))
    }

    /// How bad it is that something is wrong here: what is not deployed blocks nothing.
    pub fn severity(&self) -> Severity {
        if self.exists { Severity::Error } else { Severity::Warning }
    }

    /// Whether it wants an address of this pool.
    pub fn asks_for(&self, pool: &Pool, pools: &Pools) -> bool {
        self.pool.as_deref().and_then(|name| pools.find(name)).is_some_and(|found| found.name == pool.name)
    }

    /// Whether it says anything in this domain.
    pub fn speaks(&self, domain: Domain) -> bool {
        self.lines.iter().any(|line| line.domain == domain)
    }

    /// Whether it is not in the text yet.
    pub fn is_new(&self) -> bool {
        self.lines.is_empty()
    }

    /// Where an annotation is, if it is there; the annotations otherwise.
    pub fn place_of(&self, annotation: Annotation) -> FieldPath {
        match self.lines.iter().find(|line| line.annotation == annotation) {
            Some(line) => self.at.clone().key(annotation.key(line.domain)),
            None => self.at.clone(),
        }
    }

    /// Writes what it shall say, in the words of the old where they can stay.
    pub fn write(&self, resource: &mut Resource, domain: Option<Domain>) -> Result<(), Fault> {
        let new_domain = domain.unwrap_or(self.domain);
        for annotation in Annotation::ALL {
            let lines: Vec<&Line> = self.lines.iter().filter(|line| line.annotation == annotation).collect();
            for line in &lines {
                if let Some(value) = self.wanted(annotation, Some(&line.value)) {
                    resource.set(&self.at.clone().key(annotation.key(line.domain)), value)?;
                }
            }
            if lines.is_empty()
                && let Some(value) = self.wanted(annotation, None)
            {
                resource.set(&self.at.clone().key(annotation.key(new_domain)), value)?;
            }
            let Some(domain) = domain else { continue };
            let is_there = lines.iter().any(|line| line.domain == domain);
            for line in lines.iter().filter(|line| line.domain != domain) {
                let old = self.at.clone().key(annotation.key(line.domain));
                if is_there {
                    resource.remove(&old)?;
                } else {
                    resource.rename(&old, &annotation.key(domain))?;
                }
            }
        }
        match &self.type_at {
            Some(at) => resource.set(at, metallb::LOAD_BALANCER),
            None => Ok(()),
        }
    }

    fn wanted(&self, annotation: Annotation, old: Option<&str>) -> Option<String> {
        match annotation {
            Annotation::AddressPool => self.pool.clone(),
            Annotation::AllowSharedIp => self.key.clone(),
            Annotation::LoadBalancerIps => {
                self.addresses.as_ref().map(|list| list.written_like(old.unwrap_or_default()))
            }
            Annotation::AllocatedFromPool => None,
        }
    }

    /// For messages about another service.
    pub fn describe(&self, items: &[Resource]) -> String {
        format!("{} `{}`", items[self.item].id(), self.at)
    }
}

fn unknown_annotation(key: &str) -> String {
    let hint = match Annotation::nearest_key(key) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<String> =
                Annotation::ALL.iter().map(|a| format!("`{}`", a.key(Domain::Current))).collect();
            format!("it knows {}", names.join(", "))
        }
    };
    format!("MetalLB does not know this annotation and would ignore it; {hint}")
}
