use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use super::IGNORES;
use crate::checks::suppression::IgnoreEverywhere;
use crate::checks::{self, Ignores, Selection, Stage};
use crate::krm::{
    Fault, FieldPath, Function, Mistakes, Resource, Results, Rule, Severity, Validator, quoted,
    report_duplicates, rules,
};

/// Reports defects of a deployment before it reaches the cluster, with the rules of `rhoso-fn check`.
///
/// The rules compare all resources of the package: MetalLB's pools, advertisements and the addresses that services
/// request, networks, secrets, Nova and the data plane. `rhoso-fn rules` lists them, and `rhoso-fn explain RULE`
/// describes one. An error fails the build, so a defect does not reach the cluster. The function changes nothing.
///
/// In kustomize, a function gets the resources of its kustomization, so two OpenStack instances are compared only if a
/// kustomization with the function has both. kustomize rejects every function under `validators`; list it under
/// `transformers`, after all others.
///
/// If a finding does not apply, ignore it with a reason:
///
/// - in `ignore`, for all resources
/// - in the annotation `fn.rhoso.dev/ignore: "rule: reason"` of a resource that the finding is about
/// - in a comment `# rhoso-fn: ignore[rule] reason` on the line, or on the line above it. kustomize removes comments
///   before it runs functions, so there, use one of the others.
///
/// An ignore with a reason that matches nothing is reported (`unused-ignore`).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ValidatePlatform {
    /// The rules or groups of rules to run, such as `metallb`; `all` includes pedantic rules. Defaults to all rules
    /// except pedantic ones.
    #[schemars(length(min = 1))]
    select: Option<Vec<String>>,
    /// What not to report. A rule or a group of rules does not run. With a reason, as in
    /// `"pool-not-advertised: routed by the fabric"`, the findings of the rule are ignored, and the ignore is reported if
    /// there are none.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    ignore: Vec<IgnoreText>,
    /// Whether warnings are errors, so that the function fails.
    #[serde(default)]
    strict: bool,
}

/// A rule or a group, or a rule and a reason.
#[derive(Debug)]
struct IgnoreText(String);

impl<'de> Deserialize<'de> for IgnoreText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = IgnoreText;

            /// A colon without quotes makes a mapping.
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a rule, or a rule and a reason in quotes (\"pool-overlap: known\")")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<IgnoreText, E> {
                Ok(IgnoreText(text.to_owned()))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

impl Function for ValidatePlatform {
    const KIND: &'static str = "ValidatePlatform";
    const NAME: &'static str = "validate-platform";

    type Ready = Platform;

    fn check(self) -> Result<Platform, Mistakes> {
        let known = checks::rules_of_checks();
        let mut mistakes = Mistakes::default();
        let field = |name: &'static str| FieldPath::new("spec").key(name);
        if self.select.as_ref().is_some_and(Vec::is_empty) {
            let message = "must name at least one rule or group; remove `select` to run all rules";
            mistakes.add(field("select"), message);
        }
        let select = self.select.unwrap_or_default();
        for (index, name) in select.iter().enumerate() {
            let name = Selection::check_name(&known, name).map_err(|unknown| unknown.0);
            mistakes.value(field("select").index(index), name);
        }
        let (mut off, mut ignores) = (Vec::new(), Vec::new());
        for (index, text) in self.ignore.into_iter().enumerate() {
            let field = field("ignore").index(index);
            match mistakes.value(field.clone(), read_ignore(&text.0, &known)) {
                Some((name, None)) => off.push(name),
                Some((rule, Some(reason))) => ignores.push(IgnoreEverywhere { rule, reason, field }),
                None => {}
            }
        }
        match Selection::new(&known, &select, &off) {
            Ok(selection) => mistakes.unless_any(|| Platform { selection, ignores, is_strict: self.strict }),
            // Each unknown name is among the mistakes.
            Err(_) => Err(mistakes),
        }
    }
}

/// Reads `name`, or `rule: reason`.
fn read_ignore(text: &str, known: &[&'static Rule]) -> Result<(String, Option<String>), String> {
    let Some((name, reason)) = text.split_once(':') else {
        Selection::check_name(known, text).map_err(|unknown| unknown.0)?;
        return Ok((text.to_owned(), None));
    };
    let (name, reason) = (name.trim(), reason.trim());
    Selection::check_name(known, name).map_err(|unknown| unknown.0)?;
    if known.iter().all(|rule| rule.id != name) {
        let name = quoted(name);
        return Err(format!(
            "{name} is a group, and a reason applies to one rule; name the rule, or remove the reason"
        ));
    }
    if reason.is_empty() {
        return Err(format!(
            "must have a reason after the colon; write {} alone to turn the rule off",
            quoted(name)
        ));
    }
    Ok((name.to_owned(), Some(reason.to_owned())))
}

/// What to report about a package.
#[derive(Debug)]
pub struct Platform {
    selection: Selection,
    ignores: Vec<IgnoreEverywhere>,
    /// Whether warnings are errors.
    is_strict: bool,
}

impl Validator for Platform {
    fn validate(&self, given: &[Resource], results: &mut Results) -> Result<(), Fault> {
        if given.is_empty() {
            let message = "there are no resources to validate; list the function under `transformers` of a kustomization \
                           that has resources";
            return Err(Fault::new(&rules::NO_MATCH, message));
        }
        let mut found = Results::default();
        report_duplicates(given, &mut found);
        let ignores = Ignores { syntax: IGNORES, everywhere: &self.ignores };
        let found = checks::check(given, found, Stage::Rendered, &self.selection, ignores);
        for mut finding in found.into_sorted() {
            if self.is_strict && finding.severity == Severity::Warning {
                finding.severity = Severity::Error;
            }
            results.add(finding);
        }
        Ok(())
    }
}
