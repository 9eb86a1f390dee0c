//! The API server and `check --crds` agree on unknown fields and on types.

use std::collections::BTreeSet;

use rhoso_fn::checks::rules;
use rhoso_fn::cli::definitions;
use rhoso_fn::krm::{Place, Resource, Rule};
use rhoso_fn::platform::crds::Schemas;
use rhoso_fn::yaml::Text;

use super::{How, cluster, judge, manifests};
use crate::fields::{draw, findings};
use crate::host::root;
use crate::mutation::Mutation;
use crate::rule_cases;

/// A manifest, if it is an object.
fn read(text: &str) -> Option<Resource> {
    Resource::from_file(Text::from(text.to_owned()), 0..text.len(), Place::default()).ok()
}

/// The fields that a rule reports, without quotes and brackets around keys.
fn reported(text: &str, rule: &Rule, schemas: &Schemas) -> BTreeSet<String> {
    let found = findings(read(text).unwrap(), Some(schemas));
    let of_rule = found.iter().filter(|finding| finding.rule == rule);
    of_rule.map(|finding| plain(&finding.location.field.as_ref().unwrap().to_string())).collect()
}

/// A path in which keys with dots are written like other keys.
fn plain(path: &str) -> String {
    path.replace("][", ".").replace(['[', ']'], ".").replace("..", ".").trim_end_matches('.').to_owned()
}

/// The fields that the server does not know. It names an element of a list by its index, and again by its keys.
fn unknown(complaints: &BTreeSet<String>) -> BTreeSet<String> {
    let found = complaints.iter().flat_map(|complaint| complaint.split("unknown field \"").skip(1));
    let paths = found.filter_map(|rest| rest.split_once('"')).map(|(path, _)| path);
    // `check` ignores the status, and what makes a manifest a patch.
    let is_ours = |path: &&str| !path.contains(['=', '$']) && !path.starts_with("status.");
    paths.filter(is_ours).map(plain).collect()
}

/// Whether the server rejects the type of a value. A webhook may be the first to find it.
fn rejects_type(complaints: &BTreeSet<String>) -> bool {
    let is_type = |complaint: &String| {
        complaint.contains("must be of type") && !complaint.ends_with("\"null\"")
            || complaint.contains("expected ") && complaint.contains("got ")
    };
    complaints.iter().any(is_type)
}

/// Whether `check` says less about a manifest than the server: about placeholders, and about what an alias repeats.
fn is_left_out(text: &str) -> bool {
    ["CHANGEME", "_replaced_", "${", "{{", "local-config", "- &"].iter().any(|mark| text.contains(mark))
}

#[test]
fn check_agrees_with_the_server_on_fields() {
    let Some(cluster) = cluster() else { return };
    let schemas = definitions::read(&[root().join(".tools/crds")]).unwrap().finish();
    let cases = rule_cases::all();
    let of_cases = cases.iter().flat_map(|case| manifests(&case.manifests));
    let mut texts: BTreeSet<String> = of_cases.map(str::to_owned).collect();
    for drawn in draw(&schemas, &mut Mutation::new(3), 120) {
        texts.extend([false, true].map(|is_misspelt| drawn.resource(is_misspelt).to_string()));
    }
    texts.retain(|text| !is_left_out(text));
    let is_known =
        |resource: Resource| schemas.kind(&resource.id().api_version, &resource.id().kind).is_some();
    texts.retain(|text| read(text).is_some_and(is_known));
    let asked: Vec<(How, &str)> = texts.iter().map(|text| (How::AsIs, text.as_str())).collect();
    let verdicts = judge(&mut cluster.lock().unwrap(), &asked);
    let (mut failures, mut unknowns, mut types) = (Vec::new(), 0, 0);
    for (text, verdict) in texts.iter().zip(verdicts) {
        let wrong = reported(text, &rules::WRONG_FIELD_TYPE, &schemas);
        let (ours, mut theirs) =
            (reported(text, &rules::UNKNOWN_FIELD, &schemas), unknown(&verdict.complaints));
        // What is below a value of the wrong type is not compared.
        theirs.retain(|path| !wrong.iter().any(|above| path.starts_with(above)));
        let is_rejected = rejects_type(&verdict.complaints);
        unknowns += theirs.len();
        types += usize::from(is_rejected);
        // The server validates types only if it knows all fields.
        if ours != theirs || theirs.is_empty() && wrong.is_empty() == is_rejected {
            failures.push(format!("{ours:?}, {wrong:?}: {:#?}\n{text}", verdict.complaints));
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), texts.len(), failures.join("\n"));
    assert!(unknowns > 120 && types > 5 && texts.len() > 400, "{unknowns}, {types} of {}", texts.len());
}
