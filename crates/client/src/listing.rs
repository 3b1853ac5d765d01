//! Whole lists of a server, from all their pages.

use std::collections::{BTreeSet, HashSet};

use super::client::Client;
use super::error::ClientError;
use super::tool_info::ToolInfo;
use super::unreadable_item::UnreadableItem;
use dibber_skill::contract::{
    HeartbeatId, HeartbeatListArguments, HeartbeatListItem, PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX,
    Page, SkillListArguments, SkillListItem,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The tool that lists skills.
const SKILL_LIST: &str = "skill_list";
/// The tool that lists heartbeats.
const HEARTBEAT_LIST: &str = "heartbeat_list";
/// The most pages of a list of skills.
const SKILL_PAGES_MAX: usize = 10_000;
/// The most pages of a list of heartbeats.
const HEARTBEAT_PAGES_MAX: usize = 1_000;
/// The most pages without an item, which a server that filters them afterwards may send.
const EMPTY_PAGES_MAX: usize = 100;

/// A list of a server, or a page of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<T> {
    /// The items.
    pub items: Vec<T>,
    /// The items that violate the contract.
    pub unreadable: Vec<UnreadableItem>,
    /// The ids of items that the server lists more than once. `items` has the first of each.
    pub repeated: BTreeSet<String>,
    /// The number of items that the server leaves out, because its database is damaged.
    pub damaged: u64,
    /// Where the rest begins, if a limit leaves some out.
    pub next_cursor: Option<String>,
}

impl<T: DeserializeOwned> Listed<T> {
    /// Reads the items of a page, each by itself.
    pub(super) fn from_page(page: Page<Value>) -> Self {
        let (mut items, mut unreadable) = (Vec::new(), Vec::new());
        for item in page.items {
            match T::deserialize(&item) {
                Ok(item) => items.push(item),
                Err(error) => unreadable.push(UnreadableItem::new::<T>(&item, &error)),
            }
        }
        let damaged = page.damaged_items.unwrap_or_default();
        // Many servers end a list with an empty cursor.
        let next_cursor = page.next_cursor.filter(|cursor| !cursor.is_empty());
        Self { items, unreadable, repeated: BTreeSet::new(), damaged, next_cursor }
    }
}

impl<T> Listed<T> {
    pub(super) const fn empty() -> Self {
        let repeated = BTreeSet::new();
        Self { items: Vec::new(), unreadable: Vec::new(), repeated, damaged: 0, next_cursor: None }
    }

    /// Returns where the next page begins, if there is one.
    pub(super) fn take_cursor(&mut self, pages: &mut Pages) -> Result<Option<String>, ClientError> {
        let cursor = self.next_cursor.take();
        if let Some(cursor) = &cursor {
            pages.follow(cursor, self.len())?;
        }
        Ok(cursor)
    }

    fn len(&self) -> usize {
        self.items.len() + self.unreadable.len()
    }

    /// Appends a page, without the items that an earlier page or itself has already.
    pub(super) fn append(&mut self, page: Self, pages: &mut Pages, id: fn(&T) -> &str) {
        for item in page.items {
            if pages.ids.insert(id(&item).to_owned()) {
                self.items.push(item);
            } else {
                self.repeated.insert(id(&item).to_owned());
            }
        }
        self.unreadable.extend(page.unreadable);
        self.damaged += page.damaged;
        self.next_cursor = page.next_cursor;
    }

    /// Returns the ids of all items that have one.
    pub(super) fn ids<'a>(&'a self, id: fn(&'a T) -> &'a str) -> impl Iterator<Item = &'a str> {
        let unreadable = self.unreadable.iter().filter_map(|item| item.id.as_deref());
        self.items.iter().map(id).chain(unreadable)
    }

    /// Returns the list, or an error if one of its items cannot be read: what is taken for missing
    /// would be created a second time.
    pub fn require_readable(self) -> Result<Self, ClientError> {
        match self.unreadable.first() {
            Some(unreadable) => Err(ClientError::Protocol(unreadable.to_string())),
            None => Ok(self),
        }
    }
}

impl Listed<HeartbeatListItem> {
    /// Returns a heartbeat of the list.
    ///
    /// # Errors
    /// If it is not in the list, and may be one of those that are left out.
    pub fn find(&self, id: &HeartbeatId) -> Result<Option<&HeartbeatListItem>, ClientError> {
        let found = self.items.iter().find(|item| item.heartbeat_id == *id);
        if found.is_none() && self.damaged > 0 {
            return Err(ClientError::MayBeDamaged(id.clone()));
        }
        Ok(found)
    }
}

/// The pages of a list that were read, so that a server whose list does not end is noticed.
pub(super) struct Pages {
    tool: &'static str,
    cursors: HashSet<String>,
    /// The ids of the items.
    ids: HashSet<String>,
    /// The number of items at the last page that had any, and the number of pages since.
    items: usize,
    empty: usize,
}

impl Pages {
    pub(super) fn new(tool: &'static str) -> Self {
        Self { tool, cursors: HashSet::new(), ids: HashSet::new(), items: 0, empty: 0 }
    }

    /// Records a cursor that is followed after this number of items.
    fn follow(&mut self, cursor: &str, items: usize) -> Result<(), ClientError> {
        self.empty = if items == self.items { self.empty + 1 } else { 0 };
        self.items = items;
        let tool = self.tool;
        if !self.cursors.insert(cursor.to_owned()) {
            return Err(ClientError::Protocol(format!("`{tool}` repeats a page")));
        }
        if self.empty > EMPTY_PAGES_MAX {
            let cause = format!("`{tool}` sends more than {EMPTY_PAGES_MAX} pages without items");
            return Err(ClientError::Protocol(cause));
        }
        Ok(())
    }
}

impl Client {
    /// Lists skills, up to a limit.
    pub async fn all_skills(
        &self,
        filter: &SkillListArguments,
        limit: usize,
    ) -> Result<Listed<SkillListItem>, ClientError> {
        let page_max = self.page_items_max(SKILL_LIST).await?;
        let (mut listed, mut pages) = (Listed::empty(), Pages::new(SKILL_LIST));
        for _ in 0..SKILL_PAGES_MAX {
            let page_limit = limit.saturating_sub(listed.len()).min(page_max);
            if page_limit == 0 {
                break;
            }
            let cursor = listed.take_cursor(&mut pages)?;
            let page = SkillListArguments { cursor, limit: Some(page_limit), ..filter.clone() };
            let page = self.skill_list(&page).await?;
            listed.append(page, &mut pages, |item| item.skill_id.as_str());
            if listed.next_cursor.is_none() {
                break;
            }
        }
        listed.items.truncate(limit);
        Ok(listed)
    }

    /// Lists every heartbeat of the family.
    pub async fn all_heartbeats(&self) -> Result<Listed<HeartbeatListItem>, ClientError> {
        let limit = Some(self.page_items_max(HEARTBEAT_LIST).await?);
        let (mut listed, mut pages) = (Listed::empty(), Pages::new(HEARTBEAT_LIST));
        let is_own = self.is_server_of_dibber().await?;
        for _ in 0..HEARTBEAT_PAGES_MAX {
            let cursor = listed.take_cursor(&mut pages)?;
            let list = HeartbeatListArguments { cursor, limit };
            let mut page = self.heartbeat_list(&list).await?;
            for item in page.items.iter_mut().filter(|_| !is_own) {
                // Another server computes it in another way, so it says nothing about the files.
                item.content_hash = None;
            }
            listed.append(page, &mut pages, |item| item.heartbeat_id.as_str());
            if listed.next_cursor.is_none() {
                return Ok(listed);
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
