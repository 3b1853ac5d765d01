//! Changes as lines of text.

use std::collections::BTreeMap;

use jiff::Zoned;

use crate::cli::mask::mask;
use dibber_client::{ResourceChange, ResourceNews};
use dibber_skill::contract::{
    ActivityEvent, CardState, Id, InboxCard, OpenEnum, SkillId, WireEnum,
};
use dibber_skill::names::Roster;
use dibber_text::escape_line;

/// The most characters of a summary.
const SUMMARY_CHARACTERS: usize = 100;

/// Returns the lines of a change, each with the time of the server, or the present if it has none.
pub(super) fn text(
    change: &ResourceChange,
    names: &BTreeMap<SkillId, String>,
    roster: &Roster,
) -> String {
    let lines: Vec<(String, String)> = match &change.news {
        ResourceNews::Events(events) => events.iter().map(|event| of_event(event, names)).collect(),
        ResourceNews::Cards(cards) => cards.iter().map(|card| of_card(card, names)).collect(),
        ResourceNews::State(_) => {
            let now = Zoned::now().strftime("%H:%M:%S").to_string();
            vec![(now, format!("changed: {}", change.uri))]
        }
    };
    let line = |(time, what): &(String, String)| {
        let what = mask(what, roster);
        format!("{}  {}\n", escape_line(time), escape_line(&what))
    };
    lines.iter().map(line).collect()
}

fn of_event(event: &ActivityEvent, names: &BTreeMap<SkillId, String>) -> (String, String) {
    let kind = match &event.kind {
        OpenEnum::Known(kind) => kind.name(),
        OpenEnum::Other(kind) => kind.as_str(),
    };
    let refs = &event.refs;
    let skill = refs.skill_id.as_ref();
    let skill = skill.map(|id| names.get(id).map_or(id.as_str(), String::as_str));
    let about = [
        skill,
        refs.heartbeat_id.as_ref().map(Id::as_str),
        refs.run_id.as_ref().map(Id::as_str),
        refs.result_id.as_ref().map(Id::as_str),
        refs.user_id.as_ref().map(Id::as_str),
    ];
    let about: Vec<_> = about.into_iter().flatten().collect();
    (clock_time(&event.timestamp), format!("{}: {}", kind.replace('.', " "), about.join(", ")))
}

fn of_card(card: &InboxCard, names: &BTreeMap<SkillId, String>) -> (String, String) {
    let state = match &card.state {
        OpenEnum::Known(CardState::Unread) => "new card",
        OpenEnum::Known(CardState::Read) => "card was read",
        OpenEnum::Known(CardState::Archived) => "card was archived",
        OpenEnum::Other(_) => "card",
    };
    let skill = names.get(&card.skill_id).map_or(card.skill_id.as_str(), String::as_str);
    let words: Vec<_> = card.summary.split_whitespace().collect();
    let mut summary = words.join(" ");
    if let Some((end, _)) = summary.char_indices().nth(SUMMARY_CHARACTERS) {
        summary.truncate(end);
        summary.push('…');
    }
    (clock_time(&card.posted_at), format!("{state}: {skill}: {summary}"))
}

/// Returns the time of day of a time in RFC 3339, on the clock that it is written for.
fn clock_time(time: &str) -> String {
    time.get(11..19).unwrap_or(time).to_owned()
}
