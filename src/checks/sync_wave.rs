//! Sync waves that Argo CD does not read.

use serde_json::Value;

use super::rules;
use crate::krm::{Fault, Finding, Resource, Results, quoted};
use crate::platform::argocd;
use crate::platform::kubernetes::annotation;

/// Reports a sync wave that is not a whole number in quotes.
pub fn sync_wave<'f>(item: &Resource, results: &'f mut Results) -> Result<Option<&'f mut Finding>, Fault> {
    let path = annotation(argocd::SYNC_WAVE);
    let shown = match item.value(&path)? {
        None => return Ok(None),
        Some(Value::String(text)) if text.parse::<i32>().is_ok() => return Ok(None),
        Some(Value::String(text)) => quoted(text),
        Some(other) => other.to_string(),
    };
    let message = format!("must be a whole number in quotes, got {shown}");
    Ok(Some(results.error(&rules::SYNC_WAVE, message).field(item, &path)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::Object;
    use crate::platform::kubernetes::NAMESPACE;

    #[test]
    fn a_wave_is_a_whole_number_in_quotes() {
        for (wave, is_reported) in
            [(Value::from("-3"), false), (Value::from("early"), true), (Value::from(3), true)]
        {
            let annotations = [(argocd::SYNC_WAVE.to_owned(), wave.clone())].into_iter().collect();
            let item = Object::new(NAMESPACE, "a").annotations(annotations).build().unwrap();
            assert_eq!(sync_wave(&item, &mut Results::default()).unwrap().is_some(), is_reported, "{wave}");
        }
        let without = Object::new(NAMESPACE, "a").build().unwrap();
        assert!(sync_wave(&without, &mut Results::default()).unwrap().is_none());
    }
}
