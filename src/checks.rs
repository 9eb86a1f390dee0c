//! Checks: what the program reports about resources. Every finding has a rule, and every rule a manual.

pub mod rules;
