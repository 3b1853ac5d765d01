//! Properties of the digest and of the collision check, for any files.

use dibber_catalog::{
    ContentsBuilder, ContentsLimits, Digest, FileContents, ListedFile, SkillContents, SkillPath,
    bundle_digest, read_folder,
};
use proptest::prelude::*;

const SKILL: &str = "---\nname: good\ndescription: Waters plants.\n---\n\n# Good\n";

/// Some files, with paths of which none contains another one.
fn files() -> impl Strategy<Value = Vec<(String, Vec<u8>, bool)>> {
    let name = "[a-z]{1,3}(\\.[a-z]{1,2})?";
    let path = prop::collection::vec(name, 1..4).prop_map(|names| names.join("/"));
    let file = (path, prop::collection::vec(any::<u8>(), 0..64), any::<bool>());
    prop::collection::vec(file, 0..12)
}

fn build(files: &[(String, Vec<u8>, bool)]) -> SkillContents {
    let mut builder = ContentsBuilder::new(ContentsLimits::ACCEPTED);
    let skill = FileContents { bytes: SKILL.into(), is_executable: false };
    builder.insert(SkillPath::new("SKILL.md").expect("a path"), skill).expect("the first file");
    for (path, bytes, is_executable) in files {
        let path = SkillPath::new(path.as_str()).expect("a path");
        let file = FileContents { bytes: bytes.clone(), is_executable: *is_executable };
        // Those that collide with others are left out.
        drop(builder.insert(path, file));
    }
    builder.finish().expect("a skill")
}

fn write(contents: &SkillContents) -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a directory");
    for (path, file) in contents.files() {
        let path = place.path().join(path.as_str());
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(path, &file.bytes).expect("a file");
    }
    place
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_order_and_the_modes_of_files_do_not_count(files in files(), seed in any::<u64>()) {
        let contents = build(&files);
        let mut list = contents.list();
        let at = usize::try_from(seed % 97).expect("a small number");
        let length = list.len();
        list.rotate_left(at % length);
        for file in &mut list {
            file.is_executable = !file.is_executable;
        }
        prop_assert_eq!(bundle_digest(&list, SKILL.as_bytes()), contents.digest());
    }

    #[test]
    fn another_byte_or_another_path_is_another_digest(files in files(), at in any::<prop::sample::Index>()) {
        let contents = build(&files);
        let list = contents.list();
        let at = at.index(list.len());
        prop_assume!(list[at].path.as_str() != "SKILL.md");
        let change = |change: fn(&mut ListedFile)| {
            let mut changed = list.clone();
            change(&mut changed[at]);
            bundle_digest(&changed, SKILL.as_bytes())
        };
        prop_assert_ne!(change(|file| file.digest = Digest::of("another")), contents.digest());
        let renamed = change(|file| {
            file.path = SkillPath::new(format!("{}x", file.path)).expect("a path");
        });
        prop_assert_ne!(renamed, contents.digest());
    }

    #[test]
    fn a_folder_has_the_digest_of_its_files(files in files()) {
        let contents = build(&files);
        let place = write(&contents);
        let (read, problems) = read_folder(place.path(), ContentsLimits::ACCEPTED);
        prop_assert!(problems.is_empty(), "{problems:?}");
        let read = read.expect("a skill");
        prop_assert_eq!(read.digest(), contents.digest());
        prop_assert_eq!(read.files().len(), contents.files().len());
    }
}
