//! `oversized-skill`: the skill has more files or bytes than every host accepts.

use crate::listing::join_names;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::{BundleFile, FileKind, SKILL_BYTES_MAX, Skill};
use dibber_text::{Message, message, quote};

/// The maximum number of files of a skill that every host accepts.
const SKILL_FILES_MAX: usize = 512;
/// The maximum number of bytes of a skill that every host accepts (16 MiB).
const SKILL_FOLDER_BYTES_MAX: u64 = 16 << 20;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "oversized-skill",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the skill has more files or bytes than every host accepts",
        docs: include_str!("oversized_skill.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.is_cut() {
        let (name, bytes) = (quote(&skill.bundle.skill_file), skill.bundle.skill_file_bytes);
        let (size, limit) = (format_size(bytes), format_size(SKILL_BYTES_MAX as u64));
        let message =
            message!["`", name, "` is ", size, ", and only the first ", limit, " was linted"];
        let help = "move what is not always needed into files under `references/`";
        findings.push(finding(skill, message).help(help));
    }
    let bundle = &skill.bundle;
    let count = bundle.files.len() + bundle.files_left_out;
    if count > SKILL_FILES_MAX {
        let message = message![
            "the skill has ",
            count,
            " files, more than the ",
            SKILL_FILES_MAX,
            " that every host accepts"
        ];
        let not_looked_at = match bundle.files_left_out {
            0 => Message::default(),
            left_out => message!["; the last ", left_out, " were not linted"],
        };
        let help = "pack data into fewer files, or fetch it with a script when it is needed";
        findings.push(finding(skill, message![message, not_looked_at]).help(help));
    }
    // Sparse files can report any size, so the sum may overflow.
    let bytes = bundle.files.iter().map(size_of).fold(0, u64::saturating_add);
    // A skill file that is too large by itself is already reported above.
    let named = if skill.is_cut() { bundle.skill_file_bytes } else { 0 };
    if bytes.saturating_sub(named) > SKILL_FOLDER_BYTES_MAX {
        let (size, limit) = (format_size(bytes), format_size(SKILL_FOLDER_BYTES_MAX));
        let message =
            message!["the skill is ", size, ", more than the ", limit, " that every host accepts"];
        let largest = bundle.files.iter().max_by_key(|file| size_of(file));
        let largest = largest.expect("a file whose bytes were counted");
        let (path, size) = (quote(&largest.path), format_size(size_of(largest)));
        let help = message!["the largest file is `", path, "` with ", size];
        let finding = finding(skill, message).help(help);
        findings.push(match unsearched(skill) {
            Some(note) => finding.note(note),
            None => finding,
        });
    }
}

/// Returns which files were not searched for secrets, or only their beginning.
fn unsearched(skill: &Skill) -> Option<Message> {
    let files = skill.unread.iter().filter(|file| !file.is_searched);
    let paths: Vec<&str> = files.map(|file| file.path.as_str()).collect();
    let note = || message!["the search for secrets did not reach the end of ", join_names(&paths)];
    (!paths.is_empty()).then(note)
}

fn finding(skill: &Skill, message: Message) -> Finding {
    Finding::at(&RULE.meta, Place::File(skill.bundle.skill_file.clone()), message)
}

const fn size_of(file: &BundleFile) -> u64 {
    match file.kind {
        FileKind::Regular(bytes) => bytes,
        _ => 0,
    }
}

/// Formats a size in MiB or GiB with one digit, rounded up so that it never looks less than the
/// limit: `16.1 MiB`, `1 GiB`.
fn format_size(bytes: u64) -> Message {
    let (unit, shift) = if bytes >> 30 == 0 { ("MiB", 20) } else { ("GiB", 30) };
    let tenths = (u128::from(bytes) * 10 + (1 << shift) - 1) >> shift;
    match tenths % 10 {
        0 => message![tenths / 10, " ", unit],
        digit => message![tenths / 10, ".", digit, " ", unit],
    }
}
