//! Several changes of one resource at once.

use serde_json::Value;

use super::Resource;
use crate::krm::fault::Fault;
use crate::krm::path::FieldPath;

impl Resource {
    /// Sets several fields, like [`Resource::set`] one after the other. Time grows with the size of the resource, not with
    /// its square, even if every field changes.
    pub fn set_all(&mut self, changes: &[(FieldPath, Value)]) -> Result<(), Fault> {
        let first = match changes {
            [] => return Ok(()),
            [(path, value)] => return self.set(path, value.clone()),
            [(path, _), ..] => path,
        };
        let steps: Vec<_> = changes.iter().map(|(path, value)| (path.steps(), value.clone())).collect();
        if let Ok(edited) = self.doc()?.set_together(&steps) {
            return self.accept(Ok(edited), first);
        }
        // Some of them affect each other. Usually these are few, so most can still be set together.
        let (head, tail) = changes.split_at(changes.len() / 2);
        self.set_all(head)?;
        self.set_all(tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::Place;

    #[test]
    fn fields_that_affect_each_other_are_set_too() {
        let text = "kind: A\nspec:\n  a: 1\n  b:\n    c: 1\n";
        let read = || Resource::from_file(text.into(), 0..text.len(), Place::default()).unwrap();
        let changes =
            ["spec.x.y", "spec.x.z", "spec.a", "spec.b.d", "spec.b.e.f", "spec.a"].map(FieldPath::new);
        let changes: Vec<(FieldPath, Value)> =
            changes.into_iter().enumerate().map(|(number, path)| (path, number.into())).collect();
        let (mut together, mut apart) = (read(), read());
        together.set_all(&changes).unwrap();
        changes.iter().for_each(|(path, value)| apart.set(path, value.clone()).unwrap());
        assert_eq!(together.text(), apart.text());
    }
}
