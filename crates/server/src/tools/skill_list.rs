//! `skill_list`: the skills of a family, page by page.

use std::sync::LazyLock;

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::cursor::{self, Listing};
use crate::failure::Failure;
use crate::input_schema::InputSchema;
use crate::store::{FamilyId, Listed, Reader, Skill, SkillList};
use crate::times;
use crate::tool::{Call, Run, Tool, success};
use dibber_skill::contract::{
    OpenEnum, Page, Scope, SkillListArguments, SkillListItem, input_schema, output_schema,
};

const NAME: &str = "skill_list";

pub(super) static TOOL: Tool = Tool {
    name: NAME,
    title: "List skills",
    description: "Lists the family's skills, oldest first, without their prompts. With query, only those \
            whose name or description has all of its words. Follow nextCursor until it is null.",
    scope: Some(Scope::SkillRead),
    is_idempotent: true,
    is_destructive: false,
    input: InputSchema::new(input_schema::<SkillListArguments>),
    output: LazyLock::new(output_schema::<Page<SkillListItem>>),
    run: Run::Read(run),
};

/// The skills that are read from the store at once to search them.
const READ_AT_ONCE: usize = 500;

const ACTIVE: &str = "active";
const ARCHIVED: &str = "archived";
const FAMILY: &str = "family";

fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let arguments: SkillListArguments = call.parse_arguments()?;
    let family = &call.caller.family;
    let include_archived = arguments.include_archived.unwrap_or_default();
    let words = words(arguments.query.as_deref().unwrap_or_default());
    let mut filter = json!({"includeArchived": include_archived, "category": arguments.category});
    if !words.is_empty() {
        filter["words"] = json!(words);
    }
    let listing = Listing { tool: NAME, family, filter };
    let after = arguments.cursor.as_deref().map(|cursor| listing.decode(cursor)).transpose()?;
    if let Some(id) = &after {
        store.skill(family, id)?.ok_or_else(cursor::invalid_cursor)?;
    }
    let limit = cursor::page_limit(arguments.limit);
    let list =
        SkillList { after, limit: limit + 1, include_archived, category: arguments.category };
    let found = if words.is_empty() {
        store.skills(family, &list)?
    } else {
        search(store, family, list, &words)?
    };
    let found = cursor::split_page(found, limit, |skill| &skill.id);
    let zone = times::family_zone(store, family)?;
    let items: Result<Vec<_>, _> =
        found.items.into_iter().map(|skill| item(skill, &zone)).collect();
    let next_cursor = found.last.map(|id| listing.encode(&id));
    let page =
        Page { items: items?, next_cursor, damaged_items: cursor::damaged_items(found.damaged) };
    let next_step = match (&page.next_cursor, page.items.is_empty()) {
        (Some(_), _) => "Call skill_list again with nextCursor for more; skill_get has a prompt.",
        (None, true) => "No skills found; author one with skill_write and dryRun.",
        (None, false) => "This is the last page; skill_get({skillId}) has a skill's prompt.",
    };
    Ok(success(&page, cursor::with_damage(next_step, found.damaged)))
}

/// Returns the words of a query in lowercase.
fn words(query: &str) -> Vec<String> {
    query.split_whitespace().map(str::to_lowercase).collect()
}

/// Returns the skills of a list that have all of these words in their name or description.
fn search(
    store: &dyn Reader,
    family: &FamilyId,
    list: SkillList,
    words: &[String],
) -> Result<Listed<Skill>, Failure> {
    let mut found = Listed::default();
    let mut page_list = SkillList { limit: READ_AT_ONCE, ..list };
    loop {
        let page = store.skills(family, &page_list)?;
        page_list.after = page.rows.last().map(|skill| skill.id.clone());
        if page_list.after.is_none() {
            found.damaged.extend(page.damaged.iter().map(|_| found.rows.len()));
            return Ok(found);
        }
        let mut damaged = page.damaged.into_iter().peekable();
        for (index, skill) in page.rows.into_iter().enumerate() {
            while damaged.next_if(|before| *before <= index).is_some() {
                found.damaged.push(found.rows.len());
            }
            if has_words(&skill, words) {
                found.rows.push(skill);
            }
            if found.rows.len() == list.limit {
                return Ok(found);
            }
        }
    }
}

fn has_words(skill: &Skill, words: &[String]) -> bool {
    let text = format!("{}\n{}", skill.written.name, skill.written.description).to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}

fn item(skill: Skill, zone: &TimeZone) -> Result<SkillListItem, Failure> {
    let last = skill.last_triggered_at;
    Ok(SkillListItem {
        skill_id: skill.id,
        name: skill.written.name,
        description: skill.written.description,
        category: OpenEnum::Known(skill.written.category.unwrap_or_default()),
        status: if skill.is_archived { ARCHIVED } else { ACTIVE }.to_owned(),
        archived: Some(skill.is_archived),
        author_tier: FAMILY.to_owned(),
        kid_callable: skill.written.kid_callable.unwrap_or_default(),
        canvas_ids: skill.written.canvas_ids,
        last_triggered_at: last.map(|at| times::format_stored(at, zone)).transpose()?,
    })
}
