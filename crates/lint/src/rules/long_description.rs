//! `long-description`: the description has more than 1024 characters.

use crate::fields::TextField;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "long-description",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the description has more than 1024 characters",
        docs: "
# What it does

Counts the characters of the `description`: as people count them, not bytes, and without white
space around it.

# Why is this bad

Codex does not load a skill with a longer description, and claude.ai refuses its upload. The
descriptions of all skills stand before every conversation, so a long one also takes the room of
the others.

# Example

```markdown recipes/SKILL.md
---
name: recipes
description: >
  Finds recipes for breakfast, lunch and dinner. It knows about bread, porridge, eggs, fruit,
  soups, stews, roasts, noodles, rice, potatoes, beans, lentils, salads, sauces, dips, cakes,
  biscuits, puddings, jams, pickles, drinks and many more. It can look for a recipe by the things
  that are in the kitchen, by the time that there is to cook, by the number of guests, by the
  season, by the country it comes from, by what somebody may not eat, and by the price. It then
  writes a list of what to buy, a plan of what to do when, and a page to print. Use when somebody
  asks what to cook, asks for a recipe, has things left over that should be used up, plans a meal
  for guests or a party, wants to know how long something has to be in the oven, or wants to
  change a recipe to fewer or more people. Also use when somebody asks what goes well with
  something, what can be taken in its place, how to keep it, how to tell whether it is still good,
  or how to cut, peel, clean, freeze or thaw it. Do not use it for restaurants or for deliveries.
---
```

# Instead

```markdown recipes/SKILL.md
---
name: recipes
description: >
  Finds and adapts recipes, plans meals, writes shopping lists. Use when somebody asks what to
  cook, how to prepare or keep food, or how to change a recipe. Not for restaurants.
---
```

# Source

Agent Skills specification, `description` field: 1 to 1024 characters. Codex, `loader.rs`: a longer
one is an error.
",
    },
    check: Check::Skill(check),
};

/// The most characters of a description.
const CHARACTERS_MAX: usize = 1024;

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(field) = TextField::of(skill, "description") else { return };
    if field.text.len() <= CHARACTERS_MAX {
        return;
    }
    let count = field.text.chars().count();
    if count > CHARACTERS_MAX {
        let message =
            format!("the `description` is {count} characters long; {CHARACTERS_MAX} are allowed");
        let help = format!(
            "shorten it by {}; details belong in the body, which is read once the skill is used",
            count - CHARACTERS_MAX
        );
        let span = field.after(CHARACTERS_MAX);
        findings.push(Finding::new(&RULE.meta, span, message).help(help));
    }
}
