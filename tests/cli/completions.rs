//! `dibber completions`, and what shells offer with it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use insta::assert_snapshot;

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};

/// A project with a skill that was published and has a heartbeat, and one that was not.
struct Project(Tree);

impl Project {
    fn new() -> Self {
        let tree = Tree::new();
        tree.write("dibber.toml", b"");
        for name in ["bedtime-story", "plan-my-week"] {
            let text = format!(
                "---\nname: {name}\ndescription: Helps. Use when help is needed.\n---\n\n# Help\n\nHelp.\n"
            );
            tree.write(&format!("skills/{name}/SKILL.md"), text.as_bytes());
        }
        tree.write("skills/node_modules/x/SKILL.md", b"");
        tree.write(".claude/skills/tidy-up/SKILL.md", b"");
        tree.write(".claude/plugins/x/SKILL.md", b"");
        tree.write(
            "skills/bedtime-story/sprout.yaml",
            b"heartbeats:\n  - name: Every evening\n    cron: 0 19 * * *\n  - name: Zoe's own\n    cron: 0 8 * * 6\n",
        );
        tree.write(
            "config/dibber/dibber.toml",
            b"[servers.weather]\nurl = \"https://example.org/mcp\"\n",
        );
        let project = Self(tree);
        let pushed = project.run(&["push", "skills/bedtime-story", "--yes"]).run();
        assert_eq!(pushed.code, 0, "{}", pushed.show());
        project
    }

    fn run(&self, arguments: &[&str]) -> Dibber {
        let home = self.0.path().to_string_lossy().into_owned();
        Dibber::new(arguments)
            .in_directory(self.0.path())
            .data(&self.0.path().join("data"))
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", &format!("{home}/config"))
            .env("XDG_DATA_HOME", &format!("{home}/share"))
            .env("COLUMNS", "100")
    }

    /// Returns what fish offers for the last of these words, as values with descriptions.
    fn offered(&self, words: &[&str]) -> String {
        let arguments = [&["--", "dibber"], words].concat();
        let ended = self.run(&arguments).env("COMPLETE", "fish").run();
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{}", ended.show());
        ended.stdout
    }
}

#[test]
fn values_are_offered_that_are_known_without_a_server() {
    let project = Project::new();
    let asked: [&[&str]; 12] = [
        &["hea"],
        &["lint", "--select", "long-"],
        &["explain", "child"],
        &["lint", "--format", "s"],
        &["heartbeat", "create", "x", "--tz", "Europe/Be"],
        &["skill", "get", "skills/"],
        &["skill", "get", "."],
        &["heartbeat", "pause", "E"],
        &["call", "skill_w"],
        &["status", "--server", ""],
        &["new", "--template", "k"],
        &["push", "skills/"],
    ];
    let shown =
        asked.map(|words| format!("$ dibber {}\n{}", words.join(" "), project.offered(words)));
    assert_snapshot!(shown.concat());
}

#[test]
fn a_private_name_is_not_offered() {
    let project = Project::new();
    assert_eq!(project.offered(&["heartbeat", "pause", "Z"]), "Zoe's own\n");
    let names = project.0.path().join("names");
    project.0.write("names", b"Zoe\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&names, fs::Permissions::from_mode(0o600)).expect("permissions");
    }
    let asked = project.run(&["--", "dibber", "heartbeat", "pause", "Z"]).env("COMPLETE", "fish");
    let ended = asked.env("DIBBER_NAMES", &names.to_string_lossy()).run();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, ""), "{}", ended.show());
}

#[test]
fn the_variable_alone_changes_nothing() {
    for shell in ["bash", "1", "nushell"] {
        let ended = Dibber::new(["--version"]).env("COMPLETE", shell).run();
        assert!(ended.stdout.starts_with("dibber "), "{}", ended.show());
    }
}

/// Runs a script in a shell that is installed, with this binary as `dibber`. `None` if it is not, which
/// is said; it is a failure if `DIBBER_TEST_SHELLS` names the shell.
fn in_shell(shell: &str, arguments: &[&str], script: &str, project: &Project) -> Option<Ended> {
    let is_installed = Command::new(shell)
        .arg("-c")
        .arg("exit 0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    let required = std::env::var("DIBBER_TEST_SHELLS").unwrap_or_default();
    if !is_installed {
        assert!(!required.split_whitespace().any(|it| it == shell), "{shell} is not installed");
        #[expect(clippy::print_stderr, reason = "a test that is skipped says why")]
        {
            eprintln!("skipped: the completions of {shell}, which is not installed");
        }
        return None;
    }
    let program = Path::new(env!("CARGO_BIN_EXE_dibber")).parent().expect("a directory");
    let mut path = vec![program.to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").expect("a path")));
    let path = std::env::join_paths(path).expect("paths");
    let home = project.0.path().to_string_lossy().into_owned();
    let run = Dibber::program(shell, [arguments, &[script]].concat());
    let run = run.in_directory(project.0.path()).data(&project.0.path().join("data"));
    let run = run.env("PATH", &path.to_string_lossy()).env("HOME", &home);
    Some(
        run.env("XDG_CONFIG_HOME", &format!("{home}/config"))
            .env("XDG_DATA_HOME", &format!("{home}/share"))
            .run(),
    )
}

fn install(shell: &str, project: &Project) {
    let ended = project.run(&["completions", shell, "--install", "--yes"]).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
}

#[test]
fn bash_completes_with_the_installed_file() {
    let project = Project::new();
    install("bash", &project);
    let script = r#"
        . "$XDG_DATA_HOME/bash-completion/completions/dibber" || exit 1
        ask() {
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_TYPE=9 COMPREPLY=()
            _clap_complete_dibber dibber "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '<%s>' "${COMPREPLY[@]}"; echo
        }
        ask dibber lint --select long-b
        ask dibber heartbeat pause Ev
        ask dibber skill get skills/
    "#;
    if let Some(ended) = in_shell("bash", &["--norc", "-c"], script, &project) {
        let offered =
            "<long-body>\n<Every\\ evening>\n<skills/bedtime-story><skills/plan-my-week>\n";
        assert_eq!(ended.stdout, offered, "{}", ended.show());
    }
}

#[test]
fn fish_completes_with_the_installed_file() {
    let project = Project::new();
    install("fish", &project);
    let script = r#"
        source $XDG_CONFIG_HOME/fish/completions/dibber.fish
        complete --do-complete "dibber lint --select long-b" | string split -f 1 \t
        complete --do-complete "dibber heartbeat pause Ev" | string split -f 1 \t
    "#;
    if let Some(ended) = in_shell("fish", &["--no-config", "-c"], script, &project) {
        assert_eq!(ended.stdout, "long-body\nEvery evening\n", "{}", ended.show());
    }
}

#[test]
fn zsh_completes_with_the_installed_file() {
    let project = Project::new();
    install("zsh", &project);
    // `_describe` shows what the widget of zsh would insert.
    let script = r#"
        fpath=("$HOME/.zfunc" $fpath)
        autoload -Uz _dibber
        compdef() { : }
        _describe() { print -rl -- ${(P)${@[-1]}} }
        ask() { words=("$@"); CURRENT=$#; _dibber }
        ask dibber lint --select long-b
        ask dibber heartbeat pause Ev
    "#;
    if let Some(ended) = in_shell("zsh", &["-f", "-c"], script, &project) {
        let offered: Vec<_> = ended.stdout.lines().collect();
        let [rule, heartbeat] = &offered[..] else { panic!("{}", ended.show()) };
        assert!(rule.starts_with("long-body:"), "{}", ended.show());
        assert_eq!(*heartbeat, "Every evening", "{}", ended.show());
    }
}

#[test]
fn completions_are_installed_once_where_the_shell_looks_for_them() {
    let project = Project::new();
    let mut shown = String::new();
    for arguments in [
        &["bash"][..],
        &["bash", "-n"],
        &["bash", "--yes"],
        &["bash", "--yes"],
        &["fish", "--yes"],
        &["zsh", "--yes"],
        &["powershell", "--yes"],
        &["elvish"],
    ] {
        let ended = project.run(&[&["completions", "--install"], arguments].concat()).run();
        shown += &format!("$ dibber completions --install {}\n", arguments.join(" "));
        shown += &ended.show_without(project.0.path());
    }
    assert_snapshot!(shown);
    // An older file is replaced.
    let file = "share/bash-completion/completions/dibber";
    let script = project.0.read(file);
    project.0.write(file, format!("# an older version\n{script}").as_bytes());
    install("bash", &project);
    assert_eq!(project.0.read(file), script);
    assert_eq!(script, project.run(&["completions", "bash"]).run().stdout);
    // A configuration that names the directory needs no further line.
    project.0.write(".zshrc", b"fpath=(~/.zfunc $fpath)\n");
    let zsh = project.run(&["completions", "zsh", "--install", "--yes"]).run();
    assert!(!zsh.stderr.contains("fpath"), "{}", zsh.show());
}

#[test]
fn the_shell_is_that_of_the_environment() {
    let project = Project::new();
    let ended = project.run(&["completions"]).env("SHELL", "/usr/bin/fish").run();
    assert!(ended.stdout.starts_with("complete "), "{}", ended.show());
    let unknown = project.run(&["completions", "--install"]).env("SHELL", "/bin/nu").run();
    assert_snapshot!(unknown.show());
}

#[test]
fn a_file_that_dibber_has_not_written_is_not_replaced() {
    let project = Project::new();
    for (shell, file) in [
        ("bash", "share/bash-completion/completions/dibber"),
        ("fish", "config/fish/completions/dibber.fish"),
        ("zsh", ".zfunc/_dibber"),
    ] {
        project.0.write(file, b"# completions of mine for dibber\n");
        for option in ["--yes", "--dry-run"] {
            let ended = project.run(&["completions", shell, "--install", option]).run();
            assert_eq!(ended.code, 2, "{}", ended.show());
            let error = "was not written by dibber, and is not replaced";
            assert!(ended.stderr.contains(error), "{}", ended.show());
        }
        assert_eq!(project.0.read(file), "# completions of mine for dibber\n");
        // What a version of dibber has written is replaced.
        let script = project.run(&["completions", shell]).run().stdout;
        project.0.write(file, format!("# of another version\n{script}").as_bytes());
        install(shell, &project);
        assert_eq!(project.0.read(file), script);
    }
}

/// A link may lead to a file of another program, and opening a pipe waits for its other end.
#[cfg(unix)]
#[test]
fn only_a_regular_file_is_replaced_by_completions() {
    let project = Project::new();
    let file = project.0.path().join("share/bash-completion/completions/dibber");
    std::fs::create_dir_all(file.parent().expect("a parent")).expect("directories");
    project.0.write("other", b"of another program\n");
    std::os::unix::fs::symlink(project.0.path().join("other"), &file).expect("a link");
    let mut shown = String::new();
    let mut install = || {
        let ended = project.run(&["completions", "bash", "--install", "--yes"]).run_bounded();
        shown += &ended.show_without(project.0.path());
    };
    install();
    assert_eq!(project.0.read("other"), "of another program\n");
    std::fs::remove_file(&file).expect("a link");
    let made = Command::new("mkfifo").arg(&file).status().expect("mkfifo");
    assert!(made.success());
    install();
    assert_snapshot!("not_regular", shown);
}

#[cfg(unix)]
#[test]
fn a_lock_that_is_a_pipe_has_no_candidates() {
    let project = Project::new();
    project.0.remove("dibber.lock");
    let lock = project.0.path().join("dibber.lock");
    let made = Command::new("mkfifo").arg(&lock).status().expect("mkfifo");
    assert!(made.success());
    let doctor = project.run(&["doctor"]).env("SHELL", "").run_bounded();
    assert!(doctor.stdout.contains("dibber.lock is a pipe"), "{}", doctor.show());
    let asked = project.run(&["--", "dibber", "heartbeat", "pause", "E"]).env("COMPLETE", "fish");
    // The database of the server in this program has it.
    let ended = asked.run_bounded();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, "Every evening\n"), "{}", ended.show());
    let elsewhere = project.run(&["--", "dibber", "heartbeat", "pause", "E"]);
    let elsewhere =
        elsewhere.env("COMPLETE", "fish").env("DIBBER_SERVER", "https://example.org/mcp");
    let ended = elsewhere.run_bounded();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, ""), "{}", ended.show());
}

#[test]
fn heartbeats_that_no_file_has_are_offered() {
    let project = Project::new();
    let ended = project.run(&["heartbeat", "cancel", "Every evening", "--yes"]).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    // It is still recorded, as its file has it.
    let create = ["heartbeat", "create", "Every noon", "--cron", "0 12 * * *", "--yes"];
    let create = [&create[..], &["--skill", "skills/bedtime-story"]].concat();
    let ended = project.run(&create).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(project.offered(&["heartbeat", "pause", "E"]), "Every evening\nEvery noon\n");
    // The name of a child in the database is not offered.
    let add = ["family", "add-child", "Noon", "--born", "2019-04-30"];
    assert_eq!(project.run(&add).run().code, 0);
    assert_eq!(project.offered(&["heartbeat", "pause", "E"]), "Every evening\n");
}
