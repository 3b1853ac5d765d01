//! Many calls of a server, a few at a time.

use std::future::Future;

use futures_util::stream::{self, StreamExt};

use super::refusal::shown;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_client::{Client, ClientError};
use dibber_skill::contract::{ListArguments, SkillListItem};

/// How many calls are under way at once.
pub(super) const CALLS_AT_ONCE_MAX: usize = 16;
/// The most pages of a list that are asked for.
const PAGES_MAX: usize = 10_000;
/// The items that are asked for at once.
const PAGE_ITEMS: usize = dibber_skill::contract::PAGE_ITEMS_MAX;

/// Does some work for every item, for a few of them at once, and hands over what comes of it in
/// the order in which it comes.
pub(super) async fn for_each<T, R, F: Future<Output = R>>(
    items: impl IntoIterator<Item = T>,
    work: impl FnMut(T) -> F,
    mut done: impl FnMut(R),
) {
    let calls = stream::iter(items.into_iter().map(work)).buffer_unordered(CALLS_AT_ONCE_MAX);
    let mut calls = std::pin::pin!(calls);
    while let Some(result) = calls.next().await {
        done(result);
    }
}

/// Lists skills, page after page, up to a limit.
pub(super) async fn list_skills(
    client: &Client,
    filter: &ListArguments,
    limit: usize,
) -> Result<Vec<SkillListItem>, ClientError> {
    let mut items: Vec<SkillListItem> = Vec::new();
    let mut cursor = None;
    for _ in 0..PAGES_MAX {
        let wanted = (limit - items.len()).min(PAGE_ITEMS);
        if wanted == 0 {
            break;
        }
        let page = ListArguments { cursor, limit: Some(wanted), ..filter.clone() };
        let page = client.skill_list(&page).await?;
        items.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    items.truncate(limit);
    Ok(items)
}

/// What a person is told of a call for one skill that failed.
pub(super) fn failed(path: &str, error: &ClientError) -> CommandError {
    shown(error).with_context(path)
}

/// The exit code that says more of two.
pub(super) fn graver(one: Exit, other: Exit) -> Exit {
    if other as u8 > one as u8 { other } else { one }
}
