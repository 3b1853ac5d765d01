//! Pages of skills: first those of directories, by their URIs, then those of a family, in the order of the
//! store. A cursor contains what comes before the page, so that what is added or removed meanwhile moves
//! nothing.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use dibber_catalog::{Offer, OfferedSkill};
use dibber_skill::contract::SkillId;

use super::published;
use crate::failure::Failure;
use crate::store::{FamilyId, Reader, Skill, SkillList};

/// The most skills of a page.
const SKILLS_MAX: usize = 100;

/// The most files of the skills of a page, if it has more than one skill: each has a URI and a digest.
const FILES_MAX: usize = 2_000;

/// The most skills of a family in a page: they are made when they are listed, and may be long.
const SKILLS_OF_FAMILY_MAX: usize = 50;

/// The most characters of a cursor; a URI may have names of several hundred.
const CURSOR_CHARACTERS_MAX: usize = 16 << 10;

/// Where a page begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// With the first skill of the directories.
    First,
    /// After the skill of a directory with this URI.
    AfterUri(String),
    /// With the first skill of the family.
    Family,
    /// After this skill of the family.
    AfterId(SkillId),
}

/// A page.
pub(super) struct Page {
    /// What has the skills of directories.
    folders: Arc<Offer>,
    /// Which of them.
    places: std::ops::Range<usize>,
    /// The skills of the family.
    published: Vec<Offer>,
    /// Where the next page begins.
    pub(super) next: Option<Start>,
}

impl Start {
    /// Parses a cursor.
    pub(super) fn parse(cursor: Option<&str>) -> Option<Self> {
        let Some(cursor) = cursor else { return Some(Self::First) };
        let is_short = cursor.len() <= CURSOR_CHARACTERS_MAX;
        let decoded = URL_SAFE_NO_PAD.decode(cursor).ok().filter(|_| is_short)?;
        let decoded = String::from_utf8(decoded).ok()?;
        match decoded.split_at_checked(1)? {
            ("u", uri) => Some(Self::AfterUri(uri.to_owned())),
            ("f", "") => Some(Self::Family),
            ("i", id) => Some(Self::AfterId(SkillId::from(id))),
            _ => None,
        }
    }

    /// Returns the cursor.
    pub(super) fn cursor(&self) -> Option<String> {
        let decoded = match self {
            Self::First => return None,
            Self::AfterUri(uri) => format!("u{uri}"),
            Self::Family => "f".to_owned(),
            Self::AfterId(id) => format!("i{}", id.as_str()),
        };
        Some(URL_SAFE_NO_PAD.encode(decoded))
    }
}

impl Page {
    /// Returns the skills of directories from a place on.
    pub(super) fn of_folders(folders: Arc<Offer>, start: &Start) -> Self {
        let skills = folders.skills();
        let begin = match start {
            Start::First => 0,
            Start::AfterUri(uri) => skills.partition_point(|skill| skill.uri <= *uri),
            Start::Family | Start::AfterId(_) => skills.len(),
        };
        let mut files = 0;
        let fits = |skill: &&OfferedSkill| {
            files += skill.files.len();
            files <= FILES_MAX
        };
        let count = skills[begin..].iter().take(SKILLS_MAX).take_while(fits).count();
        // A page has one skill at least.
        let end = skills.len().min(begin + count.max(1));
        let next = match skills.get(begin..end).and_then(|page| page.last()) {
            Some(last) if end < skills.len() => Start::AfterUri(last.uri.clone()),
            _ => match start {
                Start::AfterId(id) => Start::AfterId(id.clone()),
                _ => Start::Family,
            },
        };
        Self { folders, places: begin..end, published: Vec::new(), next: Some(next) }
    }

    /// Returns how many skills of the family have room in the page, and after which one they begin; none if
    /// there are more of directories.
    pub(super) fn room(&self) -> Option<(usize, Option<SkillId>)> {
        let after = match self.next.as_ref()? {
            Start::Family => None,
            Start::AfterId(id) => Some(id.clone()),
            Start::First | Start::AfterUri(_) => return None,
        };
        let limit = SKILLS_OF_FAMILY_MAX.min(SKILLS_MAX - self.places.len());
        (limit > 0).then_some((limit, after))
    }

    /// Adds skills of the family, one more than there is room for if there are more.
    pub(super) fn add(&mut self, skills: &[Skill], limit: usize) {
        let last = skills.get(..limit).filter(|_| skills.len() > limit).and_then(<[_]>::last);
        self.next = last.map(|last| Start::AfterId(last.id.clone()));
        let page = skills.iter().take(limit).filter(|skill| !skill.is_archived);
        self.published = page.map(published::offer).collect();
    }

    /// Returns the skills.
    pub(super) fn skills(&self) -> impl Iterator<Item = &OfferedSkill> {
        let of_folders = self.folders.skills()[self.places.clone()].iter();
        of_folders.chain(self.published.iter().flat_map(Offer::skills))
    }
}

/// Reads skills of a family, one more than the limit.
pub(super) fn read(
    store: &dyn Reader,
    family: &FamilyId,
    limit: usize,
    after: Option<SkillId>,
) -> Result<Vec<Skill>, Failure> {
    let list = SkillList { after, limit: limit + 1, ..SkillList::default() };
    Ok(store.skills(family, &list)?.rows)
}
