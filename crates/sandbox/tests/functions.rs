//! What functions get and return, in every mode.

use std::collections::BTreeMap;
use std::fs;

use dibber_sandbox::{
    Job, Limits, MountedBlob, MountedSkill, Output, Program, SandboxError, Secrets,
};
use serde_json::json;

use crate::support::{SETTINGS, block_on, function, value_of};

/// The source of the functions that do what skills do.
const FUNCTIONS: &str = include_str!("functions.py");

#[test]
fn a_function_gets_its_arguments_and_returns_json() {
    for setting in SETTINGS.iter() {
        let mut job = function(FUNCTIONS, "returns_arguments");
        job.arguments.insert("name".to_owned(), json!("Zoë"));
        let value = value_of(&setting.run(&job), &format!("{setting:?}"));
        assert_eq!(value, json!({"got": {"name": "Zoë"}, "é": [1, 2.5, null, true]}));
    }
}

#[test]
fn an_exception_has_its_type_message_and_trace() {
    for setting in SETTINGS.iter() {
        let error = setting.error(&function(FUNCTIONS, "raises"));
        assert_eq!((error.kind.as_str(), error.message.as_str()), ("KeyError", "'lead'"));
        let trace = error.trace.expect("a trace");
        assert!(trace.contains(", in helper"), "{trace}");
        assert!(trace.contains("raise KeyError(\"lead\")"), "{trace}");
        assert!(!trace.contains("<string>"), "{trace}");
    }
}

#[test]
fn failures_are_named() {
    let cases = [
        ("def other(args): pass", "EntrypointNotFound"),
        ("main = 3", "EntrypointNotFound"),
        ("def main(args): return {1, 2}", "NotSerializable"),
        ("def main(args): return float('nan')", "NotSerializable"),
        ("def main(args): return [-float('inf')]", "NotSerializable"),
        ("def main(args): return {'a': [1, 2**64]}", "NotSerializable"),
        ("def main(args): return ['x' * 70_000, -2**63 - 1]", "NotSerializable"),
        ("def main(args): return 10**400", "NotSerializable"),
        ("def main(args): return [{1: 'a', '1': 'b'}]", "NotSerializable"),
        ("def main(args): return ['x' * 70_000, {True: 1, 'true': 2}]", "NotSerializable"),
        ("def main(args): return '\\ud800'", "NotSerializable"),
        ("def main(args): return 'x' * 9_000_000", "OutputLimit"),
        ("def main(args) return 1", "SyntaxError"),
        ("class Timeout(Exception): pass\ndef main(args): raise Timeout()", "code.Timeout"),
        (
            "class MemoryLimit(Exception): pass\ndef main(args): raise MemoryLimit()",
            "code.MemoryLimit",
        ),
        ("import sys\ndef main(args): sys.exit(3)", "SystemExit"),
        ("import os\ndef main(args): os._exit(3)", "ProgramExited"),
        ("import os\ndef main(args): os.kill(os.getpid(), 9)", "ProgramExited"),
        (
            "import os\nfor n in range(3, 9):\n  try: os.write(n, b'{')\n  except OSError: pass\ndef main(args): pass",
            "InvalidResult",
        ),
    ];
    for setting in SETTINGS.iter() {
        for (code, kind) in cases {
            let error = setting.error(&Job::code(code));
            assert_eq!(error.kind, kind, "{setting:?}: {code}: {error:?}");
        }
    }
}

#[test]
fn integers_of_64_bits_keep_their_digits() {
    let code = "def main(args): return [2**64 - 1, -2**63, '9' * 30 + '\"', {'9' * 30: 1e30}]";
    let large = "9".repeat(30);
    let expected = json!([u64::MAX, i64::MIN, format!("{large}\""), {large.as_str(): 1e30}]);
    for setting in SETTINGS.iter() {
        let value = value_of(&setting.run(&Job::code(code)), &format!("{setting:?}"));
        assert_eq!(value, expected);
    }
}

#[test]
fn a_large_output_is_returned_as_json() {
    for setting in SETTINGS.iter() {
        let outcome = setting.run(&Job::code("def main(args): return ['x' * 70_000]"));
        let Ok(Output::Large(text)) = outcome.result else { panic!("{:?}", outcome.result) };
        assert_eq!(text.len(), 70_004);
    }
}

#[test]
fn what_is_printed_is_kept_up_to_a_limit() {
    for setting in SETTINGS.iter() {
        let outcome = setting.run(&function(FUNCTIONS, "prints"));
        assert!(outcome.result.is_ok(), "{:?}", outcome.result);
        assert!(outcome.logs.text.starts_with("out\nerr\n"), "{}", &outcome.logs.text[..20]);
        assert_eq!(outcome.logs.text.len(), Limits::default().log_bytes);
        assert!(outcome.logs.dropped_bytes > 19_000_000);
    }
}

#[test]
fn a_skill_is_called_and_imports_others() {
    let directory = tempfile::tempdir().expect("a directory");
    let skill = |name: &str, files: &[(&str, &str)]| {
        for (file, content) in files {
            let path = directory.path().join(name).join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
            fs::write(path, content).expect("a file");
        }
        MountedSkill {
            name: name.to_owned(),
            directory: directory.path().join(name),
            entrypoint: None,
        }
    };
    let main = "import helper\nimport skills.crm.leads.score\nfrom skills.crm import leads\n\ndef run(args):\n    return [helper.NAME, leads.score.main({}), __name__]\n";
    let score = "from . import table\nfrom skills.crm.leads.score.table import ROWS\n\ndef main(args): return ROWS + table.ROWS\n";
    let skills = vec![
        skill("crm.sync-all", &[("code/main.py", main), ("code/helper.py", "NAME = 'helper'")]),
        skill("crm.leads.score", &[("code/main.py", score), ("code/table.py", "ROWS = 2")]),
    ];
    for setting in SETTINGS.iter() {
        let program =
            Program::Skill { name: "crm.sync-all".to_owned(), function: "run".to_owned() };
        let job = Job { program, skills: skills.clone(), ..Job::code("") };
        let value = value_of(&setting.run(&job), &format!("{setting:?}"));
        assert_eq!(value, json!(["helper", 4, "skills.crm.sync_all"]));
    }
}

#[test]
fn blobs_and_secrets_are_in_the_module_runtime() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("content");
    fs::write(&file, "grün").expect("a file");
    // As in the store of a server, which only its own user can read.
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(&file, permissions).expect("permissions");
    for setting in SETTINGS.iter().filter(|setting| setting.reads_own_files()) {
        let job = Job {
            blobs: vec![MountedBlob { id: "a1".to_owned(), file: file.clone() }],
            secrets: Secrets(BTreeMap::from([("KEY".to_owned(), "s3cret".to_owned())])),
            ..function(FUNCTIONS, "uses_runtime")
        };
        assert!(!format!("{job:?}").contains("s3cret"));
        let value = value_of(&setting.run(&job), &format!("{setting:?}"));
        assert_eq!(value, json!([["blob:a1"], "grün", 5, "s3cret", ["KEY"]]));
    }
}

#[test]
fn files_are_found_by_the_same_names_in_every_mode() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("data.txt"), "of the skill").expect("a file");
    let skill = MountedSkill {
        name: "crm.sync-all".to_owned(),
        directory: directory.path().to_owned(),
        entrypoint: None,
    };
    let public = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(directory.path(), public).expect("permissions");
    for setting in SETTINGS.iter() {
        let job = Job { skills: vec![skill.clone()], ..function(FUNCTIONS, "uses_paths") };
        let value = value_of(&setting.run(&job), &format!("{setting:?}"));
        let missing = ["crm.other", "..", "", "crm.sync-all/code"]
            .map(|name| format!("no such skill: {name}"));
        assert_eq!(value, json!(["written", "of the skill", missing]), "{setting:?}");
    }
}

#[test]
fn common_modules_work() {
    for setting in SETTINGS.iter() {
        let value = value_of(&setting.run(&function(FUNCTIONS, "uses_modules")), "modules");
        assert_eq!(value, json!([45, "42\n", "done", true]), "{setting:?}");
    }
}

#[test]
fn names_that_are_not_file_names_are_refused() {
    let skill = |name: &str| MountedSkill {
        name: name.to_owned(),
        directory: "/tmp".into(),
        entrypoint: None,
    };
    for name in ["", "..", "a/b", ".hidden", "a b", "a\n"] {
        let job = Job { skills: vec![skill(name)], ..Job::code("def main(args): pass") };
        for setting in SETTINGS.iter() {
            let refused = block_on(setting.sandbox.run(&job));
            assert!(matches!(refused, Err(SandboxError::InvalidJob(_))), "{name:?}");
        }
    }
}
