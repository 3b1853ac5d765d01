//! From TOML to a [`Config`], collecting every error on the way.

use std::sync::Arc;

use toml::Spanned;
use toml::de::DeTable;

use super::error::ConfigError;
use super::model::{Config, Override, SafetyEntry, Waiver};
use super::value::{Reader, Value};
use dibber_text::{Source, Span, message};

pub(super) fn config(source: &Arc<Source>) -> (Config, Vec<ConfigError>) {
    let mut config = Config::empty(Arc::clone(source));
    let mut reader = Reader::new(source);
    if reader.check_encoding() {
        let (root, syntax_errors) = DeTable::parse_recoverable(source.text());
        reader.root(&root, &mut config);
        reader.add_syntax_errors(&root, &syntax_errors);
    }
    (config, reader.into_errors())
}

impl Reader<'_> {
    fn root(&mut self, root: &Spanned<DeTable<'_>>, config: &mut Config) {
        for (key, value) in root.get_ref() {
            let errors = self.count();
            match key.get_ref().as_ref() {
                "lint" => {
                    config.lint_span = Some(Span::from(key.span()));
                    self.lint(value, config);
                }
                "runner" => config.runner = self.runner(value, Span::from(key.span())),
                "sandbox" => config.sandbox = self.sandbox(value, Span::from(key.span())),
                "safety" => config.safety = self.safety(value, Span::from(key.span())),
                "server" => self.server(value, config),
                "servers" => {
                    config.servers_span = Some(Span::from(key.span()));
                    config.servers = self.servers(value);
                }
                _ => {
                    let known = ["lint", "runner", "safety", "sandbox", "server", "servers"];
                    self.unknown_key(key, "`dibber.toml`", &known);
                }
            }
            if key.get_ref() != "lint" {
                self.hide_values(errors);
            }
        }
    }

    fn safety(&mut self, value: &Value<'_>, span: Span) -> Option<SafetyEntry> {
        let table = self.table(value, "safety")?;
        let mut command = Vec::new();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "command" => {
                    command = self.strings(value, "command", "a list of strings");
                    let example = "`command = [\"/usr/local/bin/check\"]`";
                    self.check_program(value, &command, example);
                }
                _ => self.unknown_key(key, "`[safety]`", &["command"]),
            }
        }
        if table.get("command").is_none() {
            let header = Span::from(value.span());
            self.missing(header, "`[safety]`", "command", "command = [\"/usr/local/bin/check\"]");
        }
        (!command.is_empty()).then_some(SafetyEntry { span, command })
    }

    /// Reports a command without a program.
    pub(super) fn check_program(
        &mut self,
        value: &Value<'_>,
        words: &[(String, Span)],
        example: &'static str,
    ) {
        let help = message!["write the program and its arguments: ", example];
        if value.get_ref().as_array().is_some_and(|list| list.is_empty()) {
            self.error_with_help(Span::from(value.span()), "`command` is empty", help);
        } else if let Some((_, span)) = words.first().filter(|(word, _)| word.trim().is_empty()) {
            self.error_with_help(*span, "the program of `command` is empty", help);
        }
    }

    fn server(&mut self, value: &Value<'_>, config: &mut Config) {
        let Some(table) = self.table(value, "server") else { return };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "url" => config.server.url = self.string(value, "url", "the server's address"),
                "token-file" => {
                    config.server.token_file = self.string(value, "token-file", "a path");
                }
                "trusted" => {
                    config.server.trusted = self.strings(value, "trusted", "a list of servers");
                }
                "skills" => {
                    config.server.skills = self.strings(value, "skills", "a list of directories");
                }
                _ => {
                    let known = ["skills", "token-file", "trusted", "url"];
                    self.unknown_key(key, "`[server]`", &known);
                }
            }
        }
        if ["skills", "trusted", "url"].iter().all(|key| table.get(*key).is_none()) {
            let header = Span::from(value.span());
            self.missing(header, "`[server]`", "url", "url = \"https://example.org/mcp\"");
        }
    }

    fn lint(&mut self, value: &Value<'_>, config: &mut Config) {
        let Some(table) = self.table(value, "lint") else { return };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "exclude" => config.exclude = self.patterns(value, "lint.exclude"),
                "levels" => config.levels = self.levels(value, "lint.levels"),
                "overrides" => {
                    let tables = self.tables(value, "lint.overrides");
                    config.overrides =
                        tables.into_iter().map(|table| self.one_override(table)).collect();
                }
                "waivers" => {
                    let tables = self.tables(value, "lint.waivers");
                    config.waivers =
                        tables.into_iter().filter_map(|table| self.waiver(table)).collect();
                }
                _ => self.unknown_key(
                    key,
                    "`[lint]`",
                    &["exclude", "levels", "overrides", "waivers"],
                ),
            }
        }
    }

    fn one_override(&mut self, (header, table): (Span, &DeTable<'_>)) -> Override {
        let mut found = Override { paths: Vec::new(), levels: Vec::new() };
        let (mut has_paths, mut has_levels) = (false, false);
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "paths" => {
                    has_paths = true;
                    found.paths = self.patterns(value, "paths");
                }
                "levels" => {
                    has_levels = true;
                    found.levels = self.levels(value, "levels");
                }
                _ => self.unknown_key(key, "an override", &["paths", "levels"]),
            }
        }
        if !has_paths {
            self.missing(header, "the override", "paths", "paths = [\"examples/**\"]");
        }
        if !has_levels {
            self.missing(header, "the override", "levels", "levels = { long-body = \"allow\" }");
        }
        found
    }

    fn waiver(&mut self, (header, table): (Span, &DeTable<'_>)) -> Option<Waiver> {
        const KEYS: [&str; 4] = ["rule", "path", "reason", "expires"];
        let (mut rule, mut path, mut reason, mut expires) = (None, None, None, None);
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "rule" => rule = self.string(value, "rule", "a rule's name"),
                "path" => {
                    path = self
                        .string(value, "path", "a path")
                        .map(|(text, span)| self.pattern(&text, span));
                }
                "reason" => {
                    reason = self.string(value, "reason", "a string");
                    self.check_reason(reason.as_ref());
                }
                "expires" => expires = self.date(value),
                _ => self.unknown_key(key, "a waiver", &KEYS),
            }
        }
        let has = |name: &str| table.iter().any(|(key, _)| key.get_ref() == name);
        for (key, example) in [
            ("rule", "rule = \"secret\""),
            ("path", "path = \"skills/aws/SKILL.md\""),
            ("reason", "reason = \"the vendor's documented example key\""),
        ] {
            if !has(key) {
                self.missing(header, "the waiver", key, example);
            }
        }
        let ((rule, rule_span), path, (reason, _)) = (rule?, path??, reason?);
        Some(Waiver { rule, rule_span, path, reason, expires })
    }
}
