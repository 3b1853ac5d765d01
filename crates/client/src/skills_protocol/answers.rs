//! The results of the eight methods, as any server may send them.
//!
//! What is missing has a default where the specification, or a known server, leaves it out.

use serde_json::{Map, Value};

use super::fields::{Fields, wrong};
use crate::failure::Failure;
use dibber_skill::contract::WireEnum;
use dibber_skill::contract::skills_protocol::{
    BlobCreated, BlobMode, EncodedContent, Encoding, Guide, ReadBlob, SkillListItem,
};

/// The documentation of a skill, as Forge names it.
const FORGE_DOCUMENTATION: &str = "skill_md_preview";
/// What the ids of blobs begin with, which some servers leave out.
const ID_PREFIX: &str = "blob:";

/// A page of skills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemoteSkillsPage {
    /// The skills.
    pub skills: Vec<SkillListItem>,
    /// The number of skills that cannot be read.
    pub unreadable: usize,
    /// Where the next page begins, if there is one.
    pub next_cursor: Option<String>,
    /// What the server ignored.
    pub warnings: Vec<String>,
}

/// What a server says about a skill.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoteSkill {
    /// The name.
    pub name: String,
    /// The version.
    pub version: Option<String>,
    /// `action`, `instruction` or a word of the server's own.
    pub kind: Option<String>,
    /// The namespace.
    pub namespace: Option<String>,
    /// The manifest.
    pub manifest: Map<String, Value>,
    /// The frontmatter of `SKILL.md`.
    pub frontmatter: Option<Map<String, Value>>,
    /// The text of `SKILL.md`, or its beginning.
    pub documentation: Option<String>,
    /// What the server ignored.
    pub warnings: Vec<String>,
}

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteFile {
    /// The name of the skill, if the server says it.
    pub name: Option<String>,
    /// The version of the skill.
    pub version: Option<String>,
    /// The path of the file.
    pub path: String,
    /// The content.
    pub bytes: Vec<u8>,
    /// What the server ignored.
    pub warnings: Vec<String>,
}

/// A blob, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteBlob {
    /// The id.
    pub blob_id: String,
    /// The MIME type.
    pub mime: Option<String>,
    /// Which part it is, as the server says.
    pub mode: Option<String>,
    /// The content.
    pub bytes: Vec<u8>,
    /// The size of the whole blob.
    pub size_bytes: Option<u64>,
    /// Whether there is more.
    pub is_truncated: bool,
    /// Whether the server calls the content a preview, in which it may replace what is not text.
    pub is_preview: bool,
    /// Why not more of it was read, although the server has more.
    pub problem: Option<String>,
    /// What the server ignored.
    pub warnings: Vec<String>,
}

impl RemoteSkillsPage {
    pub(super) fn parse(result: &Value) -> Result<Self, Failure> {
        let fields = Fields::of(result, "its list of skills")?;
        let skills = fields.list("skills")?.ok_or_else(|| wrong("its answer has no `skills`"))?;
        let read: Vec<_> = skills.iter().map(item).collect();
        let unreadable = read.iter().filter(|item| item.is_none()).count();
        Ok(Self {
            skills: read.into_iter().flatten().collect(),
            unreadable,
            // Many servers end a list with an empty cursor.
            next_cursor: fields.string("next_cursor")?.filter(|cursor| !cursor.is_empty()),
            warnings: warnings(fields),
        })
    }
}

/// Reads an item of a list, which may be a name alone.
fn item(item: &Value) -> Option<SkillListItem> {
    match item {
        Value::String(name) => Some(SkillListItem {
            name: name.clone(),
            version: None,
            description: None,
            namespace: None,
            kind: None,
        }),
        item => serde_json::from_value(item.clone()).ok(),
    }
}

impl RemoteSkill {
    /// Reads `{skill: {…}}`, or what Forge sends: the manifest and the documentation alone.
    pub(super) fn parse(result: &Value, requested: &str) -> Result<Self, Failure> {
        let outer = Fields::of(result, "its description of the skill")?;
        let fields = match outer.get("skill") {
            Some(skill) => Fields::of(skill, "`skill`")?,
            None if outer.has("manifest") || outer.has("name") => outer,
            None => return Err(wrong("its answer has neither `skill` nor `manifest`")),
        };
        let manifest = fields.object("manifest")?.unwrap_or_default();
        let in_manifest =
            |name: &str| manifest.get(name).and_then(Value::as_str).map(str::to_owned);
        let named = |name: &str| {
            let own = fields.string(name)?;
            Ok::<_, Failure>(own.or_else(|| in_manifest(name)))
        };
        let documentation = match fields.string("documentation")? {
            None => fields.string(FORGE_DOCUMENTATION)?,
            documentation => documentation,
        };
        Ok(Self {
            name: named("name")?.unwrap_or_else(|| requested.to_owned()),
            version: named("version")?,
            kind: named("kind")?,
            namespace: named("namespace")?,
            frontmatter: fields.object("frontmatter")?,
            documentation,
            warnings: warnings(outer),
            manifest,
        })
    }
}

impl RemoteFile {
    pub(super) fn parse(result: &Value, requested: &str) -> Result<Self, Failure> {
        let fields = Fields::of(result, "the file in its answer")?;
        let content = fields.required_string("content")?;
        let bytes = decode(content, fields)?;
        let sent = bytes.len();
        match fields.size("size_bytes")? {
            Some(size) if size != sent as u64 => {
                return Err(wrong(&format!("it sends {sent} bytes of a file with {size}")));
            }
            _ => {}
        }
        Ok(Self {
            name: fields.string("name")?,
            version: fields.string("version")?,
            path: fields.string("path")?.unwrap_or_else(|| requested.to_owned()),
            bytes,
            warnings: warnings(fields),
        })
    }
}

impl RemoteBlob {
    /// Reads a blob, whose content Forge sends as `preview` alone.
    pub(super) fn parse(result: &Value, call: &ReadBlob) -> Result<Self, Failure> {
        let fields = Fields::of(result, "the blob in its answer")?;
        let (content, is_preview) = match fields.string("content")? {
            None => (fields.string("preview")?, true),
            content => (content, false),
        };
        let content = content.ok_or_else(|| wrong("its answer has no `content`"))?;
        let bytes = decode(content, fields)?;
        let size_bytes = fields.size("size_bytes")?;
        let end = call.offset.unwrap_or_default().saturating_add(bytes.len() as u64);
        let is_shorter = size_bytes.is_some_and(|size| size > end);
        Ok(Self {
            blob_id: fields.string("blob_id")?.unwrap_or_else(|| call.blob_id.clone()),
            mime: fields.string("kind")?,
            mode: fields.string("mode")?,
            is_truncated: fields.boolean("truncated")?.unwrap_or(is_shorter),
            is_preview,
            problem: None,
            size_bytes,
            bytes,
            warnings: warnings(fields),
        })
    }

    /// Returns `true` if it is of the blob with this id.
    pub fn is_of(&self, requested: &str) -> bool {
        let name = |id: &str| id.strip_prefix(ID_PREFIX).unwrap_or(id).to_owned();
        name(&self.blob_id) == name(requested)
    }

    /// Returns `true` if the server has read the part that was asked for, as far as it says so.
    pub fn is_part(&self, requested: BlobMode) -> bool {
        self.mode.as_deref().is_none_or(|mode| mode == requested.name())
    }
}

/// Reads the id of a blob that was created.
pub(super) fn blob_created(result: &Value) -> Result<BlobCreated, Failure> {
    let fields = Fields::of(result, "its answer")?;
    let blob_id = fields.required_string("blob_id")?;
    Ok(BlobCreated { blob_id, size_bytes: fields.size("size_bytes")?, warnings: warnings(fields) })
}

/// Reads the guide, which may be a string alone.
pub(super) fn guide(result: &Value) -> Result<Guide, Failure> {
    let content = match result {
        Value::String(content) => content.clone(),
        result => Fields::of(result, "the guide in its answer")?.required_string("content")?,
    };
    Ok(Guide { content, warnings: Vec::new() })
}

/// Decodes a content that is written as `encoding` says.
fn decode(content: String, fields: Fields<'_>) -> Result<Vec<u8>, Failure> {
    let encoding = match fields.string("encoding")? {
        None => Encoding::Utf8,
        Some(word) => Encoding::from_name(&word)
            .ok_or_else(|| wrong("the encoding of the content is not known"))?,
    };
    let content = EncodedContent { content, encoding };
    content.into_bytes().map_err(|error| wrong(&error.to_string()))
}

/// Returns the warnings, as far as they are strings: they are beside the point of an answer.
fn warnings(fields: Fields<'_>) -> Vec<String> {
    let items = fields.get("warnings").and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}
