//! The endpoints of the authorization server that programs call. Those that people see are pages.

pub(super) mod answer;
mod device;
mod metadata;
mod register;
mod revoke;
pub(super) mod routes;
mod token;
