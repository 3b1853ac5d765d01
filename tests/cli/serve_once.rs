//! `dibber serve --once`, and where what executes runs is configured.

use dibber_skill::contract::SkillWrite;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::due_runs;
use crate::support::wire::{object, sample};

/// Directories of a user, with a heartbeat that is due.
struct Place(Tree);

impl Place {
    async fn with_heartbeats(count: usize) -> Self {
        let place = Self::empty();
        due_runs::make(&place.0.path().join("data"), count).await;
        place
    }

    fn empty() -> Self {
        let tree = Tree::new();
        tree.write("project/.git/HEAD", b"");
        tree.write("data/.keep", b"");
        Self(tree)
    }

    fn write(&self, path: &str, text: &str) {
        self.0.write(path, text.as_bytes());
    }

    fn run(&self, arguments: &[&str]) -> Dibber {
        let path = self.0.path();
        Dibber::new(arguments)
            .in_directory(&path.join("project"))
            .data(&path.join("data"))
            .env("XDG_CONFIG_HOME", &path.join("config").to_string_lossy())
            .env("DIBBER_LOG", "error")
    }

    fn once(&self, arguments: &[&str]) -> Ended {
        self.run(&["serve", "--once"]).arguments(arguments).run()
    }

    fn once_json(&self, arguments: &[&str]) -> Value {
        let ended = self.once(&[&["--json"], arguments].concat());
        assert_eq!(ended.code, 0, "{}", ended.show());
        let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
        let schema = self.run(&["schema", "serve-once"]).run().stdout;
        let schema = serde_json::from_str(&schema).expect("JSON");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let problems: Vec<_> =
            validator.iter_errors(&report).map(|error| error.to_string()).collect();
        assert!(problems.is_empty(), "{problems:#?}");
        report
    }
}

fn report(runner: Option<&str>, counts: [usize; 5]) -> Value {
    let [decided, executed, completed, failed, waiting] = counts;
    json!({
        "version": 1, "runner": runner, "decided": decided, "executed": executed,
        "completed": completed, "failed": failed, "notRecorded": 0, "waiting": waiting,
    })
}

#[tokio::test]
async fn what_is_due_is_executed_once() {
    let place = Place::with_heartbeats(2).await;
    place.write("data/dibber.toml", "[runner]\ncommand = [\"sh\", \"run.sh\"]\n");
    place.write("data/run.sh", "p=$(cat); echo \"$p\" >> prompts; echo \"$p\"");
    let ended = place.once(&[]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, "2 runs: 2 completed\n"));
    let mut prompts: Vec<_> = place.0.read("data/prompts").lines().map(str::to_owned).collect();
    prompts.sort();
    let expected = [0, 1].map(|number| format!("Look at fern {number}, then say what it needs."));
    assert_eq!(prompts, expected);
    let again = place.once(&[]);
    assert_eq!((again.code, again.stderr.as_str()), (0, "nothing is due\n"));
    let runs = due_runs::runs_in(&place.0.path().join("data"));
    let summaries = runs.iter().map(|run| &run.result.as_ref().expect("a result")["summary"]);
    let mut summaries: Vec<_> = summaries.map(|it| it.as_str().expect("a string")).collect();
    summaries.sort_unstable();
    assert_eq!(summaries, expected);
}

#[tokio::test]
async fn without_a_runner_runs_wait() {
    let place = Place::with_heartbeats(1).await;
    assert_snapshot!(place.once(&[]).show());
    assert_eq!(place.once_json(&[]), report(None, [0, 0, 0, 0, 1]));
    let run = format!("sh -c 'cat > {}/prompt'", place.0.path().display());
    assert_eq!(place.once_json(&["--run", &run]), report(Some("command"), [0, 1, 1, 0, 0]));
    assert!(place.0.read("prompt").contains("fern 0"));
}

#[tokio::test]
async fn the_option_counts_more_than_the_configuration() {
    let place = Place::with_heartbeats(1).await;
    place.write("config/dibber/dibber.toml", "[runner]\ncommand = [\"false\"]\n");
    assert_eq!(place.once_json(&["--run", "none"]), report(None, [1, 0, 0, 0, 1]));
    let ended = place.once(&[]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, "1 run: 0 completed, 1 failed\n"));
    let runs = due_runs::runs_in(&place.0.path().join("data"));
    let reason = runs[0].reason.as_deref();
    assert_eq!(reason, Some("the program ended with exit code 1"));
    let invalid = place.once(&["--run", "a | b"]);
    assert_eq!(invalid.code, 2, "{}", invalid.show());
    let with_json = place.run(&["serve", "--json"]).run();
    assert_eq!(with_json.code, 2, "{}", with_json.show());
}

/// A program reads in its file of the run what the skill declares of the data of its result.
#[tokio::test]
async fn the_run_has_the_response_model_of_its_skill() {
    let place = Place::empty();
    let model = json!({"type": "object", "properties": {"pots": {"type": "integer"}}});
    let skill = SkillWrite { response_model: Some(object(model.clone())), ..sample() };
    due_runs::make_with(&place.0.path().join("data"), skill, 1).await;
    let run = format!("sh -c 'cat $DIBBER_RUN > {}/run'", place.0.path().display());
    let ended = place.once(&["--run", &run]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    let run: Value = serde_json::from_str(&place.0.read("run")).expect("JSON");
    assert_eq!(run["responseModel"], model);
}

/// A program that does not exist would fail every run, and pause the heartbeats.
#[tokio::test]
async fn a_program_that_cannot_start_is_refused_at_the_start() {
    let place = Place::with_heartbeats(1).await;
    let mut shown = String::new();
    place.write("project/notes.txt", "no program");
    place.write("data/notes.txt", "no program");
    let once = |arguments: &[&str]| {
        place.run(&["serve", "--once"]).arguments(arguments).env("PATH", "/usr/bin:/bin").run()
    };
    for typed in ["no-such-program -p", "./missing", "./notes.txt", "/"] {
        let ended = once(&["--run", typed]);
        assert_eq!(ended.code, 2, "{typed}: {}", ended.show());
        shown += &format!("$ serve --once --run '{typed}'\n");
        shown += &ended.show_without(place.0.path());
    }
    for command in ["[\"no-such-program\"]", "[\"sub/missing\"]", "[\"./notes.txt\"]"] {
        place.write("data/dibber.toml", &format!("[runner]\ncommand = {command}\n"));
        let ended = once(&[]);
        assert_eq!(ended.code, 2, "{command}: {}", ended.show());
        shown += &ended.show_without(place.0.path());
    }
    let data = place.0.path().join("data");
    assert_eq!(due_runs::runs_in(&data), [], "nothing was fired");
    assert_snapshot!(shown);
}

#[tokio::test]
async fn the_limits_of_the_configuration_count_for_the_typed_program() {
    let place = Place::with_heartbeats(1).await;
    place.write("data/dibber.toml", "[runner]\ntimeout = 1\nconcurrency = 1\n");
    let ended = place.once(&["--run", "sh -c 'sleep 100'"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, "1 run: 0 completed, 1 failed\n"));
    let runs = due_runs::runs_in(&place.0.path().join("data"));
    assert_eq!(runs[0].reason.as_deref(), Some("the program has not ended after 1 seconds"));
    let ended = place.once(&[]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    let warning = "warning: `[runner]` has limits, and no `command` or `webhook`";
    assert!(ended.stderr.starts_with(warning), "{}", ended.show());
}

#[tokio::test]
async fn a_store_that_fails_is_an_error_of_the_server() {
    let place = Place::with_heartbeats(1).await;
    crate::support::stores::damage(
        &place.0.path().join("data"),
        "CREATE TRIGGER full BEFORE INSERT ON runs
         BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END",
    );
    let ended = place.once(&[]);
    assert_eq!(ended.code, 6, "{}", ended.show());
}

#[test]
fn a_configuration_that_is_invalid_starts_nothing() {
    let mut shown = String::new();
    for text in [
        "[runner]\n",
        "[runner]\nhome-agent = true\n",
        "[runner]\ntimeout = 5\nsecret-file = \"key\"\n",
        "[runner]\ncommand = []\n",
        "[runner]\ncommand = [\"a\"]\nwebhook = \"https://example.org/hunter2\"\n",
        "[runner]\ncommand = [\"a\"]\nsecret-file = \"key\"\n",
        "[runner]\nwebhook = \"https://example.org/\"\nhome-agent = true\n",
        "[runner]\ncommand = [\"a\"]\ntimeout = 0\n",
        "[runner]\ncommand = [\"a\"]\nlease = \"1m\"\n",
        "[runner]\ncommand = [\"a\"]\nenvironment = [\"KEY=hunter2\"]\n",
        "[runner]\ncommand = [\"a\"]\nhome-agent = 1\n",
        "[runner]\ncommand = [\"a\"]\nconcurency = 1\n",
        "[runner]\ncommand = [\"a\"]\ndirectory = \"missing\"\n",
        "[runner]\nwebhook = \"http://example.org/hunter2\"\n",
        "[runner]\nwebhook = \"https://example.org/\"\nsecret-file = \"missing\"\n",
        "[runner]\nwebhook = \"https://example.org/\"\nsecret-file = \"open\"\n",
    ] {
        let place = Place::empty();
        place.write("data/dibber.toml", text);
        place.write("data/open", "hunter2");
        let ended = place.once(&[]);
        assert_eq!(ended.code, 2, "{text}{}", ended.show());
        shown += &ended.show_without(place.0.path());
    }
    let place = Place::empty();
    place.write("project/dibber.toml", "[runner]\ncommand = [\"a\"]\n");
    let in_project = place.run(&["serve", "--once", "--data", "."]).run();
    shown += &in_project.show_without(place.0.path());
    shown += &place.run(&["push", "."]).run().show_without(place.0.path());
    assert!(!shown.contains("hunter2"), "{shown}");
    assert_snapshot!(shown);
}

#[test]
fn the_settings_show_what_executes_runs() {
    let place = Place::empty();
    let settings = |text: &str| {
        place.write("config/dibber/dibber.toml", text);
        let shown = place.run(&["config", "show"]).run().show_without(place.0.path());
        let lines = shown.lines().filter(|line| line.starts_with("runner"));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let mut shown = settings("");
    shown += &settings(
        "[runner]\ncommand = [\"claude\", \"--key=hunter2\"]\ntimeout = 60\nlease = 10\n\
         directory = \"/srv\"\nenvironment = [\"PATH\", \"HOME\"]\nhome-agent = true\n",
    );
    shown += &settings(
        "[runner]\nwebhook = \"https://example.org/hunter2?hunter2\"\nsecret-file = \"key\"\n\
         keep-days = 7\noutput-bytes = 5\nconcurrency = 1\n",
    );
    assert!(!shown.contains("hunter2"), "{shown}");
    assert_snapshot!(shown);
}
