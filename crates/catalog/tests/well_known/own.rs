//! The site of some folders is read back as they are.

use dibber_catalog::well_known::{
    Artifact, FetchedFile, INDEX_PATH, IndexVersion, check_artifact, read_index,
};
use dibber_catalog::{Catalog, Digest};

use super::{shown, site_of, skill, write};

#[test]
fn folder_site_folder_has_the_same_digest() {
    let directory = tempfile::tempdir().expect("a directory");
    write(directory.path(), "alone/SKILL.md", &skill("alone"));
    write(directory.path(), "more/SKILL.md", &skill("more"));
    write(directory.path(), "more/docs/a b.md", "a\n");
    write(directory.path(), "more/nested/SKILL.md", &skill("nested"));
    let site = site_of(directory.path());
    assert!(site.problems.is_empty(), "{:?}", site.problems);
    let paths: Vec<_> = site.files.iter().map(|file| file.path.as_str()).collect();
    let below = |name: &str| format!(".well-known/agent-skills/{name}");
    assert_eq!(paths, [&below("alone/SKILL.md"), &below("more.tar.gz"), INDEX_PATH]);

    let index = read_index(&site.file(INDEX_PATH).expect("an index").bytes).expect("an index");
    assert_eq!((index.version, &index.problems[..]), (IndexVersion::V0_2, &[][..]));
    let catalog = Catalog::read(&[directory.path().to_owned()]);
    for entry in &index.entries {
        let (Artifact::SkillMd { url, .. } | Artifact::Archive { url, .. }) = &entry.artifact
        else {
            panic!("{entry:?}")
        };
        let file = site.file(&url[1..]).expect("a file");
        let content_type = file.content_type.split(';').next().map(str::to_owned);
        let fetched = FetchedFile { path: None, content_type, bytes: file.bytes.clone() };
        let check = check_artifact(entry, &[fetched]);
        assert!(check.problems.is_empty(), "{:?}", check.problems);
        let own = catalog.skills.iter().find(|skill| skill.description.name == entry.name);
        let digest = check.contents.expect("a skill").digest();
        assert_eq!(digest, own.expect("a skill").digest);
    }
    assert_eq!(site, site_of(directory.path()));
}

#[test]
fn skills_that_cannot_be_served_are_left_out() {
    let directory = tempfile::tempdir().expect("a directory");
    write(directory.path(), "a/SKILL.md", &skill("same"));
    write(directory.path(), "b/SKILL.md", &skill("same"));
    write(directory.path(), "c/SKILL.md", &skill("Not Valid"));
    write(directory.path(), "d/SKILL.md", &skill("long").replace("dry", &"dry".repeat(400)));
    write(directory.path(), "e/SKILL.md", &skill("collides"));
    write(directory.path(), "e/a.md", "1");
    write(directory.path(), "e/A.md", "2");
    let site = site_of(directory.path());
    let names: Vec<_> = site.skills.iter().map(|skill| skill.name.as_str()).collect();
    let messages: Vec<_> = site.problems.iter().map(|problem| shown(&problem.message)).collect();
    for words in ["has the name `Not Valid`", "same name as", "characters; the maximum is 1024"] {
        assert!(messages.iter().any(|message| message.contains(words)), "{words}: {messages:?}");
    }
    // A system that ignores case has one of the two files.
    let is_distinct = std::fs::read(directory.path().join("e/a.md")).expect("a file") == b"1";
    assert_eq!(names, if is_distinct { &["same"][..] } else { &["collides", "same"] });
}

#[test]
fn what_differs_is_found() {
    let text = skill("plants");
    let index = |name: &str, description: &str, digest: Digest| {
        let index = format!(
            r#"{{"$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json", "skills":
            [{{"name": "{name}", "type": "skill-md", "description": "{description}", "url": "a.md",
            "digest": "{digest}"}}]}}"#
        );
        read_index(index.as_bytes()).expect("an index").entries.remove(0)
    };
    let (description, digest) = ("Waters plants. Use for dry soil.", Digest::of(&text));
    for (entry, content_type, pointer, words) in [
        (
            index("plants", description, Digest::of("")),
            "text/markdown",
            "/skills/0/digest",
            "not that",
        ),
        (index("other", description, digest), "text/plain", "/skills/0/name", "which is `plants`"),
        (index("plants", "Other.", digest), "text/markdown", "/skills/0/description", "not that"),
        (index("plants", description, digest), "text/html", "/skills/0/url", "`text/html`"),
    ] {
        let content_type = Some(content_type.to_owned());
        let fetched = FetchedFile { path: None, content_type, bytes: text.clone().into_bytes() };
        let problems = check_artifact(&entry, &[fetched]).problems;
        let found = problems.first().unwrap_or_else(|| panic!("{words}"));
        assert!(found.pointer == pointer && shown(&found.message).contains(words), "{found:?}");
    }
}
