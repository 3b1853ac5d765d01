//! `control-character`: the file contains a control character.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{
    Applicability, Edit, Finding, FixAvailability, Group, Level, RuleMeta,
};
use dibber_skill::skill::Skill;
use dibber_text::{
    Encoding, Message, Span, is_terminal_control, message, quote_in_full, windows_1252,
};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "control-character",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Unsafe),
        since: "0.1.0",
        summary: "the file contains a control character",
        docs: include_str!("control_character.md"),
    },
    check: Check::Skill(check),
};

/// The maximum number of edits in one fix.
const EDITS_MAX: usize = 1_000;
/// With this many NULs, the file is UTF-16 or binary.
const UTF16_NULS_MIN: usize = 8;
/// The number of bytes that are tested at once by the fast path.
const CHUNK_BYTES: usize = 64;

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let is_utf16 = skill.source.not_utf8().is_some_and(|found| {
        matches!(found.encoding, Encoding::Utf16LittleEndian | Encoding::Utf16BigEndian)
    });
    if is_utf16 {
        return;
    }
    for kind in kinds(skill.source.text()) {
        findings.push(finding(&kind, skill.source.text()));
    }
}

/// A control character and its occurrences.
struct Kind {
    character: char,
    count: usize,
    /// The first of them.
    places: Vec<Span>,
}

fn kinds(text: &str) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    let bytes = text.as_bytes();
    for (index, chunk) in bytes.chunks(CHUNK_BYTES).enumerate() {
        // Without a branch per byte, the compiler vectorizes this loop.
        if !chunk.iter().fold(false, |found, &byte| found | may_be_control(byte)) {
            continue;
        }
        for (offset, &byte) in chunk.iter().enumerate().filter(|(_, byte)| may_be_control(**byte)) {
            let at = index * CHUNK_BYTES + offset;
            let character = match (byte, bytes.get(at + 1)) {
                (0xC2, Some(&second)) => char::from(second),
                _ => char::from(byte),
            };
            if !is_terminal_control(character) {
                continue;
            }
            let place = Span::new(at, at + character.len_utf8());
            match kinds.iter_mut().find(|kind| kind.character == character) {
                Some(kind) => kind.push(place),
                None => kinds.push(Kind { character, count: 1, places: vec![place] }),
            }
        }
    }
    kinds
}

/// Returns `true` if `byte` is a control character, or the first byte of one.
const fn may_be_control(byte: u8) -> bool {
    matches!(byte, 0..=0x08 | 0x0B | 0x0C | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F | 0xC2)
}

impl Kind {
    fn push(&mut self, place: Span) {
        self.count += 1;
        if self.places.len() <= EDITS_MAX {
            self.places.push(place);
        }
    }
}

fn finding(kind: &Kind, text: &str) -> Finding {
    let code = u32::from(kind.character);
    let name = match name(kind.character) {
        Some(name) => format!("{name} (U+{code:04X})"),
        None => format!("the control character U+{code:04X}"),
    };
    let (pronoun, verb, times) = match kind.count {
        1 => ("it", "it is", Message::default()),
        2 => ("them", "they are", message![", twice"]),
        count => ("them", "they are", message![", ", count, " times"]),
    };
    let message = message!["the file contains ", quote_in_full(&name), times];
    let finding = Finding::new(&RULE.meta, kind.places[0], message);
    if kind.places.iter().any(|place| is_rest_of_emoji(text, *place)) {
        return finding
            .help("this is probably the rest of an emoji that was damaged by a conversion: write the emoji again");
    }
    let meant = u8::try_from(code).ok().and_then(windows_1252);
    let help = match meant {
        Some(meant) => {
            message!["`", meant, "` was probably meant: a conversion read Windows-1252 as Latin-1"]
        }
        None if kind.character == '\0' && kind.count >= UTF16_NULS_MIN => {
            message!["save the file as UTF-8: it seems to be UTF-16 or binary"]
        }
        None => message![
            "delete ",
            pronoun,
            ": ",
            verb,
            " invisible, and parsers disagree about ",
            pronoun
        ],
    };
    if kind.count > EDITS_MAX {
        return finding.help(help);
    }
    let text = meant.map_or(String::new(), String::from);
    let title = match meant {
        Some(meant) => message!["Replace ", pronoun, " by `", meant, "`"],
        None => message!["Remove ", pronoun],
    };
    let edits = kind.places.iter().map(|&span| Edit { span, text: text.clone() }).collect();
    finding.help(help).fix_all(Applicability::Unsafe, title, edits)
}

/// Returns `true` if an emoji was truncated to the low bytes of its two UTF-16 units: the first
/// becomes `<`, `=` or `>`, the second very often a control character.
fn is_rest_of_emoji(text: &str, place: Span) -> bool {
    let before = text[..place.start].strip_suffix(['<', '=', '>']);
    before.is_some_and(|before| before.is_empty() || before.ends_with([' ', '\n', '*', '|']))
}

/// The names of the more frequent control characters.
const fn name(character: char) -> Option<&'static str> {
    match character {
        '\0' => Some("a NUL character"),
        '\u{7}' => Some("a bell character"),
        '\u{8}' => Some("a backspace character"),
        '\u{B}' => Some("a vertical tab character"),
        '\u{C}' => Some("a form feed character"),
        '\u{7F}' => Some("a delete character"),
        '\u{85}' => Some("a next line character"),
        _ => None,
    }
}
