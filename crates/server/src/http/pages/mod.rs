//! The pages that people see in a browser. They work without scripts.

mod agents;
mod browser;
mod consent;
mod device;
mod family;
mod form;
mod home;
mod inbox;
mod labels;
mod layout;
mod person;
mod phrases;
pub(super) mod routes;
mod schedules;
mod scopes;
mod sign_in;
pub(super) mod site;
mod skills;

pub use sign_in::address as sign_in_address;
