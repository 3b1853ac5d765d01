//! Digests do not depend on what installers rewrite, and contents have no two files of one path.

use dibber_catalog::{
    ContentsBuilder, ContentsError, ContentsLimits, FileContents, SkillContents, SkillPath,
};

const SKILL: &str =
    "---\nname: good\ndescription: Waters plants. Use for dry soil.\n---\n\n# Good\n";

fn contents(files: &[(&str, &str)]) -> Result<SkillContents, ContentsError> {
    let mut builder = ContentsBuilder::new(ContentsLimits::ACCEPTED);
    for (path, text) in files {
        let path = SkillPath::new(*path).map_err(ContentsError::Path)?;
        builder
            .insert(path, FileContents { bytes: text.as_bytes().to_vec(), is_executable: false })?;
    }
    builder.finish()
}

fn digest(files: &[(&str, &str)]) -> String {
    contents(files).expect("a skill").digest().to_string()
}

#[test]
fn a_digest_is_documented_byte_by_byte() {
    // Of `SKILL.md` this is the digest of
    // `{"description":"Waters plants. Use for dry soil.","name":"good"}\n\n# Good\n`.
    let expected = "sha256:0913b5547e293629c31b095a862254f696d0f23cca4b5ceaf3d4d871cd3b57ed";
    assert_eq!(digest(&[("SKILL.md", SKILL), ("a/b.txt", "b\n")]), expected);
}

#[test]
fn what_installers_rewrite_does_not_count() {
    let original = digest(&[("SKILL.md", SKILL), ("a/b.txt", "b\n")]);
    let installed = SKILL.replace(
        "name: good\n",
        "name: \"good\"\nmetadata:\n  github-repo: https://example.org/a\n  github-ref: main\n",
    );
    assert_eq!(original, digest(&[("SKILL.md", &installed), ("a/b.txt", "b\n")]));
    for added in [".clawhub/origin.json", "metadata.json", "_meta.json", "node_modules/a/b.js"] {
        let files = [("SKILL.md", SKILL), ("a/b.txt", "b\n"), (added, "{}")];
        assert_eq!(original, digest(&files), "{added}");
    }
    for (path, text) in [("a/c.txt", "b\n"), ("a/b.txt", "c\n"), ("a/metadata.json", "{}")] {
        let mut files = vec![("SKILL.md", SKILL), (path, text)];
        if path != "a/b.txt" {
            files.push(("a/b.txt", "b\n"));
        }
        assert_ne!(original, digest(&files), "{path}");
    }
    for (from, to) in
        [("dry", "wet"), ("# Good", "# Bad"), ("name: good", "name: good\nlicense: MIT")]
    {
        let changed = SKILL.replace(from, to);
        assert_ne!(original, digest(&[("SKILL.md", &changed), ("a/b.txt", "b\n")]), "{to}");
    }
}

#[test]
fn no_two_files_are_the_same_one_on_any_system() {
    for (first, second) in [
        ("a.md", "A.md"),
        ("caf\u{e9}", "cafe\u{301}"),
        ("a", "a/b"),
        ("a/b", "a"),
        ("x/Y/a", "x/y/b"),
        ("SKILL.md", "skill.md"),
        ("a/SKILL.md", "a/SKILL.md."),
        ("a/SKILL.md", "a/SKILL.md "),
        ("a/SKILL.md", "a/SKILL.md::$DATA"),
        ("a/b.md", "a/b\u{200b}.md"),
    ] {
        let files = [("SKILL.md", SKILL), (first, "1"), (second, "2")];
        let files = if first == "SKILL.md" { &files[1..] } else { &files[..] };
        let refused = contents(files);
        assert!(matches!(refused, Err(ContentsError::Collision(..))), "{first} {second}");
    }
    contents(&[("SKILL.md", SKILL), ("a/b", "1"), ("a/c", "2"), ("ab", "3")])
        .expect("distinct files");
}

#[test]
fn directories_of_tools_are_not_part_of_a_skill() {
    for path in [".git/config", "a/.GIT/hooks/b", ".jj/x", "a/__pycache__/b.pyc"] {
        let refused = contents(&[("SKILL.md", SKILL), (path, "1")]);
        assert!(matches!(refused, Err(ContentsError::NotPart(_))), "{path}");
    }
}

#[test]
fn paths_stay_in_the_skill() {
    for path in ["../a", "/a", "a/../b", "a//b", "./a", "a\\b", "", "a\0", "a\nb", "a/"] {
        assert!(SkillPath::new(path).is_err(), "{path:?}");
    }
}
