//! `dibber login` and `dibber logout`, and the sign-ins that other commands use.

mod browser;
mod error;
mod in_use;
mod login;
mod logout;
mod pasted;

pub(super) use in_use::{not_signed_in, signed_in};
pub(super) use login::COMMAND as LOGIN_COMMAND;
pub(super) use logout::COMMAND as LOGOUT_COMMAND;
