//! URIs of the files of skills: `skill://PATH/SKILL.md`, as the skills extension of MCP has them.

use std::fmt::Write as _;

use dibber_skill::skill::SKILL_FILE_NAME;

use crate::path::SkillPath;

/// What the URIs of this program begin with. Those of others may begin with something else.
pub(crate) const SCHEME: &str = "skill://";

/// Returns a path as a part of a URI: everything but `/` and unreserved characters (RFC 3986, section
/// 2.3) is escaped.
pub fn escape_path(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            escaped.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

/// Returns the directory of a skill as a URI that ends with `/`; none if the URI is not one of a
/// `SKILL.md` in a directory.
pub fn skill_directory(skill_uri: &str) -> Option<&str> {
    let directory = skill_uri.strip_suffix(SKILL_FILE_NAME)?;
    let name = directory.strip_suffix('/')?.rsplit('/').next()?;
    (!name.is_empty() && !skill_uri.contains(['?', '#'])).then_some(directory)
}

/// Returns the name of a skill that its URI contains: the last directory.
pub fn skill_name(skill_uri: &str) -> Option<&str> {
    skill_directory(skill_uri)?.strip_suffix('/')?.rsplit('/').next()
}

/// Returns the path of a file in a skill; none if the file is not in the skill, or not one that a skill
/// can have.
pub fn path_in_skill(skill_uri: &str, uri: &str) -> Option<SkillPath> {
    let path = uri.strip_prefix(skill_directory(skill_uri)?)?;
    if path.contains(['?', '#']) {
        return None;
    }
    let names: Option<Vec<String>> = path.split('/').map(unescape).collect();
    SkillPath::new(names?.join("/")).ok()
}

/// Returns the spelling of a URI that this program uses, of one that escapes other characters, or too few;
/// none if it is not one of a file of a skill.
pub(crate) fn canonical_uri(uri: &str) -> Option<String> {
    let names: Option<Vec<String>> = uri.strip_prefix(SCHEME)?.split('/').map(unescape).collect();
    Some(format!("{SCHEME}{}", escape_path(&names?.join("/"))))
}

/// Returns a name without escapes; none if one is wrong, or stands for `/`.
fn unescape(name: &str) -> Option<String> {
    let mut parts = name.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok().filter(|name| !name.contains('/'))
}
