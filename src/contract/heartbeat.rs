//! The Sprout heartbeat tools.

/// The time zone of a heartbeat that names none.
pub const TIME_ZONE_DEFAULT: &str = "America/New_York";

/// The most characters of a heartbeat's name.
pub const HEARTBEAT_NAME_CHARACTERS_MAX: usize = 100;
