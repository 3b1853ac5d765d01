//! Skill directories and blobs with links and other things that are not files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use dibber_sandbox::{Job, MountedBlob, MountedSkill, SandboxError};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;

use crate::support::{SETTINGS, block_on, value_of};

type Prepare = fn(&Path);

fn directory_with(prepare: Prepare) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let public = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(directory.path(), public).expect("permissions");
    fs::create_dir(directory.path().join("skill")).expect("a directory");
    fs::write(directory.path().join("outside"), "outside").expect("a file");
    prepare(&directory.path().join("skill"));
    directory
}

/// Returns why a job is refused in each setting that works here.
fn refusals(job: &Job) -> Vec<SandboxError> {
    let reason = |result| match result {
        Err(error @ (SandboxError::InvalidSkill { .. } | SandboxError::Refused { .. })) => error,
        other => panic!("not refused: {other:?}"),
    };
    SETTINGS.iter().map(|setting| reason(block_on(setting.sandbox.run(job)))).collect()
}

#[test]
fn skills() {
    let cases: [(Prepare, &str); 5] = [
        (|skill| symlink("/etc/passwd", skill.join("x")).expect("a link"), "a symbolic link"),
        (|skill| symlink("..", skill.join("x")).expect("a link"), "a symbolic link"),
        (
            |skill| {
                let mode = Mode::from_raw_mode(0o644);
                mknodat(CWD, skill.join("x"), FileType::Fifo, mode, 0).expect("a pipe");
            },
            "not a regular file",
        ),
        (
            |skill| {
                let file = fs::File::create(skill.join("x")).expect("a file");
                file.set_len(1 << 40).expect("a sparse file");
            },
            "larger than the remaining",
        ),
        (
            |skill| fs::create_dir_all(skill.join("x/".repeat(40))).expect("directories"),
            "deeper than 32 directories",
        ),
    ];
    for (prepare, expected) in cases {
        let directory = directory_with(prepare);
        let skill = MountedSkill {
            name: "s".to_owned(),
            directory: directory.path().join("skill"),
            entrypoint: None,
        };
        let job = Job { skills: vec![skill], ..Job::code("def main(args): pass") };
        for refusal in refusals(&job) {
            assert!(refusal.to_string().contains(expected), "{refusal}");
            assert!(matches!(refusal, SandboxError::InvalidSkill { .. }), "{refusal:?}");
        }
    }
}

#[test]
fn hard_links_are_files() {
    let directory = directory_with(|skill| {
        fs::write(skill.join("../outside"), "X = 7").expect("a file");
        fs::create_dir(skill.join("code")).expect("a directory");
        fs::hard_link(skill.join("../outside"), skill.join("code/main.py")).expect("a link");
    });
    let skill = MountedSkill {
        name: "s".to_owned(),
        directory: directory.path().join("skill"),
        entrypoint: None,
    };
    let blob = MountedBlob { id: "b".to_owned(), file: directory.path().join("outside") };
    let code = "import runtime\nfrom skills.s import X\n\
                def main(args): return [X, runtime.blobs.read_text('b')]";
    let job = Job { skills: vec![skill], blobs: vec![blob], ..Job::code(code) };
    for setting in SETTINGS.iter() {
        let value = value_of(&setting.run(&job), &format!("{setting:?}"));
        assert_eq!(value, serde_json::json!([7, "X = 7"]));
    }
}

#[test]
fn blobs() {
    let cases: [(Prepare, &str); 2] = [
        (|skill| symlink("/etc/passwd", skill.join("x")).expect("a link"), "symbolic links"),
        (|skill| fs::create_dir(skill.join("x")).expect("a directory"), "not a regular file"),
    ];
    for (prepare, expected) in cases {
        let directory = directory_with(prepare);
        let blob = MountedBlob { id: "x".to_owned(), file: directory.path().join("skill/x") };
        let job = Job { blobs: vec![blob], ..Job::code("def main(args): pass") };
        for refusal in refusals(&job) {
            assert!(refusal.to_string().contains(expected), "{refusal}");
        }
    }
}
