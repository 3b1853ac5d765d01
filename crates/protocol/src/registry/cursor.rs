//! Cursors: where a page of the list ended.
//!
//! A cursor contains the name of the last skill, so that skills that are added or removed meanwhile
//! move nothing. Its digest binds it to the filter.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dibber_skill::contract::WireEnum;
use dibber_skill::contract::skills_protocol::{ListDetail, RpcError, RpcReason};
use sha2::{Digest, Sha256};

use crate::refusal::refused;

/// The bytes of the digest that a cursor begins with.
const DIGEST_BYTES: usize = 12;

/// The most bytes of a cursor that are decoded; none of this server is half as long.
const CURSOR_BYTES_MAX: usize = 1024;

/// What a page is a part of.
pub(super) struct Filter<'a> {
    pub(super) namespace: Option<&'a str>,
    pub(super) detail: ListDetail,
}

impl Filter<'_> {
    /// Returns the cursor after a skill.
    pub(super) fn encode(&self, name: &str) -> String {
        let mut bytes = self.digest(name);
        bytes.extend_from_slice(name.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Returns the name of the skill before a cursor.
    pub(super) fn decode(&self, cursor: &str) -> Result<String, RpcError> {
        let decoded = (cursor.len() <= CURSOR_BYTES_MAX)
            .then(|| URL_SAFE_NO_PAD.decode(cursor).ok())
            .flatten();
        let decoded = decoded.as_deref().and_then(|bytes| bytes.split_at_checked(DIGEST_BYTES));
        let name = decoded.and_then(|(digest, name)| Some((digest, str::from_utf8(name).ok()?)));
        match name {
            Some((digest, name)) if digest == self.digest(name) => Ok(name.to_owned()),
            _ => Err(refused(
                RpcReason::InvalidCursor,
                "the cursor does not belong to this list",
                "list from the beginning, without a cursor; `namespace` and `detail` stay the same \
                 from page to page",
            )),
        }
    }

    fn digest(&self, name: &str) -> Vec<u8> {
        let mut hash = Sha256::new();
        for part in ["list_skills", self.detail.name(), self.namespace.unwrap_or_default(), name] {
            // The lengths keep parts apart that would be the same one after the other.
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.finalize()[..DIGEST_BYTES].to_vec()
    }
}
