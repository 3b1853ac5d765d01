//! Where the skills of an archive are, and what is left out.

use dibber_catalog::{
    Archive, ArchiveError, ArchiveFormat, ArchiveLayout, ArchiveLimits, write_archive,
};

use super::forged_zip::{Entry, Forged};
use super::{SKILL, contents};

fn read(names: &[&str]) -> Archive {
    let entries = names.iter().map(|name| Entry::new(name, SKILL));
    Archive::read(&Forged::of(entries).bytes(), ArchiveLimits::ACCEPTED).expect("an archive")
}

#[test]
fn a_skill_is_at_the_top_or_in_a_directory() {
    for (names, skills, wrapper) in [
        (&["SKILL.md", "a/SKILL.md"][..], &[""][..], None),
        (&["w/SKILL.md", "w/a"], &["w"], Some("w")),
        (&["r/s/a/SKILL.md", "r/s/b/SKILL.md", "r/x"], &["r/s/a", "r/s/b"], Some("r")),
        (&["w/skill.md", "other"], &["w"], None),
        (&["w/a"], &[], Some("w")),
    ] {
        let archive = read(names);
        assert!(archive.problems.is_empty());
        assert_eq!(archive.skills(), skills, "{names:?}");
        assert_eq!(archive.wrapper(), wrapper, "{names:?}");
    }
}

#[test]
fn one_of_several_skills_is_chosen_by_its_directory() {
    let archive = read(&["r/s/a/SKILL.md", "r/s/a/doc", "r/s/b/SKILL.md"]);
    let several = Err(ArchiveError::Several(vec!["r/s/a".into(), "r/s/b".into()]));
    assert_eq!(archive.skill(None), several);
    for inside in ["r/s/a", "s/a", "s/a/"] {
        let skill = archive.skill(Some(inside)).expect("a skill");
        let paths: Vec<_> = skill.files().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["SKILL.md", "doc"]);
    }
    for inside in ["a", "s", "", "../s/a"] {
        assert!(matches!(archive.skill(Some(inside)), Err(ArchiveError::NotThere(_))), "{inside}");
    }
    assert_eq!(read(&["r/doc"]).skill(None), Err(ArchiveError::NoSkill));
    let unknown = Archive::read(b"SKILL.md", ArchiveLimits::ACCEPTED);
    assert!(matches!(unknown, Err(ArchiveError::UnknownFormat)));
}

#[test]
fn what_macos_adds_is_left_out() {
    let archive = read(&["w/SKILL.md", "__MACOSX/w/._SKILL.md", "w/.DS_Store", "w/._a", "w/a"]);
    let left_out: Vec<_> = archive.notes.iter().map(|note| note.entry.as_str()).collect();
    assert_eq!(left_out, ["__MACOSX/w/._SKILL.md", "w/.DS_Store", "w/._a"]);
    assert_eq!(archive.skill(None).expect("a skill").files().len(), 2);
}

#[test]
fn archives_in_archives_are_files() {
    let inner = Forged::of([Entry::new("../a", "x")]).bytes();
    let skill = contents(&[("SKILL.md", SKILL.as_bytes()), ("inner.zip", &inner)]);
    let zip = write_archive(&skill, ArchiveFormat::Zip, ArchiveLayout::Root).expect("an archive");
    let read = Archive::read(&zip, ArchiveLimits::ACCEPTED).expect("an archive");
    assert_eq!(read.skill(None).expect("a skill"), skill);
}
