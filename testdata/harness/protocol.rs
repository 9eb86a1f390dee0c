//! The ResourceList protocol, tested with small functions.

use rhoso_fn::krm::{
    Entry, Fault, FieldPath, Function, Generator, Mistakes, Outcome, Registry, Resource, Results,
    Transformer, Validator, run,
};
use rhoso_fn::report;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::host::assert_same;

rhoso_fn::rules! {
    /// The rules of these tests.
    RULES in "test":

    /// A note has no text.
    EMPTY = "empty", Error;

    /// A label is odd.
    ODD = "odd", Warning;
}

/// Generates a ConfigMap.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GenerateNote {
    name: String,
    text: String,
    #[serde(default)]
    copies: usize,
}

impl Function for GenerateNote {
    const KIND: &'static str = "GenerateNote";
    const NAME: &'static str = "generate-note";

    type Ready = Self;

    fn check(self) -> Result<Self, Mistakes> {
        let mut mistakes = Mistakes::default();
        if self.copies > 9 {
            mistakes.add(FieldPath::new("spec.copies"), "must be at most 9");
        }
        mistakes.unless_any(|| self)
    }
}

impl Generator for GenerateNote {
    fn generate(&self, _: &[Resource], _: &mut Results) -> Result<Vec<Resource>, Fault> {
        (0..=self.copies)
            .map(|copy| {
                let name = if copy == 0 { self.name.clone() } else { format!("{}-{copy}", self.name) };
                Resource::new(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"text": self.text}}))
            })
            .collect()
    }
}

/// Adds a label to every item that has a kind.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LabelAll {
    label: String,
}

impl Function for LabelAll {
    const KIND: &'static str = "LabelAll";
    const NAME: &'static str = "label-all";

    type Ready = Self;

    fn check(self) -> Result<Self, Mistakes> {
        Ok(self)
    }
}

impl Transformer for LabelAll {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        for item in items {
            item.set(&FieldPath::new("metadata.labels.l"), self.label.as_str())?;
        }
        if self.label == "odd" {
            results.warning(&ODD, "an odd label");
            results.info(&ODD, "for the report only");
        }
        Ok(())
    }
}

/// Reports ConfigMaps.
#[derive(Deserialize, JsonSchema)]
struct ValidateNotes {}

impl Function for ValidateNotes {
    const KIND: &'static str = "ValidateNotes";
    const NAME: &'static str = "validate-notes";

    type Ready = Self;

    fn check(self) -> Result<Self, Mistakes> {
        Ok(self)
    }
}

impl Validator for ValidateNotes {
    fn validate(&self, given: &[Resource], results: &mut Results) -> Result<(), Fault> {
        for item in given.iter().filter(|item| item.id().kind == "ConfigMap") {
            let path = FieldPath::new("data.text");
            if item.get::<String>(&path)?.is_none_or(|text| text.is_empty()) {
                results.error(&EMPTY, "a note must say something").field(item, &path).proposed("hello");
            }
        }
        Ok(())
    }
}

static REGISTRY: &Registry = &Registry {
    program: "rhoso-fn",
    group: "fn.rhoso.dev",
    version: "v1alpha1",
    functions: &[
        Entry::generator::<GenerateNote>(),
        Entry::transformer::<LabelAll>(),
        Entry::validator::<ValidateNotes>(),
    ],
};

const HEAD: &str = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
const NOTE: &str = "functionConfig:\n  apiVersion: fn.rhoso.dev/v1alpha1\n  kind: GenerateNote\n  spec: {name: note, text: \"on\"}\n";
const LABEL: &str =
    "functionConfig:\n  apiVersion: fn.rhoso.dev/v1alpha1\n  kind: LabelAll\n  spec: {label: \"yes\"}\n";
const VALIDATE: &str = "functionConfig: {apiVersion: fn.rhoso.dev/v1alpha1, kind: ValidateNotes, spec: {}}\n";

fn lines(outcome: &Outcome) -> Vec<String> {
    report::lines(&outcome.findings, false).lines().map(str::to_owned).collect()
}

#[track_caller]
fn gives(input: &str, output: &str) {
    let outcome = run(input.as_bytes(), REGISTRY);
    assert!(!outcome.failed, "{:?}", outcome.findings);
    assert_same("stdout", output, &outcome.stdout);
    let again = run(outcome.stdout.as_bytes(), REGISTRY);
    assert_same("the second run", &outcome.stdout, &again.stdout);
}

#[track_caller]
fn fails(input: &str, line: &str) {
    let outcome = run(input.as_bytes(), REGISTRY);
    assert!(outcome.failed);
    let lines: Vec<String> = lines(&outcome);
    assert!(lines.iter().any(|l| l.contains(line)), "{line:?} is not in {lines:?}");
    // The list is returned unchanged, followed by the key `items`, if it was missing, and the results.
    assert!(outcome.stdout.starts_with(input.trim_end()), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("items:"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("severity: error"), "{}", outcome.stdout);
}

/// The input cannot be returned, and stdout is empty, so that a host cannot mistake it for a list.
#[track_caller]
fn unreadable(input: &str, line: &str) {
    let outcome = run(input.as_bytes(), REGISTRY);
    assert!(outcome.failed && outcome.stdout.is_empty(), "{}", outcome.stdout);
    let lines: Vec<String> = lines(&outcome);
    assert!(lines.len() == 1 && lines[0].contains(line), "{line:?} is not in {lines:?}");
}

const MADE: &str =
    "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: note\n  data:\n    text: \"on\"\n";

#[test]
fn new_items_follow_the_given_ones() {
    let given = "- {kind: A, metadata: {name: a}} # flow\n# between\n- kind: B # block\n";
    gives(&format!("{HEAD}items:\n{given}{NOTE}"), &format!("{HEAD}items:\n{given}{MADE}{NOTE}"));
    // The items come last, and the text ends without a line break.
    gives(
        &format!("{HEAD}{NOTE}items:\n{}", given.trim_end()),
        &format!("{HEAD}{NOTE}items:\n{given}{MADE}"),
    );
    // The indentation of list items is preserved.
    let wide = MADE.replace("- api", "  - api").replace("\n  ", "\n    ").replace("    - api", "  - api");
    gives(&format!("{HEAD}items:\n  - kind: A\n{NOTE}"), &format!("{HEAD}items:\n  - kind: A\n{wide}{NOTE}"));
}

#[test]
fn items_may_be_missing_null_or_empty() {
    for items in ["items: []\n", "items:\n", "items: null\n", "items: ~\n"] {
        gives(&format!("{HEAD}{items}{NOTE}"), &format!("{HEAD}items:\n{MADE}{NOTE}"));
    }
    gives(&format!("{HEAD}{NOTE}"), &format!("{HEAD}{NOTE}items:\n{MADE}"));
    gives(&format!("{HEAD}{LABEL}"), &format!("{HEAD}{LABEL}items: []\n"));
    gives(&format!("{HEAD}items:\n{LABEL}"), &format!("{HEAD}items: []\n{LABEL}"));
}

#[test]
fn a_generated_item_that_is_there_is_brought_up_to_date() {
    let old = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: note\n    annotations:\n      config.kubernetes.io/path: 'n.yaml' # kpt's\n      mine: stays\n      internal.config.kubernetes.io/id: '1'\n  data:\n    text: 'off' # kept\n    other: goes\n";
    let new = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: note\n    annotations:\n      config.kubernetes.io/path: 'n.yaml' # kpt's\n      mine: stays\n      internal.config.kubernetes.io/id: '1'\n  data:\n    text: 'on' # kept\n";
    gives(&format!("{HEAD}items:\n{old}- kind: B\n{NOTE}"), &format!("{HEAD}items:\n{new}- kind: B\n{NOTE}"));
}

#[test]
fn every_style_of_list_is_answered_in_kind() {
    // JSON, on one line and on many.
    let json = r#"{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [{"kind": "A", "n": 1.0}], "functionConfig": {"apiVersion": "fn.rhoso.dev/v1alpha1", "kind": "LabelAll", "spec": {"label": "odd"}}}"#;
    let reference = r#""resourceRef": {"apiVersion": "fn.rhoso.dev/v1alpha1", "kind": "LabelAll", "name": ""}, "tags": {"rule": "odd"}"#;
    let results = format!(
        r#"[{{"message": "an odd label", "severity": "warning", {reference}}}, {{"message": "for the report only", "severity": "info", {reference}}}]"#
    );
    let labelled = json.replace("1.0}", r#"1.0, "metadata": {"labels": {"l": "odd"}}}"#);
    gives(json, &format!("{}, \"results\": {results}}}", &labelled[..labelled.len() - 1]));
    let pretty = "{\n  \"apiVersion\": \"config.kubernetes.io/v1\",\n  \"kind\": \"ResourceList\",\n  \"items\": [\n    {\n      \"kind\": \"A\"\n    }\n  ],\n  \"functionConfig\": {\n    \"apiVersion\": \"fn.rhoso.dev/v1alpha1\",\n    \"kind\": \"GenerateNote\",\n    \"spec\": {\"name\": \"note\", \"text\": \"on\"}\n  }\n}\n";
    let made =
        r#"{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "note"}, "data": {"text": "on"}}"#;
    gives(pretty, &pretty.replace("    }\n  ],", &format!("    }},\n    {made}\n  ],")));
    let none = r#"{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "functionConfig": {"apiVersion": "fn.rhoso.dev/v1alpha1", "kind": "LabelAll", "spec": {"label": "x"}}}"#;
    gives(none, &format!("{}, \"items\": []}}", &none[..none.len() - 1]));
    // Flow YAML, v1beta1, a document marker, comments around.
    gives(
        &format!(
            "# head\n---\n{}items: [{{kind: A}}, {{kind: B, metadata: {{}}}}]\n{LABEL}# tail\n",
            HEAD.replace("v1", "v1beta1")
        ),
        &format!(
            "# head\n---\n{}items: [{{kind: A, metadata: {{labels: {{l: \"yes\"}}}}}}, {{kind: B, metadata: {{labels: {{l: \"yes\"}}}}}}]\n{LABEL}# tail\n",
            HEAD.replace("v1", "v1beta1")
        ),
    );
}

#[test]
fn results_are_written_and_replaced() {
    let odd = LABEL.replace("\"yes\"", "odd");
    let config = "  resourceRef:\n    apiVersion: fn.rhoso.dev/v1alpha1\n    kind: LabelAll\n    name: \"\"\n  tags:\n    rule: odd\n";
    let results = format!(
        "results:\n- message: an odd label\n  severity: warning\n{config}- message: for the report only\n  severity: info\n{config}"
    );
    gives(&format!("{HEAD}items: []\n{odd}"), &format!("{HEAD}items: []\n{odd}{results}"));
    gives(
        &format!("{HEAD}results:\n- message: old\nitems: []\n{odd}"),
        &format!("{HEAD}{results}items: []\n{odd}"),
    );
    gives(
        &format!("{HEAD}results:\n- message: old\nitems: []\n{LABEL}"),
        &format!("{HEAD}items: []\n{LABEL}"),
    );
    // Infos are in the results, but not on stderr.
    let outcome = run(format!("{HEAD}items: []\n{odd}").as_bytes(), REGISTRY);
    assert_eq!(lines(&outcome), ["rhoso-fn: warning: LabelAll: an odd label [odd]"]);
}

#[test]
fn findings_say_where() {
    let item = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: note\n    namespace: ns\n    annotations:\n      internal.config.kubernetes.io/path: 'a/b.yaml'\n      internal.config.kubernetes.io/index: '3'\n  data:\n    text: ''\n";
    let input = format!("{HEAD}items:\n{item}{VALIDATE}");
    let outcome = run(input.as_bytes(), REGISTRY);
    assert_eq!(
        lines(&outcome),
        ["a/b.yaml: error: ConfigMap ns/note: `data.text`: a note must say something [empty]"]
    );
    let results = "results:\n- message: a note must say something\n  severity: error\n  resourceRef:\n    apiVersion: v1\n    kind: ConfigMap\n    name: note\n    namespace: ns\n  field:\n    path: data.text\n    proposedValue: hello\n  file:\n    path: a/b.yaml\n    index: 3\n  tags:\n    rule: empty\n";
    assert_same("stdout", &format!("{input}{results}"), &outcome.stdout);
}

#[test]
fn a_config_map_can_be_the_function_config() {
    let config = "functionConfig:\n  metadata:\n    name: function-input\n  data: {kind: GenerateNote, name: note, text: \"'on'\", copies: \"1\"}\n  kind: ConfigMap\n  apiVersion: v1\n";
    let second = MADE.replace("name: note", "name: note-1");
    gives(&format!("{HEAD}items: []\n{config}"), &format!("{HEAD}items:\n{MADE}{second}{config}"));
    fails(&format!("{HEAD}items: []\n{}", config.replace("kind: GenerateNote, ", "")), "without `data.kind`");
    fails(
        &format!("{HEAD}items: []\n{}", config.replace("GenerateNote", "GenerateNotes")),
        "did you mean \"GenerateNote\"?",
    );
    fails(&format!("{HEAD}items: []\n{}", config.replace("\"1\"", "\"{\"")), "`data.copies`: must be YAML");
    fails(
        &format!("{HEAD}items: []\n{}", config.replace("\"1\"", "many")),
        "`data.copies`: must be a whole number, got \"many\"",
    );
    fails(
        &format!("{HEAD}items: []\n{}", config.replace("\"1\"", "\"10\"")),
        "`data.copies`: must be at most 9",
    );
    fails(&format!("{HEAD}items: []\n{}", config.replace("copies", "copis")), "`data.copis`: unknown key");
}

#[test]
fn every_mistake_of_a_config_is_reported() {
    let findings = |spec: &str| {
        let config = "functionConfig: {apiVersion: fn.rhoso.dev/v1alpha1, kind: GenerateNote, ";
        lines(&run(format!("{HEAD}items: []\n{config}{spec}}}\n").as_bytes(), REGISTRY))
    };
    let about = |message: &str| format!("rhoso-fn: error: GenerateNote: {message}");
    assert_eq!(
        findings("sepc: 1, spec: {name: x, text: [], colour: red, copies: many}"),
        [
            about("`sepc`: unknown key `sepc`; did you mean \"spec\"? [unknown-key]"),
            about(
                "`spec.colour`: unknown key `colour`; the keys here are `name`, `text`, `copies` [unknown-key]"
            ),
            about("`spec.copies`: must be a whole number, got many [wrong-value]"),
            about("`spec.text`: must be a string, got a list [wrong-value]"),
        ]
    );
    // The misspelt key may be the missing one.
    assert_eq!(
        findings("spec: {nmae: x, text: x}"),
        [about("`spec.nmae`: unknown key `nmae`; did you mean \"name\"? [unknown-key]")]
    );
}

#[test]
fn bad_configs_are_explained() {
    let with = |config: &str| format!("{HEAD}items:\n- kind: A\nfunctionConfig:\n{config}");
    let note = |spec: &str| {
        with(&format!(
            "  apiVersion: fn.rhoso.dev/v1alpha1\n  kind: GenerateNote\n  metadata: {{name: x}}\n{spec}"
        ))
    };
    fails(
        &format!("{HEAD}items:\n- kind: A\n"),
        "has no functionConfig; pass one of kind GenerateNote, LabelAll, ValidateNotes",
    );
    fails(
        &with("  apiVersion: example.com/v1\n  kind: GenerateNote\n"),
        "unknown apiVersion \"example.com/v1\"; expected",
    );
    fails(
        &with("  apiVersion: fn.rhoso.dev/v1\n  kind: GenerateNote\n"),
        "`apiVersion`: unknown version \"fn.rhoso.dev/v1\"",
    );
    fails(&with("  apiVersion: fn.rhoso.dev/v1alpha1\n  kind: LabelAl\n"), "did you mean \"LabelAll\"?");
    fails(&note(""), "GenerateNote x: the key `spec` is required here");
    fails(
        &with("  apiVersion: fn.rhoso.dev/v1alpha1\n  kind: GenerateNote\n  metadata: {name: \"x\\ny\"}\n"),
        "GenerateNote x\\ny: ",
    );
    fails(&note("  spec: {name: note}\n"), "`spec`: the key `text` is required here");
    fails(&note("  spce: {name: note}\n"), "`spce`: unknown key `spce`; did you mean \"spec\"?");
    fails(
        &note("  spec: {name: note, text: x, nmae: y}\n"),
        "`spec.nmae`: unknown key `nmae`; did you mean \"name\"?",
    );
    fails(&note("  spec: {name: note, text: x, zzz: y}\n"), "the keys here are `name`, `text`, `copies`");
    fails(
        &note("  spec: {name: note, text: on}\n").replace("on}", "1}"),
        "`spec.text`: must be a string, got 1",
    );
    fails(
        &note("  spec: {name: note, text: x, copies: many}\n"),
        "`spec.copies`: must be a whole number, got many",
    );
    fails(&note("  spec: {name: note, text: x, copies: 0644}\n"), "`spec.copies`: must be at most 9");
    fails(&note("  spec: [a]\n"), "`spec`: must be a mapping, got a list");
    fails(&note("  spec: {name: {a: b}, text: x}\n"), "`spec.name`: must be a string, got a mapping");
}

#[test]
fn what_is_no_list_is_explained() {
    unreadable("", "stdin is empty");
    unreadable("\n# only a comment\n---\n", "stdin is empty");
    unreadable("hello\n", "stdin contains no Kubernetes object");
    unreadable("[]\n", "stdin contains no Kubernetes object");
    unreadable("{}\n", "stdin contains no Kubernetes object");
    unreadable("a: [\n", "stdin is not YAML: line");
    unreadable("a: 1\n---\nb: 1\n", "several documents");
    unreadable("kind: Deployment\n", "stdin contains one Deployment");
    unreadable(&HEAD.replace("config.kubernetes.io/v1", "v1"), "apiVersion \"v1\"");
    unreadable(&format!("{HEAD}items: text\n"), "`items` of the ResourceList must be a list");
    unreadable(&format!("{HEAD}items: [1]\n"), "item 0 of the ResourceList is not an object");
    unreadable(
        &format!("{HEAD}items:\n- a: 1\n  a: 2\n"),
        "line 5, column 3: the key \"a\" is given twice, first on line 4",
    );
}

#[test]
fn anchors_across_items_are_never_changed() {
    let borrower = "- kind: A\n  metadata: {labels: &l {a: b}}\n- kind: B\n  metadata: {labels: *l}\n";
    fails(&format!("{HEAD}items:\n{borrower}{LABEL}"), "another item of the list uses an anchor of this one");
    let later = "- kind: A\n  metadata: {labels: &l {a: b}}\n- kind: ConfigMap\n  data: {text: *l}\n";
    fails(&format!("{HEAD}items:\n{later}{VALIDATE}"), "cannot be read by itself");
    // They are accepted if the function neither reads nor changes them.
    gives(&format!("{HEAD}items:\n{borrower}{VALIDATE}"), &format!("{HEAD}items:\n{borrower}{VALIDATE}"));
}

#[test]
fn comments_stay_with_their_items() {
    let foot =
        "- kind: A\n  metadata:\n    labels:\n      m: x\n      # foot of labels\n    # foot of metadata\n";
    let labelled = "- kind: A\n  metadata:\n    labels:\n      m: x\n      l: \"yes\"\n      # foot of labels\n    # foot of metadata\n";
    gives(
        &format!("{HEAD}items:\n{foot}# between\n{foot}{LABEL}"),
        &format!("{HEAD}items:\n{labelled}# between\n{labelled}{LABEL}"),
    );
    // Results follow the comments of the last item.
    let outcome = run(format!("{HEAD}functionConfig: {{kind: X}}\nitems:\n{foot}").as_bytes(), REGISTRY);
    assert!(outcome.stdout.contains("    # foot of metadata\nresults:\n"), "{}", outcome.stdout);
    // A comment on the line of an empty list is preserved.
    fails(&format!("{HEAD}functionConfig: {{kind: X}}\nitems: [] # keep me\n"), "apiVersion");
    gives(&format!("{HEAD}items: [] # keep me\n{NOTE}"), &format!("{HEAD}items: # keep me\n{MADE}{NOTE}"));
}

#[test]
fn items_that_end_in_odd_ways_keep_their_bounds() {
    for end in [
        "zz: |\n",
        "zz: |+\n\n",
        "zz: >-\n",
        "zz: |\n      x\n\n",
        "zz: &a\n",
        "zz: !!null\n",
        "zz:\n",
        "zz: []\n",
    ] {
        let item = format!("  - kind: A\n    {end}");
        let labels = "    metadata:\n      labels:\n        l: \"yes\"\n";
        let changed = match end {
            "zz: |\n      x\n\n" => format!("  - kind: A\n    zz: |\n      x\n{labels}\n"),
            _ => format!("{item}{labels}"),
        };
        gives(
            &format!("{HEAD}items:\n{item}{item}{LABEL}"),
            &format!("{HEAD}items:\n{changed}{changed}{LABEL}"),
        );
    }
    // Text that ends inside a literal block.
    let open = format!("{HEAD}{LABEL}items:\n- kind: A\n  text: |\n    x");
    gives(
        &open,
        &format!(
            "{HEAD}{LABEL}items:\n- kind: A\n  text: |-\n    x\n  metadata:\n    labels:\n      l: \"yes\""
        ),
    );
    let failing = format!("{HEAD}functionConfig: {{kind: X}}\nitems:\n- kind: A\n  text: |\n    x");
    let outcome = run(failing.as_bytes(), REGISTRY);
    assert!(outcome.stdout.contains("text: |-\n    x\nresults:\n"), "{}", outcome.stdout);
}

#[test]
fn what_cannot_be_written_back_is_handed_back() {
    // A change of an item with an anchor would appear in two places.
    let shared = format!("{HEAD}items: &i [{{kind: A}}]\nmore: *i\n{NOTE}");
    let outcome = run(shared.as_bytes(), REGISTRY);
    assert!(outcome.failed && outcome.stdout.starts_with(&shared), "{}", outcome.stdout);
}

#[test]
fn values_that_json_does_not_have_are_passed_on() {
    // Changes, findings and new items do not need the value of an unrelated item.
    let flow = format!("{HEAD}items: [{{kind: A, x: .inf}}]\n");
    gives(
        &format!("{flow}{NOTE}"),
        &format!(
            "{HEAD}items: [{{kind: A, x: .inf}}, {{apiVersion: v1, kind: ConfigMap, metadata: {{name: note}}, data: {{text: \"on\"}}}}]\n{NOTE}"
        ),
    );
    gives(
        &format!("{flow}{LABEL}"),
        &format!("{HEAD}items: [{{kind: A, x: .inf, metadata: {{labels: {{l: \"yes\"}}}}}}]\n{LABEL}"),
    );
    // In block style, it is passed through as well.
    gives(
        &format!("{HEAD}items:\n- kind: A\n  x: .inf\n- kind: ConfigMap\n  data: {{text: x}}\n{VALIDATE}"),
        &format!("{HEAD}items:\n- kind: A\n  x: .inf\n- kind: ConfigMap\n  data: {{text: x}}\n{VALIDATE}"),
    );
}
