//! The table `[runner]`: what executes the runs of heartbeats.

use std::ops::RangeInclusive;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::model::{RunnerCommand, RunnerEntry, RunnerTarget, SpannedString};
use super::value::{Reader, Value};
use dibber_text::{Span, message, quote};

const KEYS: [&str; 11] = [
    "command",
    "concurrency",
    "directory",
    "environment",
    "home-agent",
    "keep-days",
    "lease",
    "output-bytes",
    "secret-file",
    "timeout",
    "webhook",
];
/// The keys that a webhook has no use for.
const KEYS_OF_COMMAND: [&str; 3] = ["directory", "environment", "home-agent"];
/// The keys that a command has no use for.
const KEYS_OF_WEBHOOK: [&str; 1] = ["secret-file"];

/// Seconds: at most a day.
const TIMEOUT: RangeInclusive<u64> = 1..=86_400;
/// Runs at the same time.
const CONCURRENCY: RangeInclusive<u64> = 1..=64;
/// Seconds: at most an hour.
const LEASE: RangeInclusive<u64> = 1..=3_600;
/// Bytes: at most 64 MiB.
const OUTPUT_BYTES: RangeInclusive<u64> = 1..=64 << 20;
/// Days: at most ten years.
const KEEP_DAYS: RangeInclusive<u64> = 1..=3_650;

/// What has been read of the table.
#[derive(Default)]
struct Found {
    command: Vec<SpannedString>,
    webhook: Option<SpannedString>,
    directory: Option<SpannedString>,
    environment: Option<Vec<SpannedString>>,
    is_home_agent: bool,
    secret_file: Option<SpannedString>,
}

impl Reader<'_> {
    pub(super) fn runner(&mut self, value: &Value<'_>, span: Span) -> Option<RunnerEntry> {
        let table = self.table(value, "runner")?;
        let mut found = Found::default();
        let mut entry = RunnerEntry {
            span,
            target: None,
            timeout: None,
            concurrency: None,
            lease: None,
            output_bytes: None,
            keep_days: None,
        };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "timeout" => entry.timeout = self.number(value, "timeout", TIMEOUT),
                "concurrency" => {
                    entry.concurrency = self.number(value, "concurrency", CONCURRENCY);
                }
                "lease" => entry.lease = self.number(value, "lease", LEASE),
                "output-bytes" => {
                    entry.output_bytes = self.number(value, "output-bytes", OUTPUT_BYTES);
                }
                "keep-days" => entry.keep_days = self.number(value, "keep-days", KEEP_DAYS),
                name if KEYS.contains(&name) => self.runner_target(name, value, &mut found),
                _ => self.unknown_key(key, "`[runner]`", &KEYS),
            }
        }
        self.check_runner(table, Span::from(value.span()));
        entry.target = match (found.webhook, found.command) {
            (None, words) if !words.is_empty() => Some(RunnerTarget::Command(RunnerCommand {
                words,
                directory: found.directory,
                environment: found.environment,
                is_home_agent: found.is_home_agent,
            })),
            (Some(url), _) => Some(RunnerTarget::Webhook { url, secret_file: found.secret_file }),
            _ => None,
        };
        Some(entry)
    }

    /// Reads what is run, and what only that has.
    fn runner_target(&mut self, name: &str, value: &Value<'_>, found: &mut Found) {
        match name {
            "command" => {
                found.command = self.strings(value, "command", "a list of strings");
                self.check_program(value, &found.command, "`command = [\"claude\", \"-p\"]`");
            }
            "webhook" => found.webhook = self.string(value, "webhook", "a URL"),
            "directory" => found.directory = self.string(value, "directory", "a path"),
            "environment" => {
                let names = self.strings(value, "environment", "a list of names of variables");
                self.check_variables(&names);
                found.environment = Some(names);
            }
            "home-agent" => {
                found.is_home_agent = self.boolean(value, "home-agent").unwrap_or_default();
            }
            _ => found.secret_file = self.string(value, "secret-file", "a path"),
        }
    }

    /// Returns a whole number within limits.
    pub(super) fn number(
        &mut self,
        value: &Value<'_>,
        name: &str,
        limits: RangeInclusive<u64>,
    ) -> Option<(u64, Span)> {
        let (min, max) = (*limits.start(), *limits.end());
        let expected = message!["a whole number from ", min, " to ", max];
        let DeValue::Integer(number) = value.get_ref() else {
            self.wrong_type(value, name, expected);
            return None;
        };
        let parsed = u64::from_str_radix(number.as_str(), number.radix()).ok();
        let number = parsed.filter(|number| limits.contains(number));
        if number.is_none() {
            self.error(
                Span::from(value.span()),
                message!["`", quote(name), "` must be ", expected],
            );
        }
        Some((number?, Span::from(value.span())))
    }

    fn boolean(&mut self, value: &Value<'_>, name: &str) -> Option<bool> {
        let found = value.get_ref().as_bool();
        if found.is_none() {
            self.wrong_type(value, name, "`true` or `false`");
        }
        found
    }

    /// Reports what cannot be the name of a variable, such as a variable with its value.
    fn check_variables(&mut self, names: &[SpannedString]) {
        for (name, span) in names {
            if name.is_empty() || name.contains(['=', '\0']) {
                let help = "write names alone, as in `environment = [\"PATH\", \"HOME\"]`: the values are those of the server";
                self.error_with_help(*span, "this is not the name of a variable", help);
            }
        }
    }

    /// A runner is either a program or a URL, and has only the settings of what it is. Limits alone are
    /// for the program of `dibber serve --run`.
    fn check_runner(&mut self, table: &DeTable<'_>, header: Span) {
        let find = |name: &str| table.iter().find(|(key, _)| key.get_ref() == name);
        let is_there = |name: &str| find(name).is_some();
        let (unused, other) = match (is_there("command"), is_there("webhook")) {
            (false, false) => {
                let of_target = [&KEYS_OF_COMMAND[..], &KEYS_OF_WEBHOOK].concat();
                if table.is_empty() || of_target.into_iter().any(is_there) {
                    let keys = "command` or `webhook";
                    self.missing(header, "`[runner]`", keys, "command = [\"claude\", \"-p\"]");
                }
                return;
            }
            (true, true) => {
                if let Some((key, _)) = find("webhook") {
                    let message = "a runner has a `command` or a `webhook`, not both";
                    self.error_with_help(span_of(key), message, "remove one of them");
                }
                return;
            }
            (true, false) => (&KEYS_OF_WEBHOOK[..], "command"),
            (false, true) => (&KEYS_OF_COMMAND[..], "webhook"),
        };
        for (key, _) in unused.iter().filter_map(|name| find(name)) {
            let message = message!["`", quote(key.get_ref()), "` has no effect on a `", other, "`"];
            self.error_with_help(span_of(key), message, "remove it");
        }
    }
}

fn span_of<T>(key: &Spanned<T>) -> Span {
    Span::from(key.span())
}
