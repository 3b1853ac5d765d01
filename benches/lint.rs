//! What linting costs, beside what reading the same files costs.
//!
//! `DIBBER_CORPUS=DIR cargo bench` measures over real skills; without it, a tree of 1,000 skills
//! of about 10 KB each, with the files beside them, is made from `fixtures/skills`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dibber_lint::Settings;
use dibber_skill::discover;
use dibber_skill::skill::{Bundle, Skill};
use dibber_text::Source;
use ignore::{WalkBuilder, WalkState};
use tempfile::TempDir;

const SKILLS: usize = 1_000;
const SKILL_BYTES: usize = 10 << 10;

/// The directories of the example skills.
fn examples() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/skills");
    let entries = fs::read_dir(directory).expect("fixtures/skills");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn text_of(example: &Path) -> String {
    fs::read_to_string(example.join("SKILL.md")).expect("a skill")
}

/// A skill of about `SKILL_BYTES`: its body once more and once more.
fn enlarged(text: &str) -> String {
    let body_start = text.match_indices("\n---").next().map_or(0, |(at, _)| at + 4);
    let body = text[body_start..].to_owned();
    let mut text = text.to_owned();
    while text.len() < SKILL_BYTES {
        text.push_str(&body);
    }
    text
}

fn parse_skill(text: &str) -> Skill {
    let bundle = Bundle::of_text("skills/example", Some("example".to_owned()));
    Skill::parse(bundle, Source::new("skills/example/SKILL.md", text), Vec::new())
}

fn one_skill(criterion: &mut Criterion) {
    let text = &text_of(&examples()[0]);
    let frontmatter = {
        let end = text.match_indices("\n---").next().expect("a closing fence").0 + 5;
        text[..end].to_owned()
    };
    criterion.bench_function("parse one frontmatter", |bencher| {
        bencher.iter(|| parse_skill(&frontmatter));
    });
    let skill = parse_skill(&enlarged(text));
    let settings = Settings::default();
    criterion.bench_function("lint one skill of 10 KB", |bencher| {
        bencher.iter(|| dibber_lint::lint(&skill, &settings));
    });
}

/// The tree to measure on; the temporary directory goes away with it.
enum Tree {
    Made(TempDir),
    Given(PathBuf),
}

impl Tree {
    fn new() -> Self {
        if let Some(directory) = std::env::var_os("DIBBER_CORPUS") {
            return Self::Given(PathBuf::from(directory));
        }
        let examples = examples();
        let directory = TempDir::new().expect("a temporary directory");
        for index in 0..SKILLS {
            let name = format!("skill-{index:04}");
            let skill = directory.path().join(&name);
            let example = &examples[index % examples.len()];
            copy(example, &skill);
            let text = enlarged(&text_of(example));
            let rest = text.split_once("name: ").and_then(|(_, rest)| rest.split_once('\n'));
            let text = format!("---\nname: {name}\n{}", rest.expect("a name").1);
            fs::write(skill.join("SKILL.md"), text).expect("a file");
        }
        Self::Made(directory)
    }

    fn path(&self) -> &Path {
        match self {
            Self::Made(directory) => directory.path(),
            Self::Given(directory) => directory,
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, target).expect("a file");
        }
    }
}

fn read_every_file(directory: &Path) -> usize {
    let bytes = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let walker = WalkBuilder::new(directory).hidden(false).threads(threads).build_parallel();
    walker.run(|| {
        Box::new(|entry| {
            if let Ok(entry) = entry
                && entry.file_type().is_some_and(|kind| kind.is_file())
                && let Ok(content) = fs::read(entry.path())
            {
                bytes.fetch_add(content.len(), Ordering::Relaxed);
            }
            WalkState::Continue
        })
    });
    bytes.into_inner()
}

/// The whole command, with a report that goes nowhere.
fn lint_tree(directory: &Path) -> ExitCode {
    let nowhere = if cfg!(windows) { "NUL" } else { "/dev/null" };
    let options = ["dibber", "lint", "--quiet", "--format=concise", "--output", nowhere];
    dibber::cli::run(options.map(OsString::from).into_iter().chain([directory.into()]))
}

fn tree(criterion: &mut Criterion) {
    let tree = Tree::new();
    let (skills, _) = discover::find(&[tree.path().to_owned()]);
    let mut group = criterion.benchmark_group("tree");
    group.throughput(Throughput::Elements(skills.len() as u64));
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    group.bench_function("read every file", |bencher| {
        bencher.iter(|| read_every_file(tree.path()));
    });
    group.bench_function("lint", |bencher| {
        bencher.iter(|| lint_tree(tree.path()));
    });
    group.finish();
}

criterion_group!(benches, one_skill, tree);
criterion_main!(benches);
