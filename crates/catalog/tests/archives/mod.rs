//! Archives: what is refused of anyone's, and that ours are read everywhere as they were written.

mod foreign_readers;
mod forged_zip;
mod hostile_tar;
mod hostile_zip;
mod layouts;
mod round_trips;

use dibber_catalog::{
    Archive, ArchiveLimits, ContentsBuilder, ContentsLimits, FileContents, SkillContents, SkillPath,
};

const SKILL: &str =
    "---\nname: good\ndescription: Waters plants. Use for dry soil.\n---\n\n# Good\n";

fn contents(files: &[(&str, &[u8])]) -> SkillContents {
    let mut builder = ContentsBuilder::new(ContentsLimits::ACCEPTED);
    for (path, bytes) in files {
        let file = FileContents { bytes: bytes.to_vec(), is_executable: path.contains(".sh") };
        builder.insert(SkillPath::new(*path).expect("a path"), file).expect("a file");
    }
    builder.finish().expect("a skill")
}

/// Returns what is wrong with an archive, in words.
fn problems(bytes: &[u8]) -> Vec<String> {
    let archive = Archive::read(bytes, ArchiveLimits::ACCEPTED).expect("a known format");
    let words = |message: dibber_text::Message| message.shown(&()).to_string();
    archive.problems.iter().map(|problem| words(problem.with_entry())).collect()
}

#[track_caller]
fn expect_refused(bytes: &[u8], words: &str) {
    let problems = problems(bytes);
    assert!(problems.iter().any(|problem| problem.contains(words)), "{words}: {problems:?}");
    let archive = Archive::read(bytes, ArchiveLimits::ACCEPTED).expect("a known format");
    assert!(archive.skill(None).is_err(), "{words}");
}
