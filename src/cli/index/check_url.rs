//! Checking a site over HTTP.

use tokio::runtime::Builder;

use super::checked::Checked;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::interrupt::Interrupt;
use dibber_client::{
    Address, Downloader, FetchedIndex, SiteError, TIMEOUT_DEFAULT, check_skills, fetch_index,
};
use dibber_text::{message, quote_display};

pub(super) fn check_url(site: &str) -> Result<Checked, CommandError> {
    let site: Address = site.parse().map_err(|error| {
        CommandError::new(message!["the URL of the site is not valid: ", quote_display(error)])
    })?;
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| CommandError::io("cannot start", error))?;
    // Nothing is written: Ctrl-C ends the program at once.
    Interrupt::watch()?;
    let downloader = Downloader::new(None, TIMEOUT_DEFAULT);
    let checked = runtime.block_on(async {
        let index = fetch_index(&downloader, &site).await?;
        let skills = check_skills(&downloader, &index).await;
        Ok((index, skills))
    });
    let (FetchedIndex { url, index }, skills) = checked
        .map_err(|error: SiteError| CommandError::new(error.message()).exit(exit_of(&error)))?;
    let is_lost = |skill: &Result<_, _>| matches!(skill, Err(SiteError::Client(..)));
    let exit = if skills.iter().any(is_lost) { Exit::Failed } else { Exit::Done };
    let skills = skills.into_iter().map(|skill| skill.map_err(|error| error.message())).collect();
    Ok(Checked { site: url.without_query(), index, skills, exit })
}

/// Returns how the command ends if the index cannot be read.
const fn exit_of(error: &SiteError) -> Exit {
    match error {
        SiteError::NoIndex(_) => Exit::NotFound,
        SiteError::Client(..) | SiteError::Status(..) => Exit::Failed,
        SiteError::Index(_) | SiteError::Url(..) | SiteError::Skill(_) => Exit::Findings,
    }
}
