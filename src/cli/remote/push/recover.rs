//! Finding the skills that an interrupted push has made.
//!
//! Until its end is known, it is not known whether the server has such a skill, and another call
//! would make a second one. The skill is looked for by what was sent, so nothing is written before
//! it was shown and agreed to. From then on it is one that was published, like any other.

use jiff::Timestamp;

use super::arguments::Want;
use super::prepare::Candidate;
use crate::cli::error::CommandError;
use crate::cli::remote::calls::{failed, list_skills};
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{LockFiles, Published, format_time};
use dibber_client::{ClientError, SPEC_HASH, Unfinished};
use dibber_skill::contract::{ListArguments, SKILL_WRITE, SkillListItem};
use dibber_text::escape_line;

/// The most skills of a server that are looked through.
const SKILLS_MAX: usize = 10_000;

/// Finds the skills that were made without an answer; a push records them. A skill that cannot be
/// looked for is stopped.
pub(super) fn find_made(
    candidates: &mut [Candidate],
    want: Want,
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    for candidate in candidates {
        let Some(begun) = creation(&candidate.unfinished) else { continue };
        let found = match session.block_on(find(begun, session, locks)) {
            Ok(found) => found,
            Err(error) => {
                candidate.hash = Err(failed(&candidate.review.path, &error).into());
                continue;
            }
        };
        let Some(published) = found else { continue };
        if want == Want::Push {
            locks.record(vec![(candidate.key.clone(), published.clone())])?;
            let path = escape_line(&candidate.review.path);
            let id = escape_line(&published.skill_id);
            ui.say(&format!("Found the skill of an interrupted push of {path}: {id}"));
        }
        candidate.published = Some(published);
    }
    Ok(())
}

/// The latest write of a new skill.
fn creation(unfinished: &[Unfinished]) -> Option<&Unfinished> {
    let is_new = |unfinished: &&Unfinished| {
        unfinished.details.as_ref().is_some_and(|details| details.tool == SKILL_WRITE)
    };
    unfinished.iter().rev().find(is_new)
}

/// Looks for a skill with the label and the content that were sent, which is not the skill of
/// another folder.
async fn find(
    begun: &Unfinished,
    session: &Session,
    locks: &LockFiles,
) -> Result<Option<Published>, ClientError> {
    let Some(details) = &begun.details else { return Ok(None) };
    let label = details.arguments.get("name").and_then(|name| name.as_str());
    let all = list_skills(&session.client, &ListArguments::default(), SKILLS_MAX).await?;
    let is_candidate = |item: &&SkillListItem| {
        Some(item.name.as_str()) == label && !locks.is_recorded(&item.skill_id)
    };
    for item in all.iter().filter(is_candidate) {
        let content = session.client.active_content(&item.skill_id).await?;
        let content_hash = content.map(|content| content.to_string());
        if content_hash.is_some() && content_hash == details.target {
            let spec_hash = details.arguments.get(SPEC_HASH).and_then(|hash| hash.as_str());
            return Ok(Some(Published {
                skill_id: item.skill_id.clone(),
                spec_hash: spec_hash.unwrap_or_default().to_owned(),
                content_hash,
                time: format_time(Timestamp::now()),
                ..Published::default()
            }));
        }
    }
    Ok(None)
}
