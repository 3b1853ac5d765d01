//! Whole lists of a server, from all their pages.

use super::client::Client;
use super::error::ClientError;
use super::tool_info::ToolInfo;
use dibber_skill::contract::{
    HeartbeatListArguments, HeartbeatListItem, PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX,
    SkillListArguments, SkillListItem,
};

/// The tool that lists skills.
const SKILL_LIST: &str = "skill_list";
/// The tool that lists heartbeats.
const HEARTBEAT_LIST: &str = "heartbeat_list";
/// The most pages of a list of skills.
const SKILL_PAGES_MAX: usize = 10_000;
/// The most pages of a list of heartbeats.
const HEARTBEAT_PAGES_MAX: usize = 1_000;

/// A whole list of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<T> {
    /// The items.
    pub items: Vec<T>,
    /// The number of items that the server leaves out, because its database is damaged.
    pub damaged: u64,
}

impl Client {
    /// Lists skills, up to a limit.
    pub async fn all_skills(
        &self,
        filter: &SkillListArguments,
        limit: usize,
    ) -> Result<Listed<SkillListItem>, ClientError> {
        let page_max = self.page_items_max(SKILL_LIST).await?;
        let (mut items, mut damaged) = (Vec::<SkillListItem>::new(), 0);
        let mut cursor = None;
        for _ in 0..SKILL_PAGES_MAX {
            let page_limit = (limit - items.len()).min(page_max);
            if page_limit == 0 {
                break;
            }
            let page = SkillListArguments { cursor, limit: Some(page_limit), ..filter.clone() };
            let page = self.skill_list(&page).await?;
            items.extend(page.items);
            damaged += page.damaged_items.unwrap_or_default();
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        items.truncate(limit);
        Ok(Listed { items, damaged })
    }

    /// Lists every heartbeat of the family.
    pub async fn all_heartbeats(&self) -> Result<Listed<HeartbeatListItem>, ClientError> {
        let limit = Some(self.page_items_max(HEARTBEAT_LIST).await?);
        let (mut items, mut damaged) = (Vec::new(), 0);
        let mut cursor = None;
        for _ in 0..HEARTBEAT_PAGES_MAX {
            let list = HeartbeatListArguments { cursor, limit };
            let page = self.heartbeat_list(&list).await?;
            items.extend(page.items);
            damaged += page.damaged_items.unwrap_or_default();
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Ok(Listed { items, damaged });
            }
        }
        let cause = format!("it lists more than {HEARTBEAT_PAGES_MAX} pages of heartbeats");
        Err(ClientError::Protocol(cause))
    }
    /// Returns the most items of a page that the server's schema of a tool allows. A server that
    /// does not say is asked for no more than the default of the contract.
    async fn page_items_max(&self, tool: &str) -> Result<usize, ClientError> {
        let tools = self.tools().await?;
        let maximum = ToolInfo::find(&tools, tool).and_then(|tool| {
            tool.input_schema.get("properties")?.get("limit")?.get("maximum")?.as_u64()
        });
        let maximum = maximum.and_then(|maximum| usize::try_from(maximum).ok());
        Ok(maximum.unwrap_or(PAGE_ITEMS_DEFAULT).clamp(1, PAGE_ITEMS_MAX))
    }
}
