//! The fields of custom resources: resources with a field drawn at random, the built-in table, and `check --crds`.

use std::fs;
use std::path::Path;

use rhoso_fn::checks::{self, Selection, Stage, rules};
use rhoso_fn::cli::definitions;
use rhoso_fn::functions::IGNORES;
use rhoso_fn::krm::{Finding, Resource, Results};
use rhoso_fn::platform::crds::{self, NodeId, Schema, Schemas};
use serde_json::{Map, Value, json};

use crate::host::{BINARY, Ended, root, run, shared};
use crate::mutation::Mutation;

/// The findings about fields and kinds.
pub fn findings(item: Resource, crds: Option<&Schemas>) -> Vec<Finding> {
    let names = ["fields".to_owned()];
    let selection = Selection::new(&checks::rules_of_checks(), &names, &[]).unwrap();
    let found = Results::default();
    checks::check_with_crds(&[item], found, Stage::Rendered, &selection, IGNORES.into(), crds).into_sorted()
}

/// A field of a kind, drawn at random.
pub struct Drawn {
    api_version: String,
    kind: String,
    /// The keys from the root. `*` is an element of a list or a key that the user chooses.
    keys: Vec<String>,
    /// The name of the field with a typing error.
    misspelt: String,
    value: Value,
    /// The names of the fields beside it.
    beside: Vec<String>,
}

impl Drawn {
    /// Whether another field is as near to the misspelt name.
    fn is_ambiguous(&self) -> bool {
        self.beside.iter().filter(|name| is_one_edit(&self.misspelt, name)).count() > 1
    }

    fn name(&self) -> &str {
        self.keys.last().unwrap()
    }

    /// A resource with this field, under the right or the misspelt name.
    pub fn resource(&self, is_misspelt: bool) -> Value {
        let last = if is_misspelt { &self.misspelt } else { self.name() };
        let mut value = self.value.clone();
        for (position, key) in self.keys.iter().enumerate().rev() {
            let is_last = position + 1 == self.keys.len();
            value = match key.as_str() {
                "[]" => json!([value]),
                key => Value::Object(Map::from_iter([(if is_last { last } else { key }.to_owned(), value)])),
            };
        }
        let mut resource =
            json!({"apiVersion": self.api_version, "kind": self.kind, "metadata": {"name": "drawn"}});
        resource.as_object_mut().unwrap().extend(value.as_object().unwrap().clone());
        resource
    }

    /// The path of the field, as findings and the API server write it.
    pub fn path(&self, is_misspelt: bool) -> String {
        let (_, parents) = self.keys.split_last().unwrap();
        let last = if is_misspelt { &self.misspelt } else { self.name() };
        let steps = parents.iter().map(String::as_str).chain([last]);
        let steps = steps.map(|step| if step == "[]" { "[0]".to_owned() } else { format!(".{step}") });
        steps.collect::<String>().trim_start_matches('.').to_owned()
    }
}

/// Whether two names are one typing error apart, in any case.
fn is_one_edit(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase().into_bytes(), other.to_lowercase().into_bytes());
    let (short, long) = if one.len() <= other.len() { (&one, &other) } else { (&other, &one) };
    let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (short, long) = (&short[same..], &long[same..]);
    match (short, long) {
        (a, b) if a == b => true,
        ([a, b, rest @ ..], [c, d, tail @ ..]) if a == d && b == c && rest == tail => true,
        ([_, rest @ ..], [_, tail @ ..]) if rest == tail => true,
        (rest, [_, tail @ ..]) => rest == tail,
        _ => false,
    }
}

/// Draws fields of all kinds. Only fields whose parent keeps no unknown fields are drawn.
pub fn draw(schemas: &Schemas, random: &mut Mutation, count: usize) -> Vec<Drawn> {
    let kinds: Vec<(&str, &str)> = schemas.kinds().collect();
    let mut drawn = Vec::new();
    while drawn.len() < count {
        let (api_version, kind) = kinds[random.below(kinds.len())];
        let root = schemas.kind(api_version, kind).unwrap();
        let mut candidates = Vec::new();
        descend(schemas, root, &mut Vec::new(), random, &mut candidates);
        if candidates.is_empty() {
            continue;
        }
        let (keys, node, beside) = candidates.swap_remove(random.below(candidates.len()));
        let misspelt = misspell(keys.last().unwrap(), random);
        let is_other = !beside.contains(&misspelt) && misspelt != "metadata" && misspelt != "status";
        if is_other && misspelt.starts_with(|c: char| c.is_ascii_lowercase()) {
            let (api_version, kind) = (api_version.to_owned(), kind.to_owned());
            drawn.push(Drawn { api_version, kind, keys, misspelt, value: value(schemas, node), beside });
        }
    }
    drawn
}

type Candidate = (Vec<String>, NodeId, Vec<String>);

/// Follows a random path to its end. Every field on it that can be misspelt is a candidate.
fn descend(
    schemas: &Schemas,
    node: NodeId,
    keys: &mut Vec<String>,
    random: &mut Mutation,
    candidates: &mut Vec<Candidate>,
) {
    match schemas.get(node) {
        Schema::Object(object) => {
            let fields: Vec<(&str, NodeId)> =
                object.fields().filter(|(_, node)| *schemas.get(*node) != Schema::Removed).collect();
            if fields.is_empty() {
                return;
            }
            let (name, field) = fields[random.below(fields.len())];
            keys.push(name.to_owned());
            if !object.flags.keeps_unknown && name.len() > 2 {
                let beside = object.names().map(str::to_owned).collect();
                candidates.push((keys.clone(), field, beside));
            }
            descend(schemas, field, keys, random, candidates);
        }
        Schema::List(element) => {
            keys.push("[]".to_owned());
            descend(schemas, *element, keys, random, candidates);
        }
        Schema::Map(value) => {
            keys.push("chosen".to_owned());
            descend(schemas, *value, keys, random, candidates);
        }
        _ => {}
    }
}

fn value(schemas: &Schemas, node: NodeId) -> Value {
    match schemas.get(node) {
        Schema::Boolean => json!(true),
        Schema::Integer | Schema::Number | Schema::IntOrString => json!(1),
        Schema::String => json!("text"),
        Schema::List(_) => json!([]),
        Schema::Any | Schema::Removed | Schema::Map(_) | Schema::Object(_) => json!({}),
    }
}

/// Omits, repeats, exchanges or replaces a letter.
fn misspell(name: &str, random: &mut Mutation) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let at = 1 + random.below(letters.len() - 1);
    match random.below(4) {
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, letters[at - 1]),
        2 => letters.swap(at - 1, at),
        _ => letters[at] = 'q',
    }
    letters.into_iter().collect()
}

#[test]
fn every_typing_error_in_a_field_is_found() {
    let drawn = draw(crds::builtin(), &mut Mutation::new(17), 2000);
    for drawn in drawn {
        let right = findings(Resource::new(&drawn.resource(false)).unwrap(), None);
        assert!(right.is_empty(), "{}: {right:?}", drawn.path(false));
        let found = findings(Resource::new(&drawn.resource(true)).unwrap(), None);
        let [finding] = found.as_slice() else { panic!("{}: {found:?}", drawn.path(true)) };
        assert_eq!(*finding.rule, rules::UNKNOWN_FIELD);
        assert_eq!(finding.location.field.as_ref().unwrap().to_string(), drawn.path(true));
        let hint = format!("did you mean \"{}\"?", drawn.name());
        assert!(drawn.is_ambiguous() || finding.message.contains(&hint), "{hint}: {finding}");
    }
}

/// Whether one graph has every field of another. Returns those that it lacks.
fn lacks(own: (&Schemas, NodeId), other: (&Schemas, NodeId), path: &str, missing: &mut Vec<String>) {
    match (own.0.get(own.1), other.0.get(other.1)) {
        (Schema::Object(ours), Schema::Object(theirs)) => {
            for (name, field) in theirs.fields() {
                let path = format!("{path}.{name}");
                match ours.field(name) {
                    Some(node) => lacks((own.0, node), (other.0, field), &path, missing),
                    None if ours.flags.keeps_unknown => {}
                    None => missing.push(path),
                }
            }
        }
        (Schema::List(ours), Schema::List(theirs)) | (Schema::Map(ours), Schema::Map(theirs)) => {
            lacks((own.0, *ours), (other.0, *theirs), path, missing);
        }
        (Schema::Any | Schema::Removed, _) => {}
        (ours, theirs) if ours == theirs => {}
        (ours, theirs) => missing.push(format!("{path}: {ours:?} instead of {theirs:?}")),
    }
}

/// The table has every field of the CRDs that the API server of the tests loads, and of those beside the project.
#[test]
fn the_table_has_the_fields_of_the_crds_of_the_tests() {
    let beside = shared("crds");
    for directory in [beside.clone(), Some(root().join(".tools/crds"))].into_iter().flatten() {
        if !directory.is_dir() {
            continue;
        }
        let given = definitions::read(std::slice::from_ref(&directory)).unwrap().finish();
        let (mut compared, mut missing) = (0, Vec::new());
        for (api_version, kind) in given.kinds() {
            let other = (&given, given.kind(api_version, kind).unwrap());
            match crds::builtin().kind(api_version, kind) {
                Some(own) => lacks((crds::builtin(), own), other, kind, &mut missing),
                None if beside.as_ref() == Some(&directory) => missing.push(kind.to_owned()),
                None => continue,
            }
            compared += 1;
        }
        assert!(missing.is_empty(), "run `make field-table`: {missing:#?}");
        assert!(compared > 20, "{}: {compared} kinds", directory.display());
    }
}

fn crd(group: &str, kind: &str, fields: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: {kind}s.{group}\nspec:\n  group: {group}\n  names: {{kind: {kind}}}\n  versions:\n  - name: v1beta1\n    served: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            type: object\n            properties: {fields}\n  - name: v1alpha1\n    served: false\n"
    )
}

const OF_RELEASE: &str = "{addresses: {type: array, items: {type: string}}, newField: {type: integer}}";
const POOL: &str = "apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {name: a, namespace: metallb-system}\nspec:\n  addresses: [192.0.2.0/24]\n  newField: 1\n";

fn check(crds: &Path, manifests: &str) -> Ended {
    let args = ["check", "--select", "fields", "--format", "github", "--crds", crds.to_str().unwrap(), "-"];
    run(BINARY, &args, manifests.as_bytes(), crds.parent().unwrap())
}

#[test]
fn the_crds_of_the_cluster_replace_the_table() {
    let dir = tempfile::tempdir().unwrap();
    let crds = dir.path().join("crds");
    fs::create_dir(&crds).unwrap();
    let pools = crd("metallb.io", "IPAddressPool", OF_RELEASE);
    // An operator's bundle: other manifests, templates and patches beside.
    for (name, text) in [
        ("pools.yaml", pools.clone()),
        ("service.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: webhook}\n".to_owned()),
        ("template.yaml", "{{ if .Values.crds }}\na: [\n".to_owned()),
        ("patch.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x}\nspec: {conversion: {}}\n".to_owned()),
    ] {
        fs::write(crds.join(name), text).unwrap();
    }
    let others = format!(
        "{POOL}  autoAssign: false\n---\napiVersion: metallb.io/v1beta1\nkind: L2Advertisement\nmetadata: {{name: a}}\nspec: {{interface: [a]}}\n"
    );
    let ended = check(&crds, &others);
    let lines: Vec<&str> = ended.stdout.lines().collect();
    let [pool, advertisement] = lines.as_slice() else { panic!("{}{}", ended.stdout, ended.stderr) };
    assert!(pool.starts_with("::error ") && pool.contains("no field \"autoAssign\" here"), "{pool}");
    assert!(pool.ends_with("; remove it"), "{pool}");
    assert!(advertisement.contains("did you mean \"interfaces\"?"), "{advertisement}");
    assert_eq!(ended.code, Some(1));

    // What `oc get crd -o yaml` and `-o json` print, and a stream.
    let item = pools.replace('\n', "\n  ");
    let list = format!("apiVersion: v1\nitems:\n- {}\nkind: List\n", item.trim_end());
    let document: Value = rhoso_fn::yaml::Document::parse(list.as_str()).unwrap().root_value().unwrap();
    let stream = format!("{}---\n{pools}", crd("metallb.io", "Community", "{}"));
    for (name, text) in [("list.yaml", list), ("list.json", document.to_string()), ("stream.yaml", stream)] {
        let file = dir.path().join(name);
        fs::write(&file, text).unwrap();
        let ended = check(&file, POOL);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""), "{name}: {}", ended.stderr);
    }
}

#[test]
fn what_is_wrong_with_crds_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let crds = dir.path().join("crds");
    fs::create_dir(&crds).unwrap();
    let (a, b) = (crds.join("a.yaml"), crds.join("b.yaml"));
    let pools = crd("metallb.io", "IPAddressPool", OF_RELEASE);
    for (first, second, reason) in [
        (POOL.to_owned(), None, "no CustomResourceDefinition in "),
        (format!("{pools}    broken: [\n"), None, "a.yaml:20: unclosed bracket"),
        (
            pools.replace("kind: IPAddressPool", "plural: x"),
            None,
            "a.yaml:1: the CustomResourceDefinition IPAddressPools.metallb.io has no `spec.names.kind`",
        ),
        (
            pools.clone(),
            Some(crd("metallb.io", "IPAddressPool", "{}")),
            "define IPAddressPool of metallb.io/v1beta1 differently",
        ),
    ] {
        fs::write(&a, first).unwrap();
        if let Some(second) = second {
            fs::write(&b, second).unwrap();
        }
        let ended = check(&crds, POOL);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{reason}: {}", ended.stderr);
        assert!(ended.stderr.starts_with("rhoso-fn: error: "), "{}", ended.stderr);
        assert!(
            ended.stderr.contains(reason) && ended.stderr.lines().count() == 1,
            "{reason}: {}",
            ended.stderr
        );
    }
    let missing = check(&dir.path().join("none"), POOL);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("cannot read"), "{}", missing.stderr);
}
