//! One fault, one finding: which of two rules that find the same is heard.

use dibber::diagnostic::Level;

use crate::support::{Tree, setting};

/// The rules that are heard, in the order of their findings.
fn heard(archive: &str, allowed: &[&str]) -> Vec<&'static str> {
    let levels: Vec<_> = allowed.iter().map(|rule| setting(rule, Level::Allow)).collect();
    let found = Tree::from_archive(archive, false).lint(&levels);
    found.iter().map(|diagnostic| diagnostic.rule.id).collect()
}

fn skill(name: &str, description: &str, body: &str) -> String {
    format!(
        "-- trip-planner/SKILL.md --\n---\nname: {name}\ndescription: {description}\n---\n{body}\n"
    )
}

const DESCRIPTION: &str = "Plans a day trip. Use when somebody asks where to go at the weekend.";

#[test]
fn an_invalid_name_that_is_not_the_folders_either() {
    let archive = skill("Day_Trips", DESCRIPTION, "Ask how far.");
    assert_eq!(heard(&archive, &[]), ["invalid-name"]);
    assert_eq!(heard(&archive, &["invalid-name"]), ["name-not-directory"]);
}

#[test]
fn a_description_that_is_too_short_to_say_when() {
    let archive = skill("trip-planner", "Plans a day trip.", "Ask how far.");
    assert_eq!(heard(&archive, &[]), ["short-description"]);
    assert_eq!(heard(&archive, &["short-description"]), ["description-without-trigger"]);
}

#[test]
fn a_body_of_too_many_lines_and_tokens() {
    let body = "Ask how far they want to travel, and with whom, and what they like.\n".repeat(600);
    let archive = skill("trip-planner", DESCRIPTION, &body);
    assert_eq!(heard(&archive, &[]), ["long-body"]);
    assert_eq!(heard(&archive, &["long-body"]), ["heavy-body"]);
}

#[test]
fn a_missing_file_that_is_linked_and_mentioned() {
    let body = "See [the trains](references/trains.md).\n\nRead `references/trains.md` first.";
    let archive = skill("trip-planner", DESCRIPTION, body);
    let archive = archive + "-- trip-planner/references/buses.md --\nTake the bus.\n";
    let others = ["unreferenced-file"];
    assert_eq!(heard(&archive, &others), ["broken-link"]);
    assert_eq!(heard(&archive, &["unreferenced-file", "broken-link"]), ["missing-mentioned-file"]);
}
