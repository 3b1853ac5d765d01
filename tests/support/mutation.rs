//! Skills that are broken in ways that a seed determines: the frontmatter more often than the
//! body, and `sprout.yaml` beside it.

use std::fs;
use std::path::{Path, PathBuf};

use dibber_skill::manifest::MANIFEST_FILE_NAME;
use dibber_skill::skill::SKILL_FILE_NAME;

use crate::support::chance::Chance;
use crate::support::package;

/// The directories of the project that hold skills.
const SEED_DIRECTORIES: [&str; 3] = ["examples", "fixtures", "crates/skill/templates"];
/// Names a directory with more skills to begin with.
const CORPUS_VARIABLE: &str = "DIBBER_CORPUS";
/// The most mutations of one skill.
const MUTATIONS_MAX: usize = 6;
/// Where most bodies are cut, in bytes: the frontmatter is the part that breaks.
const BODY_BYTES: usize = 600;
/// The most bytes of a body that is not cut there.
const LONG_BODY_BYTES: usize = 20_000;
/// The most levels that a line is nested deeper at once.
const LEVELS_MAX: usize = 20;

/// What YAML gives a meaning, and comes by mistake.
const MARKS: [&str; 44] = [
    "\"",
    "'",
    "''",
    "\"\"",
    ":",
    ": ",
    " :",
    "[",
    "]",
    "{",
    "}",
    ",",
    "#",
    " #",
    "&a ",
    "*a",
    "!t ",
    "|",
    ">",
    "|2",
    ">-",
    "%",
    "@",
    "`",
    "?",
    "? ",
    "-",
    "- ",
    "---",
    "...",
    "\\",
    "\\u",
    "\\x4",
    "\\ud83d\\ude00",
    "<<: ",
    "~",
    "=",
    "{{",
    "}}",
    "{{input.a}}",
    "null",
    "0x1F",
    "1e999",
    "<b>",
];

/// Characters of more than one byte, invisible ones and controls.
const CHARACTERS: [&str; 40] = [
    "é",
    "ß",
    "…",
    "—",
    "“",
    "”",
    "’",
    "。",
    "，",
    "：",
    "「",
    "」",
    "（",
    "、",
    "名",
    "한",
    "ก",
    "ع",
    "ש",
    "🚲",
    "👩‍👩‍👧",
    "🇩🇪",
    "\u{301}",
    "\u{20E3}",
    "\u{FE0F}",
    "\u{200B}",
    "\u{200D}",
    "\u{202E}",
    "\u{2066}",
    "\u{E0041}",
    "\u{FEFF}",
    "\u{A0}",
    "\u{3000}",
    "\u{2028}",
    "\u{85}",
    "\u{0}",
    "\u{1B}[31m",
    "\u{7F}",
    "\u{10FFFF}",
    "\u{FFFD}",
];

/// Blanks and line ends.
const BLANKS: [&str; 10] =
    ["\n", "\r", "\r\n", "\n\n", "\t", " ", "  ", "        ", "\n  ", "\n\t"];

/// The files of a skill that are mutated.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    /// `SKILL.md`.
    pub(crate) skill: String,
    /// `sprout.yaml`, when there is one.
    pub(crate) manifest: Option<String>,
}

/// Returns the skills that mutations begin with: those of the project, and those of the directory
/// that `DIBBER_CORPUS` names.
pub(crate) fn seeds() -> Vec<Files> {
    let mut directories: Vec<PathBuf> =
        SEED_DIRECTORIES.iter().map(|name| package().join(name)).collect();
    directories.extend(std::env::var_os(CORPUS_VARIABLE).map(PathBuf::from));
    let mut seeds = Vec::new();
    for directory in directories {
        collect(&directory, &mut seeds);
    }
    assert!(!seeds.is_empty(), "there are no skills in {SEED_DIRECTORIES:?}");
    seeds
}

fn collect(directory: &Path, seeds: &mut Vec<Files>) {
    let entries =
        fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            collect(&path, seeds);
        } else if path.file_name().is_some_and(|name| name.eq_ignore_ascii_case(SKILL_FILE_NAME)) {
            let Ok(skill) = fs::read_to_string(&path) else { continue };
            let manifest = fs::read_to_string(path.with_file_name(MANIFEST_FILE_NAME)).ok();
            seeds.push(Files { skill, manifest });
        }
    }
}

/// Returns the input of that number: one of the seeds, mutated.
pub(crate) fn input(seeds: &[Files], number: u64) -> Files {
    // Neighbouring numbers begin far apart in the sequence.
    let mut chance = Chance::new(number.wrapping_mul(0xD134_2543_DE82_EF95));
    let seed = &seeds[chance.below(seeds.len())];
    let (mut front, mut body) = parts(&seed.skill);
    let limit = if chance.is_one_in(16) { LONG_BODY_BYTES } else { BODY_BYTES };
    body.truncate(body.floor_char_boundary(limit));
    let mut manifest = seed.manifest.clone();
    if manifest.is_none() && chance.is_one_in(4) {
        manifest = (0..4).find_map(|_| seeds[chance.below(seeds.len())].manifest.clone());
    }
    for _ in 0..=chance.below(MUTATIONS_MAX) {
        match (chance.below(8), &mut manifest) {
            (0, _) => mutate(&mut body, seeds, &mut chance),
            (1 | 2, Some(manifest)) => mutate(manifest, seeds, &mut chance),
            _ => mutate(&mut front, seeds, &mut chance),
        }
    }
    front.push_str(&body);
    Files { skill: front, manifest }
}

/// Splits a skill file into its frontmatter with both fences and the rest.
fn parts(skill: &str) -> (String, String) {
    let end = skill.match_indices("\n---").next().map_or(0, |(at, found)| at + found.len());
    (skill[..end].to_owned(), skill[end..].to_owned())
}

/// Breaks `text` in one place.
fn mutate(text: &mut String, seeds: &[Files], chance: &mut Chance) {
    match chance.below(16) {
        0 => remove(text, chance),
        1 => flip_byte(text, chance),
        2 | 3 => insert(text, chance),
        4 => truncate(text, chance),
        5 => splice(text, seeds, chance),
        6..=10 => mutate_value(text, chance),
        _ => mutate_lines(text, chance),
    }
}

/// Returns the start of a character, or the end.
fn position(text: &str, chance: &mut Chance) -> usize {
    text.floor_char_boundary(chance.below(text.len() + 1))
}

/// Returns something to insert.
fn piece(chance: &mut Chance) -> &'static str {
    match chance.below(5) {
        0 | 1 => chance.one_of(&MARKS),
        2 | 3 => chance.one_of(&CHARACTERS),
        _ => chance.one_of(&BLANKS),
    }
}

fn insert(text: &mut String, chance: &mut Chance) {
    let (at, piece) = (position(text, chance), piece(chance));
    text.insert_str(at, piece);
}

fn remove(text: &mut String, chance: &mut Chance) {
    let (start, length) = (position(text, chance), 1 + chance.below(12));
    let end = text.ceil_char_boundary((start + length).min(text.len()));
    text.replace_range(start..end, "");
}

/// Changes one bit, and reads what is no longer UTF-8 as dibber does.
fn flip_byte(text: &mut String, chance: &mut Chance) {
    let mut bytes = std::mem::take(text).into_bytes();
    if !bytes.is_empty() {
        let at = chance.below(bytes.len());
        bytes[at] ^= 1 << chance.below(8);
    }
    *text = String::from_utf8_lossy(&bytes).into_owned();
}

fn truncate(text: &mut String, chance: &mut Chance) {
    let at = position(text, chance);
    if chance.is_one_in(2) {
        text.truncate(at);
    } else {
        text.replace_range(..at, "");
    }
}

/// Puts lines of another skill in the place of the rest.
fn splice(text: &mut String, seeds: &[Files], chance: &mut Chance) {
    let other = &seeds[chance.below(seeds.len())];
    let other = match &other.manifest {
        Some(manifest) if chance.is_one_in(2) => manifest.clone(),
        _ => parts(&other.skill).0,
    };
    let (at, from) = (position(text, chance), position(&other, chance));
    text.truncate(at);
    text.push_str(&other[from..]);
}

/// Breaks the value of a key: its start and its end matter most.
fn mutate_value(text: &mut String, chance: &mut Chance) {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let with_value: Vec<usize> =
        (0..lines.len()).filter(|index| lines[*index].contains(": ")).collect();
    if with_value.is_empty() {
        return insert(text, chance);
    }
    let line = &mut lines[chance.one_of(&with_value)];
    let start = line.find(": ").expect("a line with a value") + 2;
    let inside = line.ceil_char_boundary(start + chance.below(line.len() - start + 1));
    let (quote, letter) = (chance.one_of(&["'", "\""]), chance.one_of(&CHARACTERS));
    match chance.below(8) {
        0 => line.insert_str(start, piece(chance)),
        1 => line.push_str(piece(chance)),
        2 => line.insert_str(inside, piece(chance)),
        3 => line.truncate(start),
        4 => line.replace_range(start.., piece(chance)),
        5 => {
            line.insert_str(start, quote);
            line.push_str(quote);
        }
        6 => {
            line.insert_str(inside, quote);
            line.insert_str(start, quote);
        }
        _ => {
            line.push_str(letter);
            line.insert_str(start, quote);
        }
    }
    *text = lines.join("\n");
}

/// Duplicates, removes, moves, indents or joins lines.
fn mutate_lines(text: &mut String, chance: &mut Chance) {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let at = chance.below(lines.len());
    let to = chance.below(lines.len());
    match chance.below(7) {
        0 => lines.insert(to, lines[at].clone()),
        1 => drop(lines.remove(at)),
        2 => lines.swap(at, to),
        3 => {
            let indent = chance.one_of(&["  ", " ", "\t", "- ", "    "]);
            lines[at] = indent.repeat(1 + chance.below(LEVELS_MAX)) + &lines[at];
        }
        4 => {
            let indent = lines[at].len() - lines[at].trim_start().len();
            lines[at].replace_range(..indent, "");
        }
        5 => lines[at].push('\r'),
        _ => {
            let piece = piece(chance);
            lines[at].push_str(piece);
        }
    }
    *text = lines.join("\n");
}
