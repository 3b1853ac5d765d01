//! What the owner of the machine does with its families: create them, add to them, issue tokens.
//!
//! Unless they are asynchronous, these calls block their thread until what they change is durable.

mod archive;
pub(crate) mod lookup;
mod members;
mod names;
mod tokens;

pub(super) use members::age;
pub use tokens::{IssueError, TokenGrant};

use lookup::{family_with_name, require_family};
use names::parse_label;

use super::failure::Failure;
use super::id;
use super::server::Server;
use super::store::{Canvas, Child, Family, FamilyId, Listed, StoreExt, User};
use dibber_skill::names::Name;

/// The name of the family that a machine has from the start.
pub const HOME: &str = "home";

/// The name of the user who founds a family, until another one is given.
const FOUNDER_NAME: &str = "Parent";

/// A family with its grown-ups, its children and its canvases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Household {
    /// The family.
    pub family: Family,
    /// The grown-ups; the first one founded it.
    pub users: Vec<User>,
    /// The children.
    pub children: Vec<Child>,
    /// The names of the children, even of those who are left out of `children`.
    pub child_names: Vec<Name>,
    /// The canvases.
    pub canvases: Vec<Canvas>,
    /// The number of grown-ups, children and canvases that are left out because they are damaged.
    pub damaged: usize,
}

impl Server {
    /// Returns the family named [`HOME`], which is created in this IANA time zone if it does not
    /// exist.
    pub fn home(&self, time_zone: &str) -> Result<Family, Failure> {
        self.open_or_create_family(HOME, time_zone)
    }

    /// Returns the family with this name. If it does not exist, it is created with one grown-up,
    /// and its times are shown in this IANA time zone.
    pub fn open_or_create_family(&self, name: &str, time_zone: &str) -> Result<Family, Failure> {
        let name = parse_label(name, "family")?;
        let wanted = name.clone();
        let known = self.store().read_blocking(move |store| family_with_name(store, &wanted))?;
        if let Some(family) = known {
            return Ok(family);
        }
        let zone = dibber_schedule::zone(time_zone).map_err(|unknown| {
            let help = unknown.help().shown(&()).to_string();
            Failure::bad_input("INVALID_TIME_ZONE", unknown.to_string(), help)
        })?;
        let family = Family {
            id: id::new(),
            name,
            time_zone: zone.iana_name().unwrap_or(time_zone).to_owned(),
            chat_id: id::new(),
        };
        self.store().write_blocking(move |store| {
            // Another process may have created it since.
            if let Some(family) = family_with_name(store, &family.name)? {
                return Ok(family);
            }
            store.add_family(&family)?;
            let founder = User { id: id::new(), name: FOUNDER_NAME.to_owned() };
            store.add_user(&family.id, &founder)?;
            Ok(family)
        })
    }

    /// Returns every family, in the order of creation, without those that are damaged.
    pub fn families(&self) -> Result<Listed<Family>, Failure> {
        self.store().read_blocking(|store| Ok(store.families()?))
    }

    /// Returns the names of the children of every family, without those that are damaged.
    pub fn child_names(&self) -> Result<Vec<Name>, Failure> {
        self.store().read_blocking(|store| {
            let mut names = Vec::new();
            for family in store.families()?.rows {
                names.extend(store.child_names(&family.id)?.rows);
            }
            Ok(names)
        })
    }

    /// Returns a family with its grown-ups, its children and its canvases.
    pub fn household(&self, family: &FamilyId) -> Result<Household, Failure> {
        let family = family.clone();
        self.store().read_blocking(move |store| {
            let row = require_family(store, &family)?;
            let users = store.users(&family)?;
            let children = store.children(&family)?;
            let canvases = store.canvases(&family)?;
            Ok(Household {
                family: row,
                damaged: users.damaged.len() + children.damaged.len() + canvases.damaged.len(),
                users: users.rows,
                children: children.rows,
                child_names: store.child_names(&family)?.rows,
                canvases: canvases.rows,
            })
        })
    }
}
