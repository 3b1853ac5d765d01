//! `reserved-file-name`: a file name is not allowed on Windows.

use std::collections::HashSet;

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::{Message, message, quote};

/// Names of devices, reserved in any case and with any extension.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];
/// Names of devices that are reserved when followed by a digit from 1 to 9.
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "reserved-file-name",
        group: Group::Portability,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a file name is not allowed on Windows",
        docs: include_str!("reserved_file_name.md"),
    },
    check: Check::Skill(check),
};

/// Why Windows refuses a name.
enum Refusal {
    Device(String),
    Character(char),
    Ending(&'static str),
}

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if let Some(name) = &skill.bundle.name
        && let Some(refusal) = refusal(name)
    {
        let place = Place::File(skill.bundle.skill_file.clone());
        let message = message(name, &refusal);
        findings.push(Finding::at(&RULE.meta, place, message).help("rename the directory"));
    }
    let mut reported = HashSet::new();
    for file in &skill.bundle.files {
        let mut end = 0;
        for name in file.path.split('/') {
            end += name.len();
            let Some(refusal) = refusal(name) else {
                end += 1;
                continue;
            };
            // A directory is reported once, not for each file in it.
            let path = &file.path[..end];
            if reported.insert(path) {
                let place = Place::File(file.path.clone());
                let message = message(path, &refusal);
                findings.push(Finding::at(&RULE.meta, place, message).help("rename it"));
            }
            break;
        }
    }
}

fn message(path: &str, refusal: &Refusal) -> Message {
    let path = quote(path);
    match refusal {
        Refusal::Device(device) => {
            message![
                "`",
                path,
                "` cannot exist on Windows, where `",
                quote(device),
                "` is the name of a device"
            ]
        }
        Refusal::Character(c) => {
            message![
                "`",
                path,
                "` cannot exist on Windows, where names must not contain `",
                *c,
                "`"
            ]
        }
        Refusal::Ending(what) => {
            message!["`", path, "` cannot exist on Windows, where names must not end in ", what]
        }
    }
}

fn refusal(name: &str) -> Option<Refusal> {
    let is_refused =
        |c: char| matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*' | '\\') || c < ' ';
    if let Some(c) = name.chars().find(|c| is_refused(*c)) {
        return Some(Refusal::Character(c));
    }
    match name.bytes().last() {
        Some(b'.') => return Some(Refusal::Ending("a period")),
        Some(b' ') => return Some(Refusal::Ending("a space")),
        _ => {}
    }
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    is_device(stem).then(|| Refusal::Device(stem.to_ascii_uppercase()))
}

fn is_device(stem: &str) -> bool {
    if !(3..=5).contains(&stem.len()) {
        return false;
    }
    let is_numbered = |device: &str| {
        let number = stem.get(device.len()..).unwrap_or_default();
        stem.get(..device.len()).is_some_and(|start| start.eq_ignore_ascii_case(device))
            && matches!(
                number,
                "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³"
            )
    };
    DEVICES.iter().any(|device| device.eq_ignore_ascii_case(stem))
        || NUMBERED_DEVICES.iter().any(|device| is_numbered(device))
}
