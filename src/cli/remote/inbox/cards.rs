//! Cards as a person reads them. The names of children are not masked: it is the family's own inbox.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::fmt::temporal::Pieces;
use jiff::tz::TimeZone;
use serde_json::Value;

use crate::cli::heartbeat::relative::moment;
use crate::cli::locale_clock::clock_of_locale;
use crate::cli::remote::session::Session;
use crate::cli::term::style::{Ink, Style, paint};
use dibber_client::publish::SKILLS_MAX;
use dibber_lint::report::layout::{columns, truncate, wrap};
use dibber_skill::contract::{
    CardKind, CardState, InboxCard, OpenEnum, RESULT_DATA, RESULT_SUMMARY, ResultId, SkillId,
    SkillListArguments,
};
use dibber_text::{escape, escape_line};

/// The characters of an id that are shown; its beginning is enough to name it.
const ID_CHARACTERS: usize = 11;
/// The most lines of a summary in a list.
const SUMMARY_LINES_MAX: usize = 3;
/// The indentation of what a card says.
const INDENT: &str = "  ";

/// Returns the labels of the skills of a server, by their ids; none if it does not list them.
pub(in crate::cli::remote) fn skill_names(session: &Session) -> BTreeMap<SkillId, String> {
    let all = SkillListArguments { include_archived: Some(true), ..SkillListArguments::default() };
    let listed = session.block_on(session.client.all_skills(&all, SKILLS_MAX));
    let items = listed.map(|listed| listed.items).unwrap_or_default();
    items.into_iter().map(|item| (item.skill_id, item.name)).collect()
}

/// Returns the beginning of an id.
pub(super) fn short_id(id: &ResultId) -> String {
    escape_line(&id.as_str().chars().take(ID_CHARACTERS).collect::<String>()).into_owned()
}

/// Returns a card of a list: a line of what it is, and the beginning of its summary.
pub(super) fn listed(card: &InboxCard, names: &BTreeMap<SkillId, String>, style: Style) -> String {
    let mut out = heading(card, names, style);
    let room = style.width.saturating_sub(INDENT.len());
    let words: Vec<_> = card.summary.split_whitespace().collect();
    let summary = escape_line(&words.join(" ")).into_owned();
    let lines = wrap(&summary, room);
    for (index, line) in lines.iter().take(SUMMARY_LINES_MAX).enumerate() {
        let is_cut = index + 1 == SUMMARY_LINES_MAX && lines.len() > SUMMARY_LINES_MAX;
        let line = if is_cut { truncate(&format!("{line} …"), room) } else { (*line).to_owned() };
        out += &format!("{INDENT}{line}\n");
    }
    out
}

/// Returns a whole card.
pub(super) fn whole(card: &InboxCard, names: &BTreeMap<SkillId, String>, style: Style) -> String {
    let mut out = heading(card, names, style);
    let room = style.width.saturating_sub(INDENT.len());
    out.push('\n');
    for line in card.summary.lines() {
        for part in wrap(&escape_line(line), room) {
            out += format!("{INDENT}{part}").trim_end();
            out.push('\n');
        }
    }
    for (name, value) in card.result.iter().flatten() {
        if name == RESULT_SUMMARY {
            continue;
        }
        let name = if name == RESULT_DATA { "data" } else { name.as_str() };
        out += &format!("\n{INDENT}{}\n", escape_line(name));
        for line in lines_of(value).lines() {
            out += &format!("{INDENT}{INDENT}{}\n", escape_line(line));
        }
    }
    out
}

/// Returns a value as lines, with line breaks only between them.
fn lines_of(value: &Value) -> String {
    match value {
        Value::String(text) => escape(text).into_owned(),
        other => serde_json::to_string_pretty(other).expect("keys are strings"),
    }
}

/// Returns the line that says what a card is: its skill, whether it is new, when it came, and its id.
fn heading(card: &InboxCard, names: &BTreeMap<SkillId, String>, style: Style) -> String {
    let id = short_id(&card.result_id);
    let mut facts = vec![moment_of(&card.posted_at)];
    if let OpenEnum::Known(CardKind::Notice) = card.kind {
        facts.push("notice".to_owned());
    }
    match &card.state {
        OpenEnum::Known(CardState::Unread) => facts.push("new".to_owned()),
        OpenEnum::Known(CardState::Read) => {}
        OpenEnum::Known(CardState::Archived) => facts.push("archived".to_owned()),
        OpenEnum::Other(state) => facts.push(escape_line(state).into_owned()),
    }
    let facts = facts.join(", ");
    let name = names.get(&card.skill_id).map_or(card.skill_id.as_str(), String::as_str);
    let room = style.width.saturating_sub(columns(&facts) + columns(&id) + 4).max(10);
    let name = truncate(&escape_line(name), room);
    let mut out = String::new();
    paint(&mut out, style.color, Ink::Strong, &name);
    out += &format!("  {facts}  {id}\n");
    out
}

/// Returns a time of a server in words, on the clock that it gave it in.
fn moment_of(at: &str) -> String {
    let offset = Pieces::parse(at).ok().and_then(|pieces| pieces.to_numeric_offset());
    match (at.parse::<Timestamp>(), offset) {
        (Ok(instant), Some(offset)) => {
            moment(&instant.to_zoned(TimeZone::fixed(offset)), clock_of_locale())
        }
        _ => escape_line(at).into_owned(),
    }
}
