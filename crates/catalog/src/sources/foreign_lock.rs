//! `skills-lock.json`, in which the installer `skills` records what it has installed.
//!
//! Its digest is computed in another way, so only the sources are taken over (github.com/vercel-labs/skills,
//! version 1 of the file).

use std::collections::BTreeMap;

use serde::Deserialize;

use dibber_text::{Message, message, quote_display};

/// The name of the file.
pub const FOREIGN_LOCK_FILE: &str = "skills-lock.json";

/// The version of the file that is known.
const VERSION: u64 = 1;

/// A skill that another installer has recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignSkill {
    /// Its name.
    pub name: String,
    /// Where it comes from, as `dibber add` is given it; none if that is not known.
    pub source: Option<String>,
    /// Its directory in the source, if it is recorded.
    pub path: Option<String>,
}

#[derive(Deserialize)]
struct FileV1 {
    version: u64,
    #[serde(default)]
    skills: BTreeMap<String, EntryV1>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EntryV1 {
    source: String,
    #[serde(default)]
    source_type: String,
    #[serde(rename = "ref")]
    reference: Option<String>,
    skill_path: Option<String>,
}

/// Parses the bytes of the file.
pub fn parse_foreign_lock(bytes: &[u8]) -> Result<Vec<ForeignSkill>, Message> {
    let invalid = |error| message!["is not valid: ", quote_display(error)];
    let file: FileV1 = serde_json::from_slice(bytes).map_err(invalid)?;
    if file.version != VERSION {
        return Err(message!["has the version ", file.version, "; only 1 is known"]);
    }
    Ok(file.skills.into_iter().map(|(name, entry)| foreign(name, entry)).collect())
}

fn foreign(name: String, entry: EntryV1) -> ForeignSkill {
    let revision = entry.reference.map(|it| format!("@{it}")).unwrap_or_default();
    let is_address = entry.source.contains("://") || entry.source.starts_with("git@");
    let source = match entry.source_type.as_str() {
        "github" => Some(format!("{}{revision}", entry.source)),
        "git" | "gitlab" if is_address => {
            let scheme = if entry.source.starts_with("https://") { "git+" } else { "" };
            Some(format!("{scheme}{}{revision}", entry.source))
        }
        "local" | "well-known" => Some(entry.source),
        _ => None,
    };
    let path = entry.skill_path.map(|path| {
        path.rsplit_once('/').map_or(String::new(), |(directory, _)| directory.to_owned())
    });
    ForeignSkill { name, source, path }
}
