//! Rules in SARIF.

use serde::Serialize;

use super::format::Context;
use super::severity::severity;
use dibber_skill::diagnostic::{Group, Level, RuleMeta};

/// A `reportingDescriptor` (3.49).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    id: &'static str,
    short_description: Description,
    help: Help,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    default_configuration: Configuration,
    properties: Properties,
}

#[derive(Serialize)]
struct Configuration {
    enabled: bool,
    level: &'static str,
}

/// The properties of a rule: `security-severity` is what GitHub sorts findings about security by.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Properties {
    tags: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    security_severity: Option<&'static str>,
}

/// A `multiformatMessageString` (3.12) of plain text.
#[derive(Serialize)]
struct Description {
    text: &'static str,
}

/// A `multiformatMessageString` (3.12) in Markdown.
#[derive(Serialize)]
struct Help {
    text: &'static str,
    markdown: &'static str,
}

/// Returns the descriptor of a rule.
pub(super) fn descriptor(rule: &'static RuleMeta, context: &Context) -> Descriptor {
    let docs = rule.docs.trim();
    Descriptor {
        id: rule.id,
        short_description: Description { text: rule.summary },
        help: Help { text: docs, markdown: docs },
        help_uri: help_uri(rule, context),
        default_configuration: Configuration {
            enabled: rule.level != Level::Allow,
            level: severity(rule.level),
        },
        properties: Properties {
            tags: [rule.group.name()],
            security_severity: (rule.group == Group::Security).then(|| security_severity(rule)),
        },
    }
}

/// Returns the address of the documentation of a rule.
fn help_uri(rule: &RuleMeta, context: &Context) -> Option<String> {
    let Context { homepage, version, .. } = context;
    let page = format!("{homepage}/blob/v{version}/docs/src/rules.md#{}", rule.id);
    (!homepage.is_empty()).then_some(page)
}

/// Returns how severe the findings of a rule about security are, on the scale of CVSS: `high` from
/// 7.0, `medium` from 4.0, `low` below.
const fn security_severity(rule: &RuleMeta) -> &'static str {
    match rule.level {
        Level::Deny => "8.0",
        Level::Warn => "5.0",
        Level::Allow => "2.0",
    }
}
