//! The pages that people see in a browser. They work without scripts.

mod agents;
mod browser;
mod consent;
mod device;
mod form;
mod layout;
pub(super) mod routes;
mod scopes;
mod sign_in;
pub(super) mod site;

pub use sign_in::address as sign_in_address;
