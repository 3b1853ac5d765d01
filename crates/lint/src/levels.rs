//! Which level each rule has, and why.

use std::fmt;

use super::rules::{self, RULES};
use super::unchecked::UNCHECKED_SKILL;
use dibber_skill::diagnostic::{Group, Level, LevelReason, RuleMeta};
use dibber_text::{closest_match, ellipsize};

/// The word that stands for every rule.
const ALL: &str = "all";

/// The level of every rule for some file.
#[derive(Clone, Debug)]
pub struct Levels {
    /// In the order of [`RULES`].
    levels: Vec<(Level, LevelReason)>,
}

/// One setting: a rule, a group or `all`, and its level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelSetting {
    /// The rule, the group, or `all`.
    pub key: String,
    /// Its level.
    pub level: Level,
    /// Where it was set.
    pub reason: LevelReason,
}

/// A setting speaks of a rule that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// The name as written.
    pub name: String,
    /// A rule or group whose name is much like it.
    pub suggestion: Option<&'static str>,
}

impl UnknownRule {
    /// The way out.
    pub fn help(&self) -> String {
        if self.name == UNCHECKED_SKILL.id {
            return "leave it out".to_owned();
        }
        match self.suggestion {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "`dibber rules` lists the rules and groups".to_owned(),
        }
    }
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name == UNCHECKED_SKILL.id {
            return write!(f, "`{}` is no rule and is always at level deny", self.name);
        }
        write!(f, "there is no rule or group `{}`", ellipsize(&self.name))
    }
}

impl Default for Levels {
    fn default() -> Self {
        let levels = RULES.iter().map(|rule| (rule.meta.level, LevelReason::Default)).collect();
        Self { levels }
    }
}

impl Levels {
    /// The level of a rule, and why it has it.
    ///
    /// # Panics
    /// When the rule is not in [`RULES`].
    pub fn of(&self, rule: &RuleMeta) -> &(Level, LevelReason) {
        let index = RULES.iter().position(|known| std::ptr::eq(&raw const known.meta, rule));
        &self.levels[index.expect("every finding's rule stands in RULES")]
    }

    /// The levels of all rules, in the order of [`RULES`].
    pub fn iter(&self) -> impl Iterator<Item = Level> {
        self.levels.iter().map(|(level, _)| *level)
    }

    /// Applies settings of one source: `all` first, then groups, then single rules, so that the
    /// more exact one wins whatever their order.
    pub fn apply(&mut self, settings: &[LevelSetting]) -> Result<(), UnknownRule> {
        for setting in settings {
            check_key(&setting.key)?;
        }
        for exactness in [is_all, is_group, is_rule] {
            for setting in settings.iter().filter(|setting| exactness(&setting.key)) {
                self.set(setting);
            }
        }
        Ok(())
    }

    fn set(&mut self, setting: &LevelSetting) {
        for (rule, slot) in RULES.iter().zip(&mut self.levels) {
            let meta = &rule.meta;
            let in_group = Group::from_name(&setting.key) == Some(meta.group);
            if is_all(&setting.key) || in_group || meta.id == setting.key {
                *slot = (setting.level, setting.reason.clone());
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
