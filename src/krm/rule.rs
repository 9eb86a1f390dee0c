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
    /// The subject, by which many rules can be selected at once.
    pub group: &'static str,
    /// The default severity. A finding may have another one if the manual says so.
    pub severity: Severity,
    /// The doc comment. The first paragraph says what is wrong; the rest says why, and what to do.
    pub manual: &'static str,
}

impl Rule {
    /// The manual as Markdown.
    pub fn text(&self) -> String {
        self.lines().collect::<Vec<_>>().join("\n")
    }

    /// The first sentence, on one line.
    pub fn summary(&self) -> String {
        self.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The lines of the doc comment, without the space that rustdoc adds before each of them.
    fn lines(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.manual.trim_end().lines().map(|line| line.strip_prefix(' ').unwrap_or(line))
    }
}

/// Declares rules and the list that contains them.
///
/// ```ignore
/// rules! {
///     /// The rules of the network.
///     NETWORK in "addresses":
///
///     /// Two IPAddressPools contain the same address.
///     POOL_OVERLAP = "pool-overlap", Error;
/// }
/// ```
#[macro_export]
macro_rules! rules {
    ($(#[$about:meta])* $list:ident in $group:literal: $($(#[doc = $line:literal])+ $name:ident = $id:literal, $severity:ident;)+) => {
        $(
            $(#[doc = $line])+
            pub static $name: $crate::krm::Rule = $crate::krm::Rule {
                id: $id,
                group: $group,
                severity: $crate::krm::Severity::$severity,
                manual: concat!($($line, "\n"),+),
            };
        )+

        $(#[$about])*
        pub static $list: &[&$crate::krm::Rule] = &[$(&$name),+];
    };
}
