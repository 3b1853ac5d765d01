//! Waivers: which findings they cover, and the findings about the waivers themselves.

use std::collections::BTreeSet;
use std::fmt::Write;

use dibber_lint::{Outcome, Rule, Settings, Waivers, config_diagnostics, report_findings};
use dibber_skill::config::{self, Config};
use dibber_skill::diagnostic::{Diagnostic, Finding, Group, Level, Place};
use dibber_skill::discover;
use dibber_skill::skill::{Bundle, Resource, Skill};
use dibber_text::{Source, Span};
use proptest::prelude::*;

use crate::support::{TODAY, Tree, only, outcome_of, setting, show, test_roster};

const FRONTMATTER: &str = "---\nname: trip\ndescription: Plans a day trip for the family. Use when somebody asks where to go.\n---\n";

/// Returns the outcome of findings with all waivers applied.
fn report(skill: &Skill, settings: &Settings, findings: Vec<Finding>) -> Outcome {
    report_findings(skill, settings, findings, Waivers::Apply)
}

fn rule(id: &str) -> &'static Rule {
    dibber_lint::rule(id).expect("a rule")
}

fn skill_at(path: &str, text: &str, resources: &[(&str, &str)]) -> Skill {
    let resources = resources.iter().map(|(name, text)| {
        Resource::new((*name).to_owned(), Source::new(format!("{path}/{name}"), *text))
    });
    let source = Source::new(format!("{path}/SKILL.md"), text);
    Skill::parse(Bundle::of_text(path, None), source, resources.collect())
}

fn skill(text: &str) -> Skill {
    skill_at("trip", text, &[])
}

fn config(text: &str) -> Config {
    let (config, errors) = config::parse(Source::new("dibber.toml", text));
    assert!(errors.is_empty(), "{errors:?}");
    config
}

fn settings(text: &str) -> Settings {
    Settings::new(Some(&config(text)), &[], TODAY).expect("known rules")
}

/// Returns the text with a `~` before each line on which a finding of `missing-name` is waived.
fn covered(text: &str) -> String {
    let skill = skill(&format!("{FRONTMATTER}{text}"));
    let lines = skill.source.lines();
    let mut out = String::new();
    for line in 1..=lines.count(skill.source.text()) {
        let span = lines.line_span(skill.source.text(), line);
        let finding = Finding::new(&rule("missing-name").meta, span, "found");
        let outcome = report(&skill, &Settings::default(), vec![finding]);
        if line > FRONTMATTER.lines().count() {
            let mark = if outcome.waived == 1 { "~ " } else { "  " };
            writeln!(out, "{}", format!("{mark}{}", skill.source.slice(span)).trim_end())
                .expect("a string");
        }
    }
    out
}

#[test]
fn a_comment_covers_its_line_and_the_block_that_follows() {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("waivers-cover", covered(r"# Title

<!-- dibber: allow missing-name — a paragraph -->
It has
two lines.

Not this one.

<!-- dibber: allow missing-name — with blank lines between -->


## Heading
Text below the heading.

- one <!-- dibber: allow missing-name — beside text: this line only -->
- two

<!-- dibber: allow missing-name — a list up to the blank line -->
- one
  more
- two

- three

<!-- dibber: allow missing-name — a table -->
| a | b |
|---|---|
| 1 | 2 |

after

<!-- dibber: allow missing-name — a fence with blank lines in it -->
```sh
one

two
```
after

- item

  <!-- dibber: allow missing-name — an indented fence -->
  ~~~
  one

  two
  ~~~

> <!-- dibber: allow missing-name — in a quote -->
> one
> two

<!-- dibber: allow missing-description — another rule -->
<!-- dibber: allow missing-name — two comments above one block -->
<!-- dibber: allow missing-description — and a third one -->
one
two

<!--
  dibber: allow missing-name — over several
  lines
-->
one

`<!-- dibber: allow missing-name — only an example -->`
two

```
<!-- dibber: allow missing-name — in code -->
three
```

Text. <!-- dibber: allow missing-name -- inline with two dashes -->
four

<!-- dibber: allow missing-name — unclosed code
-->
```
five

six"));
    });
}

#[test]
fn a_comment_at_the_end_covers_nothing_more() {
    assert_eq!(
        covered("a\n<!-- dibber: allow missing-name — end -->"),
        "  a\n~ <!-- dibber: allow missing-name — end -->\n"
    );
    assert_eq!(
        covered("<!-- dibber: allow missing-name — end -->\r\n\r\n \r\n"),
        "~ <!-- dibber: allow missing-name — end -->\n\n\n"
    );
}

#[test]
fn a_comment_in_the_frontmatter_covers_the_whole_skill() {
    let text = "---\nname: trip\n# dibber: allow missing-name — a test\n---\nText.\n";
    let skill = skill_at("trip", text, &[("references/a.md", "# A\n"), ("run.py", "1\n")]);
    let at = |rule_id: &str, place| Finding::at(&rule(rule_id).meta, place, "found");
    let findings = vec![
        at("missing-name", Place::SkillFile(Span::new(0, 3))),
        at("missing-name", Place::Resource(0, Span::new(0, 1))),
        at("missing-name", Place::Resource(1, Span::new(0, 1))),
        at("missing-name", Place::File("logo.png".to_owned())),
        at("missing-description", Place::File("logo.png".to_owned())),
    ];
    let outcome = report(&skill, &Settings::default(), findings);
    assert_eq!(outcome.waived, 4);
    assert_eq!(show(&outcome.diagnostics), "trip/logo.png: found\n");
}

#[test]
fn a_comment_in_the_manifest_covers_the_whole_skill() {
    for comment in [
        "# dibber: allow missing-name — a test\n",
        "label: Trip # dibber: allow missing-name — a test\n",
        "hands:\n  - a\n  # dibber: allow missing-name, missing-description -- a test\n  - b\n",
        "label: Trip\r\n## dibber: allow missing-name: a test\r\n",
        "hands: [a\n# dibber: allow missing-name — at the margin of a broken file\n",
    ] {
        let resources = [("references/a.md", "# A\n"), ("sprout.yaml", comment)];
        let skill = skill_at("trip", FRONTMATTER, &resources);
        let at = |place| Finding::at(&rule("missing-name").meta, place, "found");
        let findings = vec![
            at(Place::SkillFile(Span::new(0, 3))),
            at(Place::Resource(0, Span::new(0, 1))),
            at(Place::Resource(1, Span::new(0, 1))),
            at(Place::File("logo.png".to_owned())),
        ];
        let outcome = report(&skill, &Settings::default(), findings);
        assert_eq!((outcome.waived, outcome.diagnostics.len()), (4, 0), "{comment}");
    }
}

#[test]
fn text_that_is_not_a_comment_in_the_manifest_covers_nothing() {
    for (name, text) in [
        ("sprout.yaml", "summary: |\n  text\n  # dibber: allow missing-name — a text\n"),
        ("sprout.yaml", "label: 'Trip # dibber: allow missing-name — a text'\n"),
        ("sprout.yaml", "label: Trip# dibber: allow missing-name — a text\n"),
        ("sprout.yaml", "hands: [a\n  # dibber: allow missing-name — in a broken value\n"),
        ("sprout.yaml", "<!-- dibber: allow missing-name — Markdown -->\n"),
        ("assets/sprout.yaml", "# dibber: allow missing-name — another file\n"),
        ("other.yaml", "# dibber: allow missing-name — another file\n"),
    ] {
        let skill = skill_at("trip", FRONTMATTER, &[(name, text)]);
        let finding =
            Finding::at(&rule("missing-name").meta, Place::SkillFile(Span::new(0, 3)), "");
        let outcome = report(&skill, &Settings::default(), vec![finding]);
        assert_eq!((outcome.waived, outcome.diagnostics.len()), (0, 1), "{text}");
    }
}

#[test]
fn comments_in_a_skill_toml_cover_the_whole_skill() {
    for (text, waived) in [
        ("# dibber: allow missing-name — a test\n", 1),
        ("name = \"a.b\" # dibber: allow missing-name — a test\n", 1),
        ("name = 'a.b'\r\n  ## dibber: allow missing-name: a test\r\n[runtime]\r\n", 1),
        ("name = \"a\n# dibber: allow missing-name — after a line with an error\n", 1),
        ("name = \"\"\"\n# dibber: allow missing-name — a string\n\"\"\"\n", 0),
        ("name = 'a # dibber: allow missing-name — a string'\n", 0),
        ("'a # dibber: allow missing-name — a key' = 1\n", 0),
        ("name = [\"# dibber: allow missing-name — in a list\"]\n", 0),
        ("<!-- dibber: allow missing-name — Markdown -->\n", 0),
        ("# dibber: allow missing-name\n", 0),
    ] {
        let skill = skill_at("trip", FRONTMATTER, &[("skill.toml", text)]);
        let finding =
            Finding::at(&rule("missing-name").meta, Place::SkillFile(Span::new(0, 3)), "");
        let outcome = report(&skill, &Settings::default(), vec![finding]);
        assert_eq!(outcome.waived, waived, "{text}");
    }
}

#[test]
fn comments_in_the_manifest_are_judged_like_others() {
    let tree = Tree::new();
    tree.write("trip/SKILL.md", format!("{FRONTMATTER}# Trip\n\nPlan it.\n").as_bytes());
    let manifest = "\
        # dibber: allow unknown-manifest-key — read by a program of ours\n\
        # dibber: allow invalid-manifest, blank-label — nothing of that is here\n\
        # dibber: allow missing-name — nor this\n\
        # dibber: allow unknown-manifest-key\n\
        # dibber: allow unknown-manifest-kye — a slip\n\
        # dibber: alow secret — another one\n\
        label: Day trip\n\
        shelf: 3\n";
    tree.write("trip/sprout.yaml", manifest.as_bytes());
    let outcome = outcome_of(tree.path(), &[]);
    assert_eq!(outcome.waived, 1);
    insta::assert_snapshot!(show(&outcome.diagnostics));
}

#[test]
fn comments_are_read_in_markdown_resources_and_cover_those_alone() {
    let comment = "<!-- dibber: allow missing-name — a test -->\ntext\n";
    let resources = [("references/a.md", comment), ("b.MD", comment), ("c.txt", comment)];
    let skill = skill_at("trip", FRONTMATTER, &resources);
    let findings = (0..3).map(|index| {
        let place = Place::Resource(index, Span::new(comment.len() - 5, comment.len() - 1));
        Finding::at(&rule("missing-name").meta, place, "found")
    });
    let outcome = report(&skill, &Settings::default(), findings.collect());
    assert_eq!(show(&outcome.diagnostics), "trip/c.txt:2:1-2:5: found\n");

    let elsewhere = Finding::new(&rule("missing-name").meta, Span::new(4, 5), "found");
    assert_eq!(report(&skill, &Settings::default(), vec![elsewhere]).waived, 0);
}

#[test]
fn every_way_to_write_a_comment_counts() {
    let tree = Tree::new();
    let fixture = "fixtures/rules/malformed-waiver/quiet/forms/trip-planner/SKILL.md";
    let text = std::fs::read_to_string(crate::support::package().join(fixture)).expect("a fixture");
    for line in text.lines().filter(|line| line.contains("dibber")) {
        let text = match line.find('#') {
            Some(_) if line.starts_with("license") => format!("---\n{line}\n  MIT\n---\n"),
            Some(_) if line.starts_with(' ') => format!("---\nmetadata:\n{line}\n---\n"),
            Some(_) => format!("---\nversion: 1\n{line}\n---\n"),
            // A comment in the body cannot cover a missing name.
            None => continue,
        };
        tree.write("trip/SKILL.md", text.as_bytes());
        let outcome = outcome_of(tree.path(), &only("missing-name"));
        assert_eq!((outcome.waived, outcome.diagnostics.len()), (1, 0), "{line}");
    }
}

#[test]
fn a_waiver_in_the_file_covers_findings_of_its_rule_and_path() {
    let settings = settings(
        r#"
[[lint.waivers]]
rule = "missing-name"
path = "trip/references"
reason = "first"
[[lint.waivers]]
rule = "missing-name"
path = "**/*.png"
reason = "second"
[[lint.waivers]]
rule = "missing-description"
path = "trip"
reason = "third"
[[lint.waivers]]
rule = "missing-name"
path = "trip/logo.*"
reason = "fourth"
"#,
    );
    let skill = skill_at("trip", FRONTMATTER, &[("references/a.md", "# A\n")]);
    let at = |place| Finding::at(&rule("missing-name").meta, place, "found");
    let findings = vec![
        at(Place::Resource(0, Span::new(0, 1))),
        at(Place::File("logo.png".to_owned())),
        at(Place::SkillFile(Span::new(4, 8))),
    ];
    let outcome = report(&skill, &settings, findings);
    assert_eq!(outcome.used_waivers, BTreeSet::from([0, 1, 3]));
    assert_eq!(outcome.waived, 2);
    assert_eq!(show(&outcome.diagnostics), "trip/SKILL.md:2:1-2:5: found\n");
}

#[test]
fn a_finding_that_is_allowed_uses_no_waiver() {
    let text = r#"
[lint.levels]
missing-name = "allow"
[[lint.waivers]]
rule = "missing-name"
path = "**"
reason = "not needed"
"#;
    let outcome = dibber_lint::lint(
        &skill(
            "---\ndescription: Plans a day trip for the family. Use when somebody asks where to go.\n---\n",
        ),
        &settings(text),
    );
    assert_eq!((outcome.waived, outcome.used_waivers.len(), outcome.diagnostics.len()), (0, 0, 0));
}

#[test]
fn findings_in_excluded_files_and_levels_of_their_own_paths_count() {
    let settings = settings(
        r#"
[lint]
exclude = ["trip/vendor"]
[[lint.overrides]]
paths = ["trip/references"]
levels = { missing-name = "warn" }
[[lint.overrides]]
paths = ["**/*.png"]
levels = { missing-name = "allow" }
"#,
    );
    let skill = skill_at("trip", FRONTMATTER, &[("references/a.md", "# A\n"), ("vendor/b", "b")]);
    let at = |place| Finding::at(&rule("missing-name").meta, place, "found");
    let findings = vec![
        at(Place::SkillFile(Span::new(4, 8))),
        at(Place::Resource(0, Span::new(0, 1))),
        at(Place::Resource(1, Span::new(0, 1))),
        at(Place::File("logo.png".to_owned())),
    ];
    let outcome = report(&skill, &settings, findings);
    let found: Vec<_> =
        outcome.diagnostics.iter().map(|found| (found.path.as_str(), found.level)).collect();
    assert_eq!(found, [("trip/SKILL.md", Level::Deny), ("trip/references/a.md", Level::Warn)]);
}

#[test]
fn an_unused_waiver_is_reported_when_all_that_it_can_match_was_linted() {
    let config = config(
        r#"
[[lint.waivers]]
rule = "missing-name"
path = "skills/a/SKILL.md"
reason = "one file"
[[lint.waivers]]
rule = "missing-name"
path = "skills/*/x.md"
reason = "many files"
[[lint.waivers]]
rule = "missing-name"
path = "gone"
reason = "nothing"
[[lint.waivers]]
rule = "missing-name"
path = "skills/b/**"
reason = "expired"
expires = 2025-01-01
"#,
    );
    let config = config.seen_from("/home/kim/repo");
    let settings = Settings::new(Some(&config), &[], TODAY).expect("known rules");
    let lines = |used: &[usize], roots: &[&str]| {
        let used = used.iter().copied().collect();
        let found = config_diagnostics(&settings, &used, roots);
        found.iter().map(|found| found.range.as_ref().unwrap().start.line).collect::<Vec<_>>()
    };
    assert_eq!(lines(&[], &[""]), [4, 8, 12, 18]);
    assert_eq!(lines(&[0, 2], &[""]), [8, 18]);
    assert_eq!(lines(&[], &["/home/kim"]), [4, 8, 12, 18]);
    assert_eq!(lines(&[], &["../repo/skills"]), [4, 8, 18]);
    assert_eq!(lines(&[], &["skills/a"]), [4]);
    assert_eq!(lines(&[], &["skills/a/SKILL.md"]), [4]);
    assert_eq!(lines(&[], &["skills/b/deep"]), [18]);
    assert_eq!(lines(&[], &["skills/c", "gone"]), [12]);
    assert!(lines(&[], &["/home/tom"]).is_empty());
    let quiet = [setting("waivers", Level::Allow)];
    let quiet = Settings::new(Some(&config), &quiet, TODAY).expect("known rules");
    assert!(config_diagnostics(&quiet, &BTreeSet::new(), &[""]).is_empty());
}

#[test]
fn the_finding_of_an_expired_waiver_is_reported() {
    let tree = Tree::from_archive(
        "-- dibber.toml --
[[lint.waivers]]
rule = \"missing-name\"
path = \"trip\"
reason = \"a test\"
expires = 2025-12-31
-- trip/SKILL.md --
---
description: Plans a day trip for the family. Use when somebody asks where to go.
---
",
        false,
    );
    let outcome = outcome_of(tree.path(), &[]);
    let rules: Vec<_> = outcome.diagnostics.iter().map(|found| found.rule.id).collect();
    assert_eq!(rules, ["missing-name", "expired-waiver"]);
    assert_eq!(outcome.waived, 0);
}

#[test]
fn rules_about_waivers_cannot_be_waived_but_set() {
    let text = format!("{FRONTMATTER}<!-- dibber: allow missing-name -->\n");
    let found = |levels: &[_]| {
        let settings = Settings::new(None, levels, TODAY).expect("known rules");
        dibber_lint::lint(&skill(&text), &settings).diagnostics
    };
    assert_eq!(found(&[])[0].level, Level::Deny);
    assert_eq!(found(&[setting("malformed-waiver", Level::Warn)])[0].level, Level::Warn);
    assert!(found(&[setting("waivers", Level::Allow)]).is_empty());
}

#[test]
fn comments_beyond_the_limit_are_reported_as_ignored() {
    let comment = "<!-- dibber: allow missing-name — one of many -->\n\n";
    let outcome = dibber_lint::lint(
        &skill(&(FRONTMATTER.to_owned() + &comment.repeat(300))),
        &Settings::default(),
    );
    let malformed: Vec<_> =
        outcome.diagnostics.iter().filter(|found| found.rule.id == "malformed-waiver").collect();
    assert_eq!(malformed.len(), 1);
    assert_eq!(malformed[0].message, "the skill has more than 200 waivers");
    assert_eq!(malformed[0].range.as_ref().unwrap().start.line, 5 + 2 * 200);
    let about_waivers = |found: &&Diagnostic| found.rule.group == Group::Waivers;
    // The waivers that were read are all unused, and findings beyond the limit are counted.
    let unused = dibber_lint::REPORTED_MAX + 1;
    assert_eq!(outcome.diagnostics.iter().filter(about_waivers).count(), 1 + unused);
}

#[test]
fn hostile_comments_are_read_in_bounded_time() {
    let one = "<!-- dibber: allow missing-name — x -->";
    let long = |piece: &str| FRONTMATTER.to_owned() + &piece.repeat((1 << 18) / piece.len());
    let in_frontmatter = format!("---\n{}---\n", "# dibber: allow a — x\n".repeat(2_000));
    let many_lines =
        format!("{FRONTMATTER}{}{}", format!("{one}\na\n").repeat(200), "a\n".repeat(100_000));
    let texts = [
        long(one),
        long(&format!("{one}\n")),
        long("<!-- dibber: allow"),
        long("dibber:"),
        long("<!--dibber:"),
        long(&format!("{one}\n```\n")),
        long(&format!("- {one}\n")),
        long(&format!("a\n{one}\n")),
        long("<!-- dibber: allow a,"),
        long("          dibber:"),
        in_frontmatter,
        many_lines,
    ];
    for text in texts {
        let skill = skill(&text);
        skill.markdown();
        dibber_lint::lint(&skill, &Settings::default());
    }
}

#[test]
fn outcomes_are_joined_in_order() {
    let tree = Tree::from_archive(
        "-- a/SKILL.md --\n---\nlicense: MIT\n# dibber: allow missing-name — a test\n---\n\
         -- b/SKILL.md --\n---\ndescription: Plans a day trip for the family. Use when somebody asks where to go.\n# dibber: allow missing-name — a test\n---\n",
        false,
    );
    let (skills, _) = discover::find(&[tree.path().to_owned()]);
    let mut all = Outcome::default();
    for found in &skills {
        all.extend(dibber_lint::lint(
            &discover::load(found).expect("a skill"),
            &Settings::default(),
        ));
    }
    assert_eq!(all.waived, 2);
    assert_eq!(all.diagnostics.len(), 1);
}

/// Pieces of comments, valid and broken.
const PIECES: [&str; 22] = [
    "<!-- dibber: allow missing-name — why -->",
    "# dibber: allow missing-name — why",
    "<!--",
    "-->",
    "dibber:",
    "allow",
    "missing-name",
    ",",
    "—",
    "--",
    "why",
    "\n",
    "\n\n",
    " ",
    "```\n",
    "- ",
    "> ",
    "| a |\n",
    "---\n",
    "name: |\n",
    "\r\n",
    "é",
];

proptest! {
    #[test]
    fn any_comments_can_be_read(
        pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..60),
    ) {
        let text = pieces.concat();
        for text in [format!("---\n{text}"), format!("{FRONTMATTER}{text}")] {
            let outcome = dibber_lint::lint(&skill(&text), &Settings::default());
            for found in &outcome.diagnostics {
                let span = found.range.as_ref().expect("a place").span;
                prop_assert!(text.get(span.range()).is_some(), "{span:?} in {text:?}");
            }
        }
    }
}

#[test]
fn a_comment_with_endless_rules_is_malformed() {
    let names = "missing-nme, ".repeat(20_000);
    let text = format!("{FRONTMATTER}<!-- dibber: allow {names} — x -->\n");
    let outcome = dibber_lint::lint(&skill(&text), &Settings::default());
    let messages: Vec<_> = outcome.diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert!(messages.contains(&"the waiver names more than 20 rules"), "{messages:?}");
}

#[test]
fn a_waiver_of_names_is_unused_only_where_there_are_names() {
    let skill = skill(&format!(
        "{FRONTMATTER}\n<!-- dibber: allow child-name — the author's own -->\nBy the author.\n"
    ));
    let toml = "[[lint.waivers]]\nrule = \"child-name\"\npath = \"trip\"\nreason = \"x\"\n";
    let unused = |settings: &Settings| {
        let here = dibber_lint::lint(&skill, settings).diagnostics;
        let in_configuration = config_diagnostics(settings, &BTreeSet::new(), &["trip"]);
        let all = here.into_iter().chain(in_configuration);
        all.filter(|diagnostic| diagnostic.rule.id == "unused-waiver").count()
    };
    assert_eq!(unused(&settings(toml)), 0);
    assert_eq!(unused(&settings(toml).with_roster(test_roster())), 2);
}
