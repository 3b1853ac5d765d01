//! The table `[sandbox]`: how the code of skills is run.

use std::ops::RangeInclusive;

use toml::Spanned;
use toml::de::DeTable;

use super::model::{ContainerEntry, ContainerRuntime, SandboxEntry, SandboxMode, SpannedString};
use super::value::{Reader, Value};
use crate::contract::skills_protocol::RUN_SECONDS_MAX;
use dibber_text::{Message, Span, closest_match, message, quote};

const KEYS: [&str; 10] = [
    "command",
    "container",
    "disk-bytes",
    "image",
    "memory-bytes",
    "mode",
    "processes",
    "python",
    "stop",
    "timeout",
];

/// Seconds.
const TIMEOUT: RangeInclusive<u64> = 1..=RUN_SECONDS_MAX;
/// Bytes: Python itself needs some tens of MiB.
const MEMORY_BYTES: RangeInclusive<u64> = 64 << 20..=64 << 30;
/// Bytes.
const DISK_BYTES: RangeInclusive<u64> = 1 << 20..=64 << 30;
/// Processes and threads at one time.
const PROCESSES: RangeInclusive<u64> = 1..=4096;

impl SandboxMode {
    /// All modes, from the strictest one.
    pub const ALL: [Self; 3] = [Self::Full, Self::Landlock, Self::Container];

    /// Returns the word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Landlock => "landlock",
            Self::Container => "container",
        }
    }
}

impl ContainerRuntime {
    /// All runtimes.
    pub const ALL: [Self; 3] = [Self::Docker, Self::Podman, Self::Runsc];

    /// Returns the word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Docker => "docker",
            Self::Podman => "podman",
            Self::Runsc => "runsc",
        }
    }
}

/// What has been read about containers.
#[derive(Default)]
struct Found {
    runtime: Option<ContainerRuntime>,
    image: Option<SpannedString>,
    command: Vec<SpannedString>,
    stop: Vec<SpannedString>,
}

impl Reader<'_> {
    pub(super) fn sandbox(&mut self, value: &Value<'_>, span: Span) -> Option<SandboxEntry> {
        let table = self.table(value, "sandbox")?;
        let mut found = Found::default();
        let mut entry = SandboxEntry {
            span,
            modes: Vec::new(),
            python: None,
            container: None,
            timeout: None,
            memory_bytes: None,
            disk_bytes: None,
            processes: None,
        };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "mode" => entry.modes = self.sandbox_modes(value),
                "python" => entry.python = self.python(value),
                "timeout" => entry.timeout = self.number(value, "timeout", TIMEOUT),
                "memory-bytes" => {
                    entry.memory_bytes = self.number(value, "memory-bytes", MEMORY_BYTES);
                }
                "disk-bytes" => entry.disk_bytes = self.number(value, "disk-bytes", DISK_BYTES),
                "processes" => entry.processes = self.number(value, "processes", PROCESSES),
                "container" => found.runtime = self.container_runtime(value),
                "image" => found.image = self.string(value, "image", "the name of an image"),
                "command" => {
                    found.command = self.strings(value, "command", "a list of strings");
                    let example = "`command = [\"podman\", \"run\", …]`";
                    self.check_program(value, &found.command, example);
                }
                "stop" => {
                    found.stop = self.strings(value, "stop", "a list of strings");
                    let example = "`stop = [\"podman\", \"kill\", \"{name}\"]`";
                    self.check_program(value, &found.stop, example);
                }
                _ => self.unknown_key(key, "`[sandbox]`", &KEYS),
            }
        }
        self.check_container(table, &entry, Span::from(value.span()));
        entry.container = match found {
            Found { runtime: Some(runtime), image: Some(image), .. } => {
                Some(ContainerEntry::Image { runtime, image })
            }
            Found { command, stop, .. } if !command.is_empty() => {
                Some(ContainerEntry::Command { run: command, stop })
            }
            _ => None,
        };
        Some(entry)
    }

    /// Reads one mode, or a list of them.
    fn sandbox_modes(&mut self, value: &Value<'_>) -> Vec<(SandboxMode, Span)> {
        const EXPECTED: &str = "a mode, or a list of modes";
        let names = if value.get_ref().as_str().is_some() {
            self.string(value, "mode", EXPECTED).into_iter().collect()
        } else {
            self.strings(value, "mode", EXPECTED)
        };
        if value.get_ref().as_array().is_some_and(|list| list.is_empty()) {
            let help = "write the modes that you accept: `mode = [\"full\"]`";
            self.error_with_help(Span::from(value.span()), "`mode` is empty", help);
        }
        let mut modes: Vec<(SandboxMode, Span)> = Vec::new();
        for (name, span) in names {
            let Some(mode) = SandboxMode::ALL.into_iter().find(|mode| mode.name() == name) else {
                self.unknown_word("mode", &name, span, SandboxMode::ALL.map(SandboxMode::name));
                continue;
            };
            if modes.iter().any(|(known, _)| *known == mode) {
                let message = message!["`", mode.name(), "` is in `mode` more than once"];
                self.error_with_help(span, message, "remove all but one");
            } else {
                modes.push((mode, span));
            }
        }
        modes
    }

    fn python(&mut self, value: &Value<'_>) -> Option<SpannedString> {
        let found = self.string(value, "python", "the path of a Python interpreter")?;
        if found.0.trim().is_empty() {
            let help = "write a path, or a name that is looked up in PATH: `python = \"python3\"`";
            self.error_with_help(found.1, "`python` is empty", help);
            return None;
        }
        Some(found)
    }

    fn container_runtime(&mut self, value: &Value<'_>) -> Option<ContainerRuntime> {
        let (name, span) = self.string(value, "container", "the name of a container runtime")?;
        let found = ContainerRuntime::ALL.into_iter().find(|runtime| runtime.name() == name);
        if found.is_none() {
            let known = ContainerRuntime::ALL.map(ContainerRuntime::name);
            self.unknown_word("container runtime", &name, span, known);
        }
        found
    }

    fn unknown_word(
        &mut self,
        what: &'static str,
        word: &str,
        span: Span,
        known: [&'static str; 3],
    ) {
        let message = message!["unknown ", what, " `", quote(word), "`"];
        let help = match closest_match(word, known) {
            Some(meant) => message!["did you mean `", meant, "`?"],
            None => message!["known are `", Message::join(known, "`, `"), "`"],
        };
        self.error_with_help(span, message, help);
    }

    /// Reports half of a container, two of them, and the mode `container` without one.
    fn check_container(&mut self, table: &DeTable<'_>, entry: &SandboxEntry, header: Span) {
        let find = |name: &str| table.iter().find(|(key, _)| key.get_ref() == name);
        let own = find("command").or_else(|| find("stop"));
        let known = find("container").or_else(|| find("image"));
        match (own, known) {
            (Some((key, _)), Some(_)) => {
                let message = message!["`", quote(key.get_ref()), "` and `container` are both set"];
                let help = "write `container` and `image` for a known runtime, or `command` and \
                            `stop` for another one";
                self.error_with_help(span_of(key), message, help);
            }
            (Some(_), None) if find("command").is_none() => {
                let example = "command = [\"podman\", \"run\", …]";
                self.missing(header, "`[sandbox]`", "command", example);
            }
            (None, Some(_)) if find("image").is_none() => {
                let example = "image = \"python:3.13-slim\"";
                self.missing(header, "`[sandbox]`", "image", example);
            }
            (None, Some(_)) if find("container").is_none() => {
                self.missing(header, "`[sandbox]`", "container", "container = \"podman\"");
            }
            (None, None) if entry.modes.iter().any(|(mode, _)| *mode == SandboxMode::Container) => {
                self.missing(header, "`[sandbox]`", "container", "container = \"podman\"");
            }
            _ => {}
        }
    }
}

fn span_of<T>(key: &Spanned<T>) -> Span {
    Span::from(key.span())
}
