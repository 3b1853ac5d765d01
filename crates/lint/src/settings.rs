//! The settings of a run: the levels in every path, the waivers of `dibber.toml`, the day, and
//! the names of children.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::levels::{EffectiveLevel, LevelSetting, Levels, check_key};
use super::rule::Check;
use super::rules::{self, RULES};
use super::selection::Selection;
use super::waivers::ConfiguredWaivers;
use dibber_skill::config::{Config, ConfigDirectory, ConfigError, LevelEntry, PathPattern};
use dibber_skill::diagnostic::{LevelSource, RuleMeta};
use dibber_skill::names::Roster;
use dibber_text::Source;

/// The settings of a run.
///
/// A level comes from the first of these that sets the rule: the command line, the last override
/// in `dibber.toml` whose paths match, its `[lint.levels]`, the rule itself. Within each, a rule
/// wins over its group, and a group over `all`.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    levels: Levels,
    command_line: Vec<LevelSetting>,
    selection: Selection,
    may_run: MayRun,
    config: Option<ConfigSettings>,
    roster: Arc<Roster>,
    start_of_day: Timestamp,
    comments: Waivers,
}

/// Whether waiver comments in the skill are applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Waivers {
    /// They are.
    #[default]
    Apply,
    /// They are not: the caller has to see every finding.
    Ignore,
}

/// The settings of a `dibber.toml`, with its rules looked up.
#[derive(Clone, Debug)]
struct ConfigSettings {
    directory: ConfigDirectory,
    exclude: Vec<PathPattern>,
    overrides: Vec<(Vec<PathPattern>, Vec<LevelSetting>)>,
    waivers: ConfiguredWaivers,
}

/// For each rule, in the order of [`RULES`], whether it runs on any path: a rule that is allowed
/// everywhere costs nothing.
#[derive(Clone, Debug)]
struct MayRun(Vec<bool>);

impl Default for MayRun {
    fn default() -> Self {
        Self(Levels::default().iter().map(EffectiveLevel::is_reported).collect())
    }
}

impl MayRun {
    fn add(&mut self, levels: &Levels) {
        for (may_run, level) in self.0.iter_mut().zip(levels.iter()) {
            *may_run |= level.is_reported();
        }
    }
}

impl Settings {
    /// Joins the settings of `dibber.toml` with those of the command line. Returns all errors if
    /// there are any.
    pub fn new(
        config: Option<&Config>,
        command_line: &[LevelSetting],
        today: Date,
    ) -> Result<Self, Vec<ConfigError>> {
        let mut errors = Vec::new();
        let command_line = checked_command_line(command_line, &mut errors);
        let mut levels = Levels::default();
        let mut from_config = None;
        if let Some(config) = config {
            apply(&mut levels, &config_settings(&config.source, &config.levels, &mut errors));
            from_config = Some(ConfigSettings::new(config, today, &mut errors));
        }
        if !errors.is_empty() {
            errors.sort_by_key(|error| error.range.as_ref().map(|range| range.span));
            return Err(errors);
        }
        apply(&mut levels, &command_line);
        let start_of_day = today.to_zoned(TimeZone::UTC).map(|day| day.timestamp());
        let settings = Self {
            levels,
            command_line,
            selection: Selection::default(),
            may_run: MayRun::default(),
            config: from_config,
            roster: Arc::default(),
            start_of_day: start_of_day.unwrap_or_default(),
            comments: Waivers::default(),
        };
        Ok(Self { may_run: settings.runs_anywhere(), ..settings })
    }

    /// Sets which rules run.
    #[must_use]
    pub fn with_selection(mut self, selection: Selection) -> Self {
        selection.apply(&mut self.levels);
        self.selection = selection;
        Self { may_run: self.runs_anywhere(), ..self }
    }

    /// Returns for each rule whether it runs on any path.
    fn runs_anywhere(&self) -> MayRun {
        let mut may_run = MayRun(vec![false; RULES.len()]);
        may_run.add(&self.levels);
        for (_, settings) in self.config.iter().flat_map(|config| &config.overrides) {
            may_run.add(&self.with_overrides([settings]));
        }
        may_run
    }

    /// Sets the names of children, which `child-name` looks for and which no diagnostic shows.
    #[must_use]
    pub fn with_roster(self, roster: Arc<Roster>) -> Self {
        Self { roster, ..self }
    }

    /// Sets whether waiver comments in the skills are applied. To gate the contributions of others,
    /// they are not: a skill would allow its own findings.
    #[must_use]
    pub fn with_comments(self, comments: Waivers) -> Self {
        Self { comments, ..self }
    }

    /// Returns whether waiver comments in the skills are applied.
    pub(super) const fn comments(&self) -> Waivers {
        self.comments
    }

    /// Returns the start of the day of the run, from which heartbeats are followed.
    pub(super) const fn start_of_day(&self) -> Timestamp {
        self.start_of_day
    }

    /// Returns the names of children, which no diagnostic shows.
    pub(super) fn roster(&self) -> &Roster {
        &self.roster
    }

    /// Returns `true` if a rule can find anything in this run: `child-name` needs names.
    pub(super) fn can_find(&self, rule: &RuleMeta) -> bool {
        let check = rules::rule(rule.id).map(|rule| rule.check);
        !matches!(check, Some(Check::Names(_))) || !self.roster.is_empty()
    }

    /// Returns the levels in the file that is shown as `path`; borrowed if no override matches.
    pub fn levels_for(&self, path: &str) -> Cow<'_, Levels> {
        let config = self.config.as_ref().filter(|config| !config.overrides.is_empty());
        match config.and_then(|config| config.directory.relative(path)) {
            Some(path) => self.levels_for_relative(&path),
            None => Cow::Borrowed(&self.levels),
        }
    }

    /// Returns the levels in a path from the directory of `dibber.toml`.
    pub(super) fn levels_for_relative(&self, path: &str) -> Cow<'_, Levels> {
        let overrides = self.config.iter().flat_map(|config| &config.overrides);
        let matching = overrides.filter(|(paths, _)| matches_any(paths, path));
        self.with_overrides(matching.map(|(_, settings)| settings))
    }

    /// Returns the levels with those of these overrides; borrowed without any.
    fn with_overrides<'a>(
        &self,
        overrides: impl IntoIterator<Item = &'a Vec<LevelSetting>>,
    ) -> Cow<'_, Levels> {
        let mut levels = Cow::Borrowed(&self.levels);
        for settings in overrides {
            apply(levels.to_mut(), settings);
        }
        // Overrides were applied over the command line, which wins over them.
        if let Cow::Owned(levels) = &mut levels {
            apply(levels, &self.command_line);
            self.selection.apply(levels);
        }
        levels
    }

    /// Returns `true` if levels differ from path to path.
    pub fn has_overrides(&self) -> bool {
        self.config.as_ref().is_some_and(|config| !config.overrides.is_empty())
    }

    /// Returns `true` if the file or directory that is shown as `path` is not linted.
    pub fn is_excluded(&self, path: &str) -> bool {
        let Some(config) = self.config.as_ref().filter(|config| !config.exclude.is_empty()) else {
            return false;
        };
        config.directory.relative(path).is_some_and(|path| matches_any(&config.exclude, &path))
    }

    /// Returns the waivers of `dibber.toml`, if there is one.
    pub(super) fn configured_waivers(&self) -> Option<&ConfiguredWaivers> {
        self.config.as_ref().map(|config| &config.waivers)
    }

    /// Returns for each rule, in the order of [`RULES`], whether it runs on any path.
    pub(super) fn may_run(&self) -> &[bool] {
        &self.may_run.0
    }

    /// Returns `true` if a waiver of `dibber.toml` covers findings of `rule` in a file, and adds
    /// each that does to `used`.
    pub(super) fn is_waived(
        &self,
        rule: &RuleMeta,
        path: &str,
        used: &mut BTreeSet<usize>,
    ) -> bool {
        self.config.as_ref().is_some_and(|config| config.waivers.cover(rule, path, used))
    }
}

impl ConfigSettings {
    fn new(config: &Config, today: Date, errors: &mut Vec<ConfigError>) -> Self {
        let overrides = config
            .overrides
            .iter()
            .map(|one| (one.paths.clone(), config_settings(&config.source, &one.levels, errors)))
            .collect();
        Self {
            directory: config.directory.clone(),
            exclude: config.exclude.clone(),
            overrides,
            waivers: ConfiguredWaivers::new(config, today, errors),
        }
    }
}

fn matches_any(patterns: &[PathPattern], path: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(path))
}

/// Applies settings whose keys are known.
fn apply(levels: &mut Levels, settings: &[LevelSetting]) {
    levels.apply(settings).expect("the keys are checked");
}

/// Returns the settings of entries whose key is a rule, a group or `all`; the others become
/// errors.
fn config_settings(
    source: &Source,
    entries: &[LevelEntry],
    errors: &mut Vec<ConfigError>,
) -> Vec<LevelSetting> {
    let mut settings = Vec::new();
    for entry in entries {
        match check_key(&entry.key) {
            Ok(()) => {
                let path = source.path().to_owned();
                let line = source.lines().line(entry.key_span.start);
                let key = entry.key.clone();
                let source = LevelSource::Config { path, line, key: key.clone() };
                settings.push(LevelSetting { key, level: entry.level, source });
            }
            Err(unknown) => {
                let error = ConfigError::new(source, entry.key_span, unknown.message());
                errors.push(error.help(unknown.help()));
            }
        }
    }
    settings
}

/// Returns the settings of the command line whose key is a rule, a group or `all`; the others
/// become errors.
fn checked_command_line(
    settings: &[LevelSetting],
    errors: &mut Vec<ConfigError>,
) -> Vec<LevelSetting> {
    let mut known = Vec::new();
    for setting in settings {
        match check_key(&setting.key) {
            Ok(()) => known.push(setting.clone()),
            Err(unknown) => {
                let option = match &setting.source {
                    LevelSource::CommandLine(typed) => format!("--level {typed}"),
                    _ => format!("--level {}={}", setting.key, setting.level.name()),
                };
                let error = ConfigError::on_command_line(option, unknown.message());
                errors.push(error.help(unknown.help()));
            }
        }
    }
    known
}
