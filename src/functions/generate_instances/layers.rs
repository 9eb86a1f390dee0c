//! What the functionConfig says about a network: for one instance, and for all of them.

use super::network_spec::NetworkSpec;
use super::setting::Setting;
use crate::krm::FieldPath;

/// The settings of a network in one part of the functionConfig, and the path of that part.
#[derive(Debug, Clone, Default)]
pub struct Layer<'s> {
    pub spec: Option<&'s NetworkSpec>,
    pub path: FieldPath,
}

/// The settings of a network. Those of the instance take precedence.
#[derive(Debug, Clone, Default)]
pub struct Layers<'s> {
    pub own: Layer<'s>,
    pub fleet: Layer<'s>,
}

/// The part of the functionConfig that a value is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// One instance.
    Own,
    /// All instances, as it is in slot 0.
    Fleet,
}

/// A value that the functionConfig gives.
#[derive(Debug, Clone)]
pub struct Given<'s, T> {
    pub value: &'s T,
    pub level: Level,
    pub path: FieldPath,
}

/// What the functionConfig says about a field.
#[derive(Debug, Clone)]
pub enum Choice<'s, T> {
    Given(Given<'s, T>),
    /// `null`.
    Without,
    /// Nothing, so the default plan applies.
    Plan,
}

impl<'s> Layers<'s> {
    fn levels(&self) -> [(Level, &Layer<'s>); 2] {
        [(Level::Own, &self.own), (Level::Fleet, &self.fleet)]
    }

    /// A field that `null` removes.
    pub fn choose<T>(
        &self,
        key: &'static str,
        field: impl Fn(&'s NetworkSpec) -> &'s Setting<T>,
    ) -> Choice<'s, T> {
        for (level, layer) in self.levels() {
            match layer.spec.map(&field) {
                Some(Setting::Given(value)) => {
                    return Choice::Given(Given { value, level, path: layer.path.clone().key(key) });
                }
                Some(Setting::Without) => return Choice::Without,
                Some(Setting::Default) | None => {}
            }
        }
        Choice::Plan
    }

    /// A field that `null` does not remove.
    pub fn find<T>(
        &self,
        key: &'static str,
        field: impl Fn(&'s NetworkSpec) -> &'s Option<T>,
    ) -> Option<Given<'s, T>> {
        self.levels().into_iter().find_map(|(level, layer)| {
            let value = field(layer.spec?).as_ref()?;
            Some(Given { value, level, path: layer.path.clone().key(key) })
        })
    }
}
