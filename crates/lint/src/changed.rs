//! Which lines have changed since a revision, from the output of `git diff`.
//!
//! The output is to be made with `--unified=0 --no-color --no-ext-diff --no-prefix`, and with
//! `--relative` unless it is made at the root of the repository. Git is run elsewhere.

use std::collections::BTreeMap;

use dibber_skill::diagnostic::{Diagnostic, Range};
use dibber_skill::names::Roster;
use dibber_skill::privacy::Privacy;
use dibber_text::Mask;

/// The path that git writes for a file that does not exist.
const NO_FILE: &str = "/dev/null";

/// The lines of each file that have been added or changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedLines {
    files: BTreeMap<String, Changed>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Changed {
    /// Every line: the file is new.
    Whole,
    /// These lines, the first and the last of each range, in order; none if lines were only
    /// removed, or only the file's name or mode has changed.
    Lines(Vec<(usize, usize)>),
}

impl ChangedLines {
    /// Parses the output of `git diff`; lines of an unknown form are skipped.
    pub fn parse(diff: &str) -> Self {
        let mut changed = Self::default();
        let mut file: Option<String> = None;
        let mut lines = diff.split('\n');
        while let Some(line) = lines.next() {
            if let Some(names) = line.strip_prefix("diff --git ") {
                file = name_if_both_equal(names);
            } else if let Some(name) = line.strip_prefix("+++ ") {
                file = Some(unquote(name)).filter(|name| name != NO_FILE);
            } else if let Some(name) =
                line.strip_prefix("rename to ").or(line.strip_prefix("copy to "))
            {
                file = Some(unquote(name));
            } else if let Some(hunk) = line.strip_prefix("@@ ").and_then(Hunk::parse) {
                changed.add_lines(file.as_deref(), &hunk);
                // The lines of a hunk can look like anything, even like headers.
                hunk.skip(&mut lines);
                continue;
            }
            if let Some(file) = &file {
                changed.entry(file);
            }
        }
        changed
    }

    /// Adds a file with all of its lines: one that git does not track yet.
    pub fn add_whole_file(&mut self, path: impl Into<String>) {
        self.files.insert(path.into(), Changed::Whole);
    }

    /// Adds the directory that git ran in, as it is shown, before every path.
    #[must_use]
    pub fn in_directory(self, directory: &str) -> Self {
        let directory = directory.trim_end_matches('/');
        if directory.is_empty() {
            return self;
        }
        let files = self.files.into_iter();
        Self { files: files.map(|(path, lines)| (format!("{directory}/{path}"), lines)).collect() }
    }

    /// Masks secrets and the names of children in the paths, as diagnostics do. Two files whose
    /// paths differ only in what is masked become one, with the changed lines of both.
    #[must_use]
    pub fn masked(self, roster: &Roster) -> Self {
        let mut masked = Self::default();
        for (path, lines) in self.files {
            let path = Privacy { roster }.mask(&path).into_owned();
            masked.extend(Self { files: BTreeMap::from([(path, lines)]) });
        }
        masked
    }

    /// Adds the files of another directory, or of another diff.
    pub fn extend(&mut self, other: Self) {
        for (path, lines) in other.files {
            match (self.files.get_mut(&path), lines) {
                (Some(Changed::Lines(known)), Changed::Lines(more)) => {
                    known.extend(more);
                    known.sort_unstable();
                }
                (Some(Changed::Whole), _) => {}
                (_, lines) => {
                    self.files.insert(path, lines);
                }
            }
        }
    }

    /// Returns `true` if no file has changed.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns `true` if a finding is on a changed line, or is about a changed file as a whole.
    pub fn covers(&self, diagnostic: &Diagnostic) -> bool {
        match (self.files.get(&diagnostic.path), &diagnostic.range) {
            (None, _) => false,
            (Some(Changed::Whole), _) | (Some(Changed::Lines(_)), None) => true,
            (Some(Changed::Lines(changed)), Some(range)) => {
                let (first, last) = lines_of(range);
                let next = changed.partition_point(|&(_, changed_last)| changed_last < first);
                changed.get(next).is_some_and(|&(changed_first, _)| changed_first <= last)
            }
        }
    }

    fn entry(&mut self, file: &str) -> &mut Changed {
        if !self.files.contains_key(file) {
            self.files.insert(file.to_owned(), Changed::Lines(Vec::new()));
        }
        self.files.get_mut(file).expect("it was just added")
    }

    fn add_lines(&mut self, file: Option<&str>, hunk: &Hunk) {
        let Some(file) = file else { return };
        if let Changed::Lines(lines) = self.entry(file)
            && hunk.added > 0
        {
            lines.push((hunk.first, hunk.first.saturating_add(hunk.added - 1)));
        }
    }
}

/// Returns the first and the last line of a range. A range that ends before the first character
/// of a line does not include that line.
fn lines_of(range: &Range) -> (usize, usize) {
    let (start, end) = (range.start, range.end);
    let ends_before = end.column == 1 && end.line > start.line;
    (start.line, if ends_before { end.line - 1 } else { end.line })
}

/// The numbers of a line `@@ -1,2 +3,4 @@`.
struct Hunk {
    removed: usize,
    first: usize,
    added: usize,
}

impl Hunk {
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let (_, removed) = numbers(words.next()?.strip_prefix('-')?)?;
        let (first, added) = numbers(words.next()?.strip_prefix('+')?)?;
        Some(Self { removed, first, added })
    }

    /// Skips the lines of the hunk.
    fn skip<'a>(&self, lines: &mut impl Iterator<Item = &'a str>) {
        let (mut removed, mut added) = (self.removed, self.added);
        while removed > 0 || added > 0 {
            match lines.next().map(|line| line.as_bytes().first()) {
                Some(Some(b'-')) => removed = removed.saturating_sub(1),
                Some(Some(b'+')) => added = added.saturating_sub(1),
                // `\ No newline at end of file` is no line of its own.
                Some(Some(b'\\')) => {}
                Some(_) => {
                    removed = removed.saturating_sub(1);
                    added = added.saturating_sub(1);
                }
                None => return,
            }
        }
    }
}

/// Parses the first line and the number of lines; `12` alone means `12,1`.
fn numbers(text: &str) -> Option<(usize, usize)> {
    match text.split_once(',') {
        Some((first, count)) => Some((first.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

/// Returns the name in `name name`: without a prefix, git writes the same name twice, unless the
/// file was renamed; then further lines have its names.
fn name_if_both_equal(names: &str) -> Option<String> {
    let middle = names.len() / 2;
    let (first, second) = (names.get(..middle)?, names.get(middle + 1..)?);
    (first == second && names.as_bytes()[middle] == b' ').then(|| unquote(first))
}

/// Returns a name as git writes it: in quotes with escapes if it has special characters, and
/// with a tab after it if it has spaces.
fn unquote(name: &str) -> String {
    let quoted = name.trim_end_matches('\t').strip_prefix('"');
    let Some(quoted) = quoted.and_then(|name| name.strip_suffix('"')) else {
        return name.strip_suffix('\t').unwrap_or(name).to_owned();
    };
    let mut bytes = Vec::with_capacity(quoted.len());
    let mut rest = quoted.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(digit @ b'0'..=b'7') => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    if let Some(digit) = rest.next_if(|byte| matches!(byte, b'0'..=b'7')) {
                        value = value * 8 + u32::from(digit - b'0');
                    }
                }
                bytes.push(u8::try_from(value & 0xFF).unwrap_or(b'?'));
            }
            Some(letter) => bytes.push(unescape(letter)),
            None => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn unescape(letter: u8) -> u8 {
    match letter {
        b'a' => 0x07,
        b'b' => 0x08,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 0x0B,
        b'f' => 0x0C,
        b'r' => b'\r',
        other => other,
    }
}
