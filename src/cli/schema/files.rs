//! The schemas that are kept by hand: of files, and of what commands print with `--json`.

use dibber_skill::manifest;

/// A schema that is part of the program.
pub(in crate::cli) struct FileSchema {
    /// What it is called on the command line.
    pub(in crate::cli) name: &'static str,
    /// What it describes.
    pub(in crate::cli) description: &'static str,
    /// The schema as JSON.
    pub(in crate::cli) text: &'static str,
}

impl FileSchema {
    const fn new(name: &'static str, description: &'static str, text: &'static str) -> Self {
        Self { name, description, text }
    }
}

/// All of them: those of files, then those of commands.
pub(in crate::cli) const SCHEMAS: &[FileSchema] = &[
    FileSchema::new(
        "sprout",
        "the file sprout.yaml, which says how a skill is published",
        manifest::SCHEMA,
    ),
    FileSchema::new(
        "dibber-toml",
        "the file dibber.toml of a project",
        include_str!("../../../schemas/dibber-toml.schema.json"),
    ),
    FileSchema::new(
        "dibber-user-toml",
        "your own dibber.toml",
        include_str!("../../../schemas/dibber-user-toml.schema.json"),
    ),
    FileSchema::new(
        "dibber-lock",
        "the file dibber.lock",
        include_str!("../../../schemas/dibber-lock.schema.json"),
    ),
    FileSchema::new(
        "skills-protocol",
        "what `dibber serve --skills` answers at /rpc",
        include_str!("../../../schemas/skills-protocol.schema.json"),
    ),
    FileSchema::new(
        "acp",
        "what `dibber acp emit` prints, and the types in it",
        include_str!("../../../schemas/acp.schema.json"),
    ),
    FileSchema::new(
        "baseline",
        "the file of `lint --baseline`",
        include_str!("../../../schemas/baseline.schema.json"),
    ),
    FileSchema::new(
        "error",
        "what a command with --json prints if it fails",
        include_str!("../../../schemas/error.schema.json"),
    ),
    FileSchema::new(
        "add",
        "dibber add|update --json",
        include_str!("../../../schemas/add.schema.json"),
    ),
    FileSchema::new(
        "offered",
        "dibber add --list --json",
        include_str!("../../../schemas/offered.schema.json"),
    ),
    FileSchema::new(
        "list",
        "dibber list|verify --json",
        include_str!("../../../schemas/list.schema.json"),
    ),
    FileSchema::new(
        "remove",
        "dibber remove --json",
        include_str!("../../../schemas/remove.schema.json"),
    ),
    FileSchema::new(
        "acp-browse",
        "dibber acp browse --json",
        include_str!("../../../schemas/acp-browse.schema.json"),
    ),
    FileSchema::new(
        "config",
        "dibber config show --json",
        include_str!("../../../schemas/config.schema.json"),
    ),
    FileSchema::new(
        "database-copy",
        "dibber database copy --json",
        include_str!("../../../schemas/database-copy.schema.json"),
    ),
    FileSchema::new(
        "doctor",
        "dibber doctor --json",
        include_str!("../../../schemas/doctor.schema.json"),
    ),
    FileSchema::new(
        "dry-run",
        "dibber dry-run --json",
        include_str!("../../../schemas/dry-run.schema.json"),
    ),
    FileSchema::new(
        "family",
        "dibber family --json",
        include_str!("../../../schemas/family.schema.json"),
    ),
    FileSchema::new(
        "guide",
        "dibber guide --json",
        include_str!("../../../schemas/guide.schema.json"),
    ),
    FileSchema::new(
        "hash",
        "dibber hash --json",
        include_str!("../../../schemas/hash.schema.json"),
    ),
    FileSchema::new(
        "heartbeat",
        "the other commands of dibber heartbeat --json",
        include_str!("../../../schemas/heartbeat.schema.json"),
    ),
    FileSchema::new(
        "heartbeat-runs",
        "dibber heartbeat due|history|run|complete|fail --json",
        include_str!("../../../schemas/heartbeat-runs.schema.json"),
    ),
    FileSchema::new(
        "heartbeat-change",
        "dibber heartbeat pause --json, resume --json and cancel --json",
        include_str!("../../../schemas/heartbeat-change.schema.json"),
    ),
    FileSchema::new(
        "heartbeat-export",
        "dibber heartbeat export --json",
        include_str!("../../../schemas/heartbeat-export.schema.json"),
    ),
    FileSchema::new(
        "heartbeat-preview",
        "dibber heartbeat preview --json",
        include_str!("../../../schemas/heartbeat-preview.schema.json"),
    ),
    FileSchema::new(
        "inbox",
        "dibber inbox --json and inbox show --json",
        include_str!("../../../schemas/inbox.schema.json"),
    ),
    FileSchema::new(
        "inbox-change",
        "dibber inbox read --json and inbox archive --json",
        include_str!("../../../schemas/inbox-change.schema.json"),
    ),
    FileSchema::new(
        "pack",
        "dibber pack --json",
        include_str!("../../../schemas/pack.schema.json"),
    ),
    FileSchema::new(
        "index",
        "dibber index --json",
        include_str!("../../../schemas/index.schema.json"),
    ),
    FileSchema::new(
        "invoke",
        "dibber invoke --json",
        include_str!("../../../schemas/invoke.schema.json"),
    ),
    FileSchema::new(
        "journal",
        "dibber journal --json",
        include_str!("../../../schemas/journal.schema.json"),
    ),
    FileSchema::new(
        "lint-report",
        "dibber lint --format json; with --watch, one after the other",
        include_str!("../../../schemas/lint-report.schema.json"),
    ),
    FileSchema::new(
        "lint-statistics",
        "dibber lint --statistics --format json",
        include_str!("../../../schemas/lint-statistics.schema.json"),
    ),
    FileSchema::new(
        "names",
        "dibber names --json",
        include_str!("../../../schemas/names.schema.json"),
    ),
    FileSchema::new("new", "dibber new --json", include_str!("../../../schemas/new.schema.json")),
    FileSchema::new(
        "prompts",
        "dibber prompts --json",
        include_str!("../../../schemas/prompts.schema.json"),
    ),
    FileSchema::new(
        "protocol-list",
        "dibber protocol list --json",
        include_str!("../../../schemas/protocol-list.schema.json"),
    ),
    FileSchema::new(
        "protocol-describe",
        "dibber protocol describe --json",
        include_str!("../../../schemas/protocol-describe.schema.json"),
    ),
    FileSchema::new(
        "protocol-cat",
        "dibber protocol cat --json",
        include_str!("../../../schemas/protocol-cat.schema.json"),
    ),
    FileSchema::new(
        "protocol-run",
        "dibber protocol run --json and code --json",
        include_str!("../../../schemas/protocol-run.schema.json"),
    ),
    FileSchema::new(
        "protocol-put-blob",
        "dibber protocol put-blob --json",
        include_str!("../../../schemas/protocol-put-blob.schema.json"),
    ),
    FileSchema::new(
        "protocol-get-blob",
        "dibber protocol get-blob --json",
        include_str!("../../../schemas/protocol-get-blob.schema.json"),
    ),
    FileSchema::new(
        "protocol-guide",
        "dibber protocol guide --json",
        include_str!("../../../schemas/protocol-guide.schema.json"),
    ),
    FileSchema::new(
        "pull",
        "dibber pull --json",
        include_str!("../../../schemas/pull.schema.json"),
    ),
    FileSchema::new(
        "push",
        "dibber push --json and diff --json",
        include_str!("../../../schemas/push.schema.json"),
    ),
    FileSchema::new(
        "render",
        "dibber render --json",
        include_str!("../../../schemas/render.schema.json"),
    ),
    FileSchema::new(
        "resources",
        "dibber resources --json",
        include_str!("../../../schemas/resources.schema.json"),
    ),
    FileSchema::new(
        "rules",
        "dibber rules --json and explain --json",
        include_str!("../../../schemas/rules.schema.json"),
    ),
    FileSchema::new("run", "dibber run --json", include_str!("../../../schemas/run.schema.json")),
    FileSchema::new(
        "runs",
        "dibber runs --json",
        include_str!("../../../schemas/runs.schema.json"),
    ),
    FileSchema::new(
        "serve-once",
        "dibber serve --once --json",
        include_str!("../../../schemas/serve-once.schema.json"),
    ),
    FileSchema::new(
        "servers",
        "dibber servers --json",
        include_str!("../../../schemas/servers.schema.json"),
    ),
    FileSchema::new(
        "skill-archive",
        "dibber skill archive --json and unarchive --json",
        include_str!("../../../schemas/skill-archive.schema.json"),
    ),
    FileSchema::new(
        "skill-get",
        "dibber skill get --json",
        include_str!("../../../schemas/skill-get.schema.json"),
    ),
    FileSchema::new(
        "skill-link",
        "dibber skill link --json",
        include_str!("../../../schemas/skill-link.schema.json"),
    ),
    FileSchema::new(
        "skill-list",
        "dibber skill list --json",
        include_str!("../../../schemas/skill-list.schema.json"),
    ),
    FileSchema::new(
        "skill-unlink",
        "dibber skill unlink --json",
        include_str!("../../../schemas/skill-unlink.schema.json"),
    ),
    FileSchema::new(
        "skill-update",
        "dibber skill update --json",
        include_str!("../../../schemas/skill-update.schema.json"),
    ),
    FileSchema::new(
        "status",
        "dibber status --json",
        include_str!("../../../schemas/status.schema.json"),
    ),
    FileSchema::new(
        "grants",
        "dibber family grants --json",
        include_str!("../../../schemas/grants.schema.json"),
    ),
    FileSchema::new(
        "tokens",
        "dibber family token --list --json",
        include_str!("../../../schemas/tokens.schema.json"),
    ),
    FileSchema::new(
        "tools",
        "dibber tools --json",
        include_str!("../../../schemas/tools.schema.json"),
    ),
    FileSchema::new(
        "watch",
        "the lines of dibber watch --json",
        include_str!("../../../schemas/watch.schema.json"),
    ),
];
