//! Cursors: where a page of a list ended.
//!
//! A cursor holds the id of the last item, so that what is added or changed meanwhile moves
//! nothing. Its digest binds it to one list: to the tool, the family and the filter.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::failure::Failure;
use super::store::{FamilyId, Listed};
use dibber_skill::contract::{Id, PAGE_ITEMS_DEFAULT};
use dibber_skill::spec_hash::canonical_json;

/// The bytes of the digest that a cursor begins with.
const DIGEST_BYTES: usize = 12;

/// The list that a cursor belongs to.
pub(super) struct Listing<'a> {
    /// The tool.
    pub(super) tool: &'static str,
    /// The family.
    pub(super) family: &'a FamilyId,
    /// The filter, with every default filled in.
    pub(super) filter: Value,
}

impl Listing<'_> {
    /// Returns the cursor after the item of that id.
    pub(super) fn encode<K>(&self, id: &Id<K>) -> String {
        let mut bytes = self.digest(id.as_str());
        bytes.extend_from_slice(id.as_str().as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Returns the id of the item before a cursor.
    pub(super) fn decode<K>(&self, cursor: &str) -> Result<Id<K>, Failure> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| invalid_cursor())?;
        let (digest, id) = bytes.split_at_checked(DIGEST_BYTES).ok_or_else(invalid_cursor)?;
        let id = str::from_utf8(id).map_err(|_| invalid_cursor())?;
        if digest == self.digest(id) { Ok(Id::from(id)) } else { Err(invalid_cursor()) }
    }

    fn digest(&self, id: &str) -> Vec<u8> {
        let Self { tool, family, filter } = self;
        let bound = json!({"tool": tool, "family": family.as_str(), "filter": filter, "id": id});
        Sha256::digest(canonical_json(&bound))[..DIGEST_BYTES].to_vec()
    }
}

/// A page of what was found.
pub(super) struct FoundPage<T, K> {
    pub(super) items: Vec<T>,
    /// The id of the last item, if there is another page.
    pub(super) last: Option<Id<K>>,
    /// The number of damaged items that are left out of this page.
    pub(super) damaged: usize,
}

/// Splits the result of a query for one item more than the page contains.
pub(super) fn split_page<T, K: Clone>(
    found: Listed<T>,
    limit: usize,
    id: impl Fn(&T) -> &Id<K>,
) -> FoundPage<T, K> {
    split_page_by(found, limit, |item| id(item).clone())
}

/// Does the same as [`split_page`], for items whose id is derived.
pub(super) fn split_page_by<T, K>(
    found: Listed<T>,
    limit: usize,
    id: impl Fn(&T) -> Id<K>,
) -> FoundPage<T, K> {
    let Listed { rows: mut items, damaged } = found;
    let has_more = items.len() > limit;
    items.truncate(limit);
    let last = items.last().filter(|_| has_more).map(id);
    // What comes after the last item is counted by the next page.
    let damaged = damaged.iter().filter(|before| !has_more || **before < limit).count();
    FoundPage { items, last, damaged }
}

/// Returns the number of damaged items as an answer states it.
pub(super) fn damaged_items(damaged: usize) -> Option<u64> {
    (damaged > 0).then_some(damaged as u64)
}

/// Adds to a next step that items are missing from the answer.
pub(super) fn with_damage(next_step: &str, damaged: usize) -> String {
    if damaged == 0 {
        return next_step.to_owned();
    }
    let items = if damaged == 1 { "item is" } else { "items are" };
    format!(
        "{next_step} {damaged} {items} damaged in the database and left out; the owner of the \
         server can run `dibber doctor --database`."
    )
}

/// Returns the number of items of a page.
pub(super) fn page_limit(asked: Option<usize>) -> usize {
    asked.unwrap_or(PAGE_ITEMS_DEFAULT)
}

/// Returns the error for a cursor of another list.
pub(super) fn invalid_cursor() -> Failure {
    Failure::bad_input(
        "INVALID_CURSOR",
        "the cursor does not belong to this list",
        "list from the beginning, without a cursor; the filter stays the same from page to page",
    )
}
