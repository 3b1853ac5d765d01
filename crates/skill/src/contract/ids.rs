//! Ids. Each kind is a type of its own, so that one is not taken for another.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Error as _, IntoDeserializer as _};
use serde::{Deserialize, Deserializer, Serialize};

/// The lengths of the parts of a UUID (RFC 9562), in hexadecimal digits.
const UUID_PARTS: [usize; 5] = [8, 4, 4, 4, 12];

/// The most bytes of an id that is read.
const ID_BYTES_MAX: usize = 256;

/// What an id is the id of.
pub trait IdKind {
    /// The form of the ids that dibber creates.
    const FORM: IdForm;
    /// The pattern of the ids in a schema, if a server has no others of the kind.
    const PATTERN: Option<&'static str> = None;
    /// Whether other servers send an empty string where there is nothing of the kind.
    const MAY_BE_EMPTY: bool = true;
}

/// The form of the ids of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdForm {
    /// They begin with one of these.
    Prefixed(&'static [&'static str]),
    /// They are UUIDs (RFC 9562), which are the same in either case.
    Uuid,
}

impl IdForm {
    /// Returns `true` if a string has the form.
    fn matches(self, id: &str) -> bool {
        match self {
            Self::Prefixed(prefixes) => prefixes.iter().any(|prefix| id.starts_with(prefix)),
            Self::Uuid => {
                id.split('-').map(str::len).eq(UUID_PARTS)
                    && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
            }
        }
    }
}

/// An id. Other servers give ids of other forms, so any string without spaces and signs of a shell
/// can be read as one; what a person types has to have the form of its kind.
///
/// The id of one kind is not accepted as that of another:
///
/// ```compile_fail,E0308
/// use dibber_skill::contract::{HeartbeatId, SkillGet};
///
/// let heartbeat = HeartbeatId::from("hb_1");
/// let arguments = SkillGet { skill_id: heartbeat };
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent, bound = "")]
pub struct Id<K> {
    id: String,
    #[serde(skip)]
    kind: PhantomData<K>,
}

impl<K> Id<K> {
    /// Returns the id as it is sent.
    pub fn as_str(&self) -> &str {
        &self.id
    }
}

impl<K: IdKind> Id<K> {
    /// Returns `true` if the id has the form of those that dibber creates.
    pub fn is_well_formed(&self) -> bool {
        K::FORM.matches(&self.id)
    }
}

/// Ids are shown in commands to run, and recorded in files: one that would mean something else to a
/// shell, a terminal or a file system is not read.
impl<'de, K: IdKind> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        if !(id.is_empty() && K::MAY_BE_EMPTY) {
            check_id(&id).map_err(D::Error::custom)?;
        }
        Ok(Self::from(id))
    }
}

/// Reads an optional id, of which an empty string is none.
pub(super) fn read_optional<'de, K, D>(deserializer: D) -> Result<Option<Id<K>>, D::Error>
where
    K: IdKind,
    D: Deserializer<'de>,
{
    let id = Option::<String>::deserialize(deserializer)?.filter(|id| !id.is_empty());
    id.map(|id| Id::deserialize(id.into_deserializer())).transpose()
}

/// Checks whether a string is read as an id of a server, of whichever kind.
///
/// # Errors
/// A sentence that says why it is not.
pub fn check_id(id: &str) -> Result<(), String> {
    if id.is_empty() {
        return Err("an id is empty".to_owned());
    }
    let is_allowed = |c: char| c.is_alphanumeric() || "_-.:/@+=,~".contains(c);
    match id.chars().find(|&c| !is_allowed(c)) {
        Some(' ') => return Err("an id contains a space".to_owned()),
        Some(c) => return Err(format!("an id contains {c:?}")),
        None => {}
    }
    // A shell replaces a `~` at the beginning.
    if let Some(first) = id.chars().next().filter(|first| "-~".contains(*first)) {
        return Err(format!("an id begins with `{first}`"));
    }
    if id.split('/').any(|part| matches!(part, "." | "..")) {
        return Err("an id has a part `.` or `..`".to_owned());
    }
    if id.len() > ID_BYTES_MAX {
        return Err("an id is too long".to_owned());
    }
    Ok(())
}

impl<K> Borrow<str> for Id<K> {
    fn borrow(&self) -> &str {
        &self.id
    }
}

impl<K> From<String> for Id<K> {
    fn from(id: String) -> Self {
        Self { id, kind: PhantomData }
    }
}

impl<K> From<&str> for Id<K> {
    fn from(id: &str) -> Self {
        Self::from(id.to_owned())
    }
}

impl<K> From<Id<K>> for String {
    fn from(id: Id<K>) -> Self {
        id.id
    }
}

/// An empty id, which is the id of nothing.
impl<K> Default for Id<K> {
    fn default() -> Self {
        Self::from(String::new())
    }
}

/// In a schema, an id is a string, with the pattern of its kind.
impl<K: IdKind> JsonSchema for Id<K> {
    fn inline_schema() -> bool {
        String::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = String::json_schema(generator);
        if let Some(pattern) = K::PATTERN {
            schema.insert("pattern".to_owned(), pattern.into());
        }
        schema
    }
}

/// A string that does not have the form of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnId {
    form: IdForm,
}

impl fmt::Display for NotAnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.form {
            IdForm::Prefixed(prefixes) => {
                write!(f, "not an id that begins with `{}`", prefixes.join("` or `"))
            }
            IdForm::Uuid => f.write_str("not a UUID"),
        }
    }
}

impl std::error::Error for NotAnId {}

impl<K: IdKind> FromStr for Id<K> {
    type Err = NotAnId;

    fn from_str(typed: &str) -> Result<Self, NotAnId> {
        if K::FORM.matches(typed) { Ok(Self::from(typed)) } else { Err(NotAnId { form: K::FORM }) }
    }
}

impl<K> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.id)
    }
}

impl<K> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.fmt(f)
    }
}
