//! What a run goes by: the levels of every path, the waivers of `dibber.toml`, and the day.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::judge::diagnostics;
use super::levels::{LevelSetting, Levels, check_key};
use super::rule::Check;
use super::rules::{self, RULES};
use super::waivers::ConfiguredWaivers;
use dibber_skill::config::{Config, ConfigError, Folder, LevelEntry, PathPattern};
use dibber_skill::diagnostic::{Diagnostic, Level, LevelReason, RuleMeta};
use dibber_skill::names::Roster;
use dibber_text::Source;

/// What a run goes by.
///
/// A level comes from the first of these that speaks of the rule: the command line, the last
/// override in `dibber.toml` whose paths match, its `[lint.levels]`, the rule itself. Within
/// each, a rule counts more than its group, and a group more than `all`.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    levels: Levels,
    command_line: Vec<LevelSetting>,
    /// For each rule, in the order of [`RULES`], whether it is to run on some path.
    may_run: MayRun,
    config: Option<FromConfig>,
    roster: Arc<Roster>,
    start_of_day: Timestamp,
}

/// What a `dibber.toml` says, with its rules looked up.
#[derive(Clone, Debug)]
struct FromConfig {
    folder: Folder,
    exclude: Vec<PathPattern>,
    overrides: Vec<(Vec<PathPattern>, Vec<LevelSetting>)>,
    waivers: ConfiguredWaivers,
}

#[derive(Clone, Debug)]
struct MayRun(Vec<bool>);

impl Default for MayRun {
    fn default() -> Self {
        Self(Levels::default().iter().map(|level| level != Level::Allow).collect())
    }
}

impl MayRun {
    fn add(&mut self, levels: &Levels) {
        for (may_run, level) in self.0.iter_mut().zip(levels.iter()) {
            *may_run |= level != Level::Allow;
        }
    }
}

impl Settings {
    /// Joins what `dibber.toml` and the command line say; gives all errors when there are any.
    pub fn new(
        config: Option<&Config>,
        command_line: &[LevelSetting],
        today: Date,
    ) -> Result<Self, Vec<ConfigError>> {
        let mut errors = Vec::new();
        let command_line = known_settings(command_line, &mut errors);
        let mut levels = Levels::default();
        let mut from_config = None;
        if let Some(config) = config {
            apply(&mut levels, &settings(&config.source, &config.levels, &mut errors));
            from_config = Some(FromConfig::new(config, today, &mut errors));
        }
        if !errors.is_empty() {
            errors.sort_by_key(|error| error.range.as_ref().map(|range| range.span));
            return Err(errors);
        }
        let before_command_line = levels.clone();
        apply(&mut levels, &command_line);
        let mut may_run = MayRun(vec![false; RULES.len()]);
        may_run.add(&levels);
        for (_, settings) in from_config.iter().flat_map(|config| &config.overrides) {
            let mut levels = before_command_line.clone();
            apply(&mut levels, settings);
            apply(&mut levels, &command_line);
            may_run.add(&levels);
        }
        let roster = Arc::default();
        let start_of_day = today.to_zoned(TimeZone::UTC).map(|day| day.timestamp());
        let start_of_day = start_of_day.unwrap_or_default();
        Ok(Self { levels, command_line, may_run, config: from_config, roster, start_of_day })
    }

    /// Gives the names of children that `child-name` looks for and that nothing shows.
    #[must_use]
    pub fn with_roster(self, roster: Arc<Roster>) -> Self {
        Self { roster, ..self }
    }

    /// When the day begins that the run takes place on: heartbeats are followed from there.
    pub(super) const fn start_of_day(&self) -> Timestamp {
        self.start_of_day
    }

    /// The names of children that nothing shows.
    pub(super) fn roster(&self) -> &Roster {
        &self.roster
    }

    /// Tells whether a rule can find anything in this run: `child-name` needs names.
    pub(super) fn can_find(&self, rule: &RuleMeta) -> bool {
        let check = rules::rule(rule.id).map(|rule| rule.check);
        !matches!(check, Some(Check::Names(_))) || !self.roster.is_empty()
    }

    /// The levels in the file that is shown as `path`; borrowed when no override matches it.
    pub fn levels_for(&self, path: &str) -> Cow<'_, Levels> {
        let config = self.config.as_ref().filter(|config| !config.overrides.is_empty());
        match config.and_then(|config| config.folder.relative(path)) {
            Some(path) => self.levels_from_folder(&path),
            None => Cow::Borrowed(&self.levels),
        }
    }

    /// The levels of a path from the folder of `dibber.toml`.
    fn levels_from_folder(&self, path: &str) -> Cow<'_, Levels> {
        let mut levels = Cow::Borrowed(&self.levels);
        let overrides = self.config.iter().flat_map(|config| &config.overrides);
        for (_, settings) in overrides.filter(|(paths, _)| matches(paths, path)) {
            apply(levels.to_mut(), settings);
        }
        if let Cow::Owned(levels) = &mut levels {
            apply(levels, &self.command_line);
        }
        levels
    }

    /// Tells whether levels differ from path to path.
    pub fn has_overrides(&self) -> bool {
        self.config.as_ref().is_some_and(|config| !config.overrides.is_empty())
    }

    /// Tells whether the file or folder that is shown as `path` is not to be linted.
    pub fn is_excluded(&self, path: &str) -> bool {
        let Some(config) = self.config.as_ref().filter(|config| !config.exclude.is_empty()) else {
            return false;
        };
        config.folder.relative(path).is_some_and(|path| matches(&config.exclude, &path))
    }

    /// What is to be said of `dibber.toml` itself when all skills are done: waivers that have
    /// expired, and waivers that covered nothing.
    ///
    /// `used` joins the `used_waivers` of all outcomes. `roots` are the paths that were linted,
    /// as they are shown: a waiver is unused only when everything that it can match lies below
    /// one of them, so that a run over a single skill says nothing of the others' waivers.
    pub fn after(&self, used: &BTreeSet<usize>, roots: &[&str]) -> Vec<Diagnostic> {
        let Some(waivers) = self.config.as_ref().map(|config| &config.waivers) else {
            return Vec::new();
        };
        let has_run = |rule: &RuleMeta, path: &str| {
            // A path may name a folder; then the files below it count.
            let file = format!("{path}/SKILL.md");
            let is_wanted = |path: &str| self.levels_from_folder(path).of(rule).0 != Level::Allow;
            self.can_find(rule) && is_wanted(path) && is_wanted(&file)
        };
        let source = &waivers.source;
        let levels = self.levels_for(source.path());
        let findings = waivers.findings(used, roots, has_run);
        diagnostics::in_source(source, &self.roster, findings, &levels)
    }

    /// For each rule, in the order of [`RULES`], whether it is to run on some path.
    pub(super) fn may_run(&self) -> &[bool] {
        &self.may_run.0
    }

    /// Tells whether a waiver of `dibber.toml` covers findings of `rule` in a file.
    pub(super) fn is_waived(
        &self,
        rule: &RuleMeta,
        path: &str,
        used: &mut BTreeSet<usize>,
    ) -> bool {
        self.config.as_ref().is_some_and(|config| config.waivers.cover(rule, path, used))
    }
}

impl FromConfig {
    fn new(config: &Config, today: Date, errors: &mut Vec<ConfigError>) -> Self {
        let overrides = config
            .overrides
            .iter()
            .map(|one| (one.paths.clone(), settings(&config.source, &one.levels, errors)))
            .collect();
        Self {
            folder: config.folder.clone(),
            exclude: config.exclude.clone(),
            overrides,
            waivers: ConfiguredWaivers::new(config, today, errors),
        }
    }
}

fn matches(patterns: &[PathPattern], path: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(path))
}

/// Applies settings whose keys are known.
fn apply(levels: &mut Levels, settings: &[LevelSetting]) {
    levels.apply(settings).expect("the keys were checked");
}

/// The settings of entries whose key is a rule, a group or `all`; the others become errors.
fn settings(
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
                let reason = LevelReason::Config { path, line, key: entry.key.clone() };
                settings.push(LevelSetting { key: entry.key.clone(), level: entry.level, reason });
            }
            Err(unknown) => {
                let error = ConfigError::new(source, entry.key_span, unknown.to_string());
                errors.push(error.help(unknown.help()));
            }
        }
    }
    settings
}

fn known_settings(
    command_line: &[LevelSetting],
    errors: &mut Vec<ConfigError>,
) -> Vec<LevelSetting> {
    let mut known = Vec::new();
    for setting in command_line {
        match check_key(&setting.key) {
            Ok(()) => known.push(setting.clone()),
            Err(unknown) => {
                let option = match &setting.reason {
                    LevelReason::CommandLine(text) => format!("--level {text}"),
                    _ => format!("--level {}={}", setting.key, setting.level.name()),
                };
                let error = ConfigError::on_command_line(option, unknown.to_string());
                errors.push(error.help(unknown.help()));
            }
        }
    }
    known
}
