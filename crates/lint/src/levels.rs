//! The level of each rule, and what set it.

use super::rules::{self, RULES};
use super::unchecked::UNCHECKED_SKILL;
use dibber_skill::diagnostic::{Group, Level, LevelSource, RuleMeta};
use dibber_text::{Message, closest_match, message, quote};

/// The key that sets the level of every rule.
pub(super) const ALL: &str = "all";

/// The level of every rule in one file.
#[derive(Clone, Debug)]
pub struct Levels {
    /// In the order of [`RULES`].
    levels: Vec<EffectiveLevel>,
}

/// The level of a rule in one file, and what set it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectiveLevel {
    /// The level.
    pub level: Level,
    /// What set it.
    pub source: LevelSource,
}

/// One setting: a rule, a group or `all`, and its level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelSetting {
    /// The id of a rule, the name of a group, or `all`.
    pub key: String,
    /// The level.
    pub level: Level,
    /// Where it was set.
    pub source: LevelSource,
}

/// The error of a setting whose key is no rule or group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// The key as written.
    pub name: String,
    /// A rule or group with a similar name.
    pub suggestion: Option<&'static str>,
}

impl UnknownRule {
    /// Returns what is wrong.
    pub fn message(&self) -> Message {
        if self.name == UNCHECKED_SKILL.id {
            return message!["`", UNCHECKED_SKILL.id, "` is not a rule; its level is always deny"];
        }
        message!["unknown rule or group `", quote(&self.name), "`"]
    }

    /// Returns what to write instead.
    pub fn help(&self) -> Message {
        if self.name == UNCHECKED_SKILL.id {
            return "remove it".into();
        }
        match self.suggestion {
            Some(suggestion) => message!["did you mean `", suggestion, "`?"],
            None => "`dibber rules` lists the rules and groups".into(),
        }
    }
}

impl EffectiveLevel {
    /// Returns a level that nothing but the rule itself has set.
    pub(super) const fn default_of(level: Level) -> Self {
        Self { level, source: LevelSource::Default }
    }

    /// Returns `true` if findings at this level are reported.
    pub fn is_reported(&self) -> bool {
        self.level != Level::Allow
    }
}

impl Default for Levels {
    fn default() -> Self {
        Self {
            levels: RULES.iter().map(|rule| EffectiveLevel::default_of(rule.meta.level)).collect(),
        }
    }
}

impl Levels {
    /// Returns the level of a rule.
    ///
    /// # Panics
    ///
    /// Panics if the rule is not in [`RULES`].
    pub fn get(&self, rule: &RuleMeta) -> &EffectiveLevel {
        let index = RULES.iter().position(|known| std::ptr::eq(&raw const known.meta, rule));
        &self.levels[index.expect("RULES contains the rule of every finding")]
    }

    /// Returns the levels of all rules, in the order of [`RULES`].
    pub fn iter(&self) -> impl Iterator<Item = &EffectiveLevel> {
        self.levels.iter()
    }

    /// Returns the same, to change them.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut EffectiveLevel> {
        self.levels.iter_mut()
    }

    /// Applies the settings of one source: `all` first, then groups, then single rules, so that
    /// the most specific one wins whatever their order.
    pub fn apply(&mut self, settings: &[LevelSetting]) -> Result<(), UnknownRule> {
        for setting in settings {
            check_key(&setting.key)?;
        }
        for is_specific in [is_all, is_group, is_rule] {
            for setting in settings.iter().filter(|setting| is_specific(&setting.key)) {
                self.set(setting);
            }
        }
        Ok(())
    }

    fn set(&mut self, setting: &LevelSetting) {
        for (rule, slot) in RULES.iter().zip(&mut self.levels) {
            let meta = &rule.meta;
            let is_in_group = Group::from_name(&setting.key) == Some(meta.group);
            if is_all(&setting.key) || is_in_group || meta.id == setting.key {
                *slot = EffectiveLevel { level: setting.level, source: setting.source.clone() };
            }
        }
    }
}

fn is_all(key: &str) -> bool {
    key == ALL
}

fn is_group(key: &str) -> bool {
    Group::from_name(key).is_some()
}

fn is_rule(key: &str) -> bool {
    rules::rule(key).is_some()
}

/// Checks that a key is a rule, a group, or `all`.
pub(super) fn check_key(key: &str) -> Result<(), UnknownRule> {
    if is_all(key) || is_group(key) || is_rule(key) {
        return Ok(());
    }
    let names = RULES.iter().map(|rule| rule.meta.id).chain(Group::ALL.map(Group::name));
    Err(UnknownRule { name: key.to_owned(), suggestion: closest_match(key, names) })
}
