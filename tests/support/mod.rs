//! Directories to test on, and what the linter reports about them.

pub(crate) mod browser;
pub(crate) mod chance;
pub(crate) mod command;
#[cfg(unix)]
pub(crate) mod due_runs;
pub(crate) mod fake_server;
pub(crate) mod fault_proxy;
pub(crate) mod faulty_store;
pub(crate) mod interceptor;
pub(crate) mod machines;
pub(crate) mod mutation;
pub(crate) mod pages;
pub(crate) mod postgres;
pub(crate) mod sandbox;
pub(crate) mod server_process;
#[cfg(unix)]
pub(crate) mod skill_server;
pub(crate) mod stores;
#[cfg(unix)]
pub(crate) mod terminal;
pub(crate) mod wire;
pub(crate) mod wire_calls;
pub(crate) mod writers;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dibber_lint::workspace::{ConfigChoice, Environment, Event, Input, RunOptions, load_settings};
use dibber_lint::{LevelSetting, Outcome, Workspace};
use dibber_skill::config::CONFIG_FILE_NAME;
use dibber_skill::diagnostic::{Diagnostic, Group, Level, LevelSource};
use dibber_skill::discover;
use dibber_skill::names::{List, Roster};
use dibber_text::Message;
use jiff::civil::{Date, date};
use tempfile::TempDir;

/// The day on which all tests run.
pub(crate) const TODAY: Date = date(2026, 1, 1);

/// The children's names that the linter is given in tests.
pub(crate) const TEST_NAMES: &str = "Ottilie\nZoë\nAnna Lena\n~Bram\nWill\n";

/// The list of them.
pub(crate) fn test_roster() -> Arc<Roster> {
    Arc::new(List::parse(TEST_NAMES).0.roster())
}

/// A message as it is shown where nothing is hidden.
pub(crate) fn shown(message: &Message) -> String {
    message.shown(&()).to_string()
}

/// The directory of this package.
pub(crate) fn package() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Levels under which one rule runs alone. A rule about waivers needs the others beside it, so
/// there every rule keeps its own level.
pub(crate) fn only(rule: &str) -> Vec<LevelSetting> {
    match dibber_lint::rule(rule).expect("a known rule").meta.group {
        Group::Waivers => Vec::new(),
        _ => vec![setting("all", Level::Allow), setting(rule, Level::Deny)],
    }
}

/// A level as the command line sets it.
pub(crate) fn setting(key: &str, level: Level) -> LevelSetting {
    let source = LevelSource::CommandLine(format!("{key}={}", level.name()));
    LevelSetting { key: key.to_owned(), level, source }
}

/// Copies a directory with everything in it.
pub(crate) fn copy_directory(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_directory(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// A directory written for one test.
pub(crate) struct Tree {
    /// Its parent has nothing else: some files are looked for there.
    root: PathBuf,
    _parent: TempDir,
}

impl Tree {
    /// Creates an empty directory.
    pub(crate) fn new() -> Self {
        let parent = TempDir::new().expect("a temporary directory");
        let root = parent.path().join("tree");
        fs::create_dir(&root).expect("a directory");
        Self { root, _parent: parent }
    }

    /// Unpacks an archive in one string: files, each after a line `-- path --`, or
    /// `-- path -> target --` for a symbolic link. With `escaped`, `\u{…}` and `\xNN` are replaced
    /// by characters and bytes.
    pub(crate) fn from_archive(archive: &str, escaped: bool) -> Self {
        let tree = Self::new();
        let mut parts = archive.split_inclusive('\n').peekable();
        while let Some(line) = parts.next() {
            let Some(path) = header(line) else { panic!("not a file's header: {line:?}") };
            let mut content = String::new();
            while let Some(line) = parts.next_if(|line| header(line).is_none()) {
                content.push_str(line);
            }
            match path.split_once(" -> ") {
                Some((path, target)) => tree.link(path, target),
                None if escaped => tree.write(path, &unescape(&content)),
                None => tree.write(path, content.as_bytes()),
            }
        }
        tree
    }

    /// Writes a file, and the directories it lies in.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        fs::write(path, bytes).expect("a file");
    }

    /// Reads a file back.
    pub(crate) fn read(&self, path: &str) -> String {
        let path = self.path().join(path);
        let text = fs::read_to_string(&path);
        text.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Removes a file that may be there.
    pub(crate) fn remove(&self, path: &str) {
        if let Err(error) = fs::remove_file(self.path().join(path)) {
            assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{path}");
        }
    }

    /// Creates a symbolic link.
    pub(crate) fn link(&self, path: &str, target: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        #[cfg(unix)]
        std::os::unix::fs::symlink(target, path).expect("a link");
    }

    /// The directory.
    pub(crate) fn path(&self) -> &Path {
        &self.root
    }

    /// Lints the directory.
    pub(crate) fn lint(&self, levels: &[LevelSetting]) -> Vec<Diagnostic> {
        lint_directory(self.path(), levels)
    }
}

fn header(line: &str) -> Option<&str> {
    line.trim_end().strip_prefix("-- ")?.strip_suffix(" --")
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend(rest[..at].bytes());
        rest = &rest[at..];
        if let Some(hex) = rest.strip_prefix("\\u{") {
            let end = hex.find('}').expect("a closing brace");
            let code = u32::from_str_radix(&hex[..end], 16).expect("hexadecimal digits");
            let c = char::from_u32(code).expect("a character");
            bytes.extend(c.to_string().bytes());
            rest = &hex[end + 1..];
        } else if let Some(hex) = rest.strip_prefix("\\x") {
            bytes.push(u8::from_str_radix(&hex[..2], 16).expect("two hexadecimal digits"));
            rest = &hex[2..];
        } else {
            bytes.push(b'\\');
            rest = &rest[1..];
        }
    }
    bytes.extend(rest.bytes());
    bytes
}

/// Lints every skill in a directory, and the `dibber.toml` in it if there is one; the paths of the
/// result are relative to the directory.
pub(crate) fn lint_directory(directory: &Path, levels: &[LevelSetting]) -> Vec<Diagnostic> {
    outcome_of(directory, levels).diagnostics
}

/// Like [`lint_directory`], with the number of waived findings.
pub(crate) fn outcome_of(directory: &Path, levels: &[LevelSetting]) -> Outcome {
    let mut outcome = lint_in(&workspace(directory, levels), directory);
    let shown = discover::shown_path(directory);
    for diagnostic in &mut outcome.diagnostics {
        diagnostic.path = diagnostic.path.replacen(&format!("{shown}/"), "", 1);
    }
    outcome
}

/// Lints every skill in a directory. Everything can be read, and nothing panics.
pub(crate) fn lint_in(workspace: &Workspace, directory: &Path) -> Outcome {
    let input = Input::Paths(vec![directory.to_owned()]);
    let mut diagnostics = Vec::new();
    let summary = workspace.run(&input, RunOptions::default(), |event| {
        match event {
            Event::Found(_) => {}
            Event::Checked(report) => diagnostics.extend(report.diagnostics),
            Event::Configuration(more) => diagnostics.extend(more),
            Event::Problem(_) | Event::Unchecked(_) => return Err(format!("{event:?}")),
        }
        Ok(())
    });
    let summary = summary.unwrap_or_else(|event| panic!("{}: {event}", directory.display()));
    Outcome { diagnostics, waived: summary.waived, ..Outcome::default() }
}

/// A workspace with the `dibber.toml` in a directory, if there is one, and with names.
pub(crate) fn workspace(directory: &Path, levels: &[LevelSetting]) -> Workspace {
    let file = directory.join(CONFIG_FILE_NAME);
    let choice = if file.exists() { ConfigChoice::File(file) } else { ConfigChoice::Nothing };
    let current_dir = std::env::current_dir().expect("a current directory");
    let environment = Environment { today: TODAY, current_dir, roster: test_roster() };
    let settings = load_settings(&choice, &[], levels, &environment);
    let settings = settings.unwrap_or_else(|error| panic!("{}: {error:?}", directory.display()));
    Workspace::new(settings)
}

/// One line for each finding, with all its parts.
pub(crate) fn show(diagnostics: &[Diagnostic]) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for diagnostic in diagnostics {
        let place = diagnostic.range.as_ref().map_or(String::new(), |range| {
            let (start, end) = (range.start, range.end);
            format!(":{}:{}-{}:{}", start.line, start.column, end.line, end.column)
        });
        let message = dibber_text::escape_line(&diagnostic.message);
        writeln!(out, "{}{place}: {message}", diagnostic.path).expect("a string");
        let notes = diagnostic.note.iter().map(|note| ("note", note));
        let helps = diagnostic.help.iter().map(|help| ("help", help));
        for (word, text) in notes.chain(helps) {
            writeln!(out, "  {word}: {}", dibber_text::escape_line(text)).expect("a string");
        }
        for (range, text) in &diagnostic.labels {
            let start = range.start;
            let text = dibber_text::escape_line(text);
            writeln!(out, "  {}:{}: {text}", start.line, start.column).expect("a string");
        }
        if let Some(fix) = &diagnostic.fix {
            writeln!(out, "  {} fix: {}", fix.applicability.name(), fix.title).expect("a string");
        }
    }
    out
}

/// The string without ids, and without what depends on the day of the test.
pub(crate) fn timeless(text: &str) -> String {
    let mut out = text.to_owned();
    for prefix in ["hb_", "sk_", "usr_", "th_", "chat_"] {
        let mut parts = out.split(prefix);
        let mut cleaned = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            cleaned += prefix;
            cleaned += "…";
            cleaned += part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        }
        out = cleaned;
    }
    let line = |line: &str| match line.split_once("next ") {
        Some((before, _)) if !line.contains("----") => format!("{before}next TIME\n"),
        _ => line.to_owned(),
    };
    out.split_inclusive('\n').map(line).collect()
}
