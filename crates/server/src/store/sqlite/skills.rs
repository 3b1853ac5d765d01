//! Skills and their results.

use rusqlite::{Row, params};

use super::session::{Session, from_json, from_word, json};
use crate::store::{FamilyId, Posted, Skill, SkillList, Stored};
use dibber_skill::contract::{Category, SkillWrite};

/// The beginning of every statement that reads skills.
macro_rules! select {
    ($($rest:literal),+) => {
        concat!(
            "SELECT seq, id, name, description, category, hands, inputs, kid_callable, canvases, \
             age_range, is_archived, created_at, last_triggered_at, prompt FROM skills \
             WHERE family_id = ?1 AND ",
            $($rest),+
        )
    };
}

const ALL: &str = select!("seq > ?2 ORDER BY seq LIMIT ?3");
const CURRENT: &str = select!("is_archived = 0 AND seq > ?2 ORDER BY seq LIMIT ?3");
const ALL_OF_CATEGORY: &str =
    select!("COALESCE(category, 'generic') = ?4 AND seq > ?2 ORDER BY seq LIMIT ?3");
const CURRENT_OF_CATEGORY: &str = select!(
    "COALESCE(category, 'generic') = ?4 AND is_archived = 0 AND seq > ?2 ORDER BY seq LIMIT ?3"
);

/// The statements that list skills. Each finds the first skill of a page by an index, however
/// many skills lie before it.
pub const LISTINGS: [&str; 4] = [ALL, CURRENT, ALL_OF_CATEGORY, CURRENT_OF_CATEGORY];

pub(super) fn one(session: &Session<'_>, family: &FamilyId, id: &str) -> Stored<Option<Skill>> {
    session.one(select!("id = ?2"), [&family.0, id], skill)
}

pub(super) fn page(
    session: &Session<'_>,
    family: &FamilyId,
    list: &SkillList,
) -> Stored<Vec<Skill>> {
    let limit = i64::try_from(list.limit).unwrap_or(i64::MAX);
    match (list.include_archived, list.category) {
        (true, None) => session.all(ALL, (&family.0, list.after, limit), skill),
        (false, None) => session.all(CURRENT, (&family.0, list.after, limit), skill),
        (true, Some(category)) => {
            session.all(ALL_OF_CATEGORY, (&family.0, list.after, limit, category.name()), skill)
        }
        (false, Some(category)) => {
            let parameters = (&family.0, list.after, limit, category.name());
            session.all(CURRENT_OF_CATEGORY, parameters, skill)
        }
    }
}

pub(super) fn add(session: &Session<'_>, family: &FamilyId, skill: &Skill) -> Stored<()> {
    let statement = "INSERT INTO skills (family_id, id, name, description, category, hands, inputs,
         kid_callable, canvases, age_range, is_archived, created_at, last_triggered_at, prompt)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
    write(session, statement, family, skill)
}

pub(super) fn put(session: &Session<'_>, family: &FamilyId, skill: &Skill) -> Stored<()> {
    let statement = "UPDATE skills SET name = ?3, description = ?4, category = ?5, hands = ?6,
         inputs = ?7, kid_callable = ?8, canvases = ?9, age_range = ?10, is_archived = ?11,
         created_at = ?12, last_triggered_at = ?13, prompt = ?14
         WHERE family_id = ?1 AND id = ?2";
    write(session, statement, family, skill)
}

fn write(session: &Session<'_>, statement: &str, family: &FamilyId, skill: &Skill) -> Stored<()> {
    let written = &skill.written;
    session.change_one(
        statement,
        params![
            family.0,
            skill.id,
            written.name,
            written.description,
            written.category.map(Category::name),
            json(&written.hands_referenced)?,
            json(&written.input_variables)?,
            written.kid_callable,
            json(&written.canvas_ids)?,
            written.age_range,
            skill.is_archived,
            skill.created_at,
            skill.last_triggered_at,
            written.prompt,
        ],
    )
}

pub(super) fn touch(session: &Session<'_>, family: &FamilyId, id: &str, at: i64) -> Stored<()> {
    let statement = "UPDATE skills SET last_triggered_at = ?3 WHERE family_id = ?1 AND id = ?2
         AND (last_triggered_at IS NULL OR last_triggered_at < ?3)";
    session.change(statement, (&family.0, id, at)).map(drop)
}

pub(super) fn add_result(session: &Session<'_>, family: &FamilyId, posted: &Posted) -> Stored<()> {
    session.change_one(
        "INSERT INTO results (family_id, id, skill_id, thread_id, user_id, posted_at, result)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            family.0,
            posted.id,
            posted.skill_id,
            posted.thread_id,
            posted.user_id,
            posted.posted_at,
            json(&posted.result)?,
        ],
    )
}

fn skill(row: &Row<'_>) -> rusqlite::Result<Skill> {
    let category = match row.get_ref(4)? {
        rusqlite::types::ValueRef::Null => None,
        _ => Some(from_word(row, 4, Category::from_name)?),
    };
    let written = SkillWrite {
        name: row.get(2)?,
        description: row.get(3)?,
        category,
        prompt: row.get(13)?,
        hands_referenced: from_json(row, 5)?,
        input_variables: from_json(row, 6)?,
        kid_callable: row.get(7)?,
        canvas_ids: from_json(row, 8)?,
        age_range: row.get(9)?,
    };
    Ok(Skill {
        seq: row.get(0)?,
        id: row.get(1)?,
        written,
        is_archived: row.get(10)?,
        created_at: row.get(11)?,
        last_triggered_at: row.get(12)?,
    })
}
