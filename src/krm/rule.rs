//! Rules. Every finding names one, and its doc comment is its manual.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
    /// Written to the results and to reports; shown on a terminal only with `-v`.
    Info,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        })
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rule {
    /// In kebab case; part of the interface.
    pub id: &'static str,
    /// The default severity. A finding may have another one if the manual says so.
    pub severity: Severity,
    /// The doc comment. The first paragraph says what is wrong; the rest says why, and what to do.
    pub manual: &'static str,
}

/// Declares rules and the list that contains them.
///
/// ```ignore
/// rules! {
///     /// The rules of the network.
///     NETWORK:
///
///     /// Two IPAddressPools contain the same address.
///     POOL_OVERLAP = "pool-overlap", Error;
/// }
/// ```
#[macro_export]
macro_rules! rules {
    ($(#[$about:meta])* $list:ident: $($(#[doc = $line:literal])+ $name:ident = $id:literal, $severity:ident;)+) => {
        $(
            $(#[doc = $line])+
            pub static $name: $crate::krm::Rule = $crate::krm::Rule {
                id: $id,
                severity: $crate::krm::Severity::$severity,
                manual: concat!($($line, "\n"),+),
            };
        )+

        $(#[$about])*
        pub static $list: &[&$crate::krm::Rule] = &[$(&$name),+];
    };
}
