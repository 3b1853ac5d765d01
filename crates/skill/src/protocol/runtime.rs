//! The tables `[runtime]` and `[permissions]`: what is run, and what it may use.

use toml::de::DeTable;

use super::model::{Permissions, ProtocolKind, ProtocolManifest, Runtime, SECRETS_MAX};
use super::problem::ProtocolProblemKind as Kind;
use super::python::is_python;
use super::reader::{Keys, Reader, Value, span};
use crate::manifest::Located;
use dibber_text::{Problem, Span, message, quote};

const RUNTIME: Keys = Keys {
    of: "`[runtime]`",
    known: &["language", "entrypoint", "export"],
    instead: &[("entry", "entrypoint"), ("file", "entrypoint"), ("function", "export")],
};

const PERMISSIONS: Keys = Keys {
    of: "`[permissions]`",
    known: &["secrets", "network"],
    instead: &[("hosts", "network"), ("domains", "network"), ("env", "secrets")],
};

/// The only language.
const LANGUAGE: &str = "python";

/// The function that is called if the manifest names none.
const DEFAULT_EXPORT: &str = "main";

impl Reader {
    pub(super) fn runtime(&mut self, value: &Value<'_>) -> Option<Runtime> {
        let table = self.table(value, "runtime")?;
        let mut runtime = Runtime::default();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "language" => self.language(value),
                "entrypoint" => runtime.entrypoint = self.entrypoint(value),
                "export" => runtime.export = self.export(value),
                _ => self.unknown_key(key, &RUNTIME),
            }
        }
        if table.get("language").is_none() {
            let top = (RUNTIME.of, span(value));
            self.missing(Kind::Invalid, top, "language", "\"python\"");
        }
        if table.get("export").is_none() {
            let span = runtime.entrypoint.as_ref().map_or(span(value), |path| path.span);
            runtime.export = Some(Located { value: DEFAULT_EXPORT.to_owned(), span });
        }
        Some(runtime)
    }

    /// Checks that a skill has a `[runtime]` with an entry point if it is to be run, and only then.
    pub(super) fn check_runtime(&mut self, root: &DeTable<'_>, manifest: &ProtocolManifest) {
        let Some(kind) = &manifest.kind else { return };
        match (kind.value, root.get("runtime")) {
            (ProtocolKind::Action, None) => {
                let top = ("an action skill", kind.span);
                let example = "{ language = \"python\", entrypoint = \"code/main.py\" }";
                self.missing(Kind::MissingEntrypoint, top, "runtime", example);
            }
            (ProtocolKind::Action, Some(runtime)) => {
                let table = runtime.get_ref().as_table();
                if table.is_some_and(|table| table.get("entrypoint").is_none()) {
                    let top = (RUNTIME.of, span(runtime));
                    let example = "\"code/main.py\"";
                    self.missing(Kind::MissingEntrypoint, top, "entrypoint", example);
                }
            }
            (ProtocolKind::Instruction, Some(_)) => {
                let message = "an instruction skill has a `[runtime]`, and is never run";
                let help = "write `kind = \"action\"`, or remove `[runtime]`";
                self.invalid(kind.span, message, help);
            }
            (ProtocolKind::Instruction, None) => {}
        }
    }

    fn language(&mut self, value: &Value<'_>) {
        let Some(language) = self.string(value, "language", "\"python\"") else { return };
        if language.value != LANGUAGE {
            let message = message!["`", quote(&language.value), "` is not a supported language"];
            self.invalid(language.span, message, "write `python`, the only one of the protocol");
        }
    }

    fn entrypoint(&mut self, value: &Value<'_>) -> Option<Located<String>> {
        let path = self.string(value, "entrypoint", "\"code/main.py\"")?;
        let is_part = |part: &str| !part.is_empty() && part != "." && part != "..";
        let is_inside = path.value.split('/').all(is_part)
            && !path.value.contains(|c: char| c == '\\' || c.is_control());
        let message = if !is_inside {
            message!["`", quote(&path.value), "` is not the path of a file in the skill"]
        } else if !is_python(&path.value) {
            message!["`", quote(&path.value), "` is not the path of a Python file"]
        } else {
            return Some(path);
        };
        let help = "write it from the directory of the skill: `code/main.py`";
        self.add(Kind::MissingEntrypoint, Problem::new(path.span, message).with_help(help));
        None
    }

    fn export(&mut self, value: &Value<'_>) -> Option<Located<String>> {
        let name = self.string(value, "export", "\"main\"")?;
        if is_identifier(&name.value) {
            return Some(name);
        }
        let message = message!["`", quote(&name.value), "` is not the name of a function"];
        self.invalid(name.span, message, "write the name alone: `main`");
        None
    }

    pub(super) fn permissions(&mut self, value: &Value<'_>) -> Permissions {
        let mut permissions = Permissions::default();
        let Some(table) = self.table(value, "permissions") else { return permissions };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "secrets" => permissions.secrets = self.secrets(value),
                "network" => permissions.network = self.network(value),
                _ => self.unknown_key(key, &PERMISSIONS),
            }
        }
        permissions
    }

    fn secrets(&mut self, value: &Value<'_>) -> Vec<Located<String>> {
        let mut names = self.strings(value, "secrets", "\"CALENDAR_TOKEN\"");
        self.check_count(span(value), "secrets", &names);
        names.retain(|name| {
            let is_valid = is_identifier(&name.value);
            if !is_valid {
                // It may be the secret itself.
                let message = "an item of `secrets` is not the name of a secret";
                let help = "write a name of letters, digits and `_`, such as `CALENDAR_TOKEN`; \
                            the value belongs in the file of the server";
                self.invalid(name.span, message, help);
            }
            is_valid
        });
        names
    }

    fn network(&mut self, value: &Value<'_>) -> Vec<Located<String>> {
        let mut hosts = self.strings(value, "network", "\"api.example.org\"");
        self.check_count(span(value), "network", &hosts);
        hosts.retain(|host| {
            let is_valid = is_host(&host.value);
            if !is_valid {
                let message = message!["`", quote(&host.value), "` is not the name of a host"];
                let help = "write the host alone, without a scheme or a path: `api.example.org`";
                self.invalid(host.span, message, help);
            }
            is_valid
        });
        hosts
    }

    fn check_count(&mut self, span: Span, name: &'static str, items: &[Located<String>]) {
        if items.len() > SECRETS_MAX {
            let message = message!["`", name, "` has more than ", SECRETS_MAX, " items"];
            self.invalid(span, message, "name only what the skill needs");
        }
    }
}

/// Returns `true` for the name of a Python function, or of a secret.
pub(super) fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns `true` for a host name of two or more labels; `*.` before it means all hosts below.
fn is_host(host: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let name = host.strip_prefix("*.").unwrap_or(host);
    host.len() <= 253 && name.contains('.') && name.split('.').all(is_label)
}
