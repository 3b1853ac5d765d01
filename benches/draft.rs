//! What a dry-run costs: the draft of one skill, and the whole command from its start to its exit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dibber_skill::contract::SKILL_WRITE;
use dibber_skill::discover;
use dibber_skill::draft::{self, Draft};
use dibber_skill::names::Roster;
use dibber_skill::skill::Skill;
use dibber_skill::spec_hash::SpecHash;
use serde_json::Value;
use tempfile::TempDir;

const SKILLS: usize = 1_000;
const SKILL_BYTES: usize = 10 << 10;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/drafts/daily-check-in")
}

/// Writes the example as a skill of about `SKILL_BYTES`, with its `sprout.yaml`.
fn write_skill(directory: &Path) {
    fs::create_dir_all(directory).expect("a directory");
    let text = fs::read_to_string(example().join("SKILL.md")).expect("a skill");
    let body_start = text.match_indices("\n---\n").next().map_or(0, |(at, _)| at + 5);
    let times = SKILL_BYTES / (text.len() - body_start);
    fs::write(directory.join("SKILL.md"), text.clone() + &text[body_start..].repeat(times))
        .expect("a file");
    fs::copy(example().join("sprout.yaml"), directory.join("sprout.yaml")).expect("a file");
}

fn load(directory: &Path) -> Skill {
    let (found, _) = discover::find(&[directory.to_owned()]);
    discover::load_published(&found[0]).expect("a readable skill")
}

/// From a parsed skill to its decision and its hash.
fn judge(skill: &Skill, roster: &Roster) -> SpecHash {
    let draft = Draft::new(skill);
    let verdicts = draft::analyze(draft.best_effort(), roster);
    assert!(draft::policy_decision(&verdicts, &()).reasons.is_empty());
    match serde_json::to_value(draft.best_effort()) {
        Ok(Value::Object(arguments)) => SpecHash::compute(SKILL_WRITE, &arguments).expect("a hash"),
        _ => panic!("an object"),
    }
}

/// Runs the command to its exit, with an output that goes nowhere.
fn dry_run(arguments: &[&str], directory: &Path) {
    let ended = Command::new(env!("CARGO_BIN_EXE_dibber"))
        .arg("dry-run")
        .args(arguments)
        .arg(directory)
        .stdout(Stdio::null())
        .status();
    assert!(ended.expect("the binary starts").success());
}

fn one_skill(criterion: &mut Criterion) {
    let directory = TempDir::new().expect("a temporary directory");
    write_skill(directory.path());
    let (skill, roster) = (load(directory.path()), Roster::default());
    criterion.bench_function("draft, judge and hash one skill of 10 KB", |bencher| {
        bencher.iter(|| judge(&skill, &roster));
    });
    criterion.bench_function("dry-run of one skill, start to exit", |bencher| {
        bencher.iter(|| dry_run(&[], directory.path()));
    });
}

fn tree(criterion: &mut Criterion) {
    let directory = TempDir::new().expect("a temporary directory");
    for index in 0..SKILLS {
        write_skill(&directory.path().join(format!("skill-{index:04}")));
    }
    let mut group = criterion.benchmark_group("tree of 1,000 skills");
    group.throughput(Throughput::Elements(SKILLS as u64));
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    group.bench_function("dry-run --json, start to exit", |bencher| {
        bencher.iter(|| dry_run(&["--json", "--quiet"], directory.path()));
    });
    group.finish();
}

criterion_group!(benches, one_skill, tree);
criterion_main!(benches);
