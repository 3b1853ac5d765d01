//! Waivers: findings that an author knows and accepts.
//!
//! There are two kinds: comments in the files of a skill ([`comments`]) and tables in
//! `dibber.toml` ([`configured`]). Neither can waive the rules of the group `waivers`.

mod comments;
mod configured;
mod cover;
mod directive;
mod waivable;
mod yaml_comment;

pub(super) use comments::WaiverComments;
pub(super) use configured::ConfiguredWaivers;
