//! The rules of the authorization server, through its public functions.

mod authorization;
mod clients;
mod issuers;
mod redirect_uris;
mod support;
mod tokens;
mod user_codes;
