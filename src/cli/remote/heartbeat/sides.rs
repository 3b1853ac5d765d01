//! A heartbeat as it is here and on a server, for people.

use super::page::next;
use dibber_client::publish::HeartbeatPart;
use dibber_schedule::ClockFormat;
use dibber_skill::contract::{HeartbeatCreate, HeartbeatListItem, OpenEnum};
use dibber_skill::draft::cadence;
use dibber_text::{Message, message, quote, quote_in_full};

/// Returns two rows: the heartbeat of `sprout.yaml`, and the one of the server.
pub(in crate::cli::remote) fn sides(
    ours: Option<&HeartbeatCreate>,
    theirs: Option<&HeartbeatListItem>,
) -> Message {
    let here = ours
        .map_or_else(|| "not in sprout.yaml any more".into(), |wanted| of_draft(wanted, theirs));
    let there = theirs.map_or_else(|| "cancelled".into(), of_listed);
    message!["\n  here     ", here, "\n  there    ", there]
}

/// Says what both sides have changed, and what takes which of them.
pub(in crate::cli::remote) fn both_changed(
    parts: &[HeartbeatPart],
    forced_pull: Message,
    forced_push: Message,
) -> Message {
    let parts = match parts {
        [] => "it".to_owned(),
        parts => {
            let words: Vec<_> = parts.iter().map(|part| part.word()).collect();
            format!("the {}", words.join(" and the "))
        }
    };
    message![
        "both have changed ",
        quote_in_full(&parts),
        ": ",
        forced_pull,
        " takes what the server has, ",
        forced_push,
        " what is here"
    ]
}

/// Returns when a heartbeat of `sprout.yaml` fires, its name if that differs, and whether only what
/// cannot be seen there differs.
fn of_draft(wanted: &HeartbeatCreate, listed: Option<&HeartbeatListItem>) -> Message {
    let words = cadence(&wanted.cron, wanted.tz.as_deref(), ClockFormat::default());
    let words = words.unwrap_or_else(|| wanted.cron.clone());
    let schedule = message![quote(&words)];
    match listed {
        Some(listed) if wanted.name != listed.name => {
            message![schedule, ", `", quote(&wanted.name), "`"]
        }
        Some(listed) if has_other_missed_fires(wanted, listed) => {
            message![schedule, ", with other `missedFires`"]
        }
        Some(listed) if wanted.cron == listed.cron && words == listed.cadence_text => {
            message![schedule, ", with other inputs"]
        }
        Some(_) | None => schedule,
    }
}

fn has_other_missed_fires(wanted: &HeartbeatCreate, listed: &HeartbeatListItem) -> bool {
    let ours = wanted.missed_fires.unwrap_or_default();
    listed.missed_fires.as_ref().is_some_and(|theirs| *theirs != OpenEnum::Known(ours))
}

/// Returns what a server lists of a heartbeat.
fn of_listed(listed: &HeartbeatListItem) -> Message {
    let HeartbeatListItem { heartbeat_id, name, cadence_text, next_run_at, tz, .. } = listed;
    let next = match next_run_at {
        Some(at) => message!["next ", quote_in_full(&next(Some(at), tz.as_deref()))],
        None => "paused".into(),
    };
    message![
        quote(cadence_text),
        ", `",
        quote(name),
        "`, ",
        quote_in_full(heartbeat_id.as_str()),
        ", ",
        next
    ]
}
