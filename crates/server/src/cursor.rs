//! Cursors: where the page of a list before ended.
//!
//! A cursor holds the id of the last item, so that what is added or changed meanwhile moves
//! nothing. Its digest binds it to one list: to the tool, the family and the filter.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::failure::Failure;
use super::store::FamilyId;
use dibber_skill::contract::PAGE_ITEMS_DEFAULT;
use dibber_skill::spec_hash::canonical_json;

/// The bytes of the digest that a cursor begins with.
const DIGEST_BYTES: usize = 12;

/// What a cursor is bound to.
pub(super) struct Listing<'a> {
    /// The tool that lists.
    pub(super) tool: &'static str,
    /// The family whose list it is.
    pub(super) family: &'a FamilyId,
    /// What is listed, with every default filled in.
    pub(super) filter: Value,
}

impl Listing<'_> {
    /// The cursor behind the item of that id.
    pub(super) fn cursor(&self, id: &str) -> String {
        let mut bytes = self.digest(id);
        bytes.extend_from_slice(id.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The id of the item that a cursor stands behind.
    pub(super) fn id(&self, cursor: &str) -> Result<String, Failure> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| invalid_cursor())?;
        let (digest, id) = bytes.split_at_checked(DIGEST_BYTES).ok_or_else(invalid_cursor)?;
        let id = str::from_utf8(id).map_err(|_| invalid_cursor())?;
        if digest == self.digest(id) { Ok(id.to_owned()) } else { Err(invalid_cursor()) }
    }

    fn digest(&self, id: &str) -> Vec<u8> {
        let Self { tool, family, filter } = self;
        let bound = json!({"tool": tool, "family": family.0, "filter": filter, "id": id});
        Sha256::digest(canonical_json(&bound))[..DIGEST_BYTES].to_vec()
    }
}

/// A page of what was found, when one item more than the page holds was asked for: the items of
/// the page, and the id of the last one if there is another page.
pub(super) fn cut<T>(
    mut found: Vec<T>,
    limit: usize,
    id: impl Fn(&T) -> &str,
) -> (Vec<T>, Option<String>) {
    let has_more = found.len() > limit;
    found.truncate(limit);
    let last = found.last().filter(|_| has_more).map(|item| id(item).to_owned());
    (found, last)
}

/// The items of a page.
pub(super) fn limit(asked: Option<usize>) -> usize {
    asked.unwrap_or(PAGE_ITEMS_DEFAULT)
}

/// Refuses a cursor that is not one of this list.
pub(super) fn invalid_cursor() -> Failure {
    Failure::bad_input(
        "INVALID_CURSOR",
        "the cursor is not one of this list",
        "list from the beginning, without a cursor; the filter stays the same from page to page",
    )
}
