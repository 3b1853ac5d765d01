//! `dibber.toml`: what it means, and how an invalid one is reported.

use std::fmt::Write;

use dibber_lint::{LevelSetting, Settings};
use dibber_skill::config::{self, Config, ConfigError};
use dibber_skill::diagnostic::{Level, LevelSource};
use dibber_skill::skill::{Bundle, Skill};
use dibber_text::Source;
use proptest::prelude::*;

use crate::support::{TODAY, setting};

fn parse(text: &str) -> Config {
    parse_at("dibber.toml", text)
}

fn parse_at(path: &str, text: &str) -> Config {
    let (config, errors) = config::parse(Source::new(path, text));
    assert!(errors.is_empty(), "{}", show(&errors));
    config
}

fn settings(text: &str) -> Settings {
    settings_of(&parse(text), &[])
}

fn settings_of(config: &Config, command_line: &[LevelSetting]) -> Settings {
    Settings::new(Some(config), command_line, TODAY).expect("known rules")
}

/// Every error, of the file and of its names, as a person would see it.
fn errors(text: &str) -> String {
    let (config, mut errors) = config::parse(Source::new("dibber.toml", text));
    errors.extend(Settings::new(Some(&config), &[], TODAY).err().into_iter().flatten());
    show(&errors)
}

fn show(errors: &[ConfigError]) -> String {
    let mut out = String::new();
    for error in errors {
        writeln!(out, "{error}").expect("a string");
        if let (Some(range), Some(line)) = (&error.range, &error.line) {
            let before: String = line.chars().take(range.start.column - 1).collect();
            let end = (before.len() + range.span.len()).min(line.len());
            writeln!(out, "  at: {:?}", &line[before.len()..end]).expect("a string");
        }
        if let Some(help) = &error.help {
            writeln!(out, "  help: {}", help.shown(&())).expect("a string");
        }
    }
    out
}

fn assert_errors(name: &str, errors: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(format!("config-{name}"), errors);
    });
}

fn level_at(settings: &Settings, path: &str, rule: &str) -> Level {
    settings.levels_for(path).get(&dibber_lint::rule(rule).expect("a rule").meta).level
}

fn reason(settings: &Settings, path: &str, rule: &str) -> String {
    settings.levels_for(path).get(&dibber_lint::rule(rule).expect("a rule").meta).source.to_string()
}

#[test]
fn an_empty_file_changes_nothing() {
    for text in ["", "\u{FEFF}", "# nothing\n", "[lint]\n", "[lint.levels]\r\n"] {
        let settings = settings(text);
        assert_eq!(level_at(&settings, "a/SKILL.md", "missing-name"), Level::Deny, "{text:?}");
        assert!(!settings.is_excluded("a/SKILL.md"), "{text:?}");
        assert!(!settings.has_overrides(), "{text:?}");
    }
}

#[test]
fn a_rule_counts_more_than_its_group_and_a_group_more_than_all() {
    let settings =
        settings("[lint.levels]\nmissing-name = \"deny\"\nall = \"allow\"\nspec = \"warn\"\n");
    assert_eq!(level_at(&settings, "SKILL.md", "missing-name"), Level::Deny);
    assert_eq!(level_at(&settings, "SKILL.md", "missing-description"), Level::Warn);
    assert_eq!(level_at(&settings, "SKILL.md", "unused-waiver"), Level::Allow);
    assert_eq!(reason(&settings, "SKILL.md", "missing-name"), "`missing-name` at dibber.toml:2");
    assert_eq!(reason(&settings, "SKILL.md", "unused-waiver"), "`all` at dibber.toml:3");
    assert_eq!(reason(&Settings::default(), "x", "missing-name"), LevelSource::Default.to_string());
}

#[test]
fn later_overrides_win_and_the_command_line_wins_over_all() {
    let config = parse(
        r#"
[lint.levels]
missing-name = "allow"

[[lint.overrides]]
paths = ["drafts", "skills/*/old/**"]
levels = { missing-name = "warn", missing-description = "allow" }

[[lint.overrides]]
paths = ["drafts/final"]
levels = { spec = "deny" }
"#,
    );
    let settings = settings_of(&config, &[]);
    let levels = |path: &str| {
        (
            level_at(&settings, path, "missing-name"),
            level_at(&settings, path, "missing-description"),
        )
    };
    assert_eq!(levels("skills/a/SKILL.md"), (Level::Allow, Level::Deny));
    assert_eq!(levels("drafts/a/SKILL.md"), (Level::Warn, Level::Allow));
    assert_eq!(levels("drafts-2/a/SKILL.md"), (Level::Allow, Level::Deny));
    assert_eq!(levels("skills/a/old/b/SKILL.md"), (Level::Warn, Level::Allow));
    assert_eq!(levels("skills/a/b/old/SKILL.md"), (Level::Allow, Level::Deny));
    assert_eq!(levels("drafts/final/SKILL.md"), (Level::Deny, Level::Deny));
    assert_eq!(reason(&settings, "drafts/final/x", "missing-name"), "`spec` at dibber.toml:11");

    let settings = settings_of(&config, &[setting("missing-name", Level::Deny)]);
    assert_eq!(level_at(&settings, "drafts/a/SKILL.md", "missing-name"), Level::Deny);
    assert_eq!(level_at(&settings, "drafts/a/SKILL.md", "missing-description"), Level::Allow);
    assert_eq!(reason(&settings, "drafts/a", "missing-name"), "`--level missing-name=deny`");
}

#[test]
fn a_rule_runs_when_some_path_enables_it() {
    let found = |settings: &Settings, directory: &str| {
        let source = Source::new(format!("{directory}/SKILL.md"), "---\nlicense: MIT\n---\n");
        let skill = Skill::parse(Bundle::of_text(directory, None), source, Vec::new());
        let outcome = dibber_lint::lint(&skill, settings);
        outcome.diagnostics.iter().map(|found| found.rule.id).collect::<Vec<_>>()
    };
    let allowed = "[lint.levels]\nall = \"allow\"\n";
    assert!(found(&settings(allowed), "a").is_empty());
    let some =
        format!("{allowed}[[lint.overrides]]\npaths=['a']\nlevels={{missing-name='warn'}}\n");
    assert_eq!(found(&settings(&some), "a"), ["missing-name"]);
    assert!(found(&settings(&some), "b").is_empty());
    let off = settings_of(&parse(&some), &[setting("missing-name", Level::Allow)]);
    assert!(found(&off, "a").is_empty());
}

#[test]
fn excluded_paths_are_files_directories_and_globs() {
    let settings =
        settings("[lint]\nexclude = [\"vendor\", \"./tmp/\", \"**/old/*.md\", \"a[b]/{x,y}\"]");
    for path in ["vendor", "vendor/a/SKILL.md", "tmp/SKILL.md", "x/old/SKILL.md", "ab/y/SKILL.md"] {
        assert!(settings.is_excluded(path), "{path}");
    }
    for path in ["vendors/a/SKILL.md", "a/vendor/SKILL.md", "x/old/b/SKILL.txt", "ab/z"] {
        assert!(!settings.is_excluded(path), "{path}");
    }
}

#[test]
fn patterns_are_relative_to_the_directory_of_their_file() {
    let text = "[lint]\nexclude = [\"skills/a\"]\n";
    let excluded = |config: &Config, path: &str| settings_of(config, &[]).is_excluded(path);

    let below = parse_at("project/dibber.toml", text);
    assert!(excluded(&below, "project/skills/a/SKILL.md"));
    assert!(excluded(&below, "project/./skills/b/../a/SKILL.md"));
    assert!(!excluded(&below, "skills/a/SKILL.md"));
    assert!(!excluded(&below, "project/../skills/a/SKILL.md"));

    let absolute = parse_at("/home/kim/dibber.toml", text);
    assert!(excluded(&absolute, "/home/kim/skills/a/SKILL.md"));
    assert!(!excluded(&absolute, "/home/kimberly/skills/a/SKILL.md"));
    assert!(!excluded(&absolute, "skills/a/SKILL.md"));

    let above = parse_at("../dibber.toml", text);
    assert!(!excluded(&above, "a/SKILL.md"), "the current folder's name is not known");
    let above = above.seen_from("/home/kim/skills");
    assert!(excluded(&above, "a/SKILL.md"));
    assert!(excluded(&above, "./a"));
    assert!(excluded(&above, "/home/kim/skills/a/SKILL.md"));
    assert!(excluded(&above, "../skills/a/SKILL.md"));
    assert!(!excluded(&above, "../a/SKILL.md"));
    assert!(!excluded(&above, "/home/tom/skills/a/SKILL.md"));

    let on_windows = parse_at("C:/repo/dibber.toml", text).seen_from("C:/repo/skills");
    assert!(excluded(&on_windows, "a/SKILL.md"));
    assert!(excluded(&on_windows, "C:/repo/skills/a/SKILL.md"));
    assert!(!excluded(&on_windows, "D:/repo/skills/a/SKILL.md"));
}

#[test]
fn every_error_is_reported_with_its_span_and_help() {
    assert_errors(
        "every-kind",
        &errors(
            r#"
lints = 1
[outer]
url = "x"
[lint]
excludes = ["a"]
exclude = ["a[", "/etc", "../up", "", 5, "C:\\x"]
[lint.levels]
missing-nam = "deny"
quite-another-thing = "deny"
spec = "error"
security = "wran"
writing = 3
portability = "very strict"
[[lint.overrides]]
path = ["a"]
levels = { missing-descriptoin = "allow", structure = true }
[[lint.overrides]]
paths = []
levels = []
[[lint.overrides]]
paths = "a"
[[lint.waivers]]
rule = "missing-nmae"
path = "{a"
reason = "  "
[[lint.waivers]]
rule = "spec"
path = "a"
reason = "a group"
expires = "2027-02-30"
[[lint.waivers]]
rule = "unused-waiver"
path = ["a"]
resaon = "a slip"
expires = 2027-01-31T10:00:00
[[lint.waivers]]
"#,
        ),
    );
}

#[test]
fn syntax_errors_do_not_draw_others_after_them() {
    assert_errors(
        "syntax",
        &errors(
            r#"
[lint.level]
[[lint.waivers]]
rule = "missing-name
path = a b
reason = "x"
expires = 2027-02-30
[lint
exclud = 1
"#,
        ),
    );
}

#[test]
fn a_date_that_does_not_exist_hides_no_other_error() {
    assert_errors(
        "date",
        &errors(
            "[[lint.waivers]]\nexpires = 2027-02-30\nrule = 'missing-name'\npath = 'a'\n[linter]\n",
        ),
    );
}

#[test]
fn files_that_are_not_utf8_or_too_large_are_refused() {
    let (_, errors) =
        config::parse(Source::from_bytes("dibber.toml", b"[lint]\n# \xFF\n".to_vec()));
    assert_eq!(show(&errors), "dibber.toml:2:3: the file is not UTF-8 from here on\n  at: \"?\"\n");
    let large = " ".repeat(config::CONFIG_BYTES_MAX + 1);
    let (_, errors) = config::parse(Source::new("dibber.toml", large));
    assert_eq!(errors.len(), 1);
    let deep = format!("a = {}", "[".repeat(100_000));
    let (_, errors) = config::parse(Source::new("dibber.toml", deep));
    assert!(!errors.is_empty());
    let many = "a = 2027-02-30\nb b\n".repeat(5_000);
    let (_, errors) = config::parse(Source::new("dibber.toml", many));
    assert!(errors.len() >= 5_000);
}

#[test]
fn unknown_rules_on_the_command_line_are_errors() {
    let errors = Settings::new(None, &[setting("missing-nam", Level::Deny)], TODAY)
        .expect_err("there is no such rule");
    assert_eq!(
        show(&errors),
        "--level missing-nam=deny: unknown rule or group `missing-nam`\n  \
         help: did you mean `missing-name`?\n"
    );
}

/// Pieces that a configuration is made of, whole and broken.
const PIECES: [&str; 30] = [
    "[lint]",
    "[lint.levels]",
    "[[lint.overrides]]",
    "[[lint.waivers]]",
    "[[",
    "]",
    "=",
    "\n",
    " ",
    "rule",
    "path",
    "paths",
    "levels",
    "exclude",
    "reason",
    "expires",
    "missing-name",
    "\"deny\"",
    "2027-01-31",
    "\"",
    "'''",
    "{",
    "}",
    ",",
    "#",
    "é",
    "\u{FEFF}",
    "\"**/a\"",
    "\"[é\"",
    "1",
];

proptest! {
    #[test]
    fn parsing_never_panics_and_places_lie_inside(
        pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..60),
    ) {
        let text = pieces.concat();
        let (config, mut errors) = config::parse(Source::new("dibber.toml", text.as_str()));
        errors.extend(Settings::new(Some(&config), &[], TODAY).err().into_iter().flatten());
        for error in &errors {
            let span = error.range.as_ref().expect("a place").span;
            prop_assert!(text.get(span.range()).is_some(), "{error}: {span:?} in {text:?}");
        }
        for waiver in &config.waivers {
            prop_assert!(text.get(waiver.path.span.range()).is_some());
            prop_assert!(text.get(waiver.rule_span.range()).is_some());
        }
    }

    #[test]
    fn any_text_can_be_parsed(text in any::<String>()) {
        let (_, errors) = config::parse(Source::new("dibber.toml", text.as_str()));
        for error in &errors {
            let span = error.range.as_ref().expect("a place").span;
            prop_assert!(text.get(span.range()).is_some(), "{error}: {span:?} in {text:?}");
        }
    }
}

#[test]
fn a_pattern_has_a_limited_length() {
    for pattern in ["a", "?", "ab*", "[!a]", "{a,b}", "a/**/"] {
        let longest = pattern.repeat(4_095 / pattern.len());
        let config = parse(&format!("[lint]\nexclude = ['{longest}x']"));
        assert_eq!(config.exclude.len(), 1);
        assert!(!config.exclude[0].matches("b"), "{pattern}");
    }
    let long = "a".repeat(4_097);
    let waiver = format!("[[lint.waivers]]\nrule = 'secret'\nreason = 'r'\npath = '{long}'\n");
    let overrides = format!("[[lint.overrides]]\npaths = ['b', '{long}']\nlevels = {{}}\n");
    let exclude = format!("[lint]\nexclude = ['{long}', 'c']\n");
    for text in [waiver, overrides, exclude] {
        let (_, errors) = config::parse(Source::new("dibber.toml", text.clone()));
        let [error] = &errors[..] else { panic!("one error is expected: {}", show(&errors)) };
        assert_eq!(
            error.message.shown(&()).to_string(),
            "the path pattern is longer than 4096 bytes"
        );
        let span = error.range.as_ref().expect("a place").span;
        assert_eq!(&text[span.range()], format!("'{long}'"));
    }
}

#[test]
fn patterns_that_are_compiled_are_limited_and_paths_are_not() {
    let list = |pattern: &str, count| vec![format!("'{pattern}'"); count].join(",\n");
    assert_eq!(parse(&format!("lint.exclude = [{}]", list("a/b", 5_000))).exclude.len(), 5_000);
    assert_eq!(parse(&format!("lint.exclude = [{}]", list("*.b", 1_000))).exclude.len(), 1_000);
    let errors = errors(&format!("lint.exclude = [{}]", list("*.b", 5_000)));
    assert_eq!(
        errors.lines().next(),
        Some("dibber.toml:1001:1: more than 1000 path patterns with `*` or `?`")
    );
    assert_eq!(errors.matches("dibber.toml:").count(), 1);
}
