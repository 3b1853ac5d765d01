//! From TOML to a [`Config`], collecting every error on the way.

use std::sync::Arc;

use jiff::civil::Date;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, cut, nearest};
use super::{CONFIG_BYTES_MAX, Config, LevelEntry, Override, PathPattern, Waiver};
use crate::diagnostic::Level;
use crate::text::{Source, Span};

type Value<'a> = Spanned<DeValue<'a>>;

/// Words of other linters, and the level that they mean.
const WORDS_FOR_LEVELS: [(&str, Level); 10] = [
    ("error", Level::Deny),
    ("err", Level::Deny),
    ("forbid", Level::Deny),
    ("fail", Level::Deny),
    ("info", Level::Warn),
    ("note", Level::Warn),
    ("off", Level::Allow),
    ("ignore", Level::Allow),
    ("none", Level::Allow),
    ("disable", Level::Allow),
];

pub(super) fn config(source: Arc<Source>) -> (Config, Vec<ConfigError>) {
    let mut config = Config::empty(Arc::clone(&source));
    let mut reader = Reader { source: &source, errors: Vec::new() };
    if reader.can_be_read() {
        let (root, syntax_errors) = DeTable::parse_recoverable(source.text());
        reader.root(&root, &mut config);
        reader.add_syntax_errors(&root, &syntax_errors);
    }
    let mut errors = reader.errors;
    errors.sort_by_key(|error| error.range.as_ref().map(|range| range.span));
    (config, errors)
}

struct Reader<'a> {
    source: &'a Source,
    errors: Vec<ConfigError>,
}

impl Reader<'_> {
    fn can_be_read(&mut self) -> bool {
        if self.source.text().len() > CONFIG_BYTES_MAX {
            let message = format!("the file is larger than {CONFIG_BYTES_MAX} bytes");
            self.error(Span::empty(0), message);
            return false;
        }
        if let Some(at) = self.source.not_utf8() {
            self.error(Span::new(at, at + 1), "the file is not UTF-8 from here on");
            return false;
        }
        true
    }

    /// Adds what the TOML parser says.
    ///
    /// A fault inside one value leaves everything else as it is written. After any other fault
    /// the parser had to guess, so what was found from there on is left out: it may only follow
    /// from the guess.
    fn add_syntax_errors(&mut self, root: &Spanned<DeTable<'_>>, faults: &[toml::de::Error]) {
        let length = self.source.text().len();
        let span_of = |fault: &toml::de::Error| fault.span().unwrap_or(length..length);
        let first_guess = faults
            .iter()
            .map(span_of)
            .filter(|span| span.is_empty() || !table_has_value_at(root.get_ref(), span))
            .map(|span| span.start)
            .min();
        if let Some(first) = first_guess {
            let is_sure = |error: &ConfigError| {
                error.range.as_ref().is_none_or(|range| range.span.end <= first)
                    && !error.message.contains(" has no `")
            };
            self.errors.retain(is_sure);
        }
        for fault in faults {
            let span = self.inside(span_of(fault));
            self.error(span, format!("not valid TOML: {}", fault.message()));
        }
    }

    /// The parser's place, cut to character boundaries inside of the text.
    fn inside(&self, range: std::ops::Range<usize>) -> Span {
        let text = self.source.text();
        let start = text.floor_char_boundary(range.start);
        Span::new(start, text.floor_char_boundary(range.end).max(start))
    }

    fn root(&mut self, root: &Spanned<DeTable<'_>>, config: &mut Config) {
        for (key, value) in root.get_ref() {
            match key.get_ref().as_ref() {
                "lint" => self.lint(value, config),
                _ => self.unknown_key(key, "dibber.toml", &["lint"]),
            }
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
                    config.overrides = tables.into_iter().map(|table| self.one(table)).collect();
                }
                "waivers" => {
                    let tables = self.tables(value, "lint.waivers");
                    config.waivers =
                        tables.into_iter().filter_map(|table| self.waiver(table)).collect();
                }
                _ => self.unknown_key(key, "lint", &["exclude", "levels", "overrides", "waivers"]),
            }
        }
    }

    fn one(&mut self, (header, table): (Span, &DeTable<'_>)) -> Override {
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
                "rule" => rule = self.text(value, "rule", "a rule's name"),
                "path" => {
                    path = self
                        .text(value, "path", "a path")
                        .map(|(text, span)| self.pattern(&text, span));
                }
                "reason" => {
                    reason = self.text(value, "reason", "a text").map(|found| {
                        self.check_reason(&found);
                        found
                    })
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

fn span(value: &Value<'_>) -> Span {
    Span::from(value.span())
}

fn date_of(date: toml::value::Date) -> Option<Date> {
    let year = i16::try_from(date.year).ok()?;
    Date::new(year, i8::try_from(date.month).ok()?, i8::try_from(date.day).ok()?).ok()
}

fn table_has_value_at(table: &DeTable<'_>, at: &std::ops::Range<usize>) -> bool {
    table.iter().any(|(_, value)| has_value_at(value, at))
}

fn has_value_at(value: &Value<'_>, at: &std::ops::Range<usize>) -> bool {
    match value.get_ref() {
        DeValue::Table(table) => table_has_value_at(table, at),
        DeValue::Array(items) => items.iter().any(|item| has_value_at(item, at)),
        _ => value.span() == *at,
    }
}
