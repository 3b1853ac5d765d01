//! Indexes of others, in every shape that is in use.

use dibber_catalog::Digest;
use dibber_catalog::well_known::{Artifact, FetchedFile, IndexVersion, contents_of, read_index};

use super::{shown, skill};

const DIGITS: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Reads an index of version 0.2.0 with this skill. Returns how many could be read, and the problems.
fn read(skill: &str) -> (usize, Vec<(String, String, bool)>) {
    let index = format!(
        r#"{{"$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
        "other": 1, "skills": [{skill}]}}"#
    )
    .replace("DIGITS", DIGITS);
    let index = read_index(index.as_bytes()).expect("an index");
    let problems = index.problems.iter();
    let problems = problems.map(|p| (p.pointer.clone(), shown(&p.message), p.is_error)).collect();
    (index.entries.len(), problems)
}

#[test]
fn what_others_write_differently_is_accepted_with_a_warning() {
    const START: &str = r#"{"name": "a", "type": "skill-md", "description": "d", "url": "u", "#;
    let (read_entries, problems) =
        read(&format!(r#"{START} "x": [], "digest": "sha256:DIGITS"}}"#));
    assert_eq!((read_entries, problems.len()), (1, 0));
    for (rest, pointer, words, is_error) in [
        (r#""sha256": "DIGITS"}"#, "/skills/0/sha256", "is read as `digest`", false),
        (r#""digest": "DIGITS"}"#, "/skills/0/digest", "is not written as", false),
        (r#""x": 1}"#, "/skills/0", "cannot be verified", true),
    ] {
        let (read_entries, problems) = read(&format!("{START}{rest}"));
        let found = &problems[0];
        assert_eq!((read_entries, found.0.as_str(), found.2), (1, pointer, is_error), "{rest}");
        assert!(found.1.contains(words), "{found:?}");
    }
}

#[test]
fn skills_that_cannot_be_used_are_left_out() {
    for (skill, pointer, is_error) in [
        (
            r#"{"name": "a", "type": "plugin", "description": "d", "url": "u", "digest": "sha256:DIGITS"}"#,
            "/skills/0/type",
            false,
        ),
        (
            r#"{"name": "a", "description": "d", "url": "u", "digest": "sha256:DIGITS"}"#,
            "/skills/0/type",
            true,
        ),
        (
            r#"{"name": "../a", "type": "skill-md", "description": "d", "url": "u"}"#,
            "/skills/0/name",
            true,
        ),
        (r#"{"name": "a", "type": "skill-md", "description": "d"}"#, "/skills/0/url", true),
        (
            r#"{"name": "a", "type": "skill-md", "description": "d", "url": "u", "digest": "md5:abc"}"#,
            "/skills/0/digest",
            true,
        ),
        (
            r#"{"name": "a", "type": "archive", "description": "d", "url": "u", "sha256": ""}"#,
            "/skills/0/sha256",
            true,
        ),
        (
            r#"{"name": "a", "description": "d", "files": [{"path": "SKILL.md", "digest": ""}]}"#,
            "/skills/0/files/0/digest",
            true,
        ),
        ("[]", "/skills/0", true),
        (r#"{"name": "a", "description": "d", "files": ["../b"]}"#, "/skills/0/files/0", true),
        (r#"{"name": "a", "description": "d", "files": "b"}"#, "/skills/0/files", true),
    ] {
        let (read_entries, problems) = read(skill);
        let found = problems.last().unwrap_or_else(|| panic!("{skill}"));
        assert_eq!((read_entries, found.0.as_str(), found.2), (0, pointer, is_error), "{skill}");
    }
    let twice = r#"{"name": "a", "type": "skill-md", "description": "d", "url": "u", "digest": "sha256:DIGITS"}"#;
    let (read_entries, problems) = read(&format!("{twice}, {twice}"));
    assert_eq!((read_entries, problems.len()), (1, 1));
    assert!(problems[0].1.contains("more than once"));
}

#[test]
fn older_shapes_list_files() {
    let oldest =
        br#"{"skills": [{"name": "a", "description": "d", "files": ["SKILL.md", "docs/a b.md"]}]}"#;
    let draft = format!(
        r#"{{"version": "0.2.0", "skills": [{{"name": "a", "description": "d", "digest": "sha256:{DIGITS}",
        "files": [{{"path": "SKILL.md", "digest": "sha256:{DIGITS}"}}, {{"path": "docs/a b.md"}}]}}]}}"#
    );
    for (bytes, version, has_digest) in
        [(&oldest[..], IndexVersion::V0_1, false), (draft.as_bytes(), IndexVersion::V0_2, true)]
    {
        let index = read_index(bytes).expect("an index");
        assert_eq!(index.version, version);
        let artifact = &index.entries[0].artifact;
        let Artifact::Files { files, .. } = artifact else { panic!("{artifact:?}") };
        assert_eq!((files.len(), files[0].1.is_some()), (2, has_digest));
        let urls: Vec<_> = artifact.parts().into_iter().map(|(url, _)| url).collect();
        assert_eq!(urls, ["a/SKILL.md", "a/docs/a%20b.md"]);
        let fetched = |text: &str| FetchedFile {
            path: None,
            content_type: None,
            bytes: text.as_bytes().to_vec(),
        };
        let contents = contents_of(artifact, &[fetched(&skill("a")), fetched("x")]);
        assert_eq!(contents.is_ok(), !has_digest);
        contents_of(artifact, &[fetched(&skill("a"))]).expect_err("a file is missing");
    }
}

#[test]
fn the_digest_of_a_list_of_files_is_compared() {
    let (first, second) = (skill("a"), "x");
    let digits = |text: &str| Digest::of(text.as_bytes()).digits();
    let list = format!("SKILL.md\0{}\ndocs/b.md\0{}\n", digits(&first), digits(second));
    for (digest, is_right) in [(digits(&list), true), (digits(&first), false)] {
        let index = format!(
            r#"{{"version": "0.2.0", "skills": [{{"name": "a", "description": "d",
            "digest": "sha256:{digest}", "files": [{{"path": "docs/b.md"}}, {{"path": "SKILL.md"}}]}}]}}"#
        );
        let index = read_index(index.as_bytes()).expect("an index");
        let fetched = [second, first.as_str()].map(|text| FetchedFile {
            path: None,
            content_type: None,
            bytes: text.as_bytes().to_vec(),
        });
        let found = contents_of(&index.entries[0].artifact, &fetched);
        assert_eq!(
            found.map_err(|(place, _)| place).err().as_deref(),
            (!is_right).then_some("/digest")
        );
    }
}

#[test]
fn an_index_that_is_not_one_is_not_used() {
    for (bytes, words) in [
        (&b"\xff"[..], "not UTF-8"),
        (b"<html>", "not JSON"),
        (b"[]", "not a JSON object"),
        (b"{}", "no list `skills`"),
        (br#"{"$schema": "https://example.org/v1", "skills": []}"#, "is not known"),
        (br#"{"$schema": 1, "skills": []}"#, "not a string"),
        (br#"{"skills": [], "skills": []}"#, "not JSON"),
    ] {
        let error = read_index(bytes).expect_err(words);
        assert!(shown(&error).contains(words), "{error:?}");
    }
}
