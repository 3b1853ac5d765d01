//! `dibber add`, `list`, `verify`, `update` and `remove`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::thread;

use serde_json::Value;

use dibber_catalog::well_known::plan_site;
use dibber_catalog::{ArchiveFormat, ArchiveLayout, Catalog, ContentsLimits, write_archive};

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};

const GOOD: &str = "\
---
name: good
description: Waters plants. Use it for dry soil.
license: MIT
allowed-tools: Read
---

# Good

Look at the soil.
";

/// A project, and a source of skills beside it.
struct World {
    tree: Tree,
}

impl World {
    fn new() -> Self {
        let tree = Tree::new();
        tree.write("source/skills/good/SKILL.md", GOOD.as_bytes());
        tree.write("source/skills/good/scripts/run.py", b"print(1)\n");
        tree.write("source/skills/also/SKILL.md", GOOD.replace("good", "also").as_bytes());
        tree.write("project/dibber.toml", b"");
        Self { tree }
    }

    fn project(&self) -> std::path::PathBuf {
        self.tree.path().join("project")
    }

    fn run(&self, line: &str) -> Ended {
        let words = line.split(' ');
        Dibber::new(words).in_directory(&self.project()).env("HOME", &self.home()).run()
    }

    fn home(&self) -> String {
        self.tree.path().display().to_string()
    }

    fn expect(&self, line: &str, code: i32) -> Ended {
        let ended = self.run(line);
        assert_eq!(ended.code, code, "{line}: {}", ended.show());
        ended
    }

    fn json(&self, line: &str, schema: &str) -> Value {
        let value: Value = serde_json::from_str(&self.run(line).stdout).expect("JSON");
        let file = crate::support::package().join(format!("schemas/{schema}.schema.json"));
        let schema = serde_json::from_str(&fs::read_to_string(file).expect("text")).expect("JSON");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let problems: Vec<_> = validator.iter_errors(&value).map(|it| it.to_string()).collect();
        assert!(problems.is_empty(), "{line}: {problems:?}\n{value:#}");
        value
    }

    /// Makes the source a repository, or commits what has changed in it.
    fn commit(&self) -> String {
        let git = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.arg("-C").arg(self.tree.path().join("source"));
            command.args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b",
                "-c",
                "core.autocrlf=false",
            ]);
            let output = command.args(arguments).output().expect("git");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        };
        git(&["init", "--quiet", "--initial-branch=main"]);
        git(&["add", "."]);
        git(&["-c", "commit.gpgSign=false", "commit", "--quiet", "-m", "x"]);
        git(&["rev-parse", "HEAD"])
    }

    fn repository(&self) -> String {
        format!("file://{}", self.tree.path().join("source").display())
    }

    fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.tree.read(path);
        assert!(text.contains(from), "{path}: {text}");
        self.tree.write(path, text.replace(from, to).as_bytes());
    }

    fn states(&self) -> Vec<(String, String)> {
        let listed = self.json("list --json", "list");
        let field = |item: &Value, key| item[key].as_str().expect("a string").to_owned();
        let items = listed["items"].as_array().expect("items").iter();
        items.map(|item| (field(item, "path"), field(item, "state"))).collect()
    }
}

fn states(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(path, state)| ((*path).to_owned(), (*state).to_owned())).collect()
}

#[test]
fn a_skill_of_a_repository_is_shown_added_verified_and_removed() {
    let world = World::new();
    let commit = world.commit();
    let source = world.repository();
    let several = world.expect(&format!("add {source}"), 2);
    assert!(several.stderr.contains("the source has 2 skills: also, good"), "{}", several.show());
    let unsure = world.expect(&format!("add {source} --skill good"), 2);
    for shown in ["Waters plants.", "MIT", "Read", "scripts/run.py (ending)", &commit] {
        assert!(unsure.stdout.contains(shown), "{shown}: {}", unsure.show());
    }
    assert_eq!(world.states(), []);
    world.expect(&format!("add {source} --skill good --dry-run"), 0);
    assert_eq!(world.states(), []);

    let line = format!("add {source} --skill good --client agents --client claude-code --yes");
    world.expect(&line, 0);
    let places = [(".agents/skills/good", "current"), (".claude/skills/good", "current")];
    assert_eq!(world.states(), states(&places));
    let lock = world.tree.read("project/dibber.lock");
    assert!(lock.contains(&format!("revision = \"git:{commit}\"")), "{lock}");
    world.expect("verify --frozen", 0);
    let again = world.expect(&line, 0);
    assert!(again.stderr.contains("as it was added"), "{}", again.show());

    world.expect("remove other --yes", 5);
    world.expect("remove good", 2);
    let planned = world.json("remove good --dry-run --json", "remove");
    assert_eq!(planned["isApplied"], false);
    world.expect("remove good --yes", 0);
    assert_eq!(world.states(), []);
    assert!(!world.project().join(".agents/skills/good").exists());
}

#[test]
fn changes_of_a_file_are_found_and_edits_are_kept() {
    let world = World::new();
    world.expect("add ../source --skill good --yes", 0);
    world.edit("project/.agents/skills/good/SKILL.md", "Look", "Peek");
    world.tree.write("project/.agents/skills/good/more.md", b"more");
    world.tree.remove("project/.agents/skills/good/scripts/run.py");
    world.expect("verify", 1);
    let verified = world.json("verify --json", "list");
    let kinds: Vec<_> = verified["items"][0]["differences"]
        .as_array()
        .expect("differences")
        .iter()
        .map(|it| {
            (it["path"].as_str().unwrap_or_default(), it["kind"].as_str().unwrap_or_default())
        })
        .collect();
    let expected = [("SKILL.md", "changed"), ("more.md", "extra"), ("scripts/run.py", "missing")];
    assert_eq!(kinds, expected);

    world.edit("source/skills/good/SKILL.md", "allowed-tools: Read", "allowed-tools: Read Bash");
    let refused = world.expect("update --yes", 1);
    assert!(refused.stderr.contains("was edited here"), "{}", refused.show());
    assert!(world.tree.read("project/.agents/skills/good/SKILL.md").contains("Peek"));
    world.expect("remove good --yes", 1);
    let shown = world.expect("update --force --dry-run", 0);
    for part in ["allowed-tools: Read -> Read, Bash", "-Peek at the soil.", "discarded"] {
        assert!(shown.stdout.contains(part), "{part}: {}", shown.show());
    }
    let applied = world.json("update good --force --yes --json", "add");
    assert_eq!(applied["items"][0]["changes"]["fields"][0]["field"], "allowed-tools");
    world.expect("verify", 0);
    assert!(world.tree.read("project/.agents/skills/good/SKILL.md").contains("Read Bash"));
}

#[test]
fn frozen_installs_what_is_recorded_and_nothing_else() {
    let world = World::new();
    world.commit();
    world.expect(&format!("add {} --skill good --yes", world.repository()), 0);
    world.expect("add ../source/skills/also --yes", 0);
    world.edit("source/skills/good/SKILL.md", "Look", "Peek");
    world.commit();
    fs::remove_dir_all(world.project().join(".agents")).expect("a removal");
    let planned = world.json("add --frozen --dry-run --json", "add");
    assert_eq!(planned["items"].as_array().map(Vec::len), Some(2));
    let before = world.tree.read("project/dibber.lock");
    world.expect("add --frozen", 0);
    world.expect("verify --frozen", 0);
    assert_eq!(world.tree.read("project/dibber.lock"), before);
    assert!(world.tree.read("project/.agents/skills/good/SKILL.md").contains("Look"));
    // A folder has no versions.
    world.edit("source/skills/also/SKILL.md", "Look", "Peek");
    fs::remove_dir_all(world.project().join(".agents/skills/also")).expect("a removal");
    let refused = world.expect("add --frozen", 3);
    assert!(refused.stderr.contains("other files than dibber.lock records"), "{}", refused.show());
    world.tree.write("project/.claude/skills/local/SKILL.md", GOOD.as_bytes());
    world.expect("verify --frozen", 1);
}

#[test]
fn what_may_harm_is_refused_unless_it_is_allowed() {
    let world = World::new();
    let hidden = GOOD.replace("Look", "\u{202e}Look");
    world.tree.write("source/skills/good/SKILL.md", hidden.as_bytes());
    let refused = world.expect("add ../source/skills/good --yes", 3);
    assert!(refused.stderr.contains("--allow-findings"), "{}", refused.show());
    assert!(refused.stdout.contains("(hidden-unicode)"), "{}", refused.show());
    assert!(!refused.stdout.contains('\u{202e}'));
    assert_eq!(world.states(), []);
    world.expect("add ../source/skills/good --yes --allow-findings", 0);
}

#[test]
fn a_folder_and_its_archive_are_the_same_skill() {
    let world = World::new();
    world.expect("add ../source --skill good --yes", 0);
    let digest = |lock: &str| {
        let line = lock.lines().find(|line| line.starts_with("digest = "));
        line.expect("a digest").to_owned()
    };
    let first = digest(&world.tree.read("project/dibber.lock"));
    let catalog = Catalog::read(&[world.tree.path().join("source/skills/good")]);
    let (contents, _) = catalog.skills[0].read(ContentsLimits::ACCEPTED);
    let contents = contents.expect("a skill");
    for (format, file) in [(ArchiveFormat::Zip, "good.zip"), (ArchiveFormat::TarGz, "good.tar.gz")]
    {
        let bytes = write_archive(&contents, format, ArchiveLayout::Root).expect("an archive");
        world.tree.write(file, &bytes);
        world.expect("remove good --yes", 0);
        world.expect(&format!("add ../{file} --yes"), 0);
        assert_eq!(digest(&world.tree.read("project/dibber.lock")), first);
        fs::remove_dir_all(world.project().join(".agents")).expect("a removal");
        world.expect("add --frozen", 0);
        world.tree.write(file, b"PK");
        fs::remove_dir_all(world.project().join(".agents")).expect("a removal");
        world.expect("add --frozen", 3);
    }
}

/// Serves files until the test ends, and returns the address.
fn serve(files: BTreeMap<String, Vec<u8>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for stream in listener.incoming().take(100) {
            let Ok(mut stream) = stream else { return };
            let mut lines = BufReader::new(&stream).lines();
            let request = lines.next().and_then(Result::ok).unwrap_or_default();
            for line in lines {
                if line.is_ok_and(|line| line.is_empty()) {
                    break;
                }
            }
            let path = request.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
            let (status, body) = match files.get(path) {
                Some(body) => ("200 OK", body.as_slice()),
                None => ("404 Not Found", b"".as_slice()),
            };
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        }
    });
    address
}

#[test]
fn a_skill_of_a_site_is_added() {
    let world = World::new();
    let catalog = Catalog::read(&[world.tree.path().join("source")]);
    let site = plan_site(&catalog, ContentsLimits::ACCEPTED);
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for file in &site.files {
        files.insert(file.path.clone(), file.bytes.clone());
    }
    let address = serve(files);
    world.expect(&format!("add {address} --skill good --yes"), 0);
    assert_eq!(world.states(), states(&[(".agents/skills/good", "current")]));
    let text = world.tree.read("project/.agents/skills/good/scripts/run.py");
    assert_eq!(text, "print(1)\n");
    world.expect(&format!("add {address}/none.zip --yes"), 5);
    let none = world.expect("add http://127.0.0.1:1/ --yes", 6);
    assert!(none.stderr.contains("127.0.0.1"), "{}", none.show());
}

#[cfg(unix)]
#[test]
fn a_link_keeps_one_copy_for_several_clients() {
    let world = World::new();
    world.expect("add ../source --skill good --client agents --link --yes", 2);
    world.expect("add ../source --skill good --client claude-code --client cursor --link --yes", 0);
    let link = world.project().join(".claude/skills/good");
    let led = fs::read_link(&link).expect("a link");
    assert_eq!(led, Path::new("../../.agents/skills/good"));
    world.edit("source/skills/good/SKILL.md", "Look", "Peek");
    world.expect("update --yes", 0);
    assert!(world.tree.read("project/.cursor/skills/good/SKILL.md").contains("Peek"));
    world.expect("verify --frozen", 0);
    world.expect("remove good --yes", 0);
    assert!(fs::symlink_metadata(link).is_err());
}

#[test]
fn skills_of_another_installer_are_listed_and_taken_over() {
    let world = World::new();
    let lock = r#"{"version": 1, "skills": {
        "good": {"source": "../source", "sourceType": "local", "computedHash": "0",
                 "skillPath": "skills/good/SKILL.md"},
        "other": {"source": "x", "sourceType": "node_modules", "computedHash": "0"}}}"#;
    world.tree.write("project/skills-lock.json", lock.as_bytes());
    world.tree.write("project/.agents/skills/good/SKILL.md", GOOD.as_bytes());
    world.tree.write("project/.agents/skills/mine/SKILL.md", GOOD.as_bytes());
    let expected = [(".agents/skills/good", "foreign"), (".agents/skills/mine", "local")];
    assert_eq!(world.states(), states(&expected));
    world.expect("add --from-lock skills-lock.json --yes", 1);
    let added = world.expect("add --from-lock skills-lock.json --force --yes", 0);
    assert!(added.stderr.contains("`other` has a source that is not supported"));
    let expected = [(".agents/skills/good", "current"), (".agents/skills/mine", "local")];
    assert_eq!(world.states(), states(&expected));
}

#[test]
fn skills_of_a_user_are_below_the_home_folder() {
    let world = World::new();
    world.expect("add ../source --skill good --client amp --user --yes", 0);
    assert!(world.tree.path().join(".config/agents/skills/good/SKILL.md").is_file());
    assert!(world.tree.read(".agents/dibber.lock").contains("source = \"./source\""));
    world.expect("verify --user --frozen", 0);
    world.expect("update --user --yes", 0);
    world.expect("remove good --user --yes", 0);
    assert!(!world.project().join("dibber.lock").exists());
}

#[test]
fn wrong_invocations_say_what_to_write() {
    let world = World::new();
    for (line, code, part) in [
        ("add", 2, "SOURCE"),
        ("add none", 2, "does not exist"),
        ("add ./none", 5, "cannot open"),
        ("add ../source --skill goo", 5, "did you mean `good`?"),
        ("add ../source --all --client claude", 2, "claude-code"),
        ("add ext::sh --yes", 2, "scheme"),
        ("add mcp:stdio:sh", 2, "configured server"),
        ("update none", 5, "`dibber list`"),
        ("add --frozen ../source", 2, "--frozen"),
    ] {
        let ended = world.expect(line, code);
        assert!(ended.stderr.contains(part), "{line}: {}", ended.show());
    }
    world.tree.write("project/dibber.lock", b"version = 2\n[[added]]\nname = \"../x\"\n");
    for line in ["add ../source --all --yes", "list", "verify", "update", "remove good --yes"] {
        let ended = world.expect(line, 2);
        assert!(ended.stderr.contains("dibber.lock"), "{line}: {}", ended.show());
    }
}

#[test]
fn what_is_lost_is_shown_at_each_place() {
    let world = World::new();
    world.expect("add ../source --skill good --client agents --client claude-code --yes", 0);
    world.tree.write("project/.agents/skills/good/one.md", b"first work\n");
    world.edit("project/.claude/skills/good/SKILL.md", "Look at", "Second work at");
    world.edit("source/skills/good/SKILL.md", "the soil.", "the leaves.");
    let shown = world.expect("update --force --dry-run", 0);
    for lost in [".agents/skills/good/one.md", "first work", "Second work"] {
        assert!(shown.stdout.contains(lost), "{lost}: {}", shown.show());
    }
    let own = GOOD.replace("good", "also").replace("Look at", "My own work at");
    world.tree.write("project/.agents/skills/also/SKILL.md", own.as_bytes());
    world.tree.write("project/.agents/skills/also/notes.txt", b"mine\n");
    world.expect("add ../source --skill also --dry-run", 1);
    let shown = world.expect("add ../source --skill also --force --dry-run", 0);
    assert!(shown.stdout.contains("notes.txt"), "{}", shown.show());
    assert!(shown.stdout.contains("-My own work"), "{}", shown.show());
}

#[test]
fn an_update_leaves_edits_of_what_has_not_changed_and_passes_over_what_may_harm() {
    let world = World::new();
    world.expect("add ../source --all --yes", 0);
    world.edit("project/.agents/skills/good/SKILL.md", "Look", "Do not look");
    let ended = world.expect("update --yes", 0);
    assert!(!ended.stderr.contains("--force"), "{}", ended.show());
    world.expect("update --force --dry-run", 0);
    // One of two has something that may harm; the other is still updated.
    world.expect("add ../source --skill good --force --yes", 0);
    let hidden = "Look\u{200b} \u{202e}at";
    world.edit("source/skills/good/SKILL.md", "Look at", hidden);
    world.edit("source/skills/also/SKILL.md", "the soil.", "the leaves.");
    let ended = world.expect("update --yes", 3);
    assert!(ended.stderr.contains("`good` has security findings"), "{}", ended.show());
    assert!(ended.stderr.contains("installed `also`"), "{}", ended.show());
    assert!(world.tree.read("project/.agents/skills/also/SKILL.md").contains("the leaves."));
}

#[test]
fn a_revision_can_be_changed_and_is_said_to_stay() {
    let world = World::new();
    let first = world.commit();
    let source = world.repository();
    world.expect(&format!("add {source}@{first} --skill good --yes"), 0);
    world.edit("source/skills/good/SKILL.md", "the soil.", "the leaves.");
    world.commit();
    let ended = world.expect("update", 0);
    assert!(ended.stderr.contains(&format!("`good` stays at `{first}`")), "{}", ended.show());
    let ended = world.expect(&format!("add {source}@main --skill good --yes"), 0);
    assert!(ended.stdout.contains(&format!("{first} ->")), "{}", ended.show());
    let other = world.expect("add ../source --skill good --yes", 1);
    assert!(other.stderr.contains("a skill of this name was added from"), "{}", other.show());
}

#[test]
fn skills_of_a_source_are_listed_and_found_by_directory() {
    let world = World::new();
    world.tree.write("source/more/good-2/SKILL.md", GOOD.as_bytes());
    let listed = world.json("add ../source --list --json", "offered");
    let paths: Vec<_> =
        listed["items"].as_array().expect("items").iter().map(|it| &it["path"]).collect();
    assert_eq!(paths, ["more/good-2", "skills/also", "skills/good"]);
    let ended = world.expect("add ../source --list", 0);
    assert_eq!(ended.stdout, "good  more/good-2\nalso  skills/also\ngood  skills/good\n");
    let several = world.expect("add ../source --all --yes", 3);
    assert!(several.stderr.contains("more/good-2, skills/good"), "{}", several.show());
    world.expect("add ../source --skill good-2 --yes", 0);
    assert_eq!(world.states(), states(&[(".agents/skills/good", "current")]));
}

#[test]
fn a_skill_is_not_its_own_source() {
    let world = World::new();
    world.tree.write("project/.agents/skills/good/SKILL.md", GOOD.as_bytes());
    let ended = world.expect("add .agents/skills/good --yes", 2);
    assert!(ended.stderr.contains("which is its source"), "{}", ended.show());
    assert_eq!(world.states(), states(&[(".agents/skills/good", "local")]));
}
