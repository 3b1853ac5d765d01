//! What is written is read again as it was, and its bytes depend on the files alone.

use dibber_catalog::{
    Archive, ArchiveFormat, ArchiveLayout, ArchiveLimits, ContentsBuilder, ContentsLimits, Digest,
    FileContents, SkillContents, SkillPath, read_folder, write_archive,
};
use proptest::prelude::*;

use super::{SKILL, contents};

const FORMATS: [ArchiveFormat; 2] = [ArchiveFormat::Zip, ArchiveFormat::TarGz];
const LAYOUTS: [ArchiveLayout; 2] = [ArchiveLayout::Root, ArchiveLayout::Wrapper("good")];

/// Of the archives of one skill: they change only if the format is changed.
const ZIP_DIGEST: &str = "sha256:45157e8204195a57ea520ab0e7b6d6f775017b0d5f3c89392f4169d53b93f367";
const TAR_GZ_DIGEST: &str =
    "sha256:5fa9709ef5fd69a2252949d155199a1cd582acf02f756a2026a148370abe0530";

fn read(bytes: &[u8]) -> SkillContents {
    let archive = Archive::read(bytes, ArchiveLimits::ACCEPTED).expect("an archive");
    archive.skill(None).unwrap_or_else(|error| panic!("{error:?}"))
}

#[test]
fn the_bytes_are_the_same_everywhere() {
    let long = format!("{}/{}.md", "d".repeat(120), "e".repeat(120));
    let skill = contents(&[
        ("run.sh", b"echo"),
        ("tool", b"#!/bin/sh\n"),
        ("SKILL.md", SKILL.as_bytes()),
        ("docs/\u{e9}t\u{e9}.md", "hello, ".repeat(99).as_bytes()),
        (&long, b"long"),
        ("empty", b""),
    ]);
    let digests: Vec<String> = FORMATS
        .iter()
        .map(|format| write_archive(&skill, *format, LAYOUTS[1]).expect("an archive"))
        .map(|bytes| Digest::of(bytes).to_string())
        .collect();
    assert_eq!(digests, [ZIP_DIGEST, TAR_GZ_DIGEST]);
    for wrapper in ["", "..", "a/b", "/"] {
        for format in FORMATS {
            write_archive(&skill, format, ArchiveLayout::Wrapper(wrapper)).expect_err(wrapper);
        }
    }
}

fn any_files() -> impl Strategy<Value = Vec<(String, Vec<u8>, bool)>> {
    let name = "[a-z\u{e9}\u{1f331} ._-]{1,12}";
    let path = proptest::collection::vec(name, 1..4).prop_map(|names| names.join("/"));
    let long = proptest::collection::vec(any::<u8>(), 0..2000);
    let bytes = prop_oneof![long, Just(b"hello, ".repeat(300))];
    proptest::collection::vec((path, bytes, any::<bool>()), 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn folder_archive_folder_has_the_same_digest(files in any_files()) {
        let mut builder = ContentsBuilder::new(ContentsLimits::ACCEPTED);
        let own = FileContents { bytes: SKILL.into(), is_executable: false };
        builder.insert(SkillPath::new("SKILL.md").expect("a path"), own).expect("a file");
        for (path, bytes, is_executable) in files {
            // Names that are not valid, collide, or are left out of archives are of other tests.
            if let Ok(path) = SkillPath::new(path) && !path.file_name().starts_with("._") {
                let _ = builder.insert(path, FileContents { bytes, is_executable });
            }
        }
        let skill = builder.finish().expect("a skill");
        for format in FORMATS {
            for layout in LAYOUTS {
                let bytes = write_archive(&skill, format, layout).expect("an archive");
                prop_assert_eq!(ArchiveFormat::detect(&bytes), Some(format));
                let read = read(&bytes);
                prop_assert_eq!(read.digest(), skill.digest());
                prop_assert!(read.files().map(|(path, file)| (path, &file.bytes)).eq(
                    skill.files().map(|(path, file)| (path, &file.bytes))
                ));
                prop_assert_eq!(write_archive(&read, format, layout).expect("an archive"), bytes);
            }
        }
    }
}

#[test]
fn a_folder_becomes_an_archive_and_a_folder_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let files = [("SKILL.md", SKILL), ("docs/a.md", "a\n"), ("docs/b/c.md", "c\n")];
    for (path, text) in files {
        let path = directory.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
    let (skill, problems) = read_folder(directory.path(), ContentsLimits::ACCEPTED);
    let skill = skill.expect("a skill");
    assert!(problems.is_empty());
    for format in FORMATS {
        let bytes = write_archive(&skill, format, ArchiveLayout::Root).expect("an archive");
        assert_eq!(read(&bytes), skill);
    }
}
