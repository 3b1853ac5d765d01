//! `hidden-unicode`: the skill contains invisible or misleading characters.

use crate::rule::{Check, Rule};
use crate::scan::{TextFile, push_first, text_files};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::scan::hidden_characters::{self, Escapes, HiddenKind, HiddenRun};
use dibber_skill::skill::Skill;
use dibber_text::{Message, message, quote, quote_in_full};

/// The maximum number of characters of a decoded text or a list of characters in a note.
const SHOWN_CHARACTERS_MAX: usize = 60;
const SHOWN_NAMES_MAX: usize = 3;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "hidden-unicode",
        group: Group::Security,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Unsafe),
        since: "0.1.0",
        summary: "the skill contains invisible or misleading characters",
        docs: include_str!("hidden_unicode.md"),
    },
    check: Check::SkillAndDraft(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for file in text_files(skill) {
        // A resource that is not UTF-8 is hardly read as text.
        if file.resource.is_some() && file.source.not_utf8().is_some() {
            continue;
        }
        let escapes = if file.resource.is_none() { Escapes::All } else { Escapes::ExceptColors };
        let found = hidden_characters::find(file.source.text(), escapes);
        push_first(findings, &found, |hidden| finding(file, *hidden));
    }
}

fn finding(file: TextFile<'_>, hidden: HiddenRun) -> Finding {
    let run = file.source.slice(hidden.span);
    let count = run.chars().count();
    let message = match hidden.kind {
        HiddenKind::Tags => message![count, " hidden tag ", characters(count)],
        HiddenKind::Bidirectional => "a hidden character changes the reading order".into(),
        HiddenKind::ZeroWidth => message![count, " zero-width characters in a row"],
        HiddenKind::Selectors => message![count, " hidden variation selectors in a row"],
        HiddenKind::Format => message![count, " hidden format ", characters(count)],
        HiddenKind::InLabel => message![count, " hidden ", characters(count)],
        HiddenKind::Escape => "a hidden escape sequence, which a terminal would execute".into(),
    };
    let note = decode(run)
        .map_or_else(|| names(run), |decoded| message!["they spell `", quote(&decoded), "`"]);
    let finding = Finding::at(&RULE.meta, file.place(hidden.span), message)
        .note(note)
        .help("remove it, and check where this text came from");
    match file.resource {
        None => finding.fix(Applicability::Unsafe, "Remove the hidden characters", hidden.span, ""),
        Some(_) => finding,
    }
}

const fn characters(count: usize) -> &'static str {
    if count == 1 { "character" } else { "characters" }
}

/// Decodes the text that tags or selectors spell; `None` if it is not text.
fn decode(run: &str) -> Option<String> {
    let bytes = run.chars().filter_map(|c| match u32::from(c) {
        code @ 0xE0020..=0xE007E => u8::try_from(code - 0xE0000).ok(),
        code @ 0xFE00..=0xFE0F => u8::try_from(code - 0xFE00).ok(),
        code @ 0xE0100..=0xE01EF => u8::try_from(code - 0xE0100 + 16).ok(),
        _ => None,
    });
    let text: String = bytes.map(char::from).filter(|c| !c.is_control()).collect();
    let is_text = text.chars().count() >= 2 && text.is_ascii();
    is_text.then_some(text)
}

/// Lists the code points and names of the first characters, each once.
fn names(run: &str) -> Message {
    let mut seen: Vec<char> = Vec::new();
    for c in run.chars().take(SHOWN_CHARACTERS_MAX) {
        if !seen.contains(&c) && (c == '\u{1B}' || !c.is_ascii()) {
            seen.push(c);
        }
    }
    let shown = seen.iter().take(SHOWN_NAMES_MAX);
    let mut names: Vec<String> =
        shown.map(|c| format!("U+{:04X} {}", u32::from(*c), hidden_characters::name(*c))).collect();
    if seen.len() > SHOWN_NAMES_MAX {
        names.push("others".to_owned());
    }
    message![quote_in_full(&names.join(", "))]
}
