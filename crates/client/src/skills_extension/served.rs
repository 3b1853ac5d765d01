//! Skills as a server lists them.

use std::collections::HashSet;

use serde_json::{Map, Value};

use dibber_catalog::{Digest, SkillPath, path_in_skill, skill_name};
use dibber_text::{Message, message, quote};

/// The skills of a server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServedSkills {
    /// The skills, in the order of the server.
    pub skills: Vec<ServedSkill>,
    /// What is wrong with those that are left out.
    pub problems: Vec<ServedSkillProblem>,
}

/// A skill as a server lists it. Its identity is the server together with the URI: names are not unique.
#[derive(Clone, Debug, PartialEq)]
pub struct ServedSkill {
    /// The URI of its `SKILL.md`.
    pub uri: String,
    /// Its name: the last directory of the URI.
    pub name: String,
    /// What it says that it is for.
    pub description: String,
    /// All of its frontmatter.
    pub frontmatter: Map<String, Value>,
    /// Its files.
    pub files: ServedFiles,
}

/// The files of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServedFiles {
    /// Every file with its digest, sorted by path.
    Listed(Vec<ServedFile>),
    /// They change from reading to reading, so that their digests are not known.
    Dynamic,
}

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedFile {
    /// Its URI.
    pub uri: String,
    /// Its path from the directory of the skill.
    pub path: SkillPath,
    /// The number of bytes.
    pub size: u64,
    /// The digest of the bytes.
    pub digest: Digest,
}

/// A skill that a server lists and that violates the extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedSkillProblem {
    /// Its URI, if it has one.
    pub uri: Option<String>,
    /// What is wrong.
    pub message: Message,
}

impl ServedSkills {
    /// Parses the items of a list.
    pub(super) fn parse(items: &[Value]) -> Self {
        let mut served = Self::default();
        let mut known = HashSet::new();
        for item in items {
            let skill = ServedSkill::parse(item).and_then(|skill| {
                let is_new = known.insert(skill.uri.clone());
                if is_new { Ok(skill) } else { Err("it is listed twice".into()) }
            });
            match skill {
                Ok(skill) => served.skills.push(skill),
                Err(message) => {
                    let uri = string(item, "uri").map(str::to_owned);
                    served.problems.push(ServedSkillProblem { uri, message });
                }
            }
        }
        served
    }
}

impl ServedSkill {
    /// Parses an item of a list, or returns what is wrong with it.
    pub(super) fn parse(item: &Value) -> Result<Self, Message> {
        let uri = string(item, "uri").ok_or("it has no `uri`")?.to_owned();
        let name_in_uri = skill_name(&uri).ok_or(message![
            "its URI `",
            quote(&uri),
            "` is not one of a `SKILL.md`"
        ])?;
        let frontmatter = item.get("frontmatter").and_then(Value::as_object);
        let frontmatter = frontmatter.ok_or("it has no `frontmatter`")?;
        let field = |key: &str| frontmatter.get(key).and_then(Value::as_str);
        let name = field("name").ok_or("it has no name")?;
        if name != name_in_uri {
            return Err(message!["its name `", quote(name), "` is not the one in its URI"]);
        }
        Ok(Self {
            name: name.to_owned(),
            description: field("description").ok_or("it has no description")?.to_owned(),
            frontmatter: frontmatter.clone(),
            files: ServedFiles::parse(&uri, item.get("resources").unwrap_or(&Value::Null))?,
            uri,
        })
    }
}

impl ServedFiles {
    fn parse(skill_uri: &str, resources: &Value) -> Result<Self, Message> {
        let resources = match resources {
            Value::String(word) if word == "dynamic" => return Ok(Self::Dynamic),
            Value::Array(resources) => resources,
            _ => return Err("it does not list its files".into()),
        };
        let files: Result<Vec<_>, _> =
            resources.iter().map(|resource| ServedFile::parse(skill_uri, resource)).collect();
        let mut files = files?;
        files.sort_by(|a, b| a.path.cmp(&b.path));
        if let Some(pair) = files.windows(2).find(|pair| pair[0].path == pair[1].path) {
            return Err(message!["it lists `", quote(pair[0].path.as_str()), "` twice"]);
        }
        if !files.iter().any(|file| file.uri == skill_uri) {
            return Err("it does not list its `SKILL.md`".into());
        }
        Ok(Self::Listed(files))
    }
}

impl ServedFile {
    fn parse(skill_uri: &str, resource: &Value) -> Result<Self, Message> {
        let uri = string(resource, "uri").ok_or("a file has no `uri`")?;
        let path = path_in_skill(skill_uri, uri)
            .ok_or_else(|| message!["its file `", quote(uri), "` is not in its directory"])?;
        let digest = string(resource, "digest").and_then(|digest| digest.parse().ok());
        let digest =
            digest.ok_or_else(|| message!["`", quote(path.as_str()), "` has no digest"])?;
        let size = resource.get("size").and_then(Value::as_u64);
        let size = size.ok_or_else(|| message!["`", quote(path.as_str()), "` has no size"])?;
        Ok(Self { uri: uri.to_owned(), path, size, digest })
    }
}

fn string<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}
