//! `dibber pack` and `dibber index`, and what they read of others.

use std::fs;

use serde_json::Value;

use crate::support::Tree;
use crate::support::command::Dibber;

const GOOD: &str =
    "---\nname: good\ndescription: Waters plants. Use for dry soil.\n---\n\n# Good\n";

/// The result of a run.
#[derive(Debug)]
struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

fn run(tree: &Tree, line: &str) -> Ran {
    let words: Vec<&str> = line.split(' ').collect();
    let ended = Dibber::new(words).in_directory(tree.path()).run_bounded();
    Ran { code: ended.code, stdout: ended.stdout, stderr: ended.stderr }
}

fn json(ended: &Ran) -> Value {
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:?}"))
}

fn tree() -> Tree {
    let tree = Tree::new();
    tree.write("skills/good/SKILL.md", GOOD.as_bytes());
    tree.write("skills/good/docs/more.md", b"more\n");
    tree.write("skills/alone/SKILL.md", GOOD.replace("good", "alone").as_bytes());
    tree
}

#[test]
fn a_skill_is_packed_and_checked() {
    let tree = tree();
    let packed = run(&tree, "pack skills/good");
    assert_eq!(packed.code, 0, "{packed:?}");
    let digest = packed.stdout.split(' ').next().expect("a digest").to_owned();
    let first = fs::read(tree.path().join("good.zip")).expect("an archive");
    let again = run(&tree, "pack skills/good/SKILL.md --output again.zip");
    assert!(again.stdout.starts_with(&digest), "{again:?}");
    assert_eq!(fs::read(tree.path().join("again.zip")).expect("an archive"), first);

    let checked = json(&run(&tree, "pack --check good.zip --json"));
    assert_eq!(checked["digest"], digest.as_str());
    assert_eq!(
        (&checked["layout"], &checked["skills"][0]["name"]),
        (&"wrapper".into(), &"good".into())
    );
    let planned = json(&run(&tree, "pack skills/good --for well-known --json -n"));
    assert_eq!(planned["skills"][0]["digest"], checked["skills"][0]["digest"]);
    assert_eq!((&planned["layout"], &planned["isWritten"]), (&"root".into(), &false.into()));
    assert!(!tree.path().join("good.tar.gz").exists());
}

#[test]
fn what_a_destination_refuses_is_not_written() {
    let tree = tree();
    let long = "Waters plants. ".repeat(20);
    let refused = GOOD
        .replace("name: good", "name: claude-good\nversion: 1")
        .replace("Waters plants.", &long);
    tree.write("skills/refused/SKILL.md", refused.replace("dry", "<dry>").as_bytes());
    for (destination, expected) in [
        ("claude-ai", &["3:1: `version`", "`claude`", "`<`", "has 320"][..]),
        ("anthropic", &["3:1: `version`", "`claude`", "`<`"]),
        ("openai", &[]),
        ("well-known", &[]),
    ] {
        let ended = run(&tree, &format!("pack skills/refused --for {destination}"));
        assert_eq!(ended.code, if expected.is_empty() { 0 } else { 3 }, "{ended:?}");
        assert_eq!(ended.stderr.matches("error: ").count(), expected.len(), "{ended:?}");
        for words in expected {
            assert!(ended.stderr.contains(words), "{words}: {ended:?}");
        }
        let is_written = ["claude-good.zip", "claude-good.tar.gz"]
            .into_iter()
            .any(|name| fs::remove_file(tree.path().join(name)).is_ok());
        assert_eq!(is_written, expected.is_empty(), "{destination}");
    }
    let layout = run(&tree, "pack skills/good --for openai --layout root");
    assert!(layout.code == 3 && layout.stderr.contains("in a directory"), "{layout:?}");
}

#[test]
fn what_cannot_be_packed_is_explained() {
    let tree = tree();
    tree.write("skills/unnamed/SKILL.md", b"# No frontmatter\n");
    tree.write("other/readme.md", b"no skill");
    tree.write("plain.zip", b"no archive");
    for (line, code, words) in [
        ("pack skills", 2, "there are 2 skills"),
        ("pack other", 2, "no skill"),
        ("pack skills/unnamed", 3, "frontmatter"),
        ("pack missing", 2, "missing"),
        ("pack skills/good --output skills/good/docs/a.zip", 2, "a part of it"),
        ("pack skills/good --output - --json", 2, "cannot both"),
        ("pack --check plain.zip", 3, "neither a zip file"),
        ("pack --check missing.zip", 2, "missing.zip"),
    ] {
        let ended = run(&tree, line);
        assert_eq!(ended.code, code, "{line}: {ended:?}");
        assert!(ended.stderr.contains(words), "{line}: {ended:?}");
    }
}

#[test]
fn a_site_is_written_checked_and_brought_up_to_date() {
    let tree = tree();
    let planned = run(&tree, "index skills --output site --dry-run");
    assert!(planned.code == 0 && !tree.path().join("site").exists(), "{planned:?}");
    assert_eq!(planned.stdout.lines().count(), 3);
    let written = run(&tree, "index skills --output site");
    assert_eq!((written.code, &written.stdout), (0, &planned.stdout));
    let again = json(&run(&tree, "index skills --output site --json"));
    assert_eq!(again["isWritten"], false);
    assert_eq!(run(&tree, "index --check site").code, 0);

    tree.write("site/.well-known/agent-skills/alone/SKILL.md", b"edited");
    let differs = json(&run(&tree, "index --check site --json"));
    assert_eq!(differs["problems"][0]["place"], "/skills/0/digest");
    let asks = run(&tree, "index skills --output site");
    assert!(asks.code == 2 && asks.stderr.contains("--yes"), "{asks:?}");
    assert_eq!(run(&tree, "index skills --output site --yes").code, 0);
    assert_eq!(run(&tree, "index --check site").code, 0);

    tree.write("skills/other/SKILL.md", GOOD.replace("Good", "Other").as_bytes());
    let left_out = run(&tree, "index skills --output site");
    assert!(left_out.code == 3 && left_out.stderr.contains("same name"), "{left_out:?}");
}

#[test]
fn what_is_private_is_noticed_before_others_get_it() {
    let tree = tree();
    // Joined at run time, so that scanners do not report this file.
    let token = ["ghp", "_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat();
    tree.write("skills/good/docs/more.md", format!("token: {token}\n").as_bytes());
    for line in ["pack skills/good", "index skills --output site"] {
        let ran = run(&tree, line);
        assert!(ran.code == 0 && ran.stderr.contains("contains a secret"), "{ran:?}");
        assert!(!ran.stderr.contains(&token), "{ran:?}");
    }
}

#[test]
fn another_file_is_not_replaced_by_an_archive() {
    let tree = tree();
    tree.write("note.zip", b"precious");
    for name in ["note.zip", "alone.zip"] {
        if name == "alone.zip" {
            assert_eq!(run(&tree, "pack skills/alone").code, 0);
        }
        let before = fs::read(tree.path().join(name)).expect("a file");
        let refused = run(&tree, &format!("pack skills/good --output {name}"));
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(refused.stderr.contains("is not an archive of this skill"), "{refused:?}");
        assert_eq!(fs::read(tree.path().join(name)).expect("a file"), before);
    }
    assert_eq!(run(&tree, "pack skills/good --output note.zip --force").code, 0);
    tree.write("skills/good/docs/more.md", b"even more\n");
    assert_eq!(run(&tree, "pack skills/good --output note.zip").code, 0, "it is an older one");
}

#[test]
fn nothing_is_removed_from_a_site_while_something_cannot_be_read() {
    let tree = tree();
    assert_eq!(run(&tree, "index skills --output site").code, 0);
    let artifact =
        |tree: &Tree| tree.path().join("site/.well-known/agent-skills/good.tar.gz").is_file();
    for paths in ["skilz", "skills/alone nope"] {
        let refused = run(&tree, &format!("index {paths} --output site --yes"));
        assert_eq!(refused.code, 3, "{refused:?}");
        assert!(refused.stderr.contains("nothing was written"), "{refused:?}");
        assert!(artifact(&tree), "{paths}");
    }
    tree.write("skills/good/SKILL.md", b"---\nname: good\n---\n");
    assert_eq!(run(&tree, "index skills --output site --yes").code, 3);
    assert!(artifact(&tree), "it may be broken only for now");
    assert_eq!(run(&tree, "index skills --output site --prune").code, 3);
    assert!(!artifact(&tree));
    assert_eq!(run(&tree, "index --check site").code, 0);
}

#[cfg(unix)]
#[test]
fn links_out_of_a_site_and_in_the_place_of_an_archive_are_not_followed() {
    let tree = tree();
    tree.write("outside/keep", b"precious");
    tree.link("good.zip", "outside/keep");
    let refused = run(&tree, "pack skills/good");
    assert!(refused.code == 2 && refused.stderr.contains("is a symbolic link"), "{refused:?}");
    for link in ["site/.well-known", "site/.well-known/agent-skills/good.tar.gz"] {
        let target = if link.ends_with("known") { "../outside" } else { "../../../outside/keep" };
        tree.link(link, target);
        let refused = run(&tree, "index skills --output site --yes");
        assert!(refused.code == 2 && refused.stderr.contains("is a symbolic link"), "{refused:?}");
        fs::remove_file(tree.path().join(link)).expect("a link");
    }
    assert_eq!(tree.read("outside/keep"), "precious");
    assert_eq!(fs::read_dir(tree.path().join("outside")).expect("a directory").count(), 1);
}

#[test]
fn what_the_own_configuration_of_git_ignores_is_not_packed() {
    let tree = tree();
    tree.write("skills/good/.env", b"PASSWORD=hunter22\n");
    tree.write("home/.gitconfig", b"[core]\n\texcludesFile = ~/ignored\n");
    tree.write("home/ignored", b".env\n*.log\n");
    tree.write("skills/good/kept.log", b"kept\n");
    tree.write(".gitignore", b"!kept.log\n");
    let packed = |tree: &Tree| {
        let home = tree.path().join("home").display().to_string();
        let ended = Dibber::new(["pack", "skills/good", "--dry-run"])
            .in_directory(tree.path())
            .env("HOME", &home)
            .run();
        assert_eq!(ended.code, 0, "{}", ended.show());
        (ended.stdout.contains(".env"), ended.stdout.contains("kept.log"))
    };
    assert_eq!(packed(&tree), (true, true), "this is no repository");
    fs::create_dir(tree.path().join(".git")).expect("a directory");
    assert_eq!(packed(&tree), (false, true));
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_an_archive_is_not_waited_for() {
    let tree = tree();
    let pipe = tree.path().join("good.zip");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    for line in ["pack skills/good", "pack skills/good --force"] {
        let ended = run(&tree, line);
        assert_eq!(ended.code, 2, "{ended:?}");
        assert!(ended.stderr.contains("good.zip is not a regular file"), "{ended:?}");
    }
}
