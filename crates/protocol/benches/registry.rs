//! What it costs to find, list and read 10,000 skills.
//!
//! Nine of ten have a manifest with an input schema, and one has only its `SKILL.md`; each has two more
//! files. With `-- --test`, there are 100.

use std::fs;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use dibber_protocol::{Registry, Root};
use dibber_skill::contract::skills_protocol::{
    DescribeSkill, ListDetail, ListSkills, ReadSkillFile,
};
use tempfile::TempDir;

const SKILLS: usize = 10_000;

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    fs::write(path, text).expect("a file");
}

fn create_skill(root: &Path, number: usize) {
    let group = number % 20;
    if number % 10 == 9 {
        let directory = root.join(format!("group{group}/story-{number}"));
        let text = format!("---\nname: story-{number}\ndescription: Tells one.\n---\n\n# Story\n");
        write(&directory.join("SKILL.md"), &text);
        return;
    }
    let name = format!("group{group}.tasks.number{number}");
    let directory = root.join(format!("group{group}/{name}"));
    let manifest = format!(
        "name = \"{name}\"\nversion = \"1.{group}.0\"\ndescription = \"Does what task {number} \
         needs.\"\nkind = \"action\"\n\n[runtime]\nlanguage = \"python\"\nentrypoint = \
         \"code/main.py\"\nexport = \"main\"\n\n[input_schema]\ntype = \"object\"\nrequired = \
         [\"date\"]\n\n[input_schema.properties.date]\ntype = \"string\"\ndescription = \"The \
         day.\"\n"
    );
    write(&directory.join("skill.toml"), &manifest);
    write(
        &directory.join("SKILL.md"),
        &format!("---\nname: Task\n---\n\n{}", "Text. ".repeat(300)),
    );
    write(&directory.join("code/main.py"), "def main(args):\n    return args\n");
    write(&directory.join("resources/notes.md"), "Notes.\n");
}

fn registry(criterion: &mut Criterion) {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let skills = if is_test { 100 } else { SKILLS };
    let place = TempDir::new().expect("a directory");
    (0..skills).for_each(|number| create_skill(place.path(), number));
    let roots = || vec![Root::new(place.path())];
    let mut group = criterion.benchmark_group(format!("{skills} skills"));
    group.sample_size(20).measurement_time(Duration::from_secs(8));
    group.bench_function("index", |bencher| bencher.iter(|| Registry::open(roots())));
    let registry = Registry::open(roots()).with_interval(Duration::ZERO);
    registry.index();
    registry.index();
    group.bench_function("compare files that have not changed", |bencher| {
        bencher.iter(|| registry.index());
    });
    let manifest = place.path().join("group0/group0.tasks.number0/skill.toml");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    let mut change = 0;
    group.bench_function("index after one has changed", |bencher| {
        bencher.iter(|| {
            change += 1;
            fs::write(&manifest, format!("{text}# {change}\n")).expect("a manifest");
            registry.index()
        });
    });
    let index = registry.index();
    let page =
        ListSkills { limit: Some(200), detail: Some(ListDetail::Summary), ..ListSkills::default() };
    let in_group = ListSkills { namespace: Some("group19.tasks".to_owned()), ..page.clone() };
    group.bench_function("first page of 200", |bencher| bencher.iter(|| index.list(&page)));
    group.bench_function("first page of a namespace", |bencher| {
        bencher.iter(|| index.list(&in_group));
    });
    group.bench_function("unknown name", |bencher| {
        bencher.iter(|| index.find("group1.tasks.munber1234x", None));
    });
    let name = "group0.tasks.number0".to_owned();
    let describe = DescribeSkill { name: name.clone(), version: None, detail: None };
    group.bench_function("describe", |bencher| bencher.iter(|| index.describe(&describe)));
    let read = ReadSkillFile { name, version: None, path: "code/main.py".to_owned() };
    group.bench_function("read a file", |bencher| bencher.iter(|| index.read_file(&read)));
    group.finish();
}

criterion_group!(benches, registry);
criterion_main!(benches);
