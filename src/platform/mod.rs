//! Room 4, facts: kinds, field paths, option names. Constants and tiny readers; no decisions.

pub mod nova;
pub mod openstack;
