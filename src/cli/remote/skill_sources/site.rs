//! Skills of a site with a well-known index, and archives on a site.

use std::time::Duration;

use tokio::runtime::Runtime;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_catalog::sources::{
    ArchiveSource, OfferedSkill, OpenSource, SourceError, SourceErrorKind,
};
use dibber_catalog::{ArchiveFormat, ContentsLimits, FolderProblem, SkillContents};
use dibber_client::{Address, Downloader, FetchedIndex, SiteError, fetch_index, fetch_skill};
use dibber_text::{Message, message, quote, quote_display, quote_in_full};

/// How long one download may take.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The most bytes of an archive (128 MiB).
const ARCHIVE_BYTES_MAX: u64 = 128 << 20;

/// The skills of an index.
struct SiteSource {
    address: String,
    downloader: Downloader,
    runtime: Runtime,
    index: FetchedIndex,
    offered: Vec<OfferedSkill>,
}

/// Opens a site, or an archive on one: exactly the recorded archive, if one was recorded.
pub(in crate::cli) fn open_site(
    url: &str,
    recorded: Option<&str>,
) -> Result<Box<dyn OpenSource>, CommandError> {
    let address: Address = url.parse().map_err(|error| {
        CommandError::new(message!["`", quote(url), "`: ", quote_display(error)])
    })?;
    let runtime = super::server::runtime()?;
    let downloader = Downloader::new(None, TIMEOUT);
    if ArchiveFormat::of_name(address.path()).is_some() {
        let got = runtime.block_on(downloader.get(&address, ARCHIVE_BYTES_MAX));
        let got = got.map_err(|error| site_error(&SiteError::Client(url.to_owned(), error)))?;
        if !got.is_found() {
            return Err(site_error(&SiteError::Status(url.to_owned(), got.status)));
        }
        let source = ArchiveSource::open(&got.body, url.to_owned(), recorded);
        let source =
            source.map_err(|error| CommandError::new(error.message).exit(Exit::BadInput))?;
        return Ok(Box::new(source));
    }
    let index = runtime.block_on(fetch_index(&downloader, &address));
    let index = index.map_err(|error| site_error(&error))?;
    let offered = index.index.entries.iter().map(|entry| OfferedSkill {
        path: entry.name.clone(),
        name: entry.name.clone(),
        description: entry.description.clone().unwrap_or_default(),
    });
    let offered: Vec<_> = offered.collect();
    if offered.is_empty() {
        let message: Message = "the index of the site has no skill that can be read".into();
        let first = index.index.problems.iter().find(|problem| problem.is_error);
        let message = first.map_or(message.clone(), |problem| {
            let place = quote_in_full(&problem.pointer);
            message![message, ": `", place, "` ", problem.message.clone()]
        });
        return Err(CommandError::new(message).exit(Exit::NotFound));
    }
    Ok(Box::new(SiteSource { address: url.to_owned(), downloader, runtime, index, offered }))
}

impl OpenSource for SiteSource {
    fn address(&self) -> String {
        self.address.clone()
    }

    fn revision(&self) -> Option<String> {
        None
    }

    fn skills(&self) -> &[OfferedSkill] {
        &self.offered
    }

    fn read(
        &self,
        path: &str,
        _: ContentsLimits,
    ) -> Result<(SkillContents, Vec<FolderProblem>), SourceError> {
        let entry = self.index.index.entries.iter().find(|entry| entry.name == path);
        let entry = entry.ok_or_else(|| {
            SourceError::new(SourceErrorKind::NotFound, "the index has no such skill")
        })?;
        if !entry.artifact.is_verifiable() {
            let message = "the index has no digest of it, so it cannot be verified";
            return Err(SourceError::new(SourceErrorKind::Refused, message));
        }
        let fetched = self.runtime.block_on(fetch_skill(&self.downloader, &self.index.url, entry));
        match fetched {
            Ok(contents) => Ok((contents, Vec::new())),
            Err(error) => Err(SourceError::new(kind(&error), error.message())),
        }
    }
}

const fn kind(error: &SiteError) -> SourceErrorKind {
    match error {
        SiteError::NoIndex(_) | SiteError::Status(_, 404 | 410) => SourceErrorKind::NotFound,
        SiteError::Index(_) | SiteError::Url(..) | SiteError::Skill(_) => SourceErrorKind::Refused,
        SiteError::Status(..) | SiteError::Client(..) => SourceErrorKind::Failed,
    }
}

fn site_error(error: &SiteError) -> CommandError {
    let exit = match kind(error) {
        SourceErrorKind::NotFound => Exit::NotFound,
        SourceErrorKind::Refused => Exit::BadInput,
        SourceErrorKind::Failed => Exit::Failed,
    };
    CommandError::new(error.message()).exit(exit)
}
