//! The known fields of the frontmatter: the six of the specification, and those that individual
//! clients read, with the source for each client.

use std::sync::LazyLock;

/// The fields of the Agent Skills specification.
pub(super) const SPECIFICATION: [&str; 6] =
    ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/// The fields of `SKILL.md` in the Skills Protocol, in addition to `name`.
pub(super) const SKILLS_PROTOCOL: [&str; 2] = ["short_description", "tags"];

/// A field that is not in the specification.
#[derive(Debug)]
struct ClientField {
    /// The key.
    name: &'static str,
    /// The clients that read it.
    clients: &'static [&'static str],
}

/// Source: <https://code.claude.com/docs/en/skills>, "Frontmatter reference".
const CLAUDE_CODE: &str = "Claude Code";
/// Source: `promptFileAttributes.ts` in microsoft/vscode.
const VS_CODE: &str = "VS Code";
/// Source: <https://cursor.com/docs/context/skills>.
const CURSOR: &str = "Cursor";
/// Source: <https://docs.openclaw.ai/clawhub/skill-format>.
const OPENCLAW: &str = "OpenClaw";
/// Source: agentskills/agentskills#514.
const HERMES: &str = "Hermes";
/// Source: its README.
const KIRO_CREW: &str = "KiroCrew";

/// The fields that some client reads in addition to the specification, sorted by name.
const CLIENT_FIELDS: &[ClientField] = &[
    ClientField { name: "agent", clients: &[CLAUDE_CODE] },
    ClientField { name: "always", clients: &[KIRO_CREW] },
    ClientField { name: "argument-hint", clients: &[CLAUDE_CODE, VS_CODE] },
    ClientField { name: "arguments", clients: &[CLAUDE_CODE] },
    ClientField { name: "background", clients: &[CLAUDE_CODE] },
    ClientField { name: "context", clients: &[CLAUDE_CODE, VS_CODE] },
    ClientField { name: "disable-model-invocation", clients: &[CLAUDE_CODE, VS_CODE, CURSOR] },
    ClientField { name: "disallowed-tools", clients: &[CLAUDE_CODE] },
    ClientField { name: "effort", clients: &[CLAUDE_CODE] },
    ClientField { name: "homepage", clients: &[OPENCLAW] },
    ClientField { name: "hooks", clients: &[CLAUDE_CODE] },
    ClientField { name: "model", clients: &[CLAUDE_CODE] },
    ClientField { name: "paths", clients: &[CLAUDE_CODE, CURSOR] },
    ClientField { name: "platforms", clients: &[HERMES] },
    ClientField { name: "repo_scope", clients: &[KIRO_CREW] },
    ClientField { name: "shell", clients: &[CLAUDE_CODE] },
    ClientField { name: "triggers", clients: &[KIRO_CREW] },
    ClientField { name: "user-invocable", clients: &[CLAUDE_CODE, VS_CODE] },
    ClientField { name: "version", clients: &[OPENCLAW] },
    ClientField { name: "when_to_use", clients: &[CLAUDE_CODE] },
];

/// Spellings that are too short or too different for the comparison by edit distance.
const OTHER_SPELLINGS: [(&str, &str); 2] =
    [("allowedtool", "allowed-tools"), ("licence", "license")];

/// The minimum length in bytes of a key with one edit, and with two.
const ONE_EDIT_BYTES_MIN: usize = 8;
const TWO_EDITS_BYTES_MIN: usize = 11;
/// The maximum length in bytes of a key that is compared.
const KEY_BYTES_MAX: usize = 32;

/// Returns the clients that read a field which is not in the specification.
pub(super) fn clients_of(key: &str) -> Option<&'static [&'static str]> {
    let index = CLIENT_FIELDS.binary_search_by(|field| field.name.cmp(key)).ok()?;
    Some(CLIENT_FIELDS[index].clients)
}

/// Returns the known field that an unknown key is probably a misspelling of.
///
/// Case, hyphens and underscores are ignored. A long key may differ by one or two edits, but not
/// only by a suffix: `agents` may well be something else than `agent`, and `description-de` is
/// something else than `description`.
pub(super) fn misspelled(key: &str) -> Option<&'static str> {
    let is_known = |key| SPECIFICATION.contains(&key) || clients_of(key).is_some();
    if key.len() > KEY_BYTES_MAX || is_known(key) {
        return None;
    }
    let key = normalized(key);
    let same = NORMALIZED_FIELDS.iter().find(|(normalized, _)| *normalized == key);
    let like = || NORMALIZED_FIELDS.iter().find(|(normalized, _)| is_similar(&key, normalized));
    same.or_else(like).map(|(_, field)| *field)
}

/// The known fields and their other spellings, normalized for the comparison.
static NORMALIZED_FIELDS: LazyLock<Vec<(String, &'static str)>> = LazyLock::new(|| {
    let known = SPECIFICATION.into_iter().chain(CLIENT_FIELDS.iter().map(|field| field.name));
    let known = known.map(|field| (normalized(field), field));
    let others = OTHER_SPELLINGS.iter().map(|(spelling, field)| (normalized(spelling), *field));
    known.chain(others).collect()
});

fn is_similar(key: &str, field: &str) -> bool {
    let edits_max = match key.len().min(field.len()) {
        TWO_EDITS_BYTES_MIN.. => 2,
        ONE_EDIT_BYTES_MIN.. => 1,
        _ => return false,
    };
    let is_prefix = key.starts_with(field) || field.starts_with(key);
    // The difference in length is a lower bound of the distance, and is tested first because it
    // is cheap.
    key.len().abs_diff(field.len()) <= edits_max
        && !is_prefix
        && strsim::osa_distance(key, field) <= edits_max
}

fn normalized(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_fields_are_sorted() {
        assert!(CLIENT_FIELDS.is_sorted_by_key(|field| field.name));
    }

    #[test]
    fn misspellings_are_distinguished_from_other_words() {
        let cases = [
            ("user-invokable", Some("user-invocable")),
            ("Name", Some("name")),
            ("allowed_tools", Some("allowed-tools")),
            ("allowedTools", Some("allowed-tools")),
            ("when-to-use", Some("when_to_use")),
            ("desciption", Some("description")),
            ("licence", Some("license")),
            ("content", None),
            ("description-de", None),
            ("allowed-tool", Some("allowed-tools")),
            ("agents", None),
            ("argument", None),
            ("path", None),
            ("names", None),
            ("tools", None),
            ("name", None),
        ];
        for (key, field) in cases {
            assert_eq!(misspelled(key), field, "{key}");
        }
    }
}
