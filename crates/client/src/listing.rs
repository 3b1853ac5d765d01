//! Whole lists of a server, from all their pages.

use super::client::Client;
use super::error::ClientError;
use dibber_skill::contract::{
    HeartbeatListArguments, HeartbeatListItem, PAGE_ITEMS_MAX, SkillListArguments, SkillListItem,
};

/// The most pages of a list of skills.
const SKILL_PAGES_MAX: usize = 10_000;
/// The most pages of a list of heartbeats.
const HEARTBEAT_PAGES_MAX: usize = 1_000;

impl Client {
    /// Lists skills, up to a limit.
    pub async fn all_skills(
        &self,
        filter: &SkillListArguments,
        limit: usize,
    ) -> Result<Vec<SkillListItem>, ClientError> {
        let mut items: Vec<SkillListItem> = Vec::new();
        let mut cursor = None;
        for _ in 0..SKILL_PAGES_MAX {
            let page_limit = (limit - items.len()).min(PAGE_ITEMS_MAX);
            if page_limit == 0 {
                break;
            }
            let page = SkillListArguments { cursor, limit: Some(page_limit), ..filter.clone() };
            let page = self.skill_list(&page).await?;
            items.extend(page.items);
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        items.truncate(limit);
        Ok(items)
    }

    /// Lists every heartbeat of the family.
    pub async fn all_heartbeats(&self) -> Result<Vec<HeartbeatListItem>, ClientError> {
        let mut items = Vec::new();
        let mut cursor = None;
        for _ in 0..HEARTBEAT_PAGES_MAX {
            let limit = Some(PAGE_ITEMS_MAX);
            let list = HeartbeatListArguments { cursor, limit };
            let page = self.heartbeat_list(&list).await?;
            items.extend(page.items);
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Ok(items);
            }
        }
        let cause = format!("it lists more than {HEARTBEAT_PAGES_MAX} pages of heartbeats");
        Err(ClientError::Protocol(cause))
    }
}
