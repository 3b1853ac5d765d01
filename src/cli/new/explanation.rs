//! What the questions about a skill mean, for those who answer `?`.

use dibber_skill::scaffold::{ANYTHING_ELSE, TEMPLATES};
use dibber_text::{Message, message};

pub(in crate::cli) const TITLE: &str = "\
The title is what your family reads in the list of skills, such as: Bedtime story about animals.";
pub(in crate::cli) const DESCRIPTION: &str = "\
The agent reads this to decide whether to use the skill: say what it does, and when it should do it.";
pub(in crate::cli) const AUDIENCE: &str = "\
Sprout's agent talks with your family. The home agent works for one child and one day, and cannot be \
scheduled.";
pub(in crate::cli) const CHANGES: &str = "\
Whatever is not the same each time, such as the hero of a story: the agent asks for it before it \
begins. Type a word for each of these things, or `nothing` if it is always the same.";
pub(in crate::cli) const SCHEDULE: &str = "\
The agent can start it without being asked, such as: every day at 7:30pm, weekdays at 8am, or the \
first day of each month at noon. `never` is for a skill that only runs when someone asks for it.";
pub(in crate::cli) const VALUE: &str = "\
When it runs by itself, the agent cannot ask: it takes what you type here, each time.";
pub(in crate::cli) const KID_CALLABLE: &str = "\
With yes, a child can start it without a parent. It then needs the ages that it is for.";
pub(in crate::cli) const AGES: &str = "\
The youngest and the oldest child for which it is right, such as 5-7, or one age, such as 6.";

pub(super) const DEVELOPER_TEMPLATE: &str = "\
Each of these is a folder that works as it is: type its number, or its name, which `dibber new --list` \
shows.";
pub(super) const WHAT: &str = "\
One sentence that says what should happen, as you would say it to a babysitter: ask five questions \
about dinosaurs.";
pub(super) const WHEN_USED: &str = "\
The agent reads this to decide whether to use the skill, such as: Use it when a recipe is asked for.";
pub(super) const SLOT: &str = "\
This becomes part of the text that the agent reads. Enter takes what is in [brackets].";
pub(super) const FOR_WHOM: &str = "\
The child or children, such as: my daughter, who is six. You are asked about words that may be the \
name of a child, which is not written into the text of the skill. Names of children that `dibber names \
add` puts on your private list are found in every skill.";
pub(super) const TIME: &str = "\
The time of day, such as 7:30pm or 19:30; a city after it names another time zone: 7:30pm London.";
pub(in crate::cli) const ZONE: &str = "\
The city whose clock counts, such as Munich or New York, or a time zone, such as Europe/Berlin.";
pub(super) const FOLDER: &str = "\
The skill is written into a folder of this name, which has lowercase letters, digits and hyphens.";
pub(super) const NAMES: &str = "\
These words are not written into the skill, which is published. Type them as they are in your answers; \
all others are kept.";

/// Returns what the question for the purpose means, with the number of the item for anything else.
pub(super) fn purpose() -> Message {
    let others = TEMPLATES.iter().take_while(|template| template.name != ANYTHING_ELSE).count();
    message![
        "Each of these works as it is, and your answers change it. Type its number; `",
        others + 1,
        "` is for anything that is not in the list."
    ]
}
