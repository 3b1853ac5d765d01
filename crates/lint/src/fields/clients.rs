//! Which fields stand in the frontmatter: the six of the specification, and those that single
//! clients read beyond them, each client with the page that says so.

use std::sync::LazyLock;

/// The fields of the Agent Skills specification.
pub(super) const SPECIFICATION: [&str; 6] =
    ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/// The fields that the Skills Protocol has in `SKILL.md`, beside `name`.
pub(super) const SKILLS_PROTOCOL: [&str; 2] = ["short_description", "tags"];

/// A field that is not in the specification.
#[derive(Debug)]
struct ClientField {
    /// The key.
    name: &'static str,
    /// The clients that read it.
    clients: &'static [&'static str],
}

/// Its documentation: <https://code.claude.com/docs/en/skills>, "Frontmatter reference".
const CLAUDE_CODE: &str = "Claude Code";
/// Its source: `promptFileAttributes.ts` in microsoft/vscode.
const VS_CODE: &str = "VS Code";
/// Its documentation: <https://cursor.com/docs/context/skills>.
const CURSOR: &str = "Cursor";
/// Its documentation: <https://docs.openclaw.ai/clawhub/skill-format>.
const OPENCLAW: &str = "OpenClaw";
/// Its maintainers' words: agentskills/agentskills#514.
const HERMES: &str = "Hermes";
/// Its README.
const KIRO_CREW: &str = "KiroCrew";

/// Every field that some client reads beyond the specification, by name.
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

/// Spellings that their likeness does not tell from other words.
const OTHER_SPELLINGS: [(&str, &str); 2] =
    [("allowedtool", "allowed-tools"), ("licence", "license")];

/// The bytes from which a key is long enough to have one wrong letter, and two.
const ONE_SLIP_BYTES_MIN: usize = 8;
const TWO_SLIPS_BYTES_MIN: usize = 11;
/// The bytes beyond which a key is like none of them.
const KEY_BYTES_MAX: usize = 32;

/// The clients that read a field which is not in the specification.
pub(super) fn clients_of(key: &str) -> Option<&'static [&'static str]> {
    let index = CLIENT_FIELDS.binary_search_by(|field| field.name.cmp(key)).ok()?;
    Some(CLIENT_FIELDS[index].clients)
}

/// The known field that an unknown key most likely is meant to be.
///
/// Case, hyphens and underscores count for nothing. A long key may have one or two wrong
/// letters, but not only more or fewer of them at its end: `agents` may well be another thing
/// than `agent`, and `description-de` is another than `description`.
pub(super) fn misspelled(key: &str) -> Option<&'static str> {
    let is_known = |key| SPECIFICATION.contains(&key) || clients_of(key).is_some();
    if key.len() > KEY_BYTES_MAX || is_known(key) {
        return None;
    }
    let key = squashed(key);
    let same = SQUASHED_FIELDS.iter().find(|(squashed, _)| *squashed == key);
    let like = || SQUASHED_FIELDS.iter().find(|(squashed, _)| is_slip(&key, squashed));
    same.or_else(like).map(|(_, field)| *field)
}

/// The known fields and their other spellings, as they are compared.
static SQUASHED_FIELDS: LazyLock<Vec<(String, &'static str)>> = LazyLock::new(|| {
    let known = SPECIFICATION.into_iter().chain(CLIENT_FIELDS.iter().map(|field| field.name));
    let known = known.map(|field| (squashed(field), field));
    let others = OTHER_SPELLINGS.iter().map(|(spelling, field)| (squashed(spelling), *field));
    known.chain(others).collect()
});

fn is_slip(key: &str, field: &str) -> bool {
    let slips_max = match key.len().min(field.len()) {
        TWO_SLIPS_BYTES_MIN.. => 2,
        ONE_SLIP_BYTES_MIN.. => 1,
        _ => return false,
    };
    let goes_on = key.starts_with(field) || field.starts_with(key);
    key.len().abs_diff(field.len()) <= slips_max
        && !goes_on
        && strsim::osa_distance(key, field) <= slips_max
}

fn squashed(key: &str) -> String {
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
    fn slips_are_told_from_other_words() {
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
