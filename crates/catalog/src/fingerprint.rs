//! Whether the files of skills have changed, without reading them.

use std::path::{Path, PathBuf};

use dibber_skill::discover::{self, FoundSkill};
use dibber_text::{FileStamp, parallel};

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
        add_stamp(&mut bytes, FileStamp::of_link(&path));
    }
    bytes
}

fn add_name(bytes: &mut Vec<u8>, name: &Path) {
    bytes.extend_from_slice(name.as_os_str().as_encoded_bytes());
    bytes.push(0);
}

/// A digest is not kept, so any form that differs with the stamp does.
fn add_stamp(bytes: &mut Vec<u8>, stamp: Option<FileStamp>) {
    bytes.extend_from_slice(format!("{stamp:?}").as_bytes());
    bytes.push(0);
}
