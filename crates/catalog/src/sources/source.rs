//! Where skills come from, as it is written.

use std::fmt;
use std::path::{Path, PathBuf};

use dibber_text::{Message, message, quote};

/// Where skills come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkillSource {
    /// A folder on this machine.
    Folder(PathBuf),
    /// An archive on this machine.
    Archive(PathBuf),
    /// A directory of a git repository.
    Git(GitAddress),
    /// A site with an index at a well-known place, or an archive on it.
    Site(String),
    /// An MCP server: its address, or the name of a configured one.
    Server(String),
}

/// A directory of a git repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitAddress {
    /// The address, as git is given it.
    pub url: String,
    /// A branch, a tag or a commit; the default branch without one.
    pub revision: Option<String>,
    /// The directory; empty at the top.
    pub path: String,
}

/// Why a string is not a source, and what to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSource {
    /// What is wrong.
    pub message: Message,
    /// What to write.
    pub help: &'static str,
}

/// What is written.
const HELP: &str = "write a folder or an archive, `OWNER/REPOSITORY` on GitHub, \
                    `https://HOST/REPOSITORY.git`, `git+ssh://…`, with `@REVISION` and `//DIRECTORY` \
                    after it, the address of a site, or `mcp:` before that of an MCP server";

const CREDENTIALS_HELP: &str = "write the address without them; private repositories are read with \
                                `git+ssh://`, and servers with a token are configured by name";

/// Hosts whose addresses are those of repositories.
const GIT_HOSTS: [&str; 5] =
    ["github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "git.sr.ht"];

/// This computer, from which a site is read without encryption.
const LOOPBACK: [&str; 2] = ["127.0.0.1", "localhost"];

/// The endings of archives.
const ARCHIVE_ENDINGS: [&str; 5] = [".zip", ".tar.gz", ".tgz", ".skill", ".tar"];

impl SkillSource {
    /// Parses a source. What exists in a directory is a folder or an archive there.
    pub fn parse(text: &str, directory: &Path) -> Result<Self, InvalidSource> {
        let invalid = |message| InvalidSource { message, help: HELP };
        if text.is_empty() || text.starts_with('-') || text.chars().any(char::is_control) {
            return Err(invalid(message!["`", quote(text), "` is not a source of skills"]));
        }
        if has_credentials(text) {
            let message = "the address contains a user or a password, which would be recorded";
            return Err(InvalidSource { message: message.into(), help: CREDENTIALS_HELP });
        }
        if let Some(server) = text.strip_prefix("mcp:") {
            return Ok(Self::Server(server.to_owned()));
        }
        if let Some(url) = text.strip_prefix("git+") {
            return GitAddress::parse(url).map(Self::Git);
        }
        if let Some(rest) = text.strip_prefix("https://") {
            return https(text, rest);
        }
        if let Some(rest) = text.strip_prefix("http://")
            && LOOPBACK.contains(&rest.split(['/', ':']).next().unwrap_or_default())
        {
            return Ok(Self::Site(text.to_owned()));
        }
        if ["ssh://", "file://", "git@"].iter().any(|start| text.starts_with(start)) {
            return GitAddress::parse(text).map(Self::Git);
        }
        if text.contains("://") || text.contains("::") {
            let message = message!["`", quote(text), "` has a scheme that is not supported"];
            return Err(invalid(message));
        }
        let path = directory.join(text);
        if path.is_file() {
            return Ok(Self::Archive(path));
        }
        let is_path = [".", "/", "~"].iter().any(|start| text.starts_with(start));
        if path.is_dir() || is_path || Path::new(text).is_absolute() {
            return Ok(Self::Folder(path));
        }
        short_form(text)
            .map(Self::Git)
            .ok_or_else(|| invalid(message!["`", quote(text), "` does not exist"]))
    }
}

/// Returns `true` if two recorded sources are the same, perhaps at another revision of a repository.
pub fn is_same_origin(one: &str, other: &str) -> bool {
    match (recorded_repository(one), recorded_repository(other)) {
        (Some(one), Some(other)) => one.url == other.url,
        _ => one == other,
    }
}

/// Returns the revision that a recorded source was added at, if one was named.
pub fn pinned_revision(source: &str) -> Option<String> {
    recorded_repository(source)?.revision
}

/// Returns the repository of a recorded source, which is never a path of this computer.
fn recorded_repository(source: &str) -> Option<GitAddress> {
    match SkillSource::parse(source, Path::new("")) {
        Ok(SkillSource::Git(address)) => Some(address),
        _ => None,
    }
}

/// Returns `true` if an address has a user before its host, or a password. For `ssh`, the user is part of
/// where a repository is.
fn has_credentials(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // What follows the host of a repository is its revision: `https://host@v1` is no address.
    match authority.rsplit_once('@') {
        Some((user, _)) => !scheme.ends_with("ssh") || user.contains(':'),
        None => false,
    }
}

fn https(text: &str, rest: &str) -> Result<SkillSource, InvalidSource> {
    let host = rest.split(['/', ':']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default();
    let has_git = [".git@", ".git//"].iter().any(|part| rest.contains(part));
    let is_archive = ARCHIVE_ENDINGS.iter().any(|ending| rest.ends_with(ending));
    if has_git || rest.strip_suffix(".git").is_some() || GIT_HOSTS.contains(&host) && !is_archive {
        return GitAddress::parse(text).map(SkillSource::Git);
    }
    Ok(SkillSource::Site(text.to_owned()))
}

/// Parses `OWNER/REPOSITORY[/DIRECTORY][@REVISION][//DIRECTORY]` on GitHub.
fn short_form(text: &str) -> Option<GitAddress> {
    let (before, after) = text.split_once("//").unwrap_or((text, ""));
    let (names, revision) = match before.split_once('@') {
        Some((names, revision)) => (names, Some(revision)),
        None => (before, None),
    };
    let mut names = names.splitn(3, '/');
    let (owner, repository) = (names.next()?, names.next()?);
    let is_name = |name: &str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        !name.is_empty() && name.chars().all(is_part) && !name.starts_with(['-', '.'])
    };
    if !is_name(owner) || !is_name(repository) {
        return None;
    }
    let path = names.next().filter(|path| !path.is_empty()).unwrap_or(after);
    let repository = repository.trim_end_matches(".git");
    GitAddress::new(format!("https://github.com/{owner}/{repository}"), revision, path).ok()
}

impl GitAddress {
    /// Parses `URL[@REVISION][//DIRECTORY]`, and the pages of directories on GitHub.
    fn parse(text: &str) -> Result<Self, InvalidSource> {
        // The authority may have an `@`, and follows the first `//`.
        let start = text.find("://").map_or(0, |at| at + 3);
        let authority = text[start..].find(['/', ':']).map_or(text.len(), |at| start + at);
        let (host, rest) = text.split_at(authority);
        let (rest, path) = match rest.get(1..).and_then(|below| below.find("//")) {
            Some(at) => (&rest[..=at], &rest[at + 3..]),
            None => (rest, ""),
        };
        let (rest, revision) = match rest.split_once('@') {
            Some((rest, revision)) => (rest, Some(revision)),
            None => (rest, None),
        };
        // The page of a directory, as a browser shows its address.
        if let Some((repository, page)) = rest.split_once("/tree/")
            && host == "https://github.com"
            && revision.is_none()
            && path.is_empty()
        {
            let (revision, path) = page.split_once('/').unwrap_or((page, ""));
            let path = path.trim_end_matches('/');
            return Self::new(format!("{host}{repository}"), Some(revision), path);
        }
        Self::new(format!("{host}{}", rest.trim_end_matches('/')), revision, path)
    }

    fn new(url: String, revision: Option<&str>, path: &str) -> Result<Self, InvalidSource> {
        let invalid = |message| InvalidSource { message, help: HELP };
        let is_address = ["https://", "ssh://", "file://", "git@"];
        let host = url.split_once("://").map_or(url.as_str(), |(_, host)| host);
        // `ssh` takes a host that begins with a hyphen as an option.
        let is_option = host.starts_with('-') || host.contains("@-");
        if !is_address.iter().any(|start| url.starts_with(start)) || is_option {
            return Err(invalid(message![
                "`",
                quote(&url),
                "` is not the address of a repository"
            ]));
        }
        if let Some(revision) = revision.filter(|revision| !is_revision(revision)) {
            return Err(invalid(message!["`", quote(revision), "` is not a revision"]));
        }
        let path = path.trim_matches('/');
        if !path.is_empty() && dibber_text::folder::check_path(path).is_err() {
            return Err(invalid(message![
                "`",
                quote(path),
                "` is not a directory in a repository"
            ]));
        }
        let revision = revision.map(str::to_owned);
        Ok(Self { url, revision, path: path.to_owned() })
    }
}

/// Returns `true` if git can only take it as the name of a branch or a tag, or as a commit.
fn is_revision(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_./+".contains(c);
    !text.is_empty()
        && text.len() <= 250
        && !text.starts_with(['-', '+', '/', '.'])
        && text.chars().all(is_part)
        && !text.contains("..")
}

impl fmt::Display for GitAddress {
    /// Writes the repository with its revision, and without the directory.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !GIT_HOSTS.iter().any(|host| self.url.starts_with(&format!("https://{host}/")))
            && self.url.starts_with("https://")
            && self.url.strip_suffix(".git").is_none()
        {
            f.write_str("git+")?;
        }
        f.write_str(&self.url)?;
        self.revision.as_ref().map_or(Ok(()), |revision| write!(f, "@{revision}"))
    }
}
