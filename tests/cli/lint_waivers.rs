//! `dibber lint --add-waivers`: the comments that it writes, and what it leaves alone.

use super::names_hidden::private_list;
use crate::support::Tree;
use crate::support::command::Dibber;

/// Findings in the frontmatter, in a list, a table, code and a paragraph; that in code is about security.
const GARDEN: &str = "-- skills/garden/SKILL.md --
---
name: garden
description: Waters the plants on the balcony. Use when somebody asks about dry soil.
author: Ada
---

# Garden

- The [tap](references/tap.md) and the [hose](references/hose.md).
- Water it

| tool | where |
|---|---|
| can | [shed](references/shed.md) |

Run this:

```sh
cat /home/ada/plants.txt
```

TODO: say when
";

const REASON: [&str; 3] = ["--add-waivers", "--reason", "known since the first version"];

fn garden() -> Tree {
    Tree::from_archive(GARDEN, false)
}

fn lint(tree: &Tree, arguments: &[&str]) -> String {
    let run = Dibber::lint(tree.path(), ["--format", "concise"]).arguments(arguments).run();
    run.show_without(tree.path())
}

fn add(tree: &Tree, arguments: &[&str]) -> String {
    lint(tree, &[&REASON[..], arguments].concat())
}

#[test]
fn every_finding_gets_a_comment_but_errors_about_security() {
    let tree = garden();
    let before = lint(&tree, &[]);
    let added = add(&tree, &[]);
    let after = tree.read("skills/garden/SKILL.md");
    insta::assert_snapshot!(format!("{before}\n{added}----- SKILL.md -----\n{after}"));
    // Nothing is left to waive, and no comment is unused.
    insta::assert_snapshot!(add(&tree, &[]));
    assert_eq!(tree.read("skills/garden/SKILL.md"), after);
}

#[test]
fn errors_about_security_are_waived_by_name() {
    let tree = garden();
    let deny = ["--level", "security=deny"];
    let run = |select: &[&str]| add(&tree, &[&deny[..], select].concat());
    let group = run(&["--select", "security"]);
    let name = run(&["--select", "home-path"]);
    let after = tree.read("skills/garden/SKILL.md");
    insta::assert_snapshot!(format!("{group}\n{name}----- SKILL.md -----\n{after}"));
}

#[test]
fn a_dry_run_shows_the_comments() {
    let tree = garden();
    let before = tree.read("skills/garden/SKILL.md");
    let run = Dibber::lint(tree.path(), REASON).arguments(&["-n"]).run();
    insta::assert_snapshot!(run.show_without(tree.path()));
    assert_eq!(tree.read("skills/garden/SKILL.md"), before);
}

#[test]
fn line_ends_and_line_breaks_stay() {
    let tree = Tree::new();
    let text = "---\nname: a\ndescription: Plans trips by train. Use it when a trip is planned for \
                the family.\n---\n\n# A\n\n[one](one.md)  \nnext\n";
    tree.write("a/SKILL.md", text.replace('\n', "\r\n").as_bytes());
    add(&tree, &[]);
    insta::assert_snapshot!(dibber_text::escape(&tree.read("a/SKILL.md")));
}

#[test]
fn many_findings_of_one_rule_share_a_comment() {
    let tree = Tree::new();
    let links: String = (0..12).map(|number| format!("[{number}]({number}.md)\n\n")).collect();
    let text = format!(
        "---\nname: a\ndescription: Plans trips by train. Use it when a trip is planned for the \
         family.\n---\n\n# A\n\n{links}"
    );
    tree.write("a/SKILL.md", text.as_bytes());
    add(&tree, &[]);
    let expected = text.replacen(
        "---\n",
        "---\n# dibber: allow broken-link — known since the first version\n",
        1,
    );
    assert_eq!(tree.read("a/SKILL.md"), expected);
}

/// The line at which a body becomes too long is another one after every change.
#[test]
fn the_length_of_the_body_is_waived_for_the_whole_skill() {
    let tree = Tree::new();
    let head = "---\nname: garden\ndescription: Waters the plants on the balcony. Use when somebody \
                asks about dry soil.\n---\n";
    let text = format!("{head}\n# Garden\n{}", "\nWater it.\n".repeat(300));
    tree.write("skills/garden/SKILL.md", text.as_bytes());
    let added = add(&tree, &[]);
    let after = tree.read("skills/garden/SKILL.md");
    let comment = "# dibber: allow long-body — known since the first version\n";
    assert_eq!(after, text.replacen("---\n", &format!("---\n{comment}"), 1), "{added}");
    let longer = after.replace("# Garden\n", "# Garden\n\nFirst of all:\n");
    tree.write("skills/garden/SKILL.md", longer.as_bytes());
    assert_eq!(lint(&tree, &[]).matches("long-body").count(), 0);
}

#[test]
fn a_finding_in_another_file_is_waived_for_the_whole_skill() {
    let tree = garden();
    let other = "# Soil\n\nThe [worms](worms.md).\n";
    tree.write("skills/garden/references/soil.md", other.as_bytes());
    add(&tree, &["--select", "broken-link"]);
    let after = tree.read("skills/garden/SKILL.md");
    let comment = "# dibber: allow broken-link — known since the first version\n";
    assert_eq!(after.replacen(comment, "", 1), garden().read("skills/garden/SKILL.md"));
    assert_eq!(tree.read("skills/garden/references/soil.md"), other);
}

#[test]
fn without_a_frontmatter_there_is_no_place_for_a_comment() {
    let tree = Tree::new();
    tree.write("a/SKILL.md", b"# A\n\n[one](one.md)\n");
    let shown = add(&tree, &[]);
    insta::assert_snapshot!(format!("{shown}----- SKILL.md -----\n{}", tree.read("a/SKILL.md")));
}

#[test]
fn arguments_that_do_not_go_together() {
    let tree = garden();
    let runs: [&[&str]; 6] = [
        &["--add-waivers"],
        &["--reason", "known"],
        &["--add-waivers", "--reason", " "],
        &["--add-waivers", "--reason", "a --> b"],
        &["--add-waivers", "--reason", "a\nb"],
        &["--add-waivers", "--reason", "known", "--since", "HEAD"],
    ];
    let all = runs.iter().map(|arguments| {
        format!(
            "$ dibber lint {}\n{}\n",
            arguments.join(" ").escape_debug(),
            lint(&tree, arguments)
        )
    });
    insta::assert_snapshot!(all.collect::<String>());
}

#[test]
fn a_report_of_new_waivers_lists_no_fixes() {
    let tree = garden();
    let json = Dibber::lint(tree.path(), REASON).arguments(&["--json", "--quiet"]).run();
    let value: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(value["fixed"], serde_json::json!([]));
    assert_eq!(value["summary"]["fixed"], 0);
    assert_ne!(value["summary"]["waived"], 0);
}

#[test]
fn a_reason_that_no_output_shows_is_not_written() {
    let tree = garden();
    let list = private_list("Zebulonka");
    let before = tree.read("skills/garden/SKILL.md");
    let names = list.path().join("names").to_string_lossy().into_owned();
    let key = format!("AKIA{}", "QYLPMN5HHHFPZAM2");
    let runs = ["for zebulonka", &format!("the key {key}")].map(|reason| {
        let run = Dibber::lint(tree.path(), ["--add-waivers", "--reason", reason, "skills"]);
        run.env("DIBBER_NAMES", &names).run().show_without(tree.path())
    });
    insta::assert_snapshot!(runs.join("\n"));
    assert_eq!(tree.read("skills/garden/SKILL.md"), before);
}

/// What a waived finding has hidden is found, and waived, in the same run.
#[test]
fn one_run_is_enough() {
    let skill =
        "-- trips/SKILL.md --\n---\nname: trips\ndescription: Reads <rss> feeds.\n---\n\n# Trips\n";
    let tree = Tree::from_archive(skill, false);
    add(&tree, &[]);
    let after = tree.read("trips/SKILL.md");
    assert!(after.contains("description-without-trigger"), "{after}");
    add(&tree, &[]);
    assert_eq!(tree.read("trips/SKILL.md"), after);
}
