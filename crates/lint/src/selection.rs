//! Which rules run, whatever their levels: what `--select` and `--ignore` name.

use super::levels::{ALL, EffectiveLevel, Levels, UnknownRule, check_key};
use super::rules::RULES;
use dibber_skill::diagnostic::{Group, Level, LevelSource, RuleMeta};

/// The rules that run.
///
/// Each is named by its id, by its group or by `all`, and the most specific name decides; if a rule
/// is selected and ignored by names of the same kind, it is ignored. Without a selection, the rules
/// have the levels that are configured. A selected rule keeps its level; one that is allowed runs
/// as a warning if its own id selects it.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    selected: Vec<String>,
    ignored: Vec<String>,
}

/// How exactly a name means a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    None,
    All,
    Group,
    Id,
}

impl Selection {
    /// Creates the selection of these names. Fails for a name that is not a rule, a group or `all`.
    pub fn new(selected: Vec<String>, ignored: Vec<String>) -> Result<Self, UnknownRule> {
        selected.iter().chain(&ignored).try_for_each(|key| check_key(key))?;
        Ok(Self { selected, ignored })
    }

    /// Returns `true` if a rule is selected by its own id.
    pub fn names(&self, rule: &RuleMeta) -> bool {
        closest(&self.selected, rule) == Match::Id
    }

    /// Sets the levels of the rules that it is about.
    pub(super) fn apply(&self, levels: &mut Levels) {
        if self.selected.is_empty() && self.ignored.is_empty() {
            return;
        }
        for (rule, slot) in RULES.iter().zip(levels.iter_mut()) {
            let rule = &rule.meta;
            let selected = match closest(&self.selected, rule) {
                Match::None if self.selected.is_empty() => Match::All,
                selected => selected,
            };
            let ignored = closest(&self.ignored, rule);
            let level =
                if selected == Match::None || (ignored != Match::None && ignored >= selected) {
                    Level::Allow
                } else if selected == Match::Id && slot.level == Level::Allow {
                    Level::Warn
                } else {
                    continue;
                };
            let source = LevelSource::CommandLine(format!("{}={}", rule.id, level.name()));
            *slot = EffectiveLevel { level, source };
        }
    }
}

/// Returns the closest match of the keys.
fn closest(keys: &[String], rule: &RuleMeta) -> Match {
    let one = |key: &String| {
        if key == rule.id {
            Match::Id
        } else if Group::from_name(key) == Some(rule.group) {
            Match::Group
        } else if key == ALL {
            Match::All
        } else {
            Match::None
        }
    };
    keys.iter().map(one).max().unwrap_or(Match::None)
}
