//! The directory of a site is brought up to date, and what others wrote there is left alone.

use std::path::Path;

use dibber_catalog::well_known::{INDEX_PATH, SiteChangeKind, apply_site, plan_on_disk};

use super::{site_of, skill, write};

/// Brings a site up to date. Returns what happened to each file, and whether it was another's.
fn update(skills: &Path, directory: &Path) -> Vec<(String, SiteChangeKind, bool)> {
    let site = site_of(skills);
    let changes = plan_on_disk(&site, directory).expect("a plan");
    apply_site(&site, &changes, directory, || true).expect("written");
    let name =
        |path: &str| path.strip_prefix(".well-known/agent-skills/").expect("a path").to_owned();
    changes.iter().map(|change| (name(&change.path), change.kind, change.is_foreign)).collect()
}

#[test]
fn only_what_differs_is_written_and_only_own_files_are_removed() {
    use SiteChangeKind::{Added, Changed, Removed, Unchanged};
    let (skills, site) =
        (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
    let (skills, site) = (skills.path(), site.path());
    for name in ["a", "b", "c"] {
        write(skills, &format!("{name}/SKILL.md"), &skill(name));
    }
    write(skills, "b/more.md", "more");
    let row = |path: &str, kind, is_foreign| (path.to_owned(), kind, is_foreign);
    let first = update(skills, site);
    assert!(first.iter().all(|(_, kind, _)| *kind == Added) && first.len() == 4);
    assert!(update(skills, site).iter().all(|(_, kind, _)| *kind == Unchanged));

    // One changes, one is given up, and one is given up after its file was edited.
    write(skills, "b/more.md", "even more");
    std::fs::remove_dir_all(skills.join("a")).expect("removed");
    std::fs::remove_dir_all(skills.join("c")).expect("removed");
    write(site, ".well-known/agent-skills/c/SKILL.md", "edited");
    write(site, ".well-known/agent-skills/mine/SKILL.md", "mine");
    let second = update(skills, site);
    let expected = [
        row("b.tar.gz", Changed, false),
        row("index.json", Changed, false),
        row("a/SKILL.md", Removed, false),
    ];
    assert_eq!(second, expected);
    assert!(!site.join(".well-known/agent-skills/a").exists());
    assert!(site.join(".well-known/agent-skills/c/SKILL.md").exists());
    assert!(site.join(".well-known/agent-skills/mine/SKILL.md").exists());

    // What others wrote where a file belongs.
    write(skills, "mine/SKILL.md", &skill("mine"));
    let foreign = r#"{"skills": [{"name": "b", "url": "/.well-known/agent-skills/b.tar.gz"}]}"#;
    write(site, INDEX_PATH, foreign);
    let third = update(skills, site);
    let expected = [
        row("b.tar.gz", Unchanged, false),
        row("mine/SKILL.md", Changed, true),
        row("index.json", Changed, true),
    ];
    assert_eq!(third, expected);
}

#[test]
fn an_interruption_leaves_the_old_index_and_the_next_run_ends_it() {
    let (skills, site) =
        (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
    write(skills.path(), "a/SKILL.md", &skill("a"));
    update(skills.path(), site.path());
    let old = std::fs::read(site.path().join(INDEX_PATH)).expect("an index");
    write(skills.path(), "a/SKILL.md", &skill("a").replace("Waters", "Feeds"));
    write(skills.path(), "b/SKILL.md", &skill("b"));
    for stop_at in 0..3 {
        let planned = site_of(skills.path());
        let changes = plan_on_disk(&planned, site.path()).expect("a plan");
        assert!(changes.iter().all(|change| !change.is_foreign), "{changes:?}");
        let mut asked = 0;
        let stopped = apply_site(&planned, &changes, site.path(), || {
            asked += 1;
            asked <= stop_at
        });
        if stopped.is_ok() {
            break;
        }
        assert_eq!(std::fs::read(site.path().join(INDEX_PATH)).expect("an index"), old);
    }
    let last = update(skills.path(), site.path());
    assert!(last.iter().all(|(_, kind, _)| *kind == SiteChangeKind::Unchanged), "{last:?}");
}
