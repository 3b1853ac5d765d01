//! The safety check of the server in the program: where it is configured, and what a user sees.

use insta::assert_snapshot;
use serde_json::json;

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::server_process::{Serving, serve};

/// A check that refuses what mentions knives. It runs in the directory of its configuration.
const CHECK: &str = r#"
read -r subject
printf 'judging \033[31mit\n' >&2
case $subject in
  *knives*) echo '{"decision": "refuse", "reasons": [{"message": "it mentions knives", "path": "/prompt"}]}';;
  *) echo '{"decision": "approve"}';;
esac
"#;

const CONFIG: &str = "[safety]\ncommand = [\"sh\", \"check.sh\"]\n";

struct Place(Tree);

impl Place {
    fn new() -> Self {
        let tree = Tree::new();
        tree.write("project/.git/HEAD", b"");
        tree.write("data/check.sh", CHECK.as_bytes());
        Self(tree)
    }

    fn with(self, path: &str, text: &str) -> Self {
        self.0.write(path, text.as_bytes());
        self
    }

    fn run(&self, arguments: &[&str]) -> Dibber {
        let path = self.0.path();
        Dibber::new(arguments)
            .in_directory(&path.join("project"))
            .data(&path.join("data"))
            .env("XDG_CONFIG_HOME", &path.join("config").to_string_lossy())
    }

    /// Previews a skill on a server that is a child process, whose log is shown.
    fn preview_with_log(&self) -> Ended {
        let data = self.0.path().join("data");
        let server = format!(
            "stdio:{} serve --stdio --data {}",
            env!("CARGO_BIN_EXE_dibber"),
            data.to_string_lossy()
        );
        let arguments =
            ["call", "skill_write", "--server", &server, "--verbose", "--args-json", "-"];
        let skill = json!({"name": "A", "description": "B.", "prompt": "C.", "dryRun": true});
        self.run(&arguments).input(skill.to_string()).run()
    }

    fn write_skill(&self, prompt: &str) -> String {
        let prompt = format!("prompt={prompt}");
        let write = ["call", "skill_write", "name=Cook", "description=Cooks.", &prompt];
        self.run(&write).run().show_without(self.0.path())
    }
}

#[test]
fn a_skill_is_judged_before_it_is_written() {
    let place = Place::new().with("data/dibber.toml", CONFIG);
    assert_snapshot!(place.write_skill("Sharpen the knives."));
    let written = place.write_skill("Boil water.");
    assert!(written.contains("skillId"), "{written}");
}

#[test]
fn the_configuration_of_the_user_counts_too() {
    let place = Place::new()
        .with("config/dibber/check.sh", CHECK)
        .with("config/dibber/dibber.toml", CONFIG);
    let refused = place.write_skill("Sharpen the knives.");
    assert!(refused.contains("SAFETY_REJECTED"), "{refused}");
}

#[test]
fn a_project_names_no_program() {
    let place = Place::new().with("project/dibber.toml", CONFIG).with("project/check.sh", CHECK);
    let mut shown = place.write_skill("Boil water.");
    for server in ["local", "stdio:true"] {
        // Nothing of the project is read.
        let tools = place.run(&["tools", "--server", server]).run();
        assert!(!tools.stderr.contains("safety"), "{}", tools.stderr);
    }
    let here = place.run(&["skill", "list", "--server", "local", "--data", "."]).run();
    shown += &here.show_without(place.0.path());
    assert_snapshot!(shown);
}

#[test]
fn a_configuration_that_is_invalid_publishes_nothing() {
    let mut shown = String::new();
    for text in [
        "[safety]\n",
        "[safety]\ncommand = []\n",
        "[safety]\ncommand = [\"\"]\n",
        "[safety]\ncommand = \"sh\"\nshell = 1\n",
    ] {
        shown += &Place::new().with("data/dibber.toml", text).write_skill("Boil water.");
    }
    assert_snapshot!(shown);
}

#[test]
fn standard_error_of_the_check_goes_to_the_log() {
    let ended = Place::new().with("data/dibber.toml", CONFIG).preview_with_log();
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stderr.contains("judging \\u{1b}[31mit"), "{}", ended.stderr);
}

/// It cannot end anything itself then.
#[cfg(unix)]
#[test]
fn a_check_ends_when_dibber_is_killed() {
    use std::io::Read;
    let place = Place::new().with("data/dibber.toml", CONFIG).with(
        "data/check.sh",
        // What it starts holds the pipe open for as long as it lives.
        "{ echo started; exec sleep 1000; } > held &\nwait\n",
    );
    let path = place.0.path().join("data/held");
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
    assert!(made.success());
    let write = ["call", "skill_write", "name=Cook", "description=Cooks.", "prompt=Boil water."];
    let mut dibber = place.run(&write).start();
    let mut held = std::fs::File::open(&path).expect("a named pipe");
    let mut started = [0; 8];
    held.read_exact(&mut started).expect("the check has started");
    dibber.kill().expect("a process");
    dibber.wait().expect("a process");
    // It ends long before the pipe would.
    let mut rest = String::new();
    held.read_to_string(&mut rest).expect("the end of the pipe");
    assert_eq!(rest, "");
}

#[test]
fn the_log_shows_no_secret() {
    // The parts are joined at run time, so that scanners do not report this file.
    let token = ["ghp", "_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat();
    // The longest log would end inside of the token.
    let check =
        format!("printf 'judged %08160d {token}\\n' 0 >&2\necho '{{\"decision\": \"approve\"}}'");
    let place = Place::new().with("data/dibber.toml", CONFIG).with("data/check.sh", &check);
    let ended = place.preview_with_log();
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stderr.contains("judged 000"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("zQWB"), "{}", ended.stderr);
}

#[test]
fn the_log_of_a_server_shows_no_name_of_its_owner() {
    // The longest log would end inside of the second name.
    let check =
        "printf 'judged Ottilie\\n%08175d Annalena\\n' 0 >&2\necho '{\"decision\": \"approve\"}'";
    for format in ["human", "json"] {
        let place = Place::new().with("data/dibber.toml", CONFIG).with("data/check.sh", check);
        let data = place.0.path().join("data");
        let names = place.0.path().join("names");
        let added = place.run(&["names", "add"]).env("DIBBER_NAMES", &names.to_string_lossy());
        assert_eq!(added.input("Ottilie\nAnnalena\n").run().code, 0);
        let options = ["--listen", "127.0.0.1:0", "--log", format];
        let mut command = serve(&data, &options);
        command.env("DIBBER_NAMES", &names);
        let server = Serving::of(command, &data);
        let skill = json!({"name": "A", "description": "B.", "prompt": "C.", "dryRun": true});
        assert_eq!(server.call("skill_write", &skill).status, 200);
        server.signal("TERM");
        let (_, log) = server.ended();
        assert!(log.contains("judged *******"), "{log}");
        assert!(log.contains("0000") && !log.contains("Ann"), "{log}");
        if format == "json" {
            for line in log.lines() {
                serde_json::from_str::<serde_json::Value>(line)
                    .unwrap_or_else(|_| panic!("{line}"));
            }
        }
    }
}

#[test]
fn its_schemas() {
    let input = Dibber::new(["schema", "safety-input"]).run();
    let output = Dibber::new(["schema", "safety-output"]).run();
    assert_snapshot!(input.stdout + &output.stdout);
}
