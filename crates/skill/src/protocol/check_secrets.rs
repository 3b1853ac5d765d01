//! Secrets that the code of a skill reads, and its `skill.toml` does not ask for.

use super::model::{Permissions, Runtime, SECRETS_MAX};
use super::problem::{ProtocolProblem, ProtocolProblemKind as Kind};
use super::python;
use super::runtime::is_identifier;
use crate::diagnostic::Place;
use crate::skill::{PROTOCOL_FILE_NAME, Skill};
use dibber_text::{Message, Problem, closest_match, message, quote};

/// The directory of the code.
const CODE: &str = "code/";
/// The most secrets that help writes out.
const SHOWN_MAX: usize = 4;

/// Returns a problem for each file and secret, where it is read first.
pub(super) fn undeclared(
    skill: &Skill,
    runtime: &Runtime,
    permissions: &Permissions,
) -> Vec<(Place, ProtocolProblem)> {
    let entrypoint = runtime.entrypoint.as_ref().map(|path| path.value.as_str());
    let declared: Vec<&str> = permissions.secrets.iter().map(|name| name.value.as_str()).collect();
    let mut found = Vec::new();
    for (index, file) in skill.resources.iter().enumerate() {
        let is_code = python::is_python(&file.path) && file.path.starts_with(CODE);
        if !is_code && entrypoint != Some(&file.path) {
            continue;
        }
        let mut reported = Vec::new();
        for read in python::secrets_read(file.source.text()) {
            if reported.len() >= SECRETS_MAX {
                break;
            }
            // What is not a name may be the secret itself.
            let is_new = is_identifier(read.name) && !reported.contains(&read.name);
            if !is_new || declared.contains(&read.name) {
                continue;
            }
            reported.push(read.name);
            let message = message![
                "`",
                PROTOCOL_FILE_NAME,
                "` does not name the secret `",
                quote(read.name),
                "`"
            ];
            let problem = Problem::new(read.span, message).with_help(help(read.name, &declared));
            let place = Place::Resource(index, read.span);
            found.push((place, ProtocolProblem { kind: Kind::UndeclaredSecret, problem }));
        }
    }
    found
}

fn help(name: &str, declared: &[&str]) -> Message {
    let lowercase: Vec<String> = declared.iter().map(|name| name.to_lowercase()).collect();
    let close = closest_match(name, lowercase.iter().map(String::as_str));
    let meant = close.and_then(|close| lowercase.iter().position(|name| name == close));
    if let Some(meant) = meant {
        return message!["did you mean `", quote(declared[meant]), "`?"];
    }
    if declared.len() >= SHOWN_MAX {
        return message!["add `\"", quote(name), "\"` to `secrets` in `[permissions]`"];
    }
    let names = declared.iter().copied().chain([name]).map(quote);
    let names = Message::join(names, "\", \"");
    message![
        "write `secrets = [\"",
        names,
        "\"]` below `[permissions]` in `",
        PROTOCOL_FILE_NAME,
        "`"
    ]
}
