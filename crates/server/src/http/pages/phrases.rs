//! Times and events in the words of a parent.

use dibber_skill::contract::{ActivityType, OpenEnum};
use jiff::civil::DateTime;
use maud::{Markup, html};

/// Returns a time, on the clock that it was formatted for.
pub(super) fn time(at: &str) -> Markup {
    let text = at
        .parse::<DateTime>()
        .map_or_else(|_| at.to_owned(), |time| time.strftime("%A, %-d %B %Y, %H:%M").to_string());
    html! { time datetime=(at) { (text) } }
}

/// Returns what has happened.
pub(super) fn event(kind: &OpenEnum<ActivityType>) -> &str {
    let kind = match kind {
        OpenEnum::Known(kind) => kind,
        OpenEnum::Other(kind) => return kind,
    };
    match kind {
        ActivityType::SkillWritten => "Skill written",
        ActivityType::SkillUpdated => "Skill changed",
        ActivityType::SkillArchived => "Skill archived",
        ActivityType::SkillUnarchived => "Skill brought back",
        ActivityType::SkillInvoked => "Skill used",
        ActivityType::ResultPosted => "Result posted",
        ActivityType::HeartbeatCreated => "Schedule created",
        ActivityType::HeartbeatUpdated => "Schedule changed",
        ActivityType::HeartbeatPaused => "Schedule paused",
        ActivityType::HeartbeatResumed => "Schedule resumed",
        ActivityType::HeartbeatCancelled => "Schedule cancelled",
        ActivityType::HeartbeatDue => "Time to run",
        ActivityType::HeartbeatFired => "Run started",
        ActivityType::RunCompleted => "Run completed",
        ActivityType::RunFailed => "Run failed",
        ActivityType::RunSkipped => "Run left out",
        ActivityType::MemberAdded => "Grown-up added",
        ActivityType::MemberRemoved => "Grown-up left a schedule",
        ActivityType::MemberPromoted => "Grown-up may edit a schedule",
    }
}

/// Returns the sentence about rows that cannot be read, if there are any.
pub(super) fn damage(damaged: Option<u64>) -> Markup {
    html! {
        @if damaged.is_some_and(|damaged| damaged > 0) {
            p.error {
                "Something here cannot be read, and is left out. The owner of the server can run "
                code { "dibber doctor --database" } "."
            }
        }
    }
}
