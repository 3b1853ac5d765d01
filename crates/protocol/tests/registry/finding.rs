//! Which directories are skills.

use std::fs;

use dibber_protocol::ProblemEffect;
use dibber_skill::contract::skills_protocol::{ListDetail, ListSkills, RpcReason};

use crate::support::{GUIDE, Shelf, listed, open, pages, problem, refusal};

#[test]
fn skills_are_found_at_any_depth_in_the_order_of_their_names() {
    let shelf = Shelf::new();
    shelf.skill("z/family.dates.countdown", "family.dates.countdown", "1.0.0");
    shelf.skill("a.b", "a.b", "0.1.0");
    shelf.skill("deep/er/still/a.b@0.2.0", "a.b", "0.2.0");
    shelf.skill("ab.c", "ab.c", "1.0.0");
    shelf.plain("plain/bedtime-story", "bedtime-story");
    shelf.write("notes/README.md", "no skill");
    let index = shelf.registry().index();
    let expected =
        ["a.b 0.2.0", "ab.c 1.0.0", "bedtime-story 0.0.0", "family.dates.countdown 1.0.0"];
    assert_eq!(listed(&index), expected);
    assert_eq!(index.problems(), []);
}

#[test]
fn what_is_in_a_skill_is_part_of_it_unless_it_is_a_root() {
    let shelf = Shelf::new();
    shelf.skill("outer.one", "outer.one", "1.0.0");
    shelf.skill("outer.one/resources/inner.one", "inner.one", "1.0.0");
    assert_eq!(listed(&shelf.registry().index()), ["outer.one 1.0.0"]);
    let index = open([shelf.root("outer.one")]).index();
    assert_eq!(listed(&index), ["inner.one 1.0.0", "outer.one 1.0.0"]);
}

#[test]
fn a_skill_without_a_manifest_is_an_instruction_in_the_namespace_of_its_root() {
    let shelf = Shelf::new();
    shelf.plain("home/bedtime-story", "bedtime-story");
    shelf.plain("home/lower", "lower-case");
    fs::rename(shelf.path("home/lower/SKILL.md"), shelf.path("home/lower/skill.md")).expect("it");
    let index = open([shelf.root("home")]).index();
    let summary = ListSkills { detail: Some(ListDetail::Summary), ..ListSkills::default() };
    let items = pages(&index, &ListSkills { namespace: Some("home".to_owned()), ..summary });
    let shown: Vec<_> = items
        .iter()
        .map(|item| (&*item.name, item.namespace.as_deref(), item.kind.as_deref()))
        .collect();
    let (home, kind) = (Some("home"), Some("instruction"));
    assert_eq!(shown, [("bedtime-story", home, kind), ("lower-case", home, kind)]);
    assert_eq!(items[0].description.as_deref(), Some("Does bedtime-story."));
    assert_eq!(items[0].version.as_deref(), Some("0.0.0"));
}

#[test]
fn a_directory_with_problems_is_skipped_and_reported() {
    let shelf = Shelf::new();
    shelf.skill("good.one", "good.one", "1.0.0");
    shelf.write("bad.one/skill.toml", "name = \"Bad One\"\nversion = \"1\"\n");
    shelf.write("broken.one/skill.toml", "name = [");
    shelf.write("no.name/SKILL.md", "no frontmatter");
    shelf.write("dotted/SKILL.md", "---\nname: a.b\ndescription: It.\n---\n");
    shelf.write("silent/SKILL.md", "---\nname: silent\n---\n");
    shelf.write("large.one/skill.toml", "#".repeat((64 << 10) + 1));
    let index = shelf.registry().index();
    assert_eq!(listed(&index), ["good.one 1.0.0"]);
    let shown = |path: &str| {
        let problem = problem(&index, &shelf.path(path));
        assert_eq!(problem.effect, ProblemEffect::Skipped);
        assert!(!problem.help.is_empty(), "{problem:?}");
        problem.reason
    };
    assert_eq!(shown("bad.one"), "skill.toml:1: `skill.toml` has no `description` (and 3 more)");
    assert!(shown("broken.one").starts_with("skill.toml:1: "), "{}", shown("broken.one"));
    assert_eq!(shown("no.name"), "`SKILL.md` has no `name`");
    assert_eq!(shown("dotted"), "`a.b` is not a valid name of a skill without `skill.toml`");
    assert_eq!(shown("silent"), "`SKILL.md` has no `description`");
    assert_eq!(shown("large.one"), "`skill.toml` is larger than 64 KiB");
    assert_eq!(index.problems().len(), 6);
}

#[test]
fn an_unknown_key_is_reported_and_the_skill_is_served() {
    let shelf = Shelf::new();
    let manifest = crate::support::manifest("a.b", "1.0.0") + "author = \"me\"\n";
    shelf.write("a.b/skill.toml", manifest);
    let index = shelf.registry().index();
    assert_eq!(listed(&index), ["a.b 1.0.0"]);
    let problem = problem(&index, &shelf.path("a.b"));
    assert_eq!(problem.effect, ProblemEffect::Served);
    assert_eq!(problem.reason, "skill.toml: `author` is not a key of `skill.toml`");
}

#[test]
fn of_the_same_name_and_version_the_first_root_is_served() {
    let shelf = Shelf::new();
    shelf.skill("second/a.b", "a.b", "1.0.0");
    shelf.skill("first/z", "a.b", "1.0.0+build.7");
    shelf.skill("second/a.b@2.0.0", "a.b", "2.0.0");
    let index = open([shelf.root("first"), shelf.root("second")]).index();
    assert_eq!(listed(&index), ["a.b 2.0.0"]);
    let found = index.find("a.b", Some("1.0.0")).expect("a skill");
    assert_eq!(found.version.to_string(), "1.0.0+build.7");
    let other = problem(&index, &shelf.path("second/a.b"));
    assert!(other.reason.starts_with("`a.b` 1.0.0 is also in `"), "{other:?}");
    assert_eq!(index.problems().len(), 1);
}

#[test]
fn roots_that_share_a_directory_are_no_problem() {
    let shelf = Shelf::new();
    shelf.skill("all/a.b", "a.b", "1.0.0");
    let index = open([shelf.root("all"), shelf.root(""), shelf.root("all/a.b")]).index();
    assert_eq!(listed(&index), ["a.b 1.0.0"]);
    assert_eq!(index.problems(), []);
}

#[test]
fn a_root_that_does_not_exist_is_a_problem() {
    let shelf = Shelf::new();
    shelf.skill("there/a.b", "a.b", "1.0.0");
    shelf.write("file", "");
    let index = open([shelf.root("missing"), shelf.root("file"), shelf.root("there")]).index();
    assert_eq!(listed(&index), ["a.b 1.0.0"]);
    let missing = problem(&index, &shelf.path("missing"));
    assert_eq!(missing.reason, "the directory does not exist");
    assert_eq!(problem(&index, &shelf.path("file")).reason, "the directory is not a directory");
}

#[test]
fn the_name_of_the_guide_is_reserved() {
    let shelf = Shelf::new();
    shelf.skill("skills.protocol.guide", GUIDE, "9.9.9");
    let index = shelf.registry().index();
    assert_eq!(index.find(GUIDE, None).expect("the guide").version.to_string(), "0.1.0");
    let reserved = problem(&index, &shelf.path(GUIDE));
    assert_eq!(reserved.reason, "`skills.protocol.guide` is the name of the built-in guide");
    refusal(index.find(GUIDE, Some("9.9.9")), RpcReason::VersionNotFound);
}

#[test]
fn an_unknown_name_is_refused_with_what_was_probably_meant() {
    let shelf = Shelf::new();
    for number in 0..300 {
        let name = format!("many.skills.number{number}");
        shelf.skill(&name, &name, "1.0.0");
    }
    shelf.skill("family.dates.countdown", "family.dates.countdown", "1.0.0");
    let index = shelf.registry().index();
    for (name, help) in [
        ("family-dates-countdown", "did you mean `family.dates.countdown`?"),
        ("family.date.countdown", "did you mean `family.dates.countdown`?"),
        ("family.dates", "it is a namespace: call `list_skills` with the namespace `family.dates`"),
        ("xyz", "call `list_skills` for the names"),
        ("", "call `list_skills` for the names"),
        (
            "family.dates.countdown@1.0.0",
            "write `family.dates.countdown` as the name, and the version in `version`",
        ),
    ] {
        let shown = refusal(index.find(name, None), RpcReason::SkillNotFound);
        assert_eq!(shown, format!("there is no skill `{name}`; {help}"));
    }
    let hostile = "\u{1b}[31m".repeat(5000);
    let shown = refusal(index.find(&hostile, None), RpcReason::SkillNotFound);
    assert!(shown.len() < 500 && !shown.contains('\u{1b}'), "{shown}");
}
