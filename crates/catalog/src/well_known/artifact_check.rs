//! Whether what an index leads to is what it says.

use dibber_text::{Message, message, quote, quote_display};

use super::artifact::{Artifact, IndexEntry};
use super::index_problem::IndexProblem;
use crate::archive::{Archive, ArchiveFormat, ArchiveLimits};
use crate::contents::{ContentsBuilder, ContentsError, FileContents, ListedFile, SkillContents};
use crate::digest::Digest;
use crate::path::SkillPath;

/// The media types that are served for a `SKILL.md`.
const TEXT_TYPES: [&str; 3] = ["text/markdown", "text/plain", "text/x-markdown"];
const ZIP_TYPES: [&str; 2] = ["application/zip", "application/x-zip-compressed"];
const GZIP_TYPES: [&str; 4] =
    ["application/gzip", "application/x-gzip", "application/x-gtar", "application/x-tar+gzip"];

/// What was found at a URL of an artifact.
#[derive(Clone, Debug)]
pub struct FetchedFile {
    /// The path in the skill, if the artifact is a list of files.
    pub path: Option<SkillPath>,
    /// The media type that a server says; none for a file on disk.
    pub content_type: Option<String>,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// A skill that was fetched, and what differs from the index.
#[derive(Debug)]
pub struct ArtifactCheck {
    /// The skill; none if it cannot be read, or its bytes have another digest.
    pub contents: Option<SkillContents>,
    /// What differs.
    pub problems: Vec<IndexProblem>,
}

/// Compares what was fetched with what the index says: digests, sizes, types, and the fields of `SKILL.md`.
pub fn check_artifact(entry: &IndexEntry, fetched: &[FetchedFile]) -> ArtifactCheck {
    let at = |place: &str| format!("/skills/{}{place}", entry.at);
    let mut problems = Vec::new();
    if let ([file], Artifact::SkillMd { .. } | Artifact::Archive { .. }) =
        (fetched, &entry.artifact)
    {
        problems.extend(
            type_problem(&entry.artifact, file)
                .map(|message| IndexProblem::warning(at("/url"), message)),
        );
    }
    let contents = match contents_of(&entry.artifact, fetched) {
        Ok(contents) => contents,
        Err((place, message)) => {
            problems.push(IndexProblem::error(at(&place), message));
            return ArtifactCheck { contents: None, problems };
        }
    };
    if let (Artifact::Archive { .. }, [file]) = (&entry.artifact, fetched)
        && has_wrapper(&file.bytes)
    {
        let message =
            "leads to an archive with `SKILL.md` in a directory; clients expect it at the top";
        problems.push(IndexProblem::error(at("/url"), message));
    }
    let described = contents.describe();
    for problem in described.problems {
        let message = message!["leads to a `SKILL.md` with a problem: ", problem.message];
        problems.push(IndexProblem::warning(at("/url"), message));
    }
    if let Some(described) = described.description {
        if described.name != entry.name {
            let message =
                message!["is not that of `SKILL.md`, which is `", quote(&described.name), "`"];
            problems.push(IndexProblem::error(at("/name"), message));
        }
        let description = entry.description.as_deref().map(str::trim);
        if description.is_some_and(|description| description != described.description) {
            let message = "is not that of `SKILL.md`";
            problems.push(IndexProblem::error(at("/description"), message));
        }
    }
    ArtifactCheck { contents: Some(contents), problems }
}

/// Returns the skill that was fetched. The error has its place in the entry of the index.
pub fn contents_of(
    artifact: &Artifact,
    fetched: &[FetchedFile],
) -> Result<SkillContents, (String, Message)> {
    let limits = ArchiveLimits::ACCEPTED;
    match (artifact, fetched) {
        (Artifact::Archive { digest, .. }, [file]) => {
            check_digest("/digest", *digest, &file.bytes)?;
            let archive = Archive::read(&file.bytes, limits);
            let contents = archive.and_then(|archive| archive.skill(None));
            contents.map_err(|error| {
                ("/url".to_owned(), message!["leads to an archive: ", error.message()])
            })
        }
        (Artifact::SkillMd { digest, .. }, [file]) => {
            check_digest("/digest", *digest, &file.bytes)?;
            collect([("SKILL.md", None, file)])
        }
        (Artifact::Files { files, digest, .. }, fetched) if files.len() == fetched.len() => {
            let listed = files.iter().zip(fetched);
            let contents =
                collect(listed.map(|((path, digest), file)| (path.as_str(), *digest, file)))?;
            check_digest_of_files(*digest, &contents)?;
            Ok(contents)
        }
        (Artifact::Files { .. }, _) => Err(("/files".to_owned(), "was not fetched whole".into())),
        _ => Err(("/url".to_owned(), "was not fetched whole".into())),
    }
}

fn collect<'a>(
    files: impl IntoIterator<Item = (&'a str, Option<Digest>, &'a FetchedFile)>,
) -> Result<SkillContents, (String, Message)> {
    let of_contents = |error: &ContentsError| {
        ("/url".to_owned(), message!["leads to no skill: ", error.message()])
    };
    let mut builder = ContentsBuilder::new(ArchiveLimits::ACCEPTED.contents);
    for (at, (path, digest, file)) in files.into_iter().enumerate() {
        check_digest(&format!("/files/{at}/digest"), digest, &file.bytes)?;
        let path = SkillPath::new(path).map_err(|error| (format!("/files/{at}"), error.message))?;
        let file = FileContents { bytes: file.bytes.clone(), is_executable: false };
        builder.insert(path, file).map_err(|error| of_contents(&error))?;
    }
    builder.finish().map_err(|error| of_contents(&error))
}

fn check_digest(
    place: &str,
    digest: Option<Digest>,
    bytes: &[u8],
) -> Result<(), (String, Message)> {
    let own = Digest::of(bytes);
    if digest.is_none_or(|digest| digest == own) {
        return Ok(());
    }
    let size = bytes.len();
    let message =
        message!["is not that of the ", size, " bytes at the URL, which is ", quote_display(own)];
    Err((place.to_owned(), message))
}

/// Compares the digest of a list of files: that of a line for each file, sorted by path, with the path, a
/// NUL, the digits of the file's digest, and a line feed.
fn check_digest_of_files(
    digest: Option<Digest>,
    contents: &SkillContents,
) -> Result<(), (String, Message)> {
    let Some(digest) = digest else { return Ok(()) };
    let mut files = contents.list();
    files.sort_by(|a, b| a.path.as_str().cmp(b.path.as_str()));
    let line = |file: &ListedFile| format!("{}\0{}\n", file.path, file.digest.digits());
    let own = Digest::of(files.iter().map(line).collect::<String>().as_bytes());
    if own == digest {
        return Ok(());
    }
    let message = message!["is not that of the files, which is ", quote_display(own)];
    Err(("/digest".to_owned(), message))
}

fn has_wrapper(archive: &[u8]) -> bool {
    let archive = Archive::read(archive, ArchiveLimits::ACCEPTED);
    archive.is_ok_and(|archive| archive.skills() != [""])
}

fn type_problem(artifact: &Artifact, file: &FetchedFile) -> Option<Message> {
    let content_type = file.content_type.as_deref()?;
    let expected: &[&str] = match (artifact, ArchiveFormat::detect(&file.bytes)) {
        (Artifact::SkillMd { .. }, _) => &TEXT_TYPES,
        (_, Some(ArchiveFormat::Zip)) => &ZIP_TYPES,
        (_, Some(ArchiveFormat::TarGz)) => &GZIP_TYPES,
        (_, None) => return None,
    };
    (!expected.contains(&content_type)).then(|| {
        let first = quote(expected[0]);
        message!["is served as `", quote(content_type), "`; clients expect `", first, "`"]
    })
}
