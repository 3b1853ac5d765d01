//! The rules of the source that a compiler does not know: floors, sizes, headers, words.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::package;

/// The most lines of a source file; a longer one has more than one subject.
const FILE_LINES_MAX: usize = 400;
/// The most lines of a file with one rule; its documentation is in a Markdown file beside it.
const RULE_LINES_MAX: usize = 160;

/// One row of a table in a crate's documentation.
struct Floor {
    number: usize,
    never: String,
}

/// A package of the workspace: its short name and the directory of its sources.
struct Package {
    name: String,
    sources: PathBuf,
}

/// Returns the packages of the workspace, the root package first.
fn packages() -> Vec<Package> {
    let root = Package { name: "dibber".to_owned(), sources: package().join("src") };
    let crates = fs::read_dir(package().join("crates")).expect("crates");
    let mut packages: Vec<_> = crates
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            Package { name, sources: path.join("src") }
        })
        .collect();
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    packages.insert(0, root);
    packages
}

/// Returns the floors in the documentation of a crate; none if it has no table.
fn floors(package: &Package) -> BTreeMap<String, Floor> {
    let lib = fs::read_to_string(package.sources.join("lib.rs")).expect("lib.rs");
    let rows = lib.lines().filter_map(|line| line.strip_prefix("//! | "));
    rows.filter_map(|row| {
        let cells: Vec<_> = row.split(" |").map(str::trim).collect();
        let number = cells[0].parse().ok()?;
        let never = cells.get(3).copied().unwrap_or_default().to_owned();
        Some((cells[1].trim_matches('`').to_owned(), Floor { number, never }))
    })
    .collect()
}

/// Returns the source files of a package with their contents.
fn sources_of(package: &Package) -> Vec<(PathBuf, String)> {
    fn collect(directory: &Path, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, into);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                into.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    collect(&package.sources, &mut paths);
    paths.sort();
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a source file");
    paths.iter().map(|path| (path.clone(), read(path))).collect()
}

/// Returns the source files of every package.
fn sources() -> Vec<(PathBuf, String)> {
    packages().iter().flat_map(sources_of).collect()
}

/// Returns the top-level module of a package that a file belongs to.
fn module_of(package: &Package, path: &Path) -> String {
    let inside = path.strip_prefix(&package.sources).expect("a file of the package");
    let first = inside.components().next().expect("a name").as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// Returns the words that follow `prefix` in the code of a file.
fn words_after(text: &str, prefix: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split(prefix).skip(1))
        .map(|rest| rest.chars().take_while(|c| is_word(*c)).collect())
        .filter(|word: &String| !word.is_empty())
        .collect()
}

#[test]
fn imports_go_to_lower_floors() {
    let packages = packages();
    let of_packages = floors(&packages[0]);
    for package in &packages {
        let Some(own) = of_packages.get(&package.name).map(|floor| floor.number) else {
            panic!("`{}` is not in the table of src/lib.rs", package.name);
        };
        let modules = if package.name == "dibber" { BTreeMap::new() } else { floors(package) };
        for (path, text) in sources_of(package) {
            for import in words_after(&text, "dibber_") {
                let imported = of_packages.get(&import).map_or(usize::MAX, |floor| floor.number);
                assert!(imported < own, "{}: imports `{import}`", path.display());
            }
            let module = module_of(package, &path);
            if modules.is_empty() || module == "lib" {
                continue;
            }
            assert!(!text.contains("use crate::{"), "{}: name one module a line", path.display());
            let floor = modules.get(&module).unwrap_or_else(|| {
                panic!("`{module}` is not in the table of crates/{}/src/lib.rs", package.name);
            });
            for import in words_after(&text, "crate::").iter().filter(|import| **import != module) {
                let imported = modules.get(import).map_or(usize::MAX, |floor| floor.number);
                assert!(
                    imported < floor.number,
                    "{}: `{module}` imports `{import}`",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn every_row_of_a_table_is_a_package_or_module() {
    let packages = packages();
    for name in floors(&packages[0]).keys() {
        assert!(packages.iter().any(|package| package.name == *name), "src/lib.rs: `{name}`");
    }
    for package in &packages[1..] {
        let present: Vec<_> =
            sources_of(package).iter().map(|(path, _)| module_of(package, path)).collect();
        for module in floors(package).keys() {
            assert!(present.contains(module), "the table of `{}` names `{module}`", package.name);
        }
    }
}

/// What a row may forbid, with the strings that show it in the code.
const FORBIDDEN: [(&str, &[&str]); 4] = [
    ("I/O", &["std::fs", "std::net", "std::process", "std::env"]),
    ("opening files itself", &["std::fs", "std::net", "std::process", "std::env"]),
    ("serde", &["serde::", "serde_json::", "serde_yaml::"]),
    ("printing", &["std::io::stdout", "println!", "print!"]),
];

#[test]
fn no_package_uses_what_its_row_forbids() {
    let packages = packages();
    let of_packages = floors(&packages[0]);
    for package in &packages {
        let modules = if package.name == "dibber" { BTreeMap::new() } else { floors(package) };
        for (path, text) in sources_of(package) {
            let rows = [of_packages.get(&package.name), modules.get(&module_of(package, &path))];
            for floor in rows.into_iter().flatten() {
                for (word, strings) in FORBIDDEN {
                    for string in strings.iter().filter(|_| floor.never.contains(word)) {
                        assert!(!text.contains(string), "{}: {string}", path.display());
                    }
                }
            }
            let is_cli = package.name == "dibber";
            assert!(is_cli || !text.contains("clap"), "{}: clap outside cli", path.display());
            // The runtime's timer measures how long something takes and does not read the time of
            // day; the launcher of sandboxes measures the same, without a runtime.
            let has_timer = text.contains("use tokio::time::Instant") || package.name == "sandbox";
            let has_clock =
                text.contains("SystemTime") || text.contains("Instant::now") && !has_timer;
            assert!(is_cli || !has_clock, "{}: a clock outside cli", path.display());
        }
    }
}

#[test]
fn every_file_says_what_it_is_for_and_has_one_subject() {
    for (path, text) in sources() {
        assert!(text.starts_with("//! "), "{}: no header", path.display());
        let is_rule = text.contains("static RULE: Rule");
        let max = if is_rule { RULE_LINES_MAX } else { FILE_LINES_MAX };
        let lines = text.lines().count();
        assert!(lines <= max, "{}: {lines} lines, {max} at most", path.display());
        assert!(!text.contains("#[allow("), "{}: use #[expect(…, reason)]", path.display());
        for line in text.lines() {
            assert!(!line.ends_with(' '), "{}: a space at the end of: {line}", path.display());
        }
    }
}

/// Directories below `tests/` whose files are not modules of the test binary.
const NOT_MODULES: [&str; 5] = ["conformance", "growth", "packaging", "reference", "snapshots"];

/// Asserts that each file and directory below `directory` is a module of `parent`.
fn check_test_modules(directory: &Path, parent: &Path) {
    let parent_text = fs::read_to_string(parent).expect("a file with `mod` lines");
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path == parent || NOT_MODULES.contains(&stem.as_str()) {
            continue;
        }
        let is_module = parent_text.contains(&format!("mod {stem};"));
        assert!(is_module, "{} is not a module of {}", path.display(), parent.display());
        if path.is_dir() {
            check_test_modules(&path, &path.join("mod.rs"));
        }
    }
}

#[test]
fn every_test_file_is_in_the_binary() {
    let tests = package().join("tests");
    check_test_modules(&tests, &tests.join("tests.rs"));
}

/// Returns the snapshot files below a directory.
fn snapshots_below(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| if path.is_dir() { snapshots_below(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "snap"))
        .collect()
}

#[test]
fn every_snapshot_is_beside_its_test() {
    for snapshot in snapshots_below(&package().join("tests")) {
        let text = fs::read_to_string(&snapshot).expect("a snapshot");
        let source = text.lines().find_map(|line| line.strip_prefix("source: "));
        let source = package().join(source.expect("a source").trim_matches('"'));
        let beside = source.parent().expect("a directory").join("snapshots");
        assert!(source.exists(), "{}: its test does not exist", snapshot.display());
        assert!(snapshot.starts_with(&beside), "{}: its test is elsewhere", snapshot.display());
        let name = snapshot.file_name().expect("a name").to_string_lossy().into_owned();
        if let Some(module) = name.strip_prefix("tests__") {
            let relative = source.strip_prefix(package().join("tests")).expect("a test");
            let mut expected = String::new();
            for part in &relative.with_extension("") {
                expected.push_str(&part.to_string_lossy());
                expected.push_str("__");
            }
            assert!(module.starts_with(&expected), "{}", snapshot.display());
        }
    }
}
