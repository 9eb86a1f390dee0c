//! The addresses of one family in an interface of a policy.

use std::net::IpAddr;

use serde_json::{Value, json};

use super::super::interfaces;
use crate::formats::ip::{Family, Subnet};

/// Adds an address to the section of its family, and enables it. Returns false if NMState would ignore the address.
pub fn add(state: &mut Value, ip: IpAddr, subnet: Subnet) -> bool {
    let family = Family::of(ip);
    let key = if family == Family::V4 { "ipv4" } else { "ipv6" };
    let new = interfaces::address(ip, subnet);
    let Some(stack) = state.get_mut(key).and_then(Value::as_object_mut) else {
        state[key] = interfaces::stack(family, vec![new]);
        return true;
    };
    let is_set = |value: Option<&Value>, flag: bool| {
        value.is_some_and(|value| *value == json!(flag) || *value == json!(flag.to_string()))
    };
    let is_enabled = !is_set(stack.get("enabled"), false);
    if is_enabled && is_set(stack.get("dhcp"), true) {
        return false;
    }
    if !is_enabled {
        state[key] = interfaces::stack(family, vec![new]);
        return true;
    }
    let list = stack.entry("address").or_insert_with(|| json!([]));
    match list.as_array_mut() {
        Some(list) => list.push(new),
        None => *list = json!([new]),
    }
    stack.insert("enabled".to_owned(), json!(true));
    true
}
