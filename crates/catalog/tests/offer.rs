//! Skills as a server of MCP offers them.

use std::fs;
use std::path::{Path, PathBuf};

use dibber_catalog::{
    Catalog, ContentsBuilder, ContentsLimits, DirectoryEntry, FileContents, Offer, OfferProblem,
    ReadOfferedError, SkillPath, fingerprint, path_in_skill, skill_directory, skill_name,
};

fn write(directory: &Path, path: &str, content: impl AsRef<[u8]>) {
    let path = directory.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(path, content).expect("a file");
}

fn add_skill(directory: &Path, path: &str, name: &str) {
    let skill =
        format!("---\nname: {name}\ndescription: Waters {name}.\nlicense: MIT\n---\n\n# A\n");
    write(directory, &format!("{path}/SKILL.md"), skill);
}

fn offer(folders: &[PathBuf]) -> (Offer, Vec<OfferProblem>) {
    Offer::of_folders(folders, Catalog::read(folders), &["family"])
}

fn uris(offer: &Offer) -> Vec<&str> {
    offer.skills().iter().map(|skill| skill.uri.as_str()).collect()
}

#[test]
fn a_skill_has_the_uri_of_its_place_and_its_name() {
    let directory = tempfile::tempdir().expect("a directory");
    let [first, second, family] =
        ["a/My Skills", "b/my-skills", "family"].map(|name| directory.path().join(name));
    add_skill(&first, "ferns", "ferns");
    add_skill(&first, "tools/Other Name", "mosses");
    add_skill(&first, "ferns/more/deep", "deep");
    add_skill(&first, "ferns/other", "renamed");
    add_skill(&second, "ferns", "ferns");
    add_skill(&family, "ferns", "ferns");
    let (offer, problems) = offer(&[first, second, family]);
    assert_eq!(problems, []);
    assert_eq!(
        uris(&offer),
        [
            "skill://family-2/ferns/SKILL.md",
            "skill://my-skills-2/ferns/SKILL.md",
            "skill://my-skills/ferns/SKILL.md",
            "skill://my-skills/ferns/more/deep/SKILL.md",
            "skill://my-skills/ferns/other/renamed/SKILL.md",
            "skill://my-skills/tools/Other%20Name/mosses/SKILL.md",
        ]
    );
    // The files of the skills in it are its own, too.
    let outer = offer.skill("skill://my-skills/ferns/SKILL.md").expect("a skill");
    let files: Vec<_> = outer.files.iter().map(|file| file.uri.as_str()).collect();
    assert_eq!(
        files,
        [
            "skill://my-skills/ferns/SKILL.md",
            "skill://my-skills/ferns/more/deep/SKILL.md",
            "skill://my-skills/ferns/other/SKILL.md",
        ]
    );
    for skill in offer.skills() {
        assert_eq!(skill_name(&skill.uri), Some(skill.name.as_str()));
        for file in &skill.files {
            assert_eq!(path_in_skill(&skill.uri, &file.uri).as_ref(), Some(&file.path));
            let (_, found) = offer.file(&file.uri).expect("a file");
            assert_eq!((found.size, found.digest), (file.size, file.digest));
        }
    }
}

#[test]
fn a_folder_can_be_a_skill() {
    let directory = tempfile::tempdir().expect("a directory");
    add_skill(directory.path(), "ferns", "ferns");
    add_skill(directory.path(), "mosses", "other");
    let folders = ["ferns", "mosses"].map(|name| directory.path().join(name));
    let (offer, _) = offer(&folders);
    assert_eq!(uris(&offer), ["skill://ferns/SKILL.md", "skill://mosses/other/SKILL.md"]);
}

#[test]
fn a_directory_lists_what_is_directly_in_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let folder = directory.path().join("skills");
    add_skill(&folder, "ferns", "ferns");
    for path in ["a/1.md", "a/b/2.md", "a.md", "a 0/é.md"] {
        write(&folder, &format!("ferns/{path}"), "");
    }
    let (offer, _) = offer(&[folder]);
    let entries = offer.directory("skill://skills/ferns");
    assert_eq!(
        entries,
        [
            DirectoryEntry::File("skill://skills/ferns/SKILL.md"),
            DirectoryEntry::Directory("skill://skills/ferns/a"),
            DirectoryEntry::Directory("skill://skills/ferns/a%200"),
            DirectoryEntry::File("skill://skills/ferns/a.md"),
        ]
    );
    let entries = offer.directory("skill://skills/ferns/a%200");
    assert_eq!(entries, [DirectoryEntry::File("skill://skills/ferns/a%200/%C3%A9.md")]);
    assert_eq!(offer.directory("skill://skills").len(), 1);
    for none in ["skill://skills/ferns/a.md", "skill://skills/ferns/", "skill://skills/fern", ""] {
        assert_eq!(offer.directory(none), [], "{none}");
    }
}

#[test]
fn what_clients_need_not_accept_is_left_out() {
    let directory = tempfile::tempdir().expect("a directory");
    let folder = directory.path().join("skills");
    for name in ["good", "many", "large", "named"] {
        add_skill(&folder, name, if name == "named" { "'two words'" } else { name });
    }
    for number in 0..ContentsLimits::MCP.files_max {
        write(&folder, &format!("many/{number}"), "");
    }
    write(&folder, "large/a", vec![0; 16 << 20]);
    let (offer, problems) = offer(std::slice::from_ref(&folder));
    assert_eq!(uris(&offer), ["skill://skills/good/SKILL.md"]);
    let messages: Vec<_> =
        problems.iter().map(|problem| problem.message.shown(&()).to_string()).collect();
    assert_eq!(
        messages,
        [
            "it has 16777281 bytes, and clients accept 16 MiB",
            "it has 513 files, and clients accept 512",
            "its name `two words` does not consist of lowercase letters, digits and single hyphens between them",
        ]
    );
}

#[test]
fn what_is_read_has_the_digest_that_is_listed() {
    let directory = tempfile::tempdir().expect("a directory");
    let folder = directory.path().join("skills");
    add_skill(&folder, "ferns", "ferns");
    write(&folder, "ferns/a.bin", [0, 255]);
    let folders = [folder.clone()];
    let before = fingerprint(&folders);
    assert_eq!(before, fingerprint(&folders));
    let (offer, _) = offer(&folders);
    let uri = "skill://skills/ferns/a.bin";
    let (skill, file) = offer.file(uri).expect("a file");
    assert_eq!(skill.read(file).expect("the bytes"), [0, 255]);
    for change in [&b"longer"[..], &[1, 255]] {
        write(&folder, "ferns/a.bin", change);
        assert!(matches!(skill.read(file), Err(ReadOfferedError::Changed)));
        assert_ne!(before, fingerprint(&folders));
    }
    fs::remove_file(folder.join("ferns/a.bin")).expect("removed");
    assert!(matches!(skill.read(file), Err(ReadOfferedError::Changed)));
    assert_ne!(before, fingerprint(&folders));
}

#[test]
fn skills_in_memory_are_offered_at_their_paths() {
    let contents = |name: &str| {
        let mut builder = ContentsBuilder::new(ContentsLimits::MCP);
        let text = format!("---\nname: {name}\ndescription: Waters.\n---\n");
        let file = FileContents { bytes: text.into_bytes(), is_executable: false };
        builder.insert(SkillPath::new("skill.md").expect("a path"), file).expect("room");
        builder.finish().expect("a skill")
    };
    let all = ["b", "a"].map(|name| (format!("family/sk_{name}/{name}"), contents(name)));
    let (offer, problems) = Offer::of_contents(all);
    assert_eq!(problems, []);
    assert_eq!(uris(&offer), ["skill://family/sk_a/a/SKILL.md", "skill://family/sk_b/b/SKILL.md"]);
    let (skill, file) = offer.file("skill://family/sk_a/a/SKILL.md").expect("a file");
    assert!(skill.read(file).expect("the bytes").starts_with(b"---\nname: a\n"));
    assert_eq!(file.media_type(), "text/markdown");
}

#[test]
fn a_file_outside_of_a_skill_has_no_path_in_it() {
    let skill = "skill://skills/ferns/SKILL.md";
    let path = |uri: &str| path_in_skill(skill, uri).map(|path| path.to_string());
    assert_eq!(path("skill://skills/ferns/a%20b/%C3%A9.md").as_deref(), Some("a b/é.md"));
    for outside in [
        "skill://skills/ferns2/a.md",
        "skill://skills/ferns",
        "skill://skills/ferns/",
        "skill://skills/ferns/../a.md",
        "skill://skills/ferns/%2e%2E/a.md",
        "skill://skills/ferns/a%2Fb",
        "skill://skills/ferns/a%5Cb",
        "skill://skills/ferns/a?b",
        "skill://skills/ferns/a#b",
        "skill://skills/ferns/a%0Ab",
        "skill://skills/ferns/a%",
        "skill://skills/ferns/a%+1",
        "skill://skills/ferns/a%FF",
        "https://skills/ferns/a",
    ] {
        assert_eq!(path(outside), None, "{outside}");
    }
    assert_eq!(skill_directory("custom:x/ferns/SKILL.md"), Some("custom:x/ferns/"));
    for none in ["skill:///SKILL.md", "SKILL.md", "skill://a/skill.md", "skill://a?b=/SKILL.md"] {
        assert_eq!(skill_directory(none), None, "{none}");
    }
}
