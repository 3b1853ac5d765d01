//! Every link of the documentation has a target, and the book has a table of contents.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use dibber_lint::report::{Color, Context, Style, Summary, format, open};
use dibber_lint::{RULES, UNCHECKED_SKILL};
use dibber_skill::diagnostic::Level;

use super::markdown::{BOOK, Page, book};
use crate::support::package;

/// Documents outside of the book whose links are checked.
const OTHERS: [&str; 5] =
    ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "packaging/README.md"];

/// Returns the path to which a link in a file leads, without `..`.
fn target_of(file: &str, link: &str) -> PathBuf {
    let mut path = PathBuf::from(file);
    path.pop();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => assert!(path.pop(), "{file}: `{link}` leads out"),
            part => path.push(part),
        }
    }
    path
}

/// Returns what is wrong with a link of a page.
fn problem(page: &Page, link: &str) -> Option<String> {
    if link.starts_with("https://") {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target =
        if path.is_empty() { page.path.clone().into() } else { target_of(&page.path, path) };
    let exists = package().join(&target).is_file();
    if !exists && !package().join(&target).is_dir() {
        return Some("does not exist".to_owned());
    }
    if page.path.starts_with(BOOK) && !target.starts_with(BOOK) {
        return Some("leads out of the book, which is read without the repository".to_owned());
    }
    if anchor.is_empty() {
        return None;
    }
    let anchors = Page::read(&target.to_string_lossy()).anchors();
    let is_there = anchors.iter().any(|other| other == anchor);
    (!is_there).then(|| format!("has no such heading; it has {anchors:?}"))
}

#[test]
fn every_link_has_a_target() {
    let others = OTHERS.map(Page::read);
    let mut problems = Vec::new();
    for page in others.iter().chain(&book()) {
        // Rules quote links that are broken on purpose.
        if page.path == "docs/src/rules.md" {
            continue;
        }
        for link in page.links() {
            if let Some(problem) = problem(page, &link) {
                problems.push(format!("{}: `{link}` {problem}", page.path));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_summary_lists_every_page_once() {
    let summary = Page::read("docs/src/SUMMARY.md");
    let links = summary.links();
    let listed: BTreeSet<_> = links.iter().map(|link| format!("{BOOK}/{link}")).collect();
    assert_eq!(listed.len(), links.len(), "a page is listed twice: {links:?}");
    let pages = book().into_iter().map(|page| page.path);
    let present: BTreeSet<_> = pages.filter(|path| *path != summary.path).collect();
    assert_eq!(listed, present);
}

/// The title is also the entry of the table of contents, so that a reader recognises it.
#[test]
fn every_page_has_the_title_under_which_it_is_listed() {
    let summary = Page::read("docs/src/SUMMARY.md");
    for entry in summary.text.split('[').skip(1) {
        let (title, rest) = entry.split_once("](").expect("a link");
        let path = rest.split(')').next().expect("a target");
        let page = Page::read(&format!("{BOOK}/{path}"));
        assert_eq!(page.text.lines().next(), Some(format!("# {title}").as_str()), "{path}");
    }
}

#[test]
fn every_help_address_of_a_rule_leads_to_its_heading() {
    let rules = RULES.iter().map(|rule| &rule.meta).chain([&UNCHECKED_SKILL]);
    let context = Context {
        style: Style { color: Color::Never, width: 80 },
        rules: rules.collect(),
        version: "1.2.3",
        homepage: "https://example.com/dibber",
        fails_on: Level::Deny,
        repository: None,
    };
    let mut bytes = Vec::new();
    let mut report = open(format("sarif").expect("a format"), context);
    report.begin(&mut bytes);
    report.end(&Summary::default(), &mut bytes);
    let report: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    let rules = report["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    assert_eq!(rules.len(), RULES.len() + 1);
    let mut anchors = BTreeMap::new();
    for rule in rules {
        let address = rule["helpUri"].as_str().expect("an address");
        let place = address.strip_prefix("https://example.com/dibber/blob/v1.2.3/");
        let (path, anchor) = place.expect(address).split_once('#').expect("an anchor");
        let anchors = anchors.entry(path.to_owned()).or_insert_with(|| Page::read(path).anchors());
        assert!(anchors.iter().any(|other| other == anchor), "{address}");
    }
}
