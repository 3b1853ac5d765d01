//! The rules on `skill.toml`, in the order of the registry.
//!
//! What they report is found by the parser of that file, which also serves a server.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::protocol::ProtocolProblemKind;

/// What the rules have in common.
const PROTOCOL: RuleMeta = RuleMeta {
    id: "",
    group: Group::Protocol,
    level: Level::Deny,
    fix: FixAvailability::None,
    since: "0.1.0",
    summary: "",
    docs: "",
};

pub(crate) static INVALID_DOTTED_NAME: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-dotted-name",
        level: Level::Deny,
        summary: "the name in `skill.toml` is missing or not a dotted one",
        docs: include_str!("invalid_dotted_name.md"),
        ..PROTOCOL
    },
    check: Check::Protocol(ProtocolProblemKind::InvalidName),
};

pub(crate) static INVALID_SKILL_TOML: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-skill-toml",
        level: Level::Deny,
        summary: "`skill.toml` cannot be read, or lacks something",
        docs: include_str!("invalid_skill_toml.md"),
        ..PROTOCOL
    },
    check: Check::Protocol(ProtocolProblemKind::Invalid),
};

pub(crate) static INVALID_VERSION: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-version",
        level: Level::Deny,
        summary: "the version in `skill.toml` is missing or not a semantic one",
        docs: include_str!("invalid_version.md"),
        ..PROTOCOL
    },
    check: Check::Protocol(ProtocolProblemKind::InvalidVersion),
};

pub(crate) static MISSING_ENTRYPOINT: Rule = Rule {
    meta: RuleMeta {
        id: "missing-entrypoint",
        level: Level::Deny,
        summary: "the file that an action skill runs is not named or does not exist",
        docs: include_str!("missing_entrypoint.md"),
        ..PROTOCOL
    },
    check: Check::Protocol(ProtocolProblemKind::MissingEntrypoint),
};

pub(crate) static MISSING_EXPORT: Rule = Rule {
    meta: RuleMeta {
        id: "missing-export",
        level: Level::Deny,
        summary: "the file that an action skill runs does not define the function that is called, or \
                  without a parameter",
        docs: include_str!("missing_export.md"),
        ..PROTOCOL
    },
    check: Check::Protocol(ProtocolProblemKind::MissingExport),
};

pub(crate) static TOML_NAME_NOT_DIRECTORY: Rule = Rule {
    meta: RuleMeta {
        id: "toml-name-not-directory",
        level: Level::Warn,
        summary: "the name in `skill.toml` is not the name of the skill's directory",
        docs: include_str!("toml_name_not_directory.md"),
        ..PROTOCOL
    },
    check: Check::Protocol(ProtocolProblemKind::NameNotDirectory),
};

pub(crate) static UNDECLARED_SECRET: Rule = Rule {
    meta: RuleMeta {
        id: "undeclared-secret",
        level: Level::Warn,
        summary: "the code reads a secret that `skill.toml` does not name",
        docs: include_str!("undeclared_secret.md"),
        ..PROTOCOL
    },
    check: Check::Protocol(ProtocolProblemKind::UndeclaredSecret),
};

pub(crate) static UNKNOWN_SKILL_TOML_KEY: Rule = Rule {
    meta: RuleMeta {
        id: "unknown-skill-toml-key",
        level: Level::Warn,
        summary: "`skill.toml` has an unknown key",
        docs: include_str!("unknown_skill_toml_key.md"),
        ..PROTOCOL
    },
    check: Check::Protocol(ProtocolProblemKind::UnknownKey),
};

pub(crate) static UNRUNNABLE_SKILL: Rule = Rule {
    meta: RuleMeta {
        id: "unrunnable-skill",
        level: Level::Warn,
        summary: "every run is refused: the skill asks for a network or packages, or has links",
        docs: include_str!("unrunnable_skill.md"),
        ..PROTOCOL
    },
    check: Check::Protocol(ProtocolProblemKind::Unrunnable),
};
