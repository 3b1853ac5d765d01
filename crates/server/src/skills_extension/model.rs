//! Skills and their files in the types of MCP.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    DIRECTORY_MIME_TYPE, MetaObject, Resource, ResourceContents, ResourceTemplate,
    SKILLS_EXTENSION_ID, ServerCapabilities, Skill, SkillFrontmatter, SkillResource,
    SkillResources,
};
use serde_json::{Map, Value, json};

use dibber_catalog::{DirectoryEntry, Offer, OfferedFile, OfferedSkill};

/// The media type of a `SKILL.md`.
const SKILL_MEDIA_TYPE: &str = "text/markdown";

/// What the keys of the frontmatter have before them in the metadata of a resource.
const META_PREFIX: &str = "io.modelcontextprotocol.skills/";

/// The last name of the URI at which clients of `FastMCP` find the list of a skill's files.
pub(super) const MANIFEST: &str = "_manifest";

/// Returns a skill as `skills/list` has it.
pub(super) fn skill(skill: &OfferedSkill) -> Skill {
    let mut frontmatter = SkillFrontmatter::new(&skill.name, "");
    for (key, value) in &skill.frontmatter {
        match (key.as_str(), value) {
            ("name", _) => {}
            ("description", Value::String(description)) => {
                frontmatter.description.clone_from(description);
            }
            _ => {
                frontmatter.extra.insert(key.clone(), value.clone());
            }
        }
    }
    let files = skill.files.iter();
    let files = files.map(|file| SkillResource::new(&file.uri, file.digest.to_string(), file.size));
    Skill::new(&skill.uri, frontmatter, SkillResources::Files(files.collect()))
}

/// Returns the `SKILL.md` of a skill as a resource; none if there is none, which cannot be.
pub(super) fn skill_resource(skill: &OfferedSkill) -> Option<Resource> {
    let file = skill.files.iter().find(|file| file.uri == skill.uri)?;
    Some(file_resource(skill, file))
}

/// Returns a file of a skill as a resource.
fn file_resource(skill: &OfferedSkill, file: &OfferedFile) -> Resource {
    if file.uri != skill.uri {
        return Resource::new(&file.uri, file.path.file_name())
            .with_mime_type(file.media_type())
            .with_size(file.size);
    }
    let mut meta = MetaObject::new();
    let others = skill.frontmatter.iter();
    for (key, value) in others.filter(|(key, _)| is_meta_name(key)) {
        meta.0.insert(format!("{META_PREFIX}{key}"), value.clone());
    }
    let resource = Resource::new(&file.uri, &skill.name)
        .with_description(&skill.description)
        .with_mime_type(SKILL_MEDIA_TYPE)
        .with_size(file.size);
    if meta.0.is_empty() { resource } else { resource.with_meta(meta) }
}

/// Returns `true` if a key of the frontmatter is not one of the resource itself, and can be one in metadata.
fn is_meta_name(key: &str) -> bool {
    let is_edge = |c: char| c.is_ascii_alphanumeric();
    let is_inner = |c: char| is_edge(c) || matches!(c, '-' | '_' | '.');
    !matches!(key, "name" | "description")
        && key.starts_with(is_edge)
        && key.ends_with(is_edge)
        && key.chars().all(is_inner)
}

/// Returns something in a directory as a resource.
pub(super) fn entry_resource(offer: &Offer, entry: DirectoryEntry<'_>) -> Option<Resource> {
    match entry {
        DirectoryEntry::File(uri) => {
            // A skill in another one has a name and a description of its own.
            if let Some(skill) = offer.skill(uri) {
                return skill_resource(skill);
            }
            let (skill, file) = offer.file(uri)?;
            Some(file_resource(skill, file))
        }
        DirectoryEntry::Directory(uri) => {
            let name = uri.rsplit('/').next().unwrap_or(uri);
            Some(Resource::new(uri, name).with_mime_type(DIRECTORY_MIME_TYPE))
        }
    }
}

/// Returns the contents of a file at the URI at which it was requested: as text if it is that.
pub(super) fn contents(
    uri: &str,
    skill: &OfferedSkill,
    file: &OfferedFile,
    bytes: Vec<u8>,
) -> ResourceContents {
    let media_type = if file.uri == skill.uri { SKILL_MEDIA_TYPE } else { file.media_type() };
    let contents = match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => ResourceContents::text(text, uri),
        Ok(text) => ResourceContents::blob(STANDARD.encode(text), uri),
        Err(error) => ResourceContents::blob(STANDARD.encode(error.as_bytes()), uri),
    };
    contents.with_mime_type(media_type)
}

/// Returns the list of the files of a skill in the form of `FastMCP`.
pub(super) fn manifest(uri: &str, skill: &OfferedSkill) -> ResourceContents {
    let files = skill.files.iter().map(|file| {
        json!({"path": file.path.as_str(), "size": file.size, "hash": file.digest.to_string()})
    });
    let manifest = json!({"skill": skill.name, "files": files.collect::<Vec<_>>()});
    ResourceContents::text(manifest.to_string(), uri).with_mime_type("application/json")
}

/// Declares the extension.
pub(crate) fn with_skills(mut capabilities: ServerCapabilities) -> ServerCapabilities {
    let settings = Map::from_iter([("directoryRead".to_owned(), true.into())]);
    let extensions = capabilities.extensions.get_or_insert_default();
    extensions.insert(SKILLS_EXTENSION_ID.to_owned(), settings);
    capabilities
}

/// Returns the template of the URIs of the files of skills.
pub(super) fn skill_template() -> ResourceTemplate {
    ResourceTemplate::new("skill://{+path}", "skill/file")
        .with_title("A file of a skill")
        .with_description(
            "A file of an agent skill: its SKILL.md, which skills/list lists, or one that it refers to.",
        )
}
