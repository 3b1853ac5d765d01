//! The site: its server, and the paths of its pages.

use dibber_authorization::Issuer;

use crate::server::Server;

/// The path of the list of agents.
pub(in crate::http) const AGENTS_PATH: &str = "/agents";
/// The path at which people type the code of a device.
pub(in crate::http) const DEVICE_PATH: &str = "/device";
/// The path of who is in the family.
pub(in crate::http) const FAMILY_PATH: &str = "/family";
/// The path of the first page.
pub(in crate::http) const HOME_PATH: &str = "/";
/// The path of the results of skills.
pub(in crate::http) const INBOX_PATH: &str = "/results";
/// The path that pauses and resumes schedules.
pub(in crate::http) const SCHEDULES_PATH: &str = "/schedules";
/// The path at which people sign in.
pub(in crate::http) const SIGN_IN_PATH: &str = "/sign-in";
/// The path at which people sign out.
pub(in crate::http) const SIGN_OUT_PATH: &str = "/sign-out";
/// The path of the list of skills. Each skill has a path below it.
pub(in crate::http) const SKILLS_PATH: &str = "/skills";
/// The route of one skill.
pub(in crate::http) const SKILL_ROUTE: &str = "/skills/{id}";
/// The path of the styles of the pages.
pub(in crate::http) const STYLE_PATH: &str = "/style.css";

/// A server with the public URL at which people and clients reach it.
#[derive(Clone)]
pub(in crate::http) struct Site {
    pub(in crate::http) server: Server,
    pub(in crate::http) issuer: Issuer,
}
