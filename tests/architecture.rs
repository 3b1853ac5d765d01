//! The house rules that a compiler does not know: floors, sizes, headers, words.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::package;

/// The most lines of a source file; a longer one has more than one subject.
const FILE_LINES_MAX: usize = 400;
/// The most lines of a rule's file, its documentation included.
const RULE_LINES_MAX: usize = 250;

/// One row of the table in the crate documentation.
struct Floor {
    number: usize,
    never: String,
}

fn floors() -> BTreeMap<String, Floor> {
    let lib = fs::read_to_string(package().join("src/lib.rs")).expect("src/lib.rs");
    let rows = lib.lines().filter_map(|line| line.strip_prefix("//! | "));
    rows.filter_map(|row| {
        let cells: Vec<_> = row.split(" |").map(str::trim).collect();
        let number = cells[0].parse().ok()?;
        let never = cells.get(3).copied().unwrap_or_default().to_owned();
        Some((cells[1].trim_matches('`').to_owned(), Floor { number, never }))
    })
    .collect()
}

fn sources() -> Vec<(PathBuf, String)> {
    fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, into);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                into.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    collect(&package().join("src"), &mut paths);
    paths.sort();
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a source file");
    paths.iter().map(|path| (path.clone(), read(path))).collect()
}

/// The top-level module that a file belongs to.
fn module_of(path: &Path) -> String {
    let inside = path.strip_prefix(package().join("src")).expect("a file below src");
    let first = inside.components().next().expect("a name").as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// The top-level modules that a text speaks of as `crate::module`.
fn imports(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| rest.chars().take_while(|c| is_word(*c)).collect())
        .filter(|word: &String| !word.is_empty())
        .collect()
}

#[test]
fn no_import_climbs() {
    let floors = floors();
    for (path, text) in sources() {
        let own = module_of(&path);
        if own == "main" || own == "lib" {
            continue;
        }
        let floor =
            floors.get(&own).unwrap_or_else(|| panic!("`{own}` is not in the table of lib.rs"));
        for import in imports(&text).into_iter().filter(|import| *import != own) {
            let imported = floors.get(&import).map_or(usize::MAX, |floor| floor.number);
            assert!(imported < floor.number, "{}: `{own}` imports `{import}`", path.display());
        }
        assert!(!text.contains("use crate::{"), "{}: name one module a line", path.display());
    }
}

#[test]
fn every_row_of_the_table_is_a_module() {
    let present: Vec<_> = sources().iter().map(|(path, _)| module_of(path)).collect();
    for module in floors().keys() {
        assert!(present.contains(module), "the table of lib.rs names `{module}`");
    }
}

#[test]
fn modules_keep_off_what_their_row_forbids() {
    let floors = floors();
    let forbidden = [
        ("I/O", &["std::fs", "std::net", "std::process", "std::env"][..]),
        ("serde", &["serde::", "serde_json::", "serde_yaml::"]),
        ("printing", &["std::io", "println!", "print!"]),
    ];
    for (path, text) in sources() {
        let Some(floor) = floors.get(&module_of(&path)) else { continue };
        for (word, imports) in forbidden {
            for import in imports.iter().filter(|_| floor.never.contains(word)) {
                assert!(!text.contains(import), "{}: {import}", path.display());
            }
        }
        let is_cli = module_of(&path) == "cli";
        assert!(is_cli || !text.contains("clap"), "{}: clap outside cli", path.display());
        // The runtime's timer, which measures how long something takes, tells no time of day.
        let has_timer = text.contains("use tokio::time::Instant");
        let has_clock = text.contains("SystemTime") || text.contains("Instant::now") && !has_timer;
        assert!(is_cli || !has_clock, "{}: a clock outside cli", path.display());
    }
}

#[test]
fn every_file_says_what_it_is_for_and_has_one_subject() {
    for (path, text) in sources() {
        assert!(text.starts_with("//! "), "{}: no header", path.display());
        let is_rule = path.parent().is_some_and(|folder| folder.ends_with("lint/rules"));
        let max = if is_rule { RULE_LINES_MAX } else { FILE_LINES_MAX };
        let lines = text.lines().count();
        assert!(lines <= max, "{}: {lines} lines, {max} at most", path.display());
        assert!(!text.contains("#[allow("), "{}: use #[expect(…, reason)]", path.display());
        for line in text.lines() {
            assert!(!line.ends_with(' '), "{}: a space at the end of: {line}", path.display());
        }
    }
}

#[test]
fn every_test_file_is_in_the_binary() {
    let binary = fs::read_to_string(package().join("tests/tests.rs")).expect("tests/tests.rs");
    for entry in fs::read_dir(package().join("tests")).expect("tests") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path.extension().is_some_and(|ending| ending == "rs") && stem != "tests" {
            assert!(binary.contains(&format!("mod {stem};")), "tests/{stem}.rs is not a module");
        }
    }
}
