//! Typed values of a TOML file, and what is wrong with those that have another type.

use jiff::civil::Date;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::error::ConfigError;
use super::model::{CONFIG_BYTES_MAX, LevelEntry};
use super::pattern::PathPattern;
use crate::diagnostic::Level;
use crate::toml_syntax::{SyntaxErrors, describe};
use dibber_text::{Message, NotUtf8, Source, Span, closest_match, message, quote};

/// A value with its bytes.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

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

/// The most path patterns with glob characters in one file: each is compiled, which takes some
/// ten kilobytes. A pattern that is just a path costs nothing, so that there may be any number.
const GLOBS_MAX: usize = 1_000;

/// Reads values, and collects what is wrong.
pub(super) struct Reader<'a> {
    source: &'a Source,
    errors: Vec<ConfigError>,
    /// Keys that are not there; stored separately, because a line that cannot be read may hold them.
    missing: Vec<ConfigError>,
    /// The number of path patterns with glob characters.
    globs: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        Self { source, errors: Vec::new(), missing: Vec::new(), globs: 0 }
    }

    /// Returns everything that is wrong, in the order of the file.
    pub(super) fn into_errors(self) -> Vec<ConfigError> {
        let mut errors = self.errors;
        errors.extend(self.missing);
        errors.sort_by_key(|error| error.range.as_ref().map(|range| range.span));
        // The parser reports the end of the file once for each bracket that is open there.
        errors.dedup();
        errors
    }

    pub(super) fn check_encoding(&mut self) -> bool {
        if self.source.text().len() > CONFIG_BYTES_MAX {
            let message = message!["the file is larger than ", CONFIG_BYTES_MAX, " bytes"];
            self.error(Span::empty(0), message);
            return false;
        }
        if let Some(NotUtf8 { at, .. }) = self.source.not_utf8() {
            self.error(Span::new(at, at + 1), "the file is not UTF-8 from here on");
            return false;
        }
        true
    }

    /// Adds the errors of the TOML parser, and removes what may only follow from them.
    pub(super) fn add_syntax_errors(
        &mut self,
        root: &Spanned<DeTable<'_>>,
        syntax_errors: &[toml::de::Error],
    ) {
        let syntax = SyntaxErrors::new(self.source.text(), root.get_ref(), syntax_errors);
        if syntax.has_guess() {
            self.errors.retain(|error| {
                error.range.as_ref().is_none_or(|range| !syntax.is_guess(range.span))
            });
            self.missing.clear();
        }
        let source = self.source;
        let errors =
            syntax.problems.into_iter().map(|problem| ConfigError::of_problem(source, problem));
        self.errors.extend(errors);
        // The table of the error is not known for sure.
        if !syntax_errors.is_empty()
            && ["runner", "safety", "sandbox", "server"]
                .iter()
                .any(|table| self.source.text().contains(table))
        {
            self.hide_values(0);
        }
    }

    /// Returns the number of errors so far.
    pub(super) fn count(&self) -> usize {
        self.errors.len()
    }

    /// Shows the errors after this many without the values of their lines, which may be secrets.
    pub(super) fn hide_values(&mut self, after: usize) {
        self.errors.iter_mut().skip(after).for_each(ConfigError::hide_value);
    }

    pub(super) fn check_reason(&mut self, reason: Option<&(String, Span)>) {
        let Some((_, span)) = reason.filter(|(reason, _)| reason.trim().is_empty()) else { return };
        let message = message!["the `reason` of the waiver is blank"];
        self.error_with_help(*span, message, "write why the finding is accepted");
    }

    pub(super) fn date(&mut self, value: &Value<'_>) -> Option<(Date, Span)> {
        const EXAMPLE: &str = "write a date as `2027-01-31`, with or without quotes";
        let span = span(value);
        let date = match value.get_ref() {
            DeValue::Datetime(written) => match (written.date, written.time, written.offset) {
                (Some(date), None, None) => date_of(date),
                // The parser has reported it already.
                (None, None, None) => return None,
                _ => None,
            },
            DeValue::String(text) => {
                // A longer string may contain a time, which a day does not have.
                Some(text.trim()).filter(|text| text.len() == 10).and_then(|text| text.parse().ok())
            }
            _ => {
                self.wrong_type(value, "expires", "a date");
                return None;
            }
        };
        if date.is_none() {
            let written = self.source.slice(span).trim_matches(['"', '\'']);
            let message = message!["`", quote(written), "` is not a valid date"];
            self.error_with_help(span, message, EXAMPLE);
        }
        date.map(|date| (date, span))
    }

    pub(super) fn levels(&mut self, value: &Value<'_>, name: &str) -> Vec<LevelEntry> {
        let Some(table) = self.table(value, name) else { return Vec::new() };
        let mut levels: Vec<_> = table
            .iter()
            .filter_map(|(key, value)| {
                let level = self.level(key.get_ref(), value)?;
                let key_span = Span::from(key.span());
                Some(LevelEntry { key: key.get_ref().to_string(), key_span, level })
            })
            .collect();
        levels.sort_by_key(|entry| entry.key_span);
        levels
    }

    fn level(&mut self, key: &str, value: &Value<'_>) -> Option<Level> {
        let Some(word) = value.get_ref().as_str() else {
            self.wrong_type(value, key, "`\"allow\"`, `\"warn\"` or `\"deny\"`");
            return None;
        };
        let level = Level::from_name(word);
        if level.is_none() {
            let message = message!["unknown level `", quote(word), "`"];
            let known = WORDS_FOR_LEVELS.iter().find(|(other, _)| other.eq_ignore_ascii_case(word));
            let meant = known
                .map(|(_, level)| level.name())
                .or_else(|| closest_match(word, Level::ALL.map(Level::name)));
            let help = match meant {
                Some(meant) => message!["did you mean `", meant, "`?"],
                None => message!["the levels are `allow`, `warn` and `deny`"],
            };
            self.error_with_help(span(value), message, help);
        }
        level
    }

    pub(super) fn patterns(&mut self, value: &Value<'_>, name: &str) -> Vec<PathPattern> {
        const EXPECTED: &str = "a list of paths";
        let is_empty = value.get_ref().as_array().is_some_and(|items| items.is_empty());
        if is_empty && name == "paths" {
            let help = "name at least one path, or move the levels to `[lint.levels]`";
            self.error_with_help(span(value), message!["the override has no path"], help);
        }
        let strings = self.strings(value, name, EXPECTED);
        strings.into_iter().filter_map(|(text, span)| self.pattern(&text, span)).collect()
    }

    /// Returns the strings of a list, each with its bytes.
    pub(super) fn strings(
        &mut self,
        value: &Value<'_>,
        name: &str,
        expected: &'static str,
    ) -> Vec<(String, Span)> {
        let Some(items) = value.get_ref().as_array() else {
            self.wrong_type(value, name, expected);
            return Vec::new();
        };
        items.iter().filter_map(|item| self.string(item, name, expected)).collect()
    }

    pub(super) fn pattern(&mut self, text: &str, span: Span) -> Option<PathPattern> {
        if self.globs > GLOBS_MAX {
            return None;
        }
        match PathPattern::new(text, span) {
            Ok(pattern) => {
                self.globs += usize::from(pattern.is_glob());
                if self.globs > GLOBS_MAX {
                    let message =
                        message!["more than ", GLOBS_MAX, " path patterns with `*` or `?`"];
                    let help = "name directories instead: a directory includes everything below it";
                    self.error_with_help(span, message, help);
                }
                Some(pattern)
            }
            Err(problem) => {
                self.errors.push(ConfigError::of_problem(self.source, *problem));
                None
            }
        }
    }

    pub(super) fn string(
        &mut self,
        value: &Value<'_>,
        name: &str,
        expected: &'static str,
    ) -> Option<(String, Span)> {
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_type(value, name, expected);
            return None;
        };
        Some((text.to_owned(), span(value)))
    }

    pub(super) fn table<'t, 'v>(
        &mut self,
        value: &'t Value<'v>,
        name: &str,
    ) -> Option<&'t DeTable<'v>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(value, name, "a table");
        }
        table
    }

    /// Returns the tables of a list of tables, each with the bytes of its header.
    pub(super) fn tables<'t, 'v>(
        &mut self,
        value: &'t Value<'v>,
        name: &'static str,
    ) -> Vec<(Span, &'t DeTable<'v>)> {
        let expected = || message!["tables `[[", name, "]]`"];
        let Some(items) = value.get_ref().as_array() else {
            self.wrong_type(value, name, expected());
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in items {
            match item.get_ref().as_table() {
                Some(table) => tables.push((span(item), table)),
                None => self.wrong_type(item, name, expected()),
            }
        }
        tables
    }

    pub(super) fn wrong_type(
        &mut self,
        value: &Value<'_>,
        name: &str,
        expected: impl Into<Message>,
    ) {
        let found = describe(value.get_ref());
        self.error(
            span(value),
            message!["`", quote(name), "` must be ", expected.into(), ", not ", found],
        );
    }

    pub(super) fn unknown_key(
        &mut self,
        key: &Spanned<DeString<'_>>,
        of: &'static str,
        known: &[&'static str],
    ) {
        let message = message!["`", quote(key.get_ref()), "` is not a key of ", of];
        let help = match closest_match(key.get_ref(), known.iter().copied()) {
            Some(meant) => message!["did you mean `", meant, "`?"],
            None => message!["known here: `", Message::join(known.iter().copied(), "`, `"), "`"],
        };
        self.error_with_help(Span::from(key.span()), message, help);
    }

    pub(super) fn missing(
        &mut self,
        header: Span,
        what: &'static str,
        key: &'static str,
        example: &'static str,
    ) {
        let error = ConfigError::new(self.source, header, message![what, " has no `", key, "`"]);
        self.missing.push(error.help(message!["add a line such as `", example, "`"]));
    }

    pub(super) fn error(&mut self, span: Span, message: impl Into<Message>) -> &mut ConfigError {
        self.errors.push(ConfigError::new(self.source, span, message));
        self.errors.last_mut().expect("it was just added")
    }

    pub(super) fn error_with_help(
        &mut self,
        span: Span,
        message: impl Into<Message>,
        help: impl Into<Message>,
    ) {
        self.error(span, message).help = Some(help.into());
    }
}

fn span(value: &Value<'_>) -> Span {
    Span::from(value.span())
}

fn date_of(date: toml::value::Date) -> Option<Date> {
    let year = i16::try_from(date.year).ok()?;
    Date::new(year, i8::try_from(date.month).ok()?, i8::try_from(date.day).ok()?).ok()
}
