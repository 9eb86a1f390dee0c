//! The secrets of OpenStack services: what Secrets and ExternalSecrets contain, and what control planes and node sets
//! need.

pub mod connections;
mod needs;
mod stored;

pub use self::needs::{NeededKey, Needs};
pub use self::stored::{SecretValue, StoredSecret, Unreadable};
use super::{Misread, World};

#[derive(Debug)]
pub struct Secrets {
    pub stored: Vec<StoredSecret>,
    pub needs: Needs,
}

pub fn read(world: &World<'_>) -> (Secrets, Vec<Misread>) {
    let mut misreads = Vec::new();
    let stored = stored::read(world, &mut misreads);
    let needs = needs::read(world, &mut misreads);
    (Secrets { stored, needs }, misreads)
}
