//! Fetching the well-known index of a site, and what it leads to.

use futures_util::StreamExt;
use futures_util::stream;

use dibber_catalog::well_known::{
    Artifact, ArtifactCheck, FetchedFile, INDEX_PATH, INDEX_PATH_OLD, IndexEntry, IndexProblem,
    ReadIndex, check_artifact, read_index,
};
use dibber_catalog::{ContentsLimits, SkillContents};
use dibber_text::{Message, message, quote_display, quote_in_full};

use super::address::Address;
use super::download::{Downloaded, Downloader};
use super::error::ClientError;

/// The most bytes of an index (4 MiB).
const INDEX_BYTES_MAX: u64 = 4 << 20;

/// The skills that are fetched at the same time.
const CONCURRENT: usize = 6;

/// An index with the URL that it was read from.
#[derive(Clone, Debug)]
pub struct FetchedIndex {
    /// Where it is, after redirects.
    pub url: Address,
    /// What it says.
    pub index: ReadIndex,
}

/// Why nothing could be fetched.
#[derive(Clone, Debug, PartialEq)]
pub enum SiteError {
    /// There is no index at any of these URLs.
    NoIndex(Vec<String>),
    /// The index cannot be used.
    Index(Message),
    /// A URL of the index is not one that is fetched.
    Url(String, &'static str),
    /// A URL answers with this status of HTTP.
    Status(String, u16),
    /// What the index leads to is not a skill.
    Skill(Message),
    /// A URL cannot be read.
    Client(String, ClientError),
}

impl SiteError {
    /// Returns what is wrong.
    pub fn message(&self) -> Message {
        match self {
            Self::NoIndex(urls) => {
                let urls = urls.iter().map(|url| message!["`", quote_in_full(url), "`"]);
                message!["the site has no index at ", Message::join(urls, " or ")]
            }
            Self::Index(message) | Self::Skill(message) => message.clone(),
            Self::Url(url, why) => {
                message!["`", quote_in_full(url), "` leads ", *why, ", which is not followed"]
            }
            Self::Status(url, status) => {
                message!["`", quote_in_full(url), "` answers with HTTP ", u32::from(*status)]
            }
            Self::Client(url, error) => {
                message!["cannot read `", quote_in_full(url), "`: ", quote_display(error)]
            }
        }
    }
}

/// Fetches the index of a site: at the URL itself if it ends with `.json`, otherwise below it and at the top
/// of the site.
pub async fn fetch_index(
    downloader: &Downloader,
    site: &Address,
) -> Result<FetchedIndex, SiteError> {
    let mut tried = Vec::new();
    for url in index_urls(site) {
        let shown = url.without_query();
        let got = downloader.get(&url, INDEX_BYTES_MAX).await;
        let got = got.map_err(|error| SiteError::Client(shown.clone(), error))?;
        match got.status {
            200 => {
                let index = read_index(&got.body).map_err(SiteError::Index)?;
                return Ok(FetchedIndex { url: got.url, index });
            }
            404 | 410 => tried.push(shown),
            status => return Err(SiteError::Status(shown, status)),
        }
    }
    Err(SiteError::NoIndex(tried))
}

fn index_urls(site: &Address) -> Vec<Address> {
    if site.path().to_ascii_lowercase().ends_with(".json") {
        return vec![site.clone()];
    }
    let below = site.path().trim_end_matches('/');
    let mut paths = Vec::new();
    for directory in [below, ""] {
        for path in [INDEX_PATH, INDEX_PATH_OLD] {
            let path = format!("{directory}/{path}");
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    paths.iter().map(|path| site.with_path(path)).collect()
}

/// Fetches a skill of an index, whose digests, name and description are those that the index says.
pub async fn fetch_skill(
    downloader: &Downloader,
    index: &Address,
    entry: &IndexEntry,
) -> Result<SkillContents, SiteError> {
    let fetched = fetch(downloader, index, &entry.artifact).await?;
    let ArtifactCheck { contents, problems } = check_artifact(entry, &fetched);
    // An archive with a directory around the skill is one that this program reads.
    let is_serious = |problem: &&IndexProblem| {
        problem.is_error && (contents.is_none() || !problem.pointer.ends_with("/url"))
    };
    if let Some(problem) = problems.iter().find(is_serious) {
        let place = quote_in_full(&problem.pointer);
        let message = message!["`", place, "` of the index ", problem.message.clone()];
        return Err(SiteError::Skill(message));
    }
    contents.ok_or_else(|| SiteError::Skill("the skill cannot be read".into()))
}

/// Fetches each skill of an index, and returns how it differs from what the index says. The order is that of
/// the index.
pub async fn check_skills(
    downloader: &Downloader,
    index: &FetchedIndex,
) -> Vec<Result<Vec<IndexProblem>, SiteError>> {
    let check = |entry| check_skill(downloader, &index.url, entry);
    stream::iter(&index.index.entries).map(check).buffered(CONCURRENT).collect().await
}

async fn check_skill(
    downloader: &Downloader,
    index: &Address,
    entry: &IndexEntry,
) -> Result<Vec<IndexProblem>, SiteError> {
    let fetched = fetch(downloader, index, &entry.artifact).await?;
    Ok(check_artifact(entry, &fetched).problems)
}

async fn fetch(
    downloader: &Downloader,
    index: &Address,
    artifact: &Artifact,
) -> Result<Vec<FetchedFile>, SiteError> {
    let mut bytes_left = ContentsLimits::ACCEPTED.bytes_max;
    let mut fetched = Vec::new();
    for (reference, path) in artifact.parts() {
        let url = index.join(&reference);
        let url = url.ok_or(SiteError::Url(reference, "to what is not a URL"))?;
        let shown = url.without_query();
        index.may_lead_to(&url).map_err(|why| SiteError::Url(shown.clone(), why))?;
        let got = downloader.get(&url, bytes_left).await;
        let got = got.map_err(|error| SiteError::Client(shown.clone(), error))?;
        if !got.is_found() {
            return Err(SiteError::Status(shown, got.status));
        }
        bytes_left -= got.body.len() as u64;
        let Downloaded { content_type, body, .. } = got;
        fetched.push(FetchedFile { path, content_type, bytes: body });
    }
    Ok(fetched)
}
