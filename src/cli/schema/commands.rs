//! Other names of schemas: the commands that print such JSON, and the names of files.

/// The words of commands, joined by hyphens, and their schemas.
pub(in crate::cli) const COMMANDS: &[(&str, &str)] = &[
    ("acp-emit", "acp"),
    ("config-show", "config"),
    ("diff", "push"),
    ("explain", "rules"),
    ("family-add-canvas", "family"),
    ("family-add-child", "family"),
    ("family-add-member", "family"),
    ("family-grants", "grants"),
    ("family-show", "family"),
    ("family-token", "tokens"),
    ("heartbeat-cancel", "heartbeat-change"),
    ("heartbeat-complete", "heartbeat-runs"),
    ("heartbeat-create", "heartbeat"),
    ("heartbeat-describe", "heartbeat"),
    ("heartbeat-due", "heartbeat-runs"),
    ("heartbeat-edit", "heartbeat"),
    ("heartbeat-fail", "heartbeat-runs"),
    ("heartbeat-history", "heartbeat-runs"),
    ("heartbeat-list", "heartbeat"),
    ("heartbeat-members", "heartbeat"),
    ("heartbeat-pause", "heartbeat-change"),
    ("heartbeat-resume", "heartbeat-change"),
    ("heartbeat-run", "heartbeat-runs"),
    ("inbox-archive", "inbox-change"),
    ("inbox-list", "inbox"),
    ("inbox-read", "inbox-change"),
    ("inbox-show", "inbox"),
    ("journal-discard", "journal"),
    ("journal-list", "journal"),
    ("lint", "lint-report"),
    ("names-add", "names"),
    ("names-list", "names"),
    ("names-remove", "names"),
    ("protocol-code", "protocol-run"),
    ("serve", "serve-once"),
    ("skill-unarchive", "skill-archive"),
    ("update", "add"),
    ("verify", "list"),
];

/// The names of files, and their schemas.
const FILES: &[(&str, &str)] = &[
    ("dibber", "dibber-toml"),
    ("dibber.lock", "dibber-lock"),
    ("dibber.toml", "dibber-toml"),
    ("sprout.yaml", "sprout"),
];

/// Returns the other names of a schema: the commands that print it, and its file.
pub(super) fn aliases(schema: &str) -> impl Iterator<Item = &'static str> {
    let others = COMMANDS.iter().chain(FILES).filter(move |(_, described)| *described == schema);
    others.map(|(other, _)| *other)
}

/// Returns the name of the schema that was typed: its own, or that of a command or a file.
pub(super) fn schema_name(typed: &str) -> &str {
    let other = COMMANDS.iter().chain(FILES).find(|(other, _)| *other == typed);
    other.map_or(typed, |(_, schema)| schema)
}
