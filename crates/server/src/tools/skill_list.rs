//! `skill_list`: the skills of a family, page by page.

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::call::{Call, Run, Tool, success};
use crate::cursor::{self, Listing};
use crate::failure::Failure;
use crate::fields::{CANVAS_IDS, CATEGORY, LIMIT, NEXT_CURSOR, SHORT_TEXT, TIME};
use crate::shape::{Field, Kind, optional, required};
use crate::store::{Reader, Skill, SkillList};
use crate::times;
use dibber_skill::contract::{ListArguments, PAGE_ITEMS_MAX, Page, Scope, SkillListItem};

const NAME: &str = "skill_list";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    title: "List skills",
    description: "Lists the family's skills, oldest first, without their prompts. Follow nextCursor \
            until it is null.",
    scope: Some(Scope::SkillRead),
    is_idempotent: true,
    is_destructive: false,
    input: &[
        optional("cursor", SHORT_TEXT, "The nextCursor of the page before."),
        optional("limit", LIMIT, "The most skills of the page; 50 when left out."),
        optional("includeArchived", Kind::Boolean, "Whether archived skills are listed, too."),
        optional("category", CATEGORY, "Only skills of that category."),
    ],
    output: &[
        required(
            "items",
            Kind::List { of: &Kind::Object(ITEM), max: PAGE_ITEMS_MAX },
            "The skills.",
        ),
        required("nextCursor", NEXT_CURSOR, "Where the next page begins; null after the last."),
    ],
    run: Run::Read(run),
};

const ITEM: &[Field] = &[
    required("skillId", SHORT_TEXT, ""),
    required("name", SHORT_TEXT, ""),
    required("category", CATEGORY, ""),
    required("status", Kind::OneOf(&[ACTIVE, ARCHIVED]), "Whether it can be run."),
    required("archived", Kind::Boolean, ""),
    required("authorTier", Kind::OneOf(&[FAMILY]), ""),
    required("kidCallable", Kind::Boolean, ""),
    required("canvasIds", CANVAS_IDS, ""),
    required("lastTriggeredAt", Kind::Nullable(&TIME), "When it was invoked last."),
];

const ACTIVE: &str = "active";
const ARCHIVED: &str = "archived";
const FAMILY: &str = "family";

fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let arguments: ListArguments = call.parse_arguments()?;
    let family = &call.caller.family;
    let include_archived = arguments.include_archived.unwrap_or_default();
    let filter = json!({"includeArchived": include_archived, "category": arguments.category});
    let listing = Listing { tool: NAME, family, filter };
    let after = arguments.cursor.as_deref().map(|cursor| listing.id(cursor)).transpose()?;
    if let Some(id) = &after {
        store.skill(family, id)?.ok_or_else(cursor::invalid_cursor)?;
    }
    let limit = cursor::limit(arguments.limit);
    let list =
        SkillList { after, limit: limit + 1, include_archived, category: arguments.category };
    let (page, next) = cursor::cut(store.skills(family, &list)?, limit, |skill| &skill.id);
    let zone = times::zone_of(store, family)?;
    let items: Result<Vec<_>, _> = page.into_iter().map(|skill| item(skill, &zone)).collect();
    let page = Page { items: items?, next_cursor: next.map(|id| listing.cursor(&id)) };
    let next_step = match (&page.next_cursor, page.items.is_empty()) {
        (Some(_), _) => "Call skill_list again with nextCursor for more; skill_get has a prompt.",
        (None, true) => "There is nothing here; author a skill with skill_write and dryRun.",
        (None, false) => "That is all; skill_get({skillId}) has a skill's prompt.",
    };
    Ok(success(&page, next_step))
}

fn item(skill: Skill, zone: &TimeZone) -> Result<SkillListItem, Failure> {
    let last = skill.last_triggered_at;
    Ok(SkillListItem {
        skill_id: skill.id,
        name: skill.written.name,
        category: skill.written.category.unwrap_or_default(),
        status: if skill.is_archived { ARCHIVED } else { ACTIVE }.to_owned(),
        archived: skill.is_archived,
        author_tier: FAMILY.to_owned(),
        kid_callable: skill.written.kid_callable.unwrap_or_default(),
        canvas_ids: skill.written.canvas_ids,
        last_triggered_at: last.map(|at| times::stored_shown(at, zone)).transpose()?,
    })
}
