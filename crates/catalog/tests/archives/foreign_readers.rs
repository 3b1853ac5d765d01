//! Other programs read our archives, where they are installed.

use std::path::Path;
use std::process::Command;

use dibber_catalog::{ArchiveFormat, ArchiveLayout, write_archive};

use super::{SKILL, contents};

/// Prints the names, modes and sizes of both kinds of archives.
const PYTHON: &str = "
import sys, tarfile, zipfile
zipped = zipfile.ZipFile(sys.argv[1])
assert zipped.testzip() is None
for info in zipped.infolist():
    print(info.filename, oct(info.external_attr >> 16 & 0o7777), info.file_size, info.date_time[0])
for info in tarfile.open(sys.argv[2]):
    print(info.name, oct(info.mode), info.size, info.uid, info.mtime, repr(info.uname))
";

/// Returns what a program prints; none if it is not installed.
fn run(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).env("PYTHONIOENCODING", "utf-8").output();
    let output = output.ok()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {errors}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn other_programs_read_what_is_written() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    let skill = contents(&[
        ("SKILL.md", SKILL.as_bytes()),
        ("caf\u{e9}.md", "hello, ".repeat(99).as_bytes()),
        ("run.sh", b"#!/bin/sh\n"),
    ]);
    for (format, name) in [(ArchiveFormat::Zip, "a.zip"), (ArchiveFormat::TarGz, "a.tar.gz")] {
        let bytes = write_archive(&skill, format, ArchiveLayout::Wrapper("good"));
        std::fs::write(Path::new(&path(name)), bytes.expect("an archive")).expect("a file");
    }
    let (zip, tar) = (path("a.zip"), path("a.tar.gz"));
    let names = ["good/SKILL.md", "good/caf\u{e9}.md", "good/run.sh"];
    if let Some(listed) = run("python3", &["-c", PYTHON, &zip, &tar]) {
        let lines: Vec<_> = listed.lines().collect();
        assert_eq!(lines[1], "good/caf\u{e9}.md 0o644 693 1980");
        assert_eq!(lines[2], "good/run.sh 0o755 10 1980");
        assert_eq!(lines[4], "good/caf\u{e9}.md 0o644 693 0 0 ''");
        assert_eq!((lines[5], lines.len()), ("good/run.sh 0o755 10 0 0 ''", 6));
    }
    if let Some(tested) = run("unzip", &["-t", &zip]) {
        assert!(tested.contains("No errors detected"), "{tested}");
    }
    if let Some(listed) = run("tar", &["tzf", &tar]) {
        assert!(listed.lines().count() == 3 && listed.contains("good/run.sh"), "{listed}");
    }
    let mut archive =
        zip::ZipArchive::new(std::fs::File::open(&zip).expect("a file")).expect("a zip file");
    for (at, name) in names.iter().enumerate() {
        let entry = archive.by_index(at).expect("an entry");
        assert_eq!(entry.name().expect("a name"), *name);
    }
}
