//! The file with secrets, and who gets them.

use std::fs;

use dibber_protocol::{SECRETS_FILE_NAME, SecretStore};
use serde_json::json;
use tempfile::TempDir;

use crate::skills::{NAME, TestSkill, shown};

/// Reads a file with this text and, on unix, with these permissions.
fn read(text: &str, mode: u32) -> Result<SecretStore, String> {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join(SECRETS_FILE_NAME);
    fs::write(&path, text).expect("a file");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("permissions");
    }
    let _ = mode;
    SecretStore::read(&path).map_err(|error| {
        let shown = format!("{error}; {}", error.help.shown(&()));
        shown.replace(&*path.to_string_lossy(), "FILE")
    })
}

fn with_secrets(names: &str) -> TestSkill {
    TestSkill::action(&format!("[permissions]\nsecrets = [{names}]\n"))
}

#[test]
fn a_skill_gets_the_secrets_that_it_names_and_no_others() {
    let store = "[secrets]\nA = \"a\"\nB = \"b\"\n[secrets.\"family.dates.countdown\"]\nB = \"own\"\n\
                 [secrets.\"other.skill\"]\nC = \"c\"\n";
    let store = read(store, 0o600).expect("secrets");
    let plan = with_secrets("\"A\", \"B\"").plan_with(&json!({"name": NAME}), &store);
    let secrets = plan.expect("a plan").job.secrets.0;
    let pairs: Vec<_> =
        secrets.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(pairs, [("A", "a"), ("B", "own")]);
    let plan = with_secrets("").plan_with(&json!({"name": NAME}), &store).expect("a plan");
    assert!(plan.job.secrets.0.is_empty());
    let refused = with_secrets("\"A\", \"C\"").plan_with(&json!({"name": NAME}), &store);
    let lines = shown(&refused.expect_err("of another skill"));
    assert_eq!(
        lines[..2],
        [
            "-32602 SecretMissing",
            "`family.dates.countdown` needs the secret `C`, which has no value here",
        ]
    );
    assert_eq!(format!("{store:?}").matches("\"own\"").count(), 0);
}

#[test]
fn without_a_file_there_are_no_secrets() {
    let directory = TempDir::new().expect("a directory");
    assert!(SecretStore::read(&directory.path().join(SECRETS_FILE_NAME)).is_ok());
    assert!(SecretStore::read(directory.path()).is_err());
}

#[cfg(unix)]
#[test]
fn a_file_that_others_can_read_is_refused() {
    for mode in [0o640, 0o604, 0o602] {
        let error = read("[secrets]\nA = \"a\"\n", mode).expect_err("it is not private");
        let expected = "`FILE` can be read or changed by other users of this computer; \
                        run `chmod 600 FILE`";
        assert_eq!(error.replace('`', ""), expected.replace('`', ""));
    }
}

#[test]
fn errors_name_the_line_and_never_the_value() {
    for (text, part) in [
        ("[secrets]\nA = geheim", "line 2 is not TOML"),
        ("[secrets]\nA = \"geheim", "line 2 is not TOML"),
        ("A = \"geheim\"\n", "`A` is not `[secrets]`"),
        ("[secret]\nA = \"geheim\"\n", "`secret` is not `[secrets]`"),
        ("[secrets]\nA = 7\n", "the value of `A` is not a string"),
        ("[secrets]\nA = \"\"\n", "the value of `A` is not a string"),
        ("[secrets.\"a.b\"]\nA = [\"geheim\"]\n", "the value of `A` is not a string"),
    ] {
        let error = read(text, 0o600).expect_err(text);
        assert!(error.contains(part), "{text}: {error}");
        assert!(!error.contains("geheim"), "{text}: {error}");
    }
    let large = format!("[secrets]\n#{}\n", "x".repeat(1 << 20));
    assert!(read(&large, 0o600).expect_err("too large").contains("larger than 1 MiB"));
}

#[test]
fn a_mistake_in_the_file_does_not_stop_skills_without_secrets() {
    let data = TempDir::new().expect("a directory");
    fs::write(data.path().join(SECRETS_FILE_NAME), "A = [").expect("a file");
    let read = |names: &str| SecretStore::for_skill(&with_secrets(names).skill, data.path());
    assert!(read("").is_ok());
    assert!(read("\"A\"").is_err());
}
