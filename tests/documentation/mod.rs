//! The documentation: every path, link, command and output in it is true.

mod commands;
mod limits;
mod links;
mod markdown;

use std::fs;

use crate::support::package;

/// The files whose paths are checked.
const FILES: [&str; 6] = [
    "CONTRIBUTING.md",
    "SECURITY.md",
    "README.md",
    "packaging/README.md",
    "src/lib.rs",
    "crates/lint/src/report/mod.rs",
];

/// What a path of the repository begins with.
const ROOTS: [&str; 13] = [
    ".ci/",
    ".github/",
    "benches/",
    "completions",
    "crates/",
    "docs/",
    "examples/",
    "fixtures/",
    "packaging/",
    "src/",
    "tests/",
    "Cargo.toml",
    "deny.toml",
];

/// Returns the paths that `text` names in backticks or as the target of a link.
///
/// Of a path with a placeholder, such as `src/cli/<command>.rs`, it is the directory before it.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let in_backticks = text.split('`').skip(1).step_by(2);
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let is_path = |words: &&str| {
        ROOTS.iter().any(|root| words.starts_with(root)) && !words.contains([' ', '\n', '*'])
    };
    in_backticks.chain(targets).filter(is_path).map(|path| match path.split_once('<') {
        Some((before, _)) => before.rsplit_once('/').map_or("", |(directory, _)| directory),
        None => path,
    })
}

#[test]
fn every_path_in_the_documentation_exists() {
    let book = markdown::book().into_iter().map(|page| page.path);
    for file in FILES.map(str::to_owned).into_iter().chain(book) {
        let text = fs::read_to_string(package().join(&file)).expect(&file);
        for path in paths(&text) {
            assert!(package().join(path).exists(), "{file}: `{path}` does not exist");
        }
    }
}

#[test]
fn the_lists_for_contributors_name_their_registries() {
    let contributing = fs::read_to_string(package().join("CONTRIBUTING.md")).expect("a file");
    let sections: Vec<_> = contributing.split("\n### ").skip(1).collect();
    for (section, list) in [
        ("A rule", "RULES"),
        ("A report format", "FORMATS"),
        ("A command", "LOCAL_COMMANDS"),
        ("A tool of the server", "TOOLS"),
        ("A migration", "MIGRATIONS"),
        ("A template", "TEMPLATES"),
    ] {
        let section = sections.iter().find(|text| text.starts_with(section)).expect(section);
        let line = section.lines().find(|line| line.contains(&format!("`{list}`"))).expect(list);
        let path = paths(line).next().or_else(|| {
            let above = &section[..section.find(line).expect("a line of it")];
            paths(above).last()
        });
        let source = fs::read_to_string(package().join(path.expect("a path"))).expect("a file");
        assert!(source.contains(list), "{path:?} has no `{list}`");
    }
}
