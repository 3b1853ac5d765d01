//! Whether a heartbeat of a server can be one of a file.

use super::rules::{check_heartbeat_name, check_misleading_name};
use super::schedule::cadence;
use crate::contract::HEARTBEAT_NAME_CHARACTERS_MAX;
use dibber_schedule::ClockFormat;
use dibber_text::is_terminal_control;

/// Returns `true` if a heartbeat with this name and this schedule can be written to a file and be
/// published from there. A server may list others.
pub fn is_publishable_heartbeat(name: &str, cron: &str, time_zone: Option<&str>) -> bool {
    let breaks_line = |c: char| is_terminal_control(c) || matches!(c, '\u{2028}' | '\u{2029}');
    check_heartbeat_name(name).is_ok()
        && name.chars().count() <= HEARTBEAT_NAME_CHARACTERS_MAX
        && !name.chars().any(breaks_line)
        && check_misleading_name(name).is_ok()
        && !cron.contains(['\n', '\r'])
        && cadence(cron, time_zone, ClockFormat::default()).is_some()
}
