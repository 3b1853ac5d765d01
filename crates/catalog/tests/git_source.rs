//! Repositories are read as they are stored, and can do nothing.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use dibber_catalog::ContentsLimits;
use dibber_catalog::sources::{
    FolderSource, GitSource, OpenSource, SkillSource, SourceError, SourceErrorKind,
};
use tempfile::TempDir;

const SKILL: &str = "---\nname: good\ndescription: Waters plants.\n---\n\n# Good\n";

/// A repository that is made in a test.
struct Repository(TempDir);

impl Repository {
    fn new() -> Self {
        let repository = Self(tempfile::tempdir().expect("a directory"));
        repository.git(&["init", "--quiet", "--initial-branch=main"], b"");
        repository
    }

    /// Returns a repository with a skill and another one below a directory.
    fn with_skills() -> Self {
        let repository = Self::new();
        repository.write("skills/good/SKILL.md", SKILL);
        repository.write("skills/good/scripts/run.sh", "#!/bin/sh\n");
        repository.write("skills/other/SKILL.md", &SKILL.replace("good", "other"));
        repository.git(&["add", "."], b"");
        repository.git(&["update-index", "--chmod=+x", "skills/good/scripts/run.sh"], b"");
        repository.commit();
        repository
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text).expect("a file");
    }

    fn commit(&self) -> String {
        self.git(&["commit", "--quiet", "--allow-empty", "-m", "x"], b"");
        self.git(&["rev-parse", "HEAD"], b"")
    }

    fn git(&self, arguments: &[&str], input: &[u8]) -> String {
        let mut child = Command::new("git")
            .arg("-C")
            .arg(self.path())
            .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgSign=false"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("git");
        child.stdin.take().expect("input").write_all(input).expect("input");
        let output = child.wait_with_output().expect("an end");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {messages}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Stores a tree that git would not make.
    fn tree(&self, entries: &[(&str, &str, &str)]) -> String {
        let mut bytes = Vec::new();
        for (mode, name, hash) in entries {
            bytes.extend_from_slice(format!("{mode} {name}\0").as_bytes());
            let digits = hash.as_bytes().chunks(2);
            let digits = digits.map(|pair| std::str::from_utf8(pair).expect("digits"));
            bytes.extend(digits.map(|pair| u8::from_str_radix(pair, 16).expect("digits")));
        }
        self.git(&["hash-object", "-t", "tree", "--literally", "-w", "--stdin"], &bytes)
    }

    fn blob(&self, bytes: &[u8]) -> String {
        self.git(&["hash-object", "-w", "--stdin"], bytes)
    }

    fn commit_tree(&self, tree: &str) {
        let commit = self.git(&["commit-tree", tree, "-m", "x"], b"");
        self.git(&["update-ref", "refs/heads/main", &commit], b"");
    }

    fn open(&self, rest: &str, recorded: Option<&str>) -> Result<GitSource, SourceError> {
        let text = format!("file://{}{rest}", self.path().display());
        let source = SkillSource::parse(&text, Path::new(".")).expect("a source");
        let SkillSource::Git(address) = source else { panic!("{source:?}") };
        GitSource::open(address, recorded)
    }
}

fn paths(source: &GitSource) -> Vec<&str> {
    source.skills().iter().map(|skill| skill.path.as_str()).collect()
}

#[test]
fn a_commit_is_fetched_and_read() {
    let repository = Repository::with_skills();
    let source = repository.open("", None).expect("a source");
    assert_eq!(paths(&source), ["skills/good", "skills/other"]);
    let (contents, problems) =
        source.read("skills/good", ContentsLimits::ACCEPTED).expect("a skill");
    assert_eq!(problems, []);
    let files: Vec<_> = contents.list();
    let files: Vec<_> = files.iter().map(|file| (file.path.as_str(), file.is_executable)).collect();
    assert_eq!(files, [("SKILL.md", false), ("scripts/run.sh", true)]);
    // The folder is the same skill.
    let folder =
        FolderSource::open(&repository.path().join("skills"), ".".into()).expect("a folder");
    let (same, _) = folder.read("good", ContentsLimits::ACCEPTED).expect("a skill");
    assert_eq!(contents.digest(), same.digest());
    let one = repository.open("//skills/other", None).expect("a source");
    assert_eq!(paths(&one), ["skills/other"]);
}

#[test]
fn a_revision_is_a_branch_a_tag_or_the_recorded_commit() {
    let repository = Repository::with_skills();
    let first = repository.git(&["rev-parse", "HEAD"], b"");
    repository.git(&["tag", "-a", "v1.0", "-m", "x"], b"");
    repository.git(&["checkout", "--quiet", "-b", "feature/x"], b"");
    repository.write("skills/third/SKILL.md", &SKILL.replace("good", "third"));
    repository.git(&["add", "."], b"");
    repository.commit();
    let count = |rest| repository.open(rest, None).expect("a source").skills().len();
    assert_eq!((count("@main"), count("@v1.0"), count("@feature/x")), (2, 2, 3));
    let recorded = format!("git:{first}");
    let source = repository.open("@feature/x", Some(&recorded)).expect("a source");
    assert_eq!((source.skills().len(), source.revision()), (2, Some(recorded)));
    let error = repository.open("@none", None).expect_err("no branch");
    assert_eq!(error.kind, SourceErrorKind::NotFound);
    repository.open("", Some("git:--upload-pack=x")).expect_err("no commit");
}

#[test]
fn nothing_of_a_repository_runs_and_nothing_leads_out() {
    let repository = Repository::new();
    let (skill, text) = (repository.blob(SKILL.as_bytes()), repository.blob(b"text"));
    let link = repository.blob(b"/etc/passwd");
    let marker = repository.path().join("ran");
    let config = format!("[core]\n\tfsmonitor = touch {0}\n", marker.display());
    let config = repository.blob(config.as_bytes());
    let module = "[submodule \"s\"]\n\tpath = s\n\turl = ext::sh -c touch% x\n";
    let modules = repository.blob(module.as_bytes());
    let pointer = repository.blob(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n");
    let git = repository.tree(&[("100644", "config", &config)]);
    let above = repository.tree(&[("100644", "up.md", &text)]);
    let tree = repository.tree(&[
        ("40000", "..", &above),
        ("40000", ".git", &git),
        ("100644", ".gitattributes", &repository.blob(b"*.md filter=lfs\n")),
        ("100644", ".gitmodules", &modules),
        ("100644", "SKILL.md", &skill),
        ("100644", "a\\b.md", &text),
        ("100644", "big.bin", &pointer),
        ("120000", "link.md", &link),
        ("160000", "s", &skill),
        ("100644", "text.md", &text),
    ]);
    repository.commit_tree(&tree);
    let source = repository.open("", None).expect("a source");
    let (contents, problems) = source.read("", ContentsLimits::ACCEPTED).expect("a skill");
    let files: Vec<_> = contents.files().map(|(path, _)| path.as_str()).collect();
    assert_eq!(files, [".gitattributes", ".gitmodules", "SKILL.md", "big.bin", "text.md"]);
    let found: Vec<_> = problems.iter().map(|problem| problem.path.as_str()).collect();
    let expected = ["../up.md", ".git/config", "a\\b.md", "link.md", "s", "big.bin"];
    assert_eq!(found, expected, "{problems:?}");
    assert!(!marker.exists());
}

#[test]
fn files_that_are_one_on_some_systems_are_refused() {
    let repository = Repository::new();
    let (skill, text) = (repository.blob(SKILL.as_bytes()), repository.blob(b"text"));
    repository.commit_tree(&repository.tree(&[
        ("100644", "A.md", &text),
        ("100644", "SKILL.md", &skill),
        ("100644", "a.md", &text),
    ]));
    let source = repository.open("", None).expect("a source");
    let error = source.read("", ContentsLimits::ACCEPTED).expect_err("a collision");
    assert_eq!(error.kind, SourceErrorKind::Refused);
}

#[test]
fn too_many_files_and_too_many_bytes_are_refused() {
    let repository = Repository::new();
    let (skill, text) = (repository.blob(SKILL.as_bytes()), repository.blob(b"text"));
    let many: Vec<_> = (0..10_000).map(|number| format!("a{number:05}")).collect();
    let mut entries = vec![("100644", "SKILL.md", skill.as_str())];
    entries.extend(many.iter().map(|name| ("100644", name.as_str(), text.as_str())));
    repository.commit_tree(&repository.tree(&entries));
    let source = repository.open("", None).expect("a source");
    let error = source.read("", ContentsLimits::ACCEPTED).expect_err("too many files");
    assert_eq!(error.kind, SourceErrorKind::Refused);

    let huge = repository.blob(&vec![0; (64 << 20) + 1]);
    let tree = repository.tree(&[("100644", "SKILL.md", &skill), ("100644", "huge", &huge)]);
    repository.commit_tree(&tree);
    let source = repository.open("", None).expect("a source");
    let error = source.read("", ContentsLimits::ACCEPTED).expect_err("too many bytes");
    assert_eq!(error.kind, SourceErrorKind::Refused);
}

#[test]
fn sources_are_told_apart() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::create_dir_all(directory.path().join("a/b")).expect("a directory");
    fs::write(directory.path().join("c.zip"), "").expect("a file");
    let parse = |text: &str| SkillSource::parse(text, directory.path());
    let git = |text: &str| match parse(text).expect("a source") {
        SkillSource::Git(it) => {
            let shown = it.to_string();
            (it.url, it.revision.unwrap_or_default(), it.path, shown)
        }
        other => panic!("{text}: {other:?}"),
    };
    let short = "https://github.com/o/r";
    for (text, url, revision, path) in [
        ("o/r", short, "", ""),
        ("o/r@v1", short, "v1", ""),
        ("o/r@feature/x//skills/a", short, "feature/x", "skills/a"),
        ("o/r/skills/a", short, "", "skills/a"),
        ("https://github.com/o/r@v1//a", short, "v1", "a"),
        ("https://github.com/o/r/tree/main/skills/a", short, "main", "skills/a"),
        ("https://host.example/x.git@v1//a", "https://host.example/x.git", "v1", "a"),
        ("git+https://host.example/x", "https://host.example/x", "", ""),
        ("git+ssh://git@host.example/x@v1", "ssh://git@host.example/x", "v1", ""),
        ("git@host.example:o/r.git@v1//a", "git@host.example:o/r.git", "v1", "a"),
        ("file:///srv/x//a", "file:///srv/x", "", "a"),
        ("file:///srv/tree/x", "file:///srv/tree/x", "", ""),
    ] {
        let (found, found_revision, found_path, shown) = git(text);
        assert_eq!((&*found, &*found_revision, &*found_path), (url, revision, path), "{text}");
        let (again, again_revision, ..) = git(&shown);
        assert_eq!((again, again_revision), (found, found_revision), "{shown}");
    }
    assert!(matches!(parse("a/b"), Ok(SkillSource::Folder(_))));
    assert!(matches!(parse("./none"), Ok(SkillSource::Folder(_))));
    assert!(matches!(parse("c.zip"), Ok(SkillSource::Archive(_))));
    assert!(matches!(parse("https://example.org"), Ok(SkillSource::Site(_))));
    assert!(matches!(parse("https://github.com/o/r/a.zip"), Ok(SkillSource::Site(_))));
    assert!(matches!(parse("mcp:https://example.org/mcp"), Ok(SkillSource::Server(_))));
    for text in [
        "",
        "-x",
        "--upload-pack=x/y",
        "ext::sh -c x",
        "http://example.org/x.git",
        "git+ext::sh",
        "git+http://example.org/x",
        "ssh://-oProxyCommand=x/y",
        "ssh://git@-oProxyCommand=x/y",
        "git@-oProxyCommand=x:y",
        "o/r@-x",
        "o/r@a..b",
        "o/r@a:b",
        "o/r//../x",
        "o/r/../x",
        "none",
        "a\nb/c",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
}

#[test]
fn credentials_in_an_address_are_refused_and_not_shown() {
    for text in [
        "https://SECRET@github.com/o/r",
        "https://SECRET@github.com/o/r.git@v1//a",
        "https://u:SECRET@host.example/r.git",
        "https://u:SECRET@127.0.0.1:1/r.git",
        "https://u:SECRET@host.example/",
        "git+https://SECRET@host.example/r",
        "git+ssh://u:SECRET@host.example/r",
        "ssh://u:SECRET@host.example/r",
        "file://u:SECRET@host.example/r",
        "http://u:SECRET@host.example/r",
        "ftp://u:SECRET@host.example/r",
        "mcp:https://u:SECRET@host.example/mcp",
    ] {
        let error = SkillSource::parse(text, Path::new(".")).expect_err(text);
        let message = format!("{:?}", error.message);
        assert!(message.contains("a user or a password"), "{text}: {message}");
        assert!(!message.contains("SECRET"), "{text}: {message}");
    }
}
