//! What an agent offers, as a person compares it: licences, needs, and the tools that skills ask for.

mod collector;
mod compare;
mod license;
mod needs;
mod offered;

pub use collector::{Collector, CollectorError};
pub use compare::{Difference, differences};
pub use license::{LicenseMatch, license_match};
pub use needs::{Need, needs_of};
pub use offered::{OfferedKind, OfferedSkill};
