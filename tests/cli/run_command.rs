//! `dibber run`: skills and code in a sandbox on this computer.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::command::{Dibber, Ended};
use crate::support::pages::block_below;
use crate::support::sandbox::skip;
use crate::support::{Tree, package};

const MANIFEST: &str = "\
name = \"family.dates.countdown\"
version = \"0.1.0\"
description = \"Counts the days to a date.\"
kind = \"action\"

[runtime]
language = \"python\"
entrypoint = \"code/main.py\"
";

const SCHEMA: &str = "
[input_schema]
type = \"object\"
required = [\"days\"]

[input_schema.properties.days]
type = \"integer\"

[input_schema.properties.city]
type = \"string\"
";

const MAIN: &str = "\
import sys

def main(args):
    print('counting', file=sys.stderr)
    return {'summary': 'Counted.', 'doubled': args['days'] * 2, 'city': args.get('city')}
";

/// A project with the skill, and a data directory.
struct Place {
    tree: Tree,
    data: TempDir,
}

impl Place {
    fn new(manifest: &str, main: &str) -> Self {
        let (tree, data) = (Tree::new(), TempDir::new().expect("a directory"));
        tree.write("family.dates.countdown/skill.toml", manifest.as_bytes());
        tree.write("family.dates.countdown/SKILL.md", b"---\nname: Countdown\n---\nCall it.\n");
        tree.write("family.dates.countdown/code/main.py", main.as_bytes());
        Self { tree, data }
    }

    fn run(&self, arguments: &[&str]) -> Dibber {
        let config = self.tree.path().join("config");
        Dibber::new(["run"])
            .arguments(arguments)
            .data(self.data.path())
            .in_directory(self.tree.path())
            .env("XDG_CONFIG_HOME", &config.to_string_lossy())
    }

    /// Makes a skill from the template.
    fn make(&self, name: &str, description: &str) -> Ended {
        Dibber::new(["new", name, "--template", "skills-protocol", "--yes"])
            .arguments(&["--description", description])
            .data(self.data.path())
            .in_directory(self.tree.path())
            .run()
    }

    fn skill(&self, arguments: &[&str]) -> Ended {
        self.run(&["family.dates.countdown"]).arguments(arguments).run()
    }

    fn code(&self, code: &str, arguments: &[&str]) -> Ended {
        self.tree.write("code.py", code.as_bytes());
        self.run(&["--code", "code.py"]).arguments(arguments).run()
    }
}

/// Returns `true` if code can be run here; otherwise a test of a run has nothing to show.
fn can_run() -> bool {
    let place = Place::new(MANIFEST, MAIN);
    let ended = place.code("def main(args): return 42", &[]);
    if ended.code == 6 {
        skip(&ended.stderr);
        return false;
    }
    assert_eq!(ended.show(), "exit code: 0\n----- stdout -----\n42\n----- stderr -----\n");
    true
}

fn json_of(ended: &Ended) -> Value {
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let path = package().join("schemas/run.schema.json");
    let schema = serde_json::from_slice(&fs::read(path).expect("a schema")).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let errors: Vec<_> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{json:#}");
    json
}

#[test]
fn a_skill_is_run_with_its_arguments() {
    if !can_run() {
        return;
    }
    let place = Place::new(&format!("{MANIFEST}{SCHEMA}"), MAIN);
    let ended = place.skill(&["--args", "days:=3", "--args", "city=Ulm"]);
    insta::assert_snapshot!(ended.show());
    place.tree.write("args.json", b"{\"days\": 4}");
    let json = json_of(&place.skill(&["--args-json", "args.json", "--json"]));
    assert_eq!(json["run"]["status"], "completed");
    assert_eq!(json["run"]["summary"], "Counted.");
    assert_eq!(json["run"]["output"]["doubled"], 8);
    assert_eq!(json["run"]["logsPreview"], "counting\n");
}

#[test]
fn a_run_that_fails_has_an_exit_code_of_its_own() {
    if !can_run() {
        return;
    }
    let code = "def main(args):\n    print('before\\x1b[2J')\n    raise ValueError('no\\x1b[2J')\n";
    let place = Place::new(MANIFEST, code);
    let mut shown = place.skill(&[]).show();
    let json = json_of(&place.skill(&["--json"]));
    assert_eq!(json["run"]["error"]["type"], "ValueError");
    assert_eq!(place.skill(&["--json"]).code, 8);
    shown += &place.code("def main(args):\n    while True: pass\n", &["--timeout", "1"]).show();
    shown += &place.code("def other(args): pass", &[]).show();
    let not_json = place.code("def main(args): return {1, 2}", &[]);
    assert_eq!(not_json.code, 8, "{}", not_json.show());
    assert!(not_json.stderr.contains("NotSerializable"), "{}", not_json.show());
    insta::assert_snapshot!(shown);
}

#[test]
fn code_imports_skills_and_reads_files() {
    if !can_run() {
        return;
    }
    let place = Place::new(MANIFEST, MAIN);
    let code = "\
import runtime.blobs
from skills.family.dates.countdown import main as count

def twice(args):
    text = runtime.blobs.read_text('my_notes.txt')
    return text.upper() + str(count({'days': 2})['doubled'])
";
    place.tree.write("my notes.txt", b"hello ");
    let arguments =
        ["--skill", "family.dates.countdown", "--blob", "my notes.txt", "--entrypoint", "twice"];
    let ended = place.code(code, &arguments);
    assert_eq!((ended.code, &*ended.stdout), (0, "HELLO 4\n"), "{}", ended.show());
    let ended = place.run(&["--code", "-"]).input("def main(args): return args").run();
    assert_eq!((ended.code, &*ended.stdout), (0, "{}\n"), "{}", ended.show());
}

#[cfg(unix)]
#[test]
fn files_may_be_links_but_those_of_skills_may_not() {
    use std::os::unix::fs::symlink;

    if !can_run() {
        return;
    }
    let place = Place::new(MANIFEST, MAIN);
    let path = |name: &str| place.tree.path().join(name);
    place.tree.write("notes.txt", b"hello");
    symlink("notes.txt", path("symbolic.txt")).expect("a link");
    fs::hard_link(path("notes.txt"), path("hard.txt")).expect("a link");
    let code = "\
import runtime.blobs
def main(args): return [runtime.blobs.read_text(name) for name in runtime.blobs.list()]
";
    let ended = place.code(code, &["--blob", "symbolic.txt", "--blob", "hard.txt"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(ended.stdout.matches("\"hello\"").count() == 2, "{}", ended.show());
    let skill = path("family.dates.countdown");
    fs::hard_link(skill.join("SKILL.md"), path("elsewhere.md")).expect("a link");
    assert_eq!(place.skill(&["--args", "days:=3"]).code, 0);
    symlink("../SKILL.md", skill.join("code/readme.md")).expect("a link");
    insta::assert_snapshot!(place.skill(&["--args", "days:=3"]).show());
}

#[test]
fn a_large_output_is_printed_in_full() {
    if !can_run() {
        return;
    }
    let place = Place::new(MANIFEST, MAIN);
    let ended = place.code("def main(args): return 'x' * 100_000", &[]);
    assert_eq!(ended.stdout, format!("{}\n", "x".repeat(100_000)));
}

#[cfg(unix)]
#[test]
fn secrets_come_from_the_file_of_the_user_and_are_masked() {
    use std::os::unix::fs::PermissionsExt;

    let manifest = format!("{MANIFEST}\n[permissions]\nsecrets = [\"CALENDAR_TOKEN\"]\n");
    let code = "\
import runtime

def main(args):
    token = runtime.secrets['CALENDAR_TOKEN']
    print('the token is', token)
    return {'length': len(token), 'token': token}
";
    let place = Place::new(&manifest, code);
    let file = place.data.path().join("secrets.toml");
    let mut shown = place.skill(&[]).show_without(place.data.path());
    fs::write(&file, "[secrets]\nCALENDAR_TOKEN = \"geheim-4711\"\n").expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("permissions");
    shown += &place.skill(&[]).show_without(place.data.path());
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("permissions");
    if can_run() {
        let ended = place.skill(&[]);
        assert!(!format!("{}{}", ended.stdout, ended.stderr).contains("geheim-4711"));
        assert!(ended.stdout.contains("\"length\": 11"), "{}", ended.show());
        assert!(ended.stderr.contains("the token is ****"), "{}", ended.show());
    }
    fs::write(&file, "[secrets]\nCALENDAR_TOKEN = geheim-4711\n").expect("a file");
    shown += &place.skill(&[]).show_without(place.data.path());
    insta::assert_snapshot!(shown);
}

#[test]
fn what_cannot_be_run_is_refused_before_anything_runs() {
    let show = |manifest: &str, arguments: &[&str]| {
        let place = Place::new(manifest, MAIN);
        place.skill(arguments).show_without(place.tree.path())
    };
    let with_schema = format!("{MANIFEST}{SCHEMA}");
    let instruction = MANIFEST.replace("action", "instruction");
    let instruction = instruction.split("\n[runtime]").next().expect("a part");
    let network = format!("{MANIFEST}\n[permissions]\nnetwork = [\"api.example.org\"]\n");
    let mut shown = show(&with_schema, &["--args", "city:=7"]);
    shown += &show(instruction, &[]);
    shown += &show(&network, &[]);
    shown += &show("name = \"x\"\n", &[]);
    shown += &show("x = [\n", &[]);
    let place = Place::new(MANIFEST, MAIN);
    place.tree.write("family.dates.countdown/code/requirements.txt", b"# none\nrequests\n");
    shown += &place.skill(&[]).show();
    shown += &place.run(&["missing"]).run().show();
    shown += &place.run(&["--code", "missing.py"]).run().show();
    shown += &place.run(&[]).run().show();
    place.tree.write("a/x", b"");
    place.tree.write("x", b"");
    shown += &place.run(&["family.dates.countdown", "--blob", "a/x", "--blob", "x"]).run().show();
    insta::assert_snapshot!(shown);
}

#[test]
fn a_mode_that_does_not_work_is_never_replaced_by_another_one() {
    let place = Place::new(MANIFEST, MAIN);
    let ended = place.code("def main(args): return 1", &["--mode", "container"]);
    assert_eq!(ended.code, 6, "{}", ended.show());
    assert!(ended.stdout.is_empty(), "{}", ended.show());
    place.tree.write("config/dibber/dibber.toml", b"[sandbox]\npython = \"missing/python\"\n");
    let ended = place.code("def main(args): return 1", &[]);
    assert_eq!(ended.code, 6, "{}", ended.show());
    assert!(ended.stderr.contains("cannot run "), "{}", ended.show());
    place.tree.write("config/dibber/dibber.toml", b"[sandbox]\nmode = \"none\"\n");
    let ended = place.code("def main(args): return 1", &[]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    place.tree.write("config/dibber/dibber.toml", b"");
    place.tree.write("dibber.toml", b"[sandbox]\nmode = \"landlock\"\n");
    let ended = place.run(&["--code", "code.py", "--data", "."]).run();
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.contains("`[sandbox]` is not allowed in a project"), "{}", ended.show());
}

#[test]
fn a_configuration_that_is_invalid_says_what_to_write() {
    let place = Place::new(MANIFEST, MAIN);
    let file = place.tree.path().join("config/dibber/dibber.toml");
    let show = |table: &str| {
        place.tree.write("config/dibber/dibber.toml", format!("[sandbox]\n{table}\n").as_bytes());
        let ended = place.code("def main(args): return 1", &[]);
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{table}");
        format!("{table}\n{}\n", ended.stderr.replace(&*file.to_string_lossy(), "FILE"))
    };
    let shown: String = [
        "mode = \"landlok\"",
        "mode = \"bubblewrap\"",
        "mode = []",
        "mode = [\"full\", \"full\"]",
        "mode = 7",
        "mode = \"container\"",
        "container = \"lxc\"\nimage = \"python\"",
        "container = \"podman\"",
        "image = \"python\"",
        "stop = [\"podman\", \"kill\"]",
        "command = []",
        "command = [\"vm\"]\nimage = \"python\"",
        "python = \" \"",
        "timeout = 301",
        "memory-bytes = 1024",
        "memory = 1",
    ]
    .into_iter()
    .map(show)
    .collect();
    insta::assert_snapshot!(shown);
}

#[test]
fn the_names_of_children_are_masked_in_what_code_prints() {
    if !can_run() {
        return;
    }
    let place = Place::new(MANIFEST, MAIN);
    place.tree.write("names", b"Zebulon\n");
    place.tree.write("code.py", b"def main(args):\n    print('Zebulon')\n    return ['Zebulon']\n");
    let names = place.tree.path().join("names");
    #[cfg(unix)]
    {
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(&names, private).expect("permissions");
    }
    let names = names.to_string_lossy().into_owned();
    for format in [&["--code", "code.py"][..], &["--code", "code.py", "--json"]] {
        let ended = place.run(format).env("DIBBER_NAMES", &names).run();
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert!(!ended.show().contains("Zebulon"), "{}", ended.show());
    }
}

/// The commands of the page, in its order, with the files that it shows.
#[test]
fn the_examples_of_the_book_run() {
    if !can_run() {
        return;
    }
    let place = Place { tree: Tree::new(), data: TempDir::new().expect("a directory") };
    let notes = block_below("running-skills.md", "<!-- file: notes.py -->");
    place.tree.write("notes.py", notes.as_bytes());
    place.tree.write("letters.txt", b"Dear Jo\n");
    place.tree.write("arguments.json", br#"{"date": "2026-12-24", "from": "2026-12-01"}"#);
    let description = "Counts the days to a date. Use when someone asks for a holiday.";
    let made = place.make("family.dates.countdown", description);
    assert_eq!(made.code, 0, "{}", made.show());
    assert!(made.stderr.contains("dibber run family.dates.countdown"), "{}", made.show());
    let manifest = place.tree.read("family.dates.countdown/skill.toml");
    let shown =
        block_below("skills-protocol.md", "<!-- file: family.dates.countdown/skill.toml -->");
    assert_eq!(manifest, shown);
    let page = block_below("running-skills.md", "<!-- not run: a machine may have no sandbox -->");
    let commands = page.lines().filter_map(|line| line.strip_prefix("dibber run "));
    let mut count = 0;
    for command in commands {
        let ended = place.run(&command.split(' ').collect::<Vec<_>>()).run();
        assert_eq!(ended.code, 0, "{command}: {}", ended.show());
        count += 1;
    }
    assert_eq!(count, 3);
}

#[test]
fn a_new_skill_of_any_name_runs() {
    if !can_run() {
        return;
    }
    let place = Place { tree: Tree::new(), data: TempDir::new().expect("a directory") };
    let description = "Reports the weather. Use when someone asks for it.";
    let made = place.make("acme.report", description);
    assert_eq!(made.code, 0, "{}", made.show());
    let ended = place.run(&["acme.report", "--args", "text=two words"]).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(ended.stdout.contains("2 words"), "{}", ended.show());
    assert!(!place.tree.read("acme.report/SKILL.md").contains("date"));
    let refused = place.make("skills.protocol.guide", description);
    assert_eq!(refused.code, 2, "{}", refused.show());
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let place = Place::new(MANIFEST, MAIN);
    place.tree.write("code.py", b"def main(args): return args");
    let directory = "family.dates.countdown";
    let file = "family.dates.countdown/SKILL.md";
    let cases: &[&[&str]] = &[
        &[],
        &[directory, "--args", "days=1", "--args", "city=Ulm", "--args", "days:=2"],
        &[directory, "--entrypoint", "other"],
        &[directory, "--skill", directory],
        &[file],
        &["--code", "-", "--args-json", "-"],
        &["--code", "code.py", "--timeout", "0.5"],
        &["--code", "code.py", "--timeout", "301"],
    ];
    let shown: String = cases
        .iter()
        .map(|arguments| {
            let ended = place.run(arguments).input("def main(args): return args").run();
            assert_eq!((ended.code, &*ended.stdout), (2, ""), "{}", ended.show());
            format!("{}\n{}\n", arguments.join(" "), ended.stderr)
        })
        .collect();
    insta::assert_snapshot!(shown);
}
