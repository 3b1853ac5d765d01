//! Skills are installed whole or not at all, and edits of users are not lost.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use dibber_catalog::added::{
    AddedLock, AddedSkill, ApplyError, ApplyStep, Blocked, FileDifferenceKind, InstallPlan,
    InstallRequest, InstallRoot, PlaceAction, PlaceState, apply_install, apply_remove, place_state,
    plan_install, plan_remove, read_added,
};
use dibber_catalog::{ContentsBuilder, ContentsLimits, FileContents, SkillContents, SkillPath};

const PLACE: &str = ".agents/skills/good";

fn contents(text: &str) -> SkillContents {
    let mut builder = ContentsBuilder::new(ContentsLimits::ACCEPTED);
    let skill = format!("---\nname: good\ndescription: Waters plants.\n---\n\n{text}\n");
    let files = [("SKILL.md", skill.as_str(), false), ("scripts/run.sh", "#!/bin/sh\n", true)];
    for (path, text, is_executable) in files {
        let file = FileContents { bytes: text.as_bytes().to_vec(), is_executable };
        builder.insert(SkillPath::new(path).expect("a path"), file).expect("a file");
    }
    builder.finish().expect("a skill")
}

fn record(contents: &SkillContents, directories: &[&str], links: &[&str]) -> AddedSkill {
    let owned = |places: &[&str]| places.iter().map(|&place| place.to_owned()).collect();
    AddedSkill {
        name: "good".to_owned(),
        source: "./good".to_owned(),
        revision: None,
        path: String::new(),
        directories: owned(directories),
        links: owned(links),
        digest: contents.digest(),
        files: AddedSkill::files_of(contents),
    }
}

fn request(text: &str) -> InstallRequest {
    let contents = contents(text);
    let record = record(&contents, &[PLACE], &[]);
    InstallRequest { contents, record, is_same_origin: false, is_forced: false }
}

fn plan(root: &InstallRoot, request: InstallRequest) -> Result<InstallPlan, Vec<Blocked>> {
    plan_install(root, &read_added(root).expect("a lock"), request)
}

fn install(root: &InstallRoot, request: InstallRequest) {
    let plan = plan(root, request).expect("nothing in the way");
    apply_install(root, &plan, &mut |_| {}).expect("an install");
}

fn project() -> (tempfile::TempDir, InstallRoot) {
    let directory = tempfile::tempdir().expect("a directory");
    let root = InstallRoot::project(directory.path()).expect("a root");
    (directory, root)
}

fn names(directory: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    entries.map(|it| it.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_lock_keeps_every_other_byte() {
    let skill = record(&contents("One."), &[PLACE, ".claude/skills/good"], &[]);
    let mut lock = AddedLock::default();
    lock.insert(skill.clone());
    let published = "# Comment\nversion = 2\n\n[servers]\n\"a\" = \"b\" # c\n\n[[skill]] # \"x\"\n\
                     path = \"x\"\nserver = \"a\"\nskillId = \"s\"\nspecHash = \"h\"\n";
    let text = lock.write_into(published);
    assert!(text.starts_with(published), "{text}");
    assert_eq!(AddedLock::parse(&text), Ok(lock.clone()));
    assert_eq!(AddedLock::default().write_into(&text), published);
    // The blocks may be anywhere, as after a merge.
    let blocks = text.strip_prefix(published).expect("blocks at the end");
    let (head, tail) = published.split_at(published.find("[[skill]]").expect("a block"));
    let moved = format!("{head}{}\n{tail}", blocks.trim_start());
    assert_eq!(AddedLock::parse(&moved), Ok(lock.clone()));
    assert_eq!(AddedLock::default().write_into(&moved), published);
    assert_eq!(lock.write_into(&moved), text);
    let mut other = skill;
    other.name = "also".to_owned();
    other.directories = vec![".claude/skills/also".to_owned()];
    lock.insert(other);
    let both = lock.write_into(&text);
    assert_eq!(AddedLock::parse(&both), Ok(lock.clone()));
    assert_eq!(lock.write_into(&both), both);
    assert_eq!(AddedLock::parse(&lock.write_into("")), Ok(lock));
}

#[test]
fn a_hostile_lock_is_refused() {
    let skill = record(&contents("One."), &[PLACE], &[]);
    let mut lock = AddedLock::default();
    lock.insert(skill);
    let text = lock.write_into("");
    AddedLock::parse(&text).expect("a lock");
    for (from, to) in [
        (PLACE, "../good"),
        (PLACE, "/good"),
        (PLACE, "src/other"),
        (PLACE, "src/good"),
        (PLACE, ".github/workflows/good"),
        (PLACE, ".agents/skills/below/good"),
        ("good", ".hidden"),
        (PLACE, ".git/good"),
        (PLACE, "good"),
        ("name = \"good\"", "name = \"../good\""),
        ("\"SKILL.md\" =", "\"../SKILL.md\" ="),
        ("source =", "unknown = 1\nsource ="),
        ("version = 2", "version = 3"),
        ("sha256:", "sha1:"),
        ("version = 2", "<<<<<<< ours\nversion = 2"),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{from}");
        assert!(AddedLock::parse(&changed).is_err(), "{changed}");
    }
    let twice = format!("{text}{}", text.split_once("\n\n").expect("a block").1);
    assert!(AddedLock::parse(&twice).is_err(), "{twice}");
}

#[test]
fn sections_and_comments_of_others_remain() {
    let skill = record(&contents("One."), &[PLACE], &[]);
    let mut lock = AddedLock::default();
    lock.insert(skill);
    let text = lock.write_into("version = 2\n");
    for section in [
        "  [servers]\n  home = \"https://x.example\"\n",
        "# why: ask Ann\n[servers]\nhome = \"https://x.example\"\n",
        "# The end.\n",
    ] {
        let with_section = format!("{text}\n{section}");
        let read = AddedLock::parse(&with_section).expect("a lock");
        assert_eq!(read, lock);
        let removed = AddedLock::default().write_into(&with_section);
        assert_eq!(removed, format!("version = 2\n\n{section}"));
        assert!(lock.write_into(&with_section).contains(section), "{section}");
    }
    // A comment in a block stays while the block is written as it was, and when it changes.
    let commented = text.replace("source =", "# Ask Ann.\nsource =");
    assert_eq!(lock.write_into(&commented), commented);
    let mut changed = record(&contents("Two."), &[PLACE], &[]);
    changed.revision = Some("git:1".to_owned());
    lock.insert(changed);
    assert!(lock.write_into(&commented).contains("# Ask Ann.\n"));
    // What cannot be kept is not cut.
    for other in ["[ added.files ]\n\"a.md\" = 1\n", "[[ added ]]\nname = \"x\"\n"] {
        assert!(AddedLock::parse(&format!("{text}\n{other}")).is_err(), "{other}");
    }
}

#[test]
fn places_are_recorded_in_order() {
    let (_directory, root) = project();
    let mut unsorted = request("One.");
    unsorted.record.directories = vec![".cursor/skills/good".to_owned(), PLACE.to_owned()];
    install(&root, unsorted);
    let skill = read_added(&root).expect("a lock").get("good").expect("a record").clone();
    assert_eq!(skill.directories, [PLACE, ".cursor/skills/good"]);
    let request = InstallRequest { record: skill, ..request("One.") };
    assert!(plan(&root, request).expect("a plan").is_done());
}

#[test]
fn a_skill_is_installed_updated_and_removed() {
    let (_directory, root) = project();
    install(&root, request("One."));
    let lock = read_added(&root).expect("a lock");
    let first = lock.get("good").expect("a record").clone();
    assert_eq!(place_state(&root, &first, PLACE), PlaceState::Current);
    assert!(plan(&root, request("One.")).expect("a plan").is_done());

    let update = plan(&root, request("Two.")).expect("a plan");
    assert_eq!(update.steps, [(PLACE.to_owned(), PlaceAction::Replace(Vec::new()))]);
    apply_install(&root, &update, &mut |_| {}).expect("an update");
    let second = read_added(&root).expect("a lock").get("good").expect("a record").clone();
    assert_eq!(place_state(&root, &second, PLACE), PlaceState::Current);
    assert!(matches!(place_state(&root, &first, PLACE), PlaceState::Edited(_)));

    let removal = plan_remove(&root, &second, false).expect("a plan");
    apply_remove(&root, &removal, false, &mut |_| {}).expect("a removal");
    assert_eq!(names(&root.place(".agents/skills")), BTreeSet::new());
    assert_eq!(read_added(&root).expect("a lock").skills().len(), 0);
}

#[test]
fn local_edits_are_in_the_way() {
    let (_directory, root) = project();
    install(&root, request("One."));
    let skill = read_added(&root).expect("a lock").get("good").expect("a record").clone();
    fs::write(root.place(PLACE).join("SKILL.md"), "mine").expect("an edit");
    fs::write(root.place(PLACE).join("more.md"), "mine").expect("an edit");
    fs::remove_file(root.place(PLACE).join("scripts/run.sh")).expect("an edit");
    let PlaceState::Edited(found) = place_state(&root, &skill, PLACE) else { panic!("edited") };
    let found: Vec<_> = found.iter().map(|it| (it.path.as_str(), it.kind)).collect();
    let expected = [
        ("SKILL.md", FileDifferenceKind::Changed),
        ("more.md", FileDifferenceKind::Extra),
        ("scripts/run.sh", FileDifferenceKind::Missing),
    ];
    assert_eq!(found, expected);
    let blocked = plan(&root, request("Two.")).expect_err("an edit");
    assert!(matches!(&blocked[..], [Blocked::Edited(..)]), "{blocked:?}");
    let blocked = plan_remove(&root, &skill, false).expect_err("an edit");
    assert!(matches!(&blocked[..], [Blocked::Edited(..)]), "{blocked:?}");
    let forced = InstallRequest { is_forced: true, ..request("Two.") };
    install(&root, forced);
    let skill = read_added(&root).expect("a lock").get("good").expect("a record").clone();
    assert_eq!(place_state(&root, &skill, PLACE), PlaceState::Current);
}

#[test]
fn what_running_a_script_adds_is_no_edit() {
    let (_directory, root) = project();
    install(&root, request("One."));
    fs::create_dir(root.place(PLACE).join("__pycache__")).expect("a directory");
    fs::write(root.place(PLACE).join("__pycache__/a.pyc"), "").expect("a file");
    let skill = read_added(&root).expect("a lock").get("good").expect("a record").clone();
    // Someone else may have planted it: it runs in place of the script.
    let PlaceState::Edited(found) = place_state(&root, &skill, PLACE) else { panic!("edited") };
    assert_eq!(found[0].path, "__pycache__");
    install(&root, request("Two."));
    let skill = read_added(&root).expect("a lock").get("good").expect("a record").clone();
    assert_eq!(place_state(&root, &skill, PLACE), PlaceState::Current);
}

#[test]
fn other_skills_are_in_the_way() {
    let (_directory, root) = project();
    fs::create_dir_all(root.place(PLACE)).expect("a directory");
    fs::write(root.place(PLACE).join("SKILL.md"), "mine").expect("a skill");
    let blocked = plan(&root, request("One.")).expect_err("another skill");
    assert_eq!(blocked, [Blocked::Other(PLACE.to_owned())]);
    fs::remove_dir_all(root.place(PLACE)).expect("a removal");
    install(&root, request("One."));
    let mut other = request("Two.");
    other.record.source = "./elsewhere".to_owned();
    let blocked = plan(&root, other).expect_err("another source");
    assert_eq!(blocked, [Blocked::OtherSource("./good".to_owned())]);
}

#[test]
fn what_changes_after_the_plan_is_not_overwritten() {
    let (_directory, root) = project();
    install(&root, request("One."));
    let update = plan(&root, request("Two.")).expect("a plan");
    fs::write(root.place(PLACE).join("SKILL.md"), "mine").expect("an edit");
    apply_install(&root, &update, &mut |_| {}).expect_err("an edit");
    assert_eq!(fs::read(root.place(PLACE).join("SKILL.md")).expect("the file"), b"mine");
}

#[cfg(unix)]
#[test]
fn links_lead_to_one_copy_and_nowhere_else() {
    let (_directory, root) = project();
    let link = ".claude/skills/good";
    let with_link = |text| {
        let mut request = request(text);
        request.record.links = vec![link.to_owned()];
        request
    };
    install(&root, with_link("One."));
    let led = fs::read_link(root.place(link)).expect("a link");
    assert_eq!(led, Path::new("../../.agents/skills/good"));
    install(&root, request("Two."));
    let skill = read_added(&root).expect("a lock").get("good").expect("a record").clone();
    assert_eq!(place_state(&root, &skill, link), PlaceState::Current);
    fs::remove_file(root.place(link)).expect("a removal");
    std::os::unix::fs::symlink("/", root.place(link)).expect("a link");
    assert_eq!(place_state(&root, &skill, link), PlaceState::Other);
    let blocked = plan_remove(&root, &skill, false).expect_err("another link");
    assert_eq!(blocked, [Blocked::Other(link.to_owned())]);
}

#[cfg(unix)]
#[test]
fn a_link_above_does_not_lead_out_of_the_project() {
    let (_directory, root) = project();
    let outside = tempfile::tempdir().expect("a directory");
    std::os::unix::fs::symlink(outside.path(), root.place(".agents")).expect("a link");
    let blocked = plan(&root, request("One.")).expect_err("a link");
    assert_eq!(blocked, [Blocked::LeadsOut(PLACE.to_owned())]);
    assert_eq!(names(outside.path()), BTreeSet::new());
}

/// Stops at a step as a killed process does, and returns whether there was such a step.
fn stop_at(stop: usize, run: impl FnOnce(&mut dyn FnMut(ApplyStep))) -> bool {
    let mut steps = 0;
    let ended = catch_unwind(AssertUnwindSafe(|| {
        run(&mut |_| {
            assert!(steps != stop, "stopped");
            steps += 1;
        });
    }));
    ended.is_err()
}

#[test]
fn an_interruption_leaves_the_old_skill_or_the_new_one() {
    for is_update in [false, true] {
        let mut stop = 0;
        loop {
            let (_directory, root) = project();
            if is_update {
                install(&root, request("One."));
            }
            let (old, new) = (contents("One."), contents("Two."));
            let next = plan(&root, request("Two.")).expect("a plan");
            let stopped = stop_at(stop, |before| {
                apply_install(&root, &next, before).expect("an install");
            });
            let is = |text: &SkillContents| {
                place_state(&root, &record(text, &[PLACE], &[]), PLACE) == PlaceState::Current
            };
            let is_absent = !root.place(PLACE).exists();
            assert!(is(&new) || if is_update { is(&old) } else { is_absent }, "step {stop}");
            // The same command again finishes.
            install(&root, request("Two."));
            assert!(is(&new), "step {stop}");
            assert_eq!(names(&root.place(".agents/skills")), BTreeSet::from(["good".to_owned()]));
            if !stopped {
                break;
            }
            stop += 1;
        }
        assert!(stop >= 3, "{stop} steps");
    }
}

#[test]
fn an_interrupted_removal_is_finished_by_the_next_one() {
    for stop in 0..3 {
        let (_directory, root) = project();
        install(&root, request("One."));
        let remove = |before: &mut dyn FnMut(ApplyStep)| {
            let skill = read_added(&root).expect("a lock").get("good").expect("a record").clone();
            let removal = plan_remove(&root, &skill, false).expect("a plan");
            apply_remove(&root, &removal, false, before).expect("a removal");
        };
        assert!(stop_at(stop, remove), "step {stop}");
        assert_eq!(read_added(&root).expect("a lock").skills().len(), 1);
        remove(&mut |_| {});
        assert_eq!(read_added(&root).expect("a lock").skills().len(), 0);
        let left = fs::read_dir(root.place(".agents/skills")).expect("a directory").count();
        assert_eq!(left, 0, "step {stop}");
    }
}

#[test]
fn a_repository_in_an_added_skill_is_not_lost() {
    let (_directory, root) = project();
    install(&root, request("One."));
    let git = root.place(PLACE).join("sub/.git");
    fs::create_dir_all(&git).expect("a directory");
    fs::write(git.join("HEAD"), "ref: refs/heads/work\n").expect("a file");
    let lock = read_added(&root).expect("a lock");
    let skill = lock.get("good").expect("a record");
    let PlaceState::Edited(differences) = place_state(&root, skill, PLACE) else {
        panic!("the skill has a file that was not added");
    };
    assert_eq!(differences[0].path, "sub/.git");
    assert!(plan_remove(&root, skill, false).is_err());
    assert!(plan(&root, request("Two.")).is_err());
}

#[test]
fn planning_changes_nothing() {
    let (_directory, root) = project();
    install(&root, request("One."));
    let beside = root.place(".agents/skills/.good.dibber-new");
    fs::create_dir(&beside).expect("a directory");
    let update = plan(&root, request("Two.")).expect("a plan");
    assert!(beside.exists(), "another process may be writing it");
    apply_install(&root, &update, &mut |_| {}).expect("an update");
    assert!(!beside.exists());
}

#[cfg(unix)]
#[test]
fn what_cannot_be_looked_at_is_not_missing() {
    let (_directory, root) = project();
    install(&root, request("One."));
    let skill = read_added(&root).expect("a lock").get("good").expect("a record").clone();
    let skills = root.place(".agents/skills");
    fs::rename(&skills, root.place(".agents/elsewhere")).expect("a rename");
    std::os::unix::fs::symlink("skills", &skills).expect("a link to itself");
    assert_ne!(place_state(&root, &skill, PLACE), PlaceState::Missing);
    plan_remove(&root, &skill, false).expect_err("it cannot be looked at");
}

#[cfg(unix)]
#[test]
fn a_link_whose_copy_is_gone_is_its_own() {
    let (_directory, root) = project();
    let link = ".claude/skills/good";
    let mut with_link = request("One.");
    with_link.record.links = vec![link.to_owned()];
    install(&root, with_link);
    let skill = read_added(&root).expect("a lock").get("good").expect("a record").clone();
    fs::remove_dir_all(root.place(".agents")).expect("a removal");
    install(&root, request("One."));
    assert_eq!(place_state(&root, &skill, link), PlaceState::Current);
}

#[cfg(unix)]
#[test]
fn a_directory_under_two_names_has_one_copy() {
    let (_directory, root) = project();
    let linked = ".claude/skills/good";
    fs::create_dir_all(root.place(".agents/skills")).expect("a directory");
    fs::create_dir_all(root.place(".claude")).expect("a directory");
    std::os::unix::fs::symlink("../.agents/skills", root.place(".claude/skills")).expect("a link");
    let both = || {
        let contents = contents("One.");
        let record = record(&contents, &[PLACE, linked], &[]);
        InstallRequest { contents, record, is_same_origin: false, is_forced: false }
    };
    install(&root, both());
    let skill = read_added(&root).expect("a lock").get("good").expect("a record").clone();
    assert_eq!(skill.places().collect::<Vec<_>>(), [PLACE]);
    // Recorded where there is no such link.
    let recorded = AddedSkill { directories: vec![PLACE.to_owned(), linked.to_owned()], ..skill };
    let mut lock = AddedLock::default();
    lock.insert(recorded.clone());
    fs::write(root.lock_file(), lock.write_into("")).expect("a file");
    let removal = plan_remove(&root, &recorded, false).expect("a plan");
    apply_remove(&root, &removal, false, &mut |_| {}).expect("a removal");
    assert_eq!(names(&root.place(".agents/skills")), BTreeSet::new());
}

#[test]
fn an_edit_during_the_replacement_is_kept() {
    let (_directory, root) = project();
    install(&root, request("One."));
    let update = plan(&root, request("Two.")).expect("a plan");
    let mine = root.place(PLACE).join("mine.md");
    let edit = |step| {
        if step == ApplyStep::Place {
            fs::write(&mine, "work").expect("an edit");
        }
    };
    let refused = apply_install(&root, &update, &mut { edit });
    assert!(matches!(refused, Err(ApplyError::Changed)), "{refused:?}");
    assert_eq!(fs::read_to_string(&mine).expect("the edit"), "work");
    assert_eq!(names(&root.place(".agents/skills")), BTreeSet::from(["good".to_owned()]));
}

#[test]
fn what_comes_to_an_empty_place_meanwhile_is_kept() {
    let (_directory, root) = project();
    let create = plan(&root, request("One.")).expect("a plan");
    let mine = root.place(PLACE).join("mine.md");
    let come = |step| {
        if step == ApplyStep::Place {
            fs::create_dir_all(root.place(PLACE)).expect("a directory");
            fs::write(&mine, "work").expect("a file");
        }
    };
    let refused = apply_install(&root, &create, &mut { come });
    assert!(matches!(refused, Err(ApplyError::Changed)), "{refused:?}");
    assert_eq!(fs::read_to_string(&mine).expect("the file"), "work");
    assert_eq!(names(&root.place(".agents/skills")), BTreeSet::from(["good".to_owned()]));
}
