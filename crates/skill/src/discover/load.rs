//! Reading one skill.

use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::error::{DiscoverError, DiscoverErrorKind};
use super::found::{FoundFile, FoundKind, FoundSkill};
use super::overlays::Overlays;
use super::paths::{NO_PATH, shown_path};
use super::project::project_root;
use super::{unread, walk};
use crate::manifest::{self, MANIFEST_FILE_NAME};
use crate::skill::{
    Bundle, BundleFile, BundleKind, FileKind, PROTOCOL_FILE_NAME, Resource, SKILL_BYTES_MAX,
    SKILL_FILE_NAMES, Skill,
};
use dibber_text::Source;
use dibber_text::file::{self, ReadError};

/// The most bytes of text beside `SKILL.md` that are read of one skill (8 MiB).
const RESOURCE_BYTES_MAX: usize = 8 << 20;
/// How many bytes are looked at to tell text from anything else.
const SNIFFED_BYTES: usize = 1024;
/// Endings of files that are never text; anything else is looked into.
const BINARY_ENDINGS: [&str; 32] = [
    "png", "jpg", "jpeg", "gif", "webp", "ico", "bmp", "tiff", "pdf", "zip", "gz", "tgz", "bz2",
    "xz", "7z", "tar", "ttf", "otf", "woff", "woff2", "mp3", "mp4", "wav", "mov", "docx", "xlsx",
    "pptx", "wasm", "so", "dll", "exe", "pyc",
];

/// Reads and parses a skill that was found, with the text files beside it, and searches the other
/// files for secrets.
pub fn load(found: &FoundSkill) -> Result<Skill, DiscoverError> {
    load_with_overlays(found, &Overlays::default())
}

/// Like [`load`], with the content of overlays in place of that of the files on disk.
pub fn load_with_overlays(found: &FoundSkill, overlays: &Overlays) -> Result<Skill, DiscoverError> {
    let mut skill = load_with(found, overlays, |_| true)?;
    skill.unread = unread::search(found, &skill.bundle, &skill.resources, overlays);
    Ok(skill)
}

/// Reads and parses what is published of a skill that was found: `SKILL.md`, `sprout.yaml`, and the
/// files that this includes. Other files are listed and not read.
pub fn load_published(found: &FoundSkill) -> Result<Skill, DiscoverError> {
    load_published_with(found, &Overlays::default())
}

/// Like [`load_published`], for a skill in a directory that has these files, by their paths, such as
/// those of a commit. Nothing is read from the disk. Returns `None` if none of them is its skill file.
pub fn load_published_files(
    directory: &Path,
    files: impl IntoIterator<Item = (String, Vec<u8>)>,
) -> Option<Skill> {
    let files: Vec<_> = files.into_iter().collect();
    let is_there = |name: &&&str| files.iter().any(|(path, _)| path == **name);
    let skill_file = SKILL_FILE_NAMES.iter().find(is_there)?;
    let mut found = FoundSkill::without_files(directory.to_owned(), skill_file);
    let mut overlays = Overlays::default();
    for (path, bytes) in files {
        overlays.insert_file(&mut found, &path, bytes);
    }
    load_published_with(&found, &overlays).ok()
}

fn load_published_with(found: &FoundSkill, overlays: &Overlays) -> Result<Skill, DiscoverError> {
    let mut skill = load_with(found, overlays, |path| path == MANIFEST_FILE_NAME)?;
    let manifest = skill.resource(MANIFEST_FILE_NAME).map(|file| manifest::parse(&file.source).0);
    let included = manifest.map(|manifest| manifest.include).unwrap_or_default();
    if !included.is_empty() {
        let is_included = |path: &str| included.iter().any(|included| included.value == path);
        let read = read_resources(found, &skill.bundle, overlays, is_included);
        // The draft is made of the manifest that was read first.
        skill.resources.extend(read);
        skill.resources.sort_by(|a, b| a.path.cmp(&b.path));
    }
    Ok(skill)
}

fn load_with(
    found: &FoundSkill,
    overlays: &Overlays,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Skill, DiscoverError> {
    if let Some(text) = &found.text {
        let mut skill = load_text(None, text.clone());
        skill.bundle.path.clone_from(&found.shown);
        return Ok(skill);
    }
    let skill_path = found.directory.join(&found.skill_file);
    let shown = found.shown_skill_file();
    let (bytes, size) = match overlays.get(&shown) {
        Some(bytes) => (cut_to_limit(bytes.to_vec()), bytes.len() as u64),
        None => read_skill_file(found, &skill_path, &shown)?,
    };
    let bundle = bundle(found, size, overlays);
    let resources = read_resources(found, &bundle, overlays, is_wanted);
    Ok(Skill::parse(bundle, Source::from_bytes(shown, bytes), resources))
}

/// Parses a skill whose text was given, as if it were the file at `path`.
///
/// Without a path, nothing is known of its directory. When there is a skill at that path, the other
/// files of its directory are looked at as well, so that an editor can ask about content that is
/// not saved yet.
pub fn load_text(path: Option<&Path>, bytes: Vec<u8>) -> Skill {
    let size = bytes.len() as u64;
    let bytes = cut_to_limit(bytes);
    let Some(path) = path else {
        let mut bundle = Bundle::of_text("", None);
        bundle.skill_file_bytes = size;
        return Skill::parse(bundle, Source::from_bytes(NO_PATH, bytes), Vec::new());
    };
    let source = Source::from_bytes(shown_path(path), bytes);
    let (found, _) = walk::find(&[path.to_owned()]);
    match found.into_iter().next() {
        Some(found) if found.directory.join(&found.skill_file) == path_in_directory(path) => {
            let overlays = Overlays::default();
            let bundle = bundle(&found, size, &overlays);
            let resources = read_resources(&found, &bundle, &overlays, |_| true);
            Skill::parse(bundle, source, resources)
        }
        _ => Skill::parse(bundle_of_text(path, size), source, Vec::new()),
    }
}

/// A bare file name is a file in the current directory.
fn path_in_directory(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}

fn bundle_of_text(path: &Path, size: u64) -> Bundle {
    let directory = path.parent().unwrap_or(Path::new(""));
    let mut bundle = Bundle::of_text(shown_path(directory), directory_name(directory));
    if let Some(file) = path.file_name() {
        bundle.skill_file = file.to_string_lossy().into_owned();
    }
    bundle.skill_file_bytes = size;
    bundle
}

fn skill_file_kind(found: &FoundSkill) -> FoundKind {
    let is_skill_file = |file: &&FoundFile| file.path == found.skill_file;
    found.files.iter().find(is_skill_file).map_or(FoundKind::Link, |file| file.kind)
}

/// Reads at most the limit; returns the bytes with the size of the whole file.
fn read_skill_file(
    found: &FoundSkill,
    path: &Path,
    shown: &str,
) -> Result<(Vec<u8>, u64), DiscoverError> {
    let kind = skill_file_kind(found);
    if kind == FoundKind::Link
        && let Err(ReadError::LinkOutside) =
            file::check_inside(path, &project_root(&found.directory))
    {
        return Err(DiscoverError::new(shown, DiscoverErrorKind::LinkOutside));
    }
    let to_error = |error| DiscoverError::io(shown, error);
    let open = if kind == FoundKind::Regular { file::open_listed } else { file::open_regular };
    let mut file = open(path).map_err(|error| match error {
        ReadError::IsDirectory => DiscoverError::new(shown, DiscoverErrorKind::IsDirectory),
        ReadError::Io(_) if kind != FoundKind::Regular && fs::metadata(path).is_err() => {
            DiscoverError::new(shown, DiscoverErrorKind::BrokenLink)
        }
        ReadError::Io(error) => to_error(error),
        _ => DiscoverError::new(shown, DiscoverErrorKind::NotAFile),
    })?;
    let size = file.metadata().map_err(to_error)?.len();
    let mut bytes = Vec::new();
    if size > SKILL_BYTES_MAX as u64 {
        file.take(SKILL_BYTES_MAX as u64).read_to_end(&mut bytes).map_err(to_error)?;
        cut_at_character(&mut bytes);
    } else {
        // Room for one byte more lets the read that finds the end go without growing.
        bytes.reserve_exact(usize::try_from(size).unwrap_or_default() + 1);
        file.by_ref().take(SKILL_BYTES_MAX as u64).read_to_end(&mut bytes).map_err(to_error)?;
    }
    Ok((bytes, size))
}

/// Drops the bytes of a skill file beyond the limit.
fn cut_to_limit(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() > SKILL_BYTES_MAX {
        bytes.truncate(SKILL_BYTES_MAX);
        cut_at_character(&mut bytes);
    }
    bytes
}

/// Drops the first bytes of a character whose last bytes were not read.
fn cut_at_character(bytes: &mut Vec<u8>) {
    let start_of_last = bytes.iter().rposition(|byte| byte & 0xC0 != 0x80).unwrap_or(0);
    if std::str::from_utf8(&bytes[start_of_last..]).is_err() {
        bytes.truncate(start_of_last);
    }
}

fn bundle(found: &FoundSkill, skill_file_bytes: u64, overlays: &Overlays) -> Bundle {
    let is_protocol = found.files.iter().any(|file| file.path == PROTOCOL_FILE_NAME);
    Bundle {
        path: found.shown.clone(),
        name: directory_name(&found.directory),
        kind: if is_protocol { BundleKind::SkillsProtocol } else { BundleKind::AgentSkill },
        skill_file: found.skill_file.clone(),
        files: bundle_files(found, skill_file_bytes, overlays),
        files_left_out: found.files_left_out,
        skill_file_bytes,
        nested_files: found.nested.clone(),
    }
}

/// The directory's own name; a path such as `.` is resolved to find it.
fn directory_name(directory: &Path) -> Option<String> {
    let last = directory.components().next_back();
    if let Some(Component::Normal(name)) = last {
        return Some(name.to_string_lossy().into_owned());
    }
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let resolved = fs::canonicalize(directory).ok()?;
    resolved.file_name().map(|name| name.to_string_lossy().into_owned())
}

fn bundle_files(found: &FoundSkill, skill_file_bytes: u64, overlays: &Overlays) -> Vec<BundleFile> {
    let mut resolved_directory = None;
    found
        .files
        .iter()
        .map(|file| {
            let path = found.directory.join(&file.path);
            let kind = match file.kind {
                FoundKind::Regular if file.path == found.skill_file => {
                    FileKind::Regular(skill_file_bytes)
                }
                FoundKind::Regular => {
                    let overlay = overlays.get(&found.shown_file(&file.path));
                    let on_disk = || fs::metadata(&path).map_or(0, |metadata| metadata.len());
                    FileKind::Regular(overlay.map_or_else(on_disk, |bytes| bytes.len() as u64))
                }
                FoundKind::Special => FileKind::Special,
                FoundKind::Directory => FileKind::Directory,
                FoundKind::Link => {
                    let directory = resolved_directory.get_or_insert_with(|| {
                        fs::canonicalize(&found.directory)
                            .unwrap_or_else(|_| found.directory.clone())
                    });
                    link_kind(&path, directory)
                }
            };
            BundleFile { path: file.path.clone(), kind }
        })
        .collect()
}

fn link_kind(path: &Path, directory: &PathBuf) -> FileKind {
    let target =
        fs::read_link(path).map(|target| target.to_string_lossy().into_owned()).unwrap_or_default();
    match fs::canonicalize(path) {
        Ok(resolved) if resolved.starts_with(directory) => FileKind::LinkInside,
        Ok(_) => FileKind::LinkOutside(target),
        Err(_) => FileKind::LinkBroken(target),
    }
}

/// Reads those of the other text files that are wanted, as many as fit; one that cannot be read
/// is left out.
fn read_resources(
    found: &FoundSkill,
    bundle: &Bundle,
    overlays: &Overlays,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<Resource> {
    let mut left = RESOURCE_BYTES_MAX;
    let mut resources = Vec::new();
    let nested = bundle.nested_skills();
    for (file, in_bundle) in found.files.iter().zip(&bundle.files) {
        let FileKind::Regular(size) = in_bundle.kind else { continue };
        let shown = found.shown_file(&file.path);
        let overlay = overlays.get(&shown);
        let size = overlay.map_or_else(|| usize::try_from(size).unwrap_or(usize::MAX), <[u8]>::len);
        // The files of a skill further down are read when its own turn comes.
        let is_own = may_be_resource(found, file) && !nested.own(&file.path);
        // How the skill is published or run does not depend on how much other text it has.
        let is_manifest = matches!(file.path.as_str(), MANIFEST_FILE_NAME | PROTOCOL_FILE_NAME);
        if !is_own
            || !is_wanted(&file.path)
            || size > SKILL_BYTES_MAX
            || (size > left && !is_manifest)
        {
            continue;
        }
        let path = found.directory.join(&file.path);
        // The parser of the manifest reports one that is not text.
        let bytes = match overlay {
            Some(bytes) => Some(bytes.to_vec()),
            None if is_manifest => read_all(&path),
            None => read_text(&path),
        };
        if let Some(bytes) = bytes {
            left = left.saturating_sub(bytes.len());
            let source = Source::from_bytes(shown, bytes);
            resources.push(Resource::new(file.path.clone(), source));
        }
    }
    resources
}

fn may_be_resource(found: &FoundSkill, file: &FoundFile) -> bool {
    if file.path == found.skill_file {
        return false;
    }
    let ending = Path::new(&file.path).extension().and_then(|ending| ending.to_str());
    !ending
        .is_some_and(|ending| BINARY_ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending)))
}

/// The bytes of a file, whatever they are.
fn read_all(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file::open_listed(path).ok()?.take(SKILL_BYTES_MAX as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The bytes of a file, unless it holds anything but text.
fn read_text(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = file::open_listed(path).ok()?.take(SKILL_BYTES_MAX as u64);
    file.by_ref().take(SNIFFED_BYTES as u64).read_to_end(&mut bytes).ok()?;
    if memchr::memchr(0, &bytes).is_some() {
        return None;
    }
    file.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
