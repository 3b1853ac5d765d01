//! `dibber config show`: the settings that count here, and where each comes from.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::support::command::Dibber;
use crate::support::{Tree, package};

const PROJECT: &str = "\
[lint]
exclude = [\"drafts\"]

[lint.levels]
long-body = \"deny\"

[[lint.overrides]]
paths = [\"skills/old\"]
levels = { all = \"allow\" }

[server]
url = \"http://127.0.0.1:1/mcp\"
";

struct Place(Tree);

impl Place {
    fn new() -> Self {
        let tree = Tree::new();
        tree.write("project/.git/HEAD", b"");
        Self(tree)
    }

    fn show(&self, arguments: &[&str]) -> Dibber {
        let path = self.0.path();
        Dibber::new(["config", "show"])
            .arguments(arguments)
            .in_directory(&path.join("project"))
            .data(&path.join("data"))
            .env("HOME", &path.to_string_lossy())
            .env("XDG_CONFIG_HOME", &path.join("config").to_string_lossy())
            .env("DIBBER_NAMES", &path.join("names").to_string_lossy())
            .env("PAGER", "more")
            .env("COLUMNS", "80")
    }

    fn shown(&self, arguments: &[&str]) -> String {
        self.show(arguments).run().show_without(self.0.path())
    }
}

#[test]
fn every_setting_has_its_origin() {
    let place = Place::new();
    let mut shown = place.shown(&[]);
    place.0.write("project/dibber.toml", PROJECT.as_bytes());
    place.0.write(
        "config/dibber/dibber.toml",
        b"[server]\nurl = \"https://example.org\"\n\n[safety]\ncommand = [\"check\", \"--key=hunter2\"]\n",
    );
    shown += &place.shown(&[]);
    let typed = ["--server", "https://example.net/mcp", "--timeout", "5", "--color", "never"];
    let run = place.show(&typed).env("DIBBER_TOKEN", "dib_hunter2hunter2hunter2");
    shown += &run.run().show_without(place.0.path());
    assert!(!shown.contains("hunter2"), "{shown}");
    assert_snapshot!(shown);
}

/// Returns the line of a setting.
fn line<'a>(shown: &'a str, name: &str) -> &'a str {
    let start = format!("{name} = ");
    shown.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{shown}"))
}

#[test]
fn a_variable_that_sets_nothing_is_not_the_origin() {
    let place = Place::new();
    let zone = |value: &str| {
        let shown = place.show(&[]).env("TZ", value).run().stdout;
        line(&shown, "time-zone").to_owned()
    };
    let unknown = zone("Mars");
    assert!(unknown.ends_with("; `TZ` is not a known zone"), "{unknown}");
    assert!(!unknown.contains("# TZ"), "{unknown}");
    assert!(zone(":/nowhere").ends_with("; `TZ` is not a known zone"));
    let path = ":/usr/share/zoneinfo/Europe/Berlin";
    assert_eq!(zone(path), "time-zone = Europe/Berlin  # TZ");
    let local = zone(":/etc/localtime");
    assert!(local.ends_with("# this computer") || local.ends_with("# default"), "{local}");
    let shown = place.show(&[]).env("PAGER", "").run().stdout;
    assert_eq!(line(&shown, "pager"), "pager = none  # PAGER");
}

#[test]
fn the_clock_is_that_of_the_locale() {
    let place = Place::new();
    let clock = |variable: &str, value: &str| {
        let none = place.show(&[]).env("LANG", "").env("LC_ALL", "").env("LC_TIME", "");
        let shown = none.env(variable, value).run().stdout;
        line(&shown, "clock").to_owned()
    };
    assert_eq!(clock("LC_TIME", "de_DE.UTF-8"), "clock = 24 hours  # LC_TIME");
    assert_eq!(clock("LANG", "en_US.UTF-8"), "clock = 12 hours  # LANG");
    assert_eq!(clock("LANG", ""), "clock = 12 hours  # default");
}

#[test]
fn a_file_that_names_the_default_is_the_origin() {
    let place = Place::new();
    place.0.write("project/dibber.toml", b"[server]\nurl = \"local\"\n");
    assert_eq!(line(&place.shown(&[]), "server"), "server = local  # dibber.toml:2");
}

#[test]
fn a_family_has_its_zone() {
    let place = Place::new();
    assert!(!place.shown(&[]).contains("family."));
    assert!(!place.0.path().join("data/dibber.db").exists());
    let made = Dibber::new(["family", "add-member", "Grandma"]).data(&place.0.path().join("data"));
    assert_eq!(made.run().code, 0);
    assert_eq!(
        line(&place.shown(&[]), "family.time-zone"),
        "family.time-zone = America/New_York  # FOLDER/data/dibber.db"
    );
}

#[test]
fn what_is_invalid_does_not_hide_the_rest() {
    let place = Place::new();
    place.0.write("project/dibber.toml", b"[lint.levels]\nlong-body = \"deny\"\n\n[servr]\n");
    assert_snapshot!(place.shown(&[]));
}

#[test]
fn json_is_of_its_schema() {
    let place = Place::new();
    place.0.write("project/dibber.toml", PROJECT.as_bytes());
    let ended = place.show(&["--json"]).run();
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let schema = package().join("schemas/config.schema.json");
    let schema = serde_json::from_slice(&fs::read(schema).expect("a schema")).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    assert!(validator.is_valid(&json), "{json:#}");
    let items = json["items"].as_array().expect("a list");
    let server = items.iter().find(|item| item["name"] == "server").expect("the server");
    assert_eq!((&server["origin"], &server["line"]), (&"file".into(), &12.into()));
}
