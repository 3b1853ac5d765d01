//! Comparing what servers of another make write in their own form: names and schedules of heartbeats.

use dibber_skill::content_hash::normal_cron;
use dibber_skill::draft::comparable_heartbeat_name;

/// Returns `true` if a name that was sent is the listed one: a server may write it in its own form.
pub(super) fn is_same_name(sent: &str, listed: &str) -> bool {
    comparable_heartbeat_name(sent) == comparable_heartbeat_name(listed)
}

/// Returns `true` if a schedule that was sent is the listed one, in whatever form.
pub(super) fn is_same_cron(sent: &str, listed: &str) -> bool {
    normal_cron(sent) == normal_cron(listed)
}
