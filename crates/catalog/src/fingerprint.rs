//! Whether the files of skills have changed, without reading them.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use dibber_skill::discover::{self, FoundSkill};
use dibber_text::parallel;

use crate::digest::Digest;

/// The skills for which another thread is started.
const SKILLS_PER_THREAD: usize = 16;

/// Returns a digest of which skills there are at and below some paths, and of the names, sizes and times
/// of their files. It differs after each change that the times of the file system show.
pub fn fingerprint(paths: &[PathBuf]) -> Digest {
    let (mut found, errors) = discover::find(paths);
    found.sort_by(|a, b| a.directory.cmp(&b.directory));
    let mut bytes = Vec::new();
    for skill in parallel::map(&found, SKILLS_PER_THREAD, stamps) {
        bytes.extend_from_slice(&skill);
    }
    for error in errors {
        add_name(&mut bytes, Path::new(&error.path));
    }
    Digest::of(bytes)
}

fn stamps(skill: &FoundSkill) -> Vec<u8> {
    let mut bytes = Vec::new();
    add_name(&mut bytes, &skill.directory);
    for (name, _) in skill.listed_files() {
        let path = skill.directory.join(name);
        add_name(&mut bytes, Path::new(name));
        add_stamp(&mut bytes, fs::symlink_metadata(path));
    }
    bytes
}

fn add_name(bytes: &mut Vec<u8>, name: &Path) {
    bytes.extend_from_slice(name.as_os_str().as_encoded_bytes());
    bytes.push(0);
}

fn add_stamp(bytes: &mut Vec<u8>, metadata: io::Result<Metadata>) {
    let Ok(metadata) = metadata else { return bytes.push(0) };
    bytes.push(1);
    bytes.extend_from_slice(&metadata.len().to_le_bytes());
    for number in times(&metadata) {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
}

#[cfg(unix)]
fn times(metadata: &Metadata) -> [i64; 6] {
    use std::os::unix::fs::MetadataExt;
    [
        metadata.ino().cast_signed(),
        i64::from(metadata.mode()),
        metadata.mtime(),
        metadata.mtime_nsec(),
        // It changes also when the other one is set back.
        metadata.ctime(),
        metadata.ctime_nsec(),
    ]
}

#[cfg(not(unix))]
fn times(metadata: &Metadata) -> [i64; 2] {
    let modified = metadata.modified().ok();
    let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or([0, 0], |time| {
        [i64::try_from(time.as_secs()).unwrap_or(i64::MAX), i64::from(time.subsec_nanos())]
    })
}
