//! One digest for a whole skill.

use serde_json::{Map, Value};

use dibber_skill::skill::Skill;
use dibber_skill::spec_hash::canonical_json;

use super::files::ListedFile;
use crate::description::describe;
use crate::digest::Digest;
use crate::skill_file::parse_skill_file;

/// The files that installers add or leave out, at the top of a skill.
const INSTALLER_FILES: [&str; 2] = ["metadata.json", "_meta.json"];

/// The directories that installers leave out.
const INSTALLER_DIRECTORIES: [&str; 2] = ["node_modules", "__pycache__"];

/// What the keys begin with under which installers note in `metadata` where a skill comes from.
const INSTALLER_METADATA: &str = "github-";

/// Returns the digest of a skill as a whole, of its files and the content of its `SKILL.md`.
///
/// It is SHA-256 of one line for each file, in the order of the bytes of their paths: the path, a NUL, the
/// 64 hexadecimal digits of the file's digest, and a line feed. So it does not depend on the order in
/// which files are listed, nor on their times, their modes, or the name of the directory.
///
/// Nor does it depend on what installers rewrite. Left out are files in whose path a name begins with a
/// dot, files in `node_modules` and `__pycache__`, and `metadata.json` and `_meta.json` at the top. The
/// digest of `SKILL.md` is that of its frontmatter as canonical JSON (RFC 8785) without the keys of
/// `metadata` that begin with `github-`, a line feed, and the bytes of its body, since installers write
/// the frontmatter again; `skill.md` counts as `SKILL.md`. If the frontmatter is not valid, it is the
/// digest of the file as it is.
///
/// Because of that, two skills with the same digest are the same to whom uses them, and not byte for
/// byte: where that matters, compare the digests of the files.
pub fn bundle_digest(files: &[ListedFile], skill_file: &[u8]) -> Digest {
    let mut lines: Vec<(&str, Digest)> = files
        .iter()
        .filter(|file| is_content(file.path.as_str()))
        .map(|file| match file.path.as_str() {
            "SKILL.md" | "skill.md" => ("SKILL.md", skill_file_digest(skill_file, file.digest)),
            path => (path, file.digest),
        })
        .collect();
    lines.sort_unstable();
    let mut listed = Vec::new();
    for (path, digest) in lines {
        listed.extend_from_slice(path.as_bytes());
        listed.push(0);
        listed.extend_from_slice(digest.digits().as_bytes());
        listed.push(b'\n');
    }
    Digest::of(listed)
}

fn is_content(path: &str) -> bool {
    !INSTALLER_FILES.contains(&path)
        && path.split('/').all(|name| !name.starts_with('.'))
        && path.split('/').all(|name| !INSTALLER_DIRECTORIES.contains(&name))
}

fn skill_file_digest(bytes: &[u8], digest: Digest) -> Digest {
    let skill = parse_skill_file("SKILL.md", bytes.to_vec());
    let is_valid =
        skill.faults.is_empty() && skill.has_whole_frontmatter() && skill.is_whole_text();
    match describe(&skill).description {
        Some(description) if is_valid => Digest::of(canonical(&skill, description.frontmatter)),
        _ => digest,
    }
}

fn canonical(skill: &Skill, mut frontmatter: Map<String, Value>) -> Vec<u8> {
    if let Some(Value::Object(metadata)) = frontmatter.get_mut("metadata") {
        metadata.retain(|key, _| !key.starts_with(INSTALLER_METADATA));
        if metadata.is_empty() {
            frontmatter.remove("metadata");
        }
    }
    let mut canonical = canonical_json(&frontmatter).into_bytes();
    canonical.push(b'\n');
    canonical.extend_from_slice(skill.body_text().as_bytes());
    canonical
}
