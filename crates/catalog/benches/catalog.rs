//! What it costs to read 1,000 skills of 60 MB as a catalogue.
//!
//! Each has five files. With `-- --test`, there are 20.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use dibber_catalog::Catalog;
use tempfile::TempDir;

const SKILLS: usize = 1_000;

/// The bytes of all files of a skill but its `SKILL.md`.
const ASSET_BYTES: usize = 14_000;

fn create_skill(root: &Path, number: usize) {
    let directory = root.join(format!("group{}/skill-{number}", number % 20));
    fs::create_dir_all(directory.join("references")).expect("a directory");
    let body = "Look at the soil first, and water only what is dry. ".repeat(80);
    let text = format!(
        "---\nname: skill-{number}\ndescription: Waters plants. Use when the soil is dry.\nlicense: \
         MIT\nmetadata:\n  version: \"1.{number}\"\n---\n\n# Skill {number}\n\n{body}\n"
    );
    fs::write(directory.join("SKILL.md"), text).expect("a file");
    for asset in 0..4_usize {
        let bytes: Vec<u8> = (0..ASSET_BYTES)
            .map(|at| u8::try_from((at * (asset + 3) + number) % 251).unwrap_or(0))
            .collect();
        fs::write(directory.join(format!("references/{asset}.bin")), bytes).expect("a file");
    }
}

fn catalog(criterion: &mut Criterion) {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let skills = if is_test { 20 } else { SKILLS };
    let place = TempDir::new().expect("a directory");
    (0..skills).for_each(|number| create_skill(place.path(), number));
    let paths = [place.path().to_owned()];
    let mut group = criterion.benchmark_group(format!("{skills} skills"));
    group.sample_size(20).measurement_time(Duration::from_secs(8));
    group.bench_function("catalogue", |bencher| {
        bencher.iter(|| {
            let catalog = Catalog::read(&paths);
            assert_eq!(black_box(&catalog).skills.len(), skills);
        });
    });
}

criterion_group!(benches, catalog);
criterion_main!(benches);
