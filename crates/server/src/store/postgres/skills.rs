//! Skills.

use postgres::Row;

use super::checked_table::{CheckedTable, id_column};
use super::session::Session;
use super::value::{
    DamagedColumn, Parsed, check_age_range, flag, from_json, id, optional_flag, optional_json,
    optional_str, optional_text, optional_time, text, time, to_json, values,
};
use crate::store::error::StoreResult;
use crate::store::families::FamilyId;
use crate::store::listed::Listed;
use crate::store::resource::Resource;
use crate::store::skills::{ReadSkills, Skill, SkillList, WriteSkills};
use crate::store::versions::WriteVersions;
use dibber_skill::contract::{CanvasId, Category, SkillId, SkillWrite, WireEnum};

/// The columns of a skill, in the order of [`skill`].
macro_rules! columns {
    () => {
        "id, name, description, category, hands, inputs, kid_callable, canvases, age_range, \
         is_archived, created_at, last_triggered_at, prompt, response_model"
    };
}

/// The tables, for a check of the database.
pub(super) const CHECKED: &[CheckedTable] =
    &[CheckedTable { name: "skills", columns: columns!(), parse: check_skill, id: id_column }];

/// The beginning of every statement that reads skills.
macro_rules! select {
    ($($rest:literal),+) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM skills WHERE family_id = $1 AND ",
            $($rest),+
        )
    };
}

/// The beginning of every statement that lists skills after the one with the id `$2`. The filter
/// comes before the rest of the page.
///
/// `seq` is drawn under the lock of the database, so its order is that of the commits. No row is
/// ever deleted; if the family has no skill with the id, the comparison with NULL lists nothing.
macro_rules! listing {
    ($($filter:literal),*) => {
        select!(
            $($filter, " AND ",)*
            "seq > CASE WHEN $2 IS NULL THEN 0 \
             ELSE (SELECT seq FROM skills WHERE family_id = $1 AND id = $2) END \
             ORDER BY seq"
        )
    };
}

const ALL: &str = listing!();
const CURRENT: &str = listing!("is_archived = 0");
const ALL_OF_CATEGORY: &str = listing!("COALESCE(category, 'generic') = $3");
const CURRENT_OF_CATEGORY: &str = listing!("COALESCE(category, 'generic') = $3", "is_archived = 0");

impl ReadSkills for Session<'_> {
    fn skill(&self, family: &FamilyId, id: &SkillId) -> StoreResult<Option<Skill>> {
        self.one(select!("id = $2"), values![family, id], skill)
    }

    fn skills(&self, family: &FamilyId, list: &SkillList) -> StoreResult<Listed<Skill>> {
        let (after, limit) = (list.after.as_ref(), list.limit);
        let Some(category) = list.category else {
            let statement = if list.include_archived { ALL } else { CURRENT };
            return self.page(statement, values![family, after], limit, skill);
        };
        let statement = if list.include_archived { ALL_OF_CATEGORY } else { CURRENT_OF_CATEGORY };
        self.page(statement, values![family, after, category.name()], limit, skill)
    }

    fn skill_count(&self, family: &FamilyId) -> StoreResult<usize> {
        self.count("SELECT COUNT(*) FROM skills WHERE family_id = $1", family.as_str())
    }
}

impl WriteSkills for Session<'_> {
    fn add_skill(&self, family: &FamilyId, skill: &Skill) -> StoreResult<()> {
        let statement = "INSERT INTO skills (family_id, id, name, description, category, hands,
             inputs, kid_callable, canvases, age_range, is_archived, created_at, last_triggered_at,
             prompt, response_model)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";
        write(self, statement, family, skill)
    }

    fn put_skill(&self, family: &FamilyId, skill: &Skill) -> StoreResult<()> {
        let statement = "UPDATE skills SET name = $3, description = $4, category = $5, hands = $6,
             inputs = $7, kid_callable = $8, canvases = $9, age_range = $10, is_archived = $11,
             created_at = $12, last_triggered_at = $13, prompt = $14, response_model = $15
             WHERE family_id = $1 AND id = $2";
        write(self, statement, family, skill)
    }

    fn touch_skill(&self, family: &FamilyId, id: &SkillId, at: i64) -> StoreResult<()> {
        let statement = "UPDATE skills SET last_triggered_at = $3 WHERE family_id = $1 AND id = $2
             AND (last_triggered_at IS NULL OR last_triggered_at < $3)";
        match self.execute(statement, values![family, id, at])? {
            0 => Ok(()),
            _ => self.record_change(family, Resource::Skill(id.clone())),
        }
    }
}

fn write(
    session: &Session<'_>,
    statement: &str,
    family: &FamilyId,
    skill: &Skill,
) -> StoreResult<()> {
    let written = &skill.written;
    session.execute_one(
        statement,
        values![
            family,
            &skill.id,
            &written.name,
            &written.description,
            written.category.map(Category::name),
            to_json(&written.hands_referenced)?,
            to_json(&written.input_variables)?,
            written.kid_callable,
            to_json(&written.canvas_ids)?,
            &written.age_range,
            skill.is_archived,
            skill.created_at,
            skill.last_triggered_at,
            &written.prompt,
            optional_json(written.response_model.as_ref())?,
        ],
    )?;
    session.record_change(family, Resource::Skill(skill.id.clone()))
}

fn skill(row: &Row) -> Parsed<Skill> {
    let category = match optional_str(row, 3)? {
        None => None,
        Some(name) => Some(Category::from_name(&name).ok_or(DamagedColumn(3))?),
    };
    let written = SkillWrite {
        name: text(row, 1)?,
        description: text(row, 2)?,
        category,
        prompt: text(row, 12)?,
        hands_referenced: from_json(row, 4)?,
        input_variables: from_json(row, 5)?,
        kid_callable: optional_flag(row, 6)?,
        canvas_ids: from_json(row, 7)?,
        age_range: optional_text(row, 8)?,
        response_model: match optional_str(row, 13)? {
            None => None,
            Some(_) => Some(from_json(row, 13)?),
        },
    };
    Ok(Skill {
        id: id(row, 0)?,
        written,
        is_archived: flag(row, 9)?,
        created_at: time(row, 10)?,
        last_triggered_at: optional_time(row, 11)?,
    })
}

/// Reads a skill, and parses its canvases and its ages, which the server only passes on.
fn check_skill(row: &Row) -> Parsed<()> {
    let skill = skill(row)?;
    if !skill.written.canvas_ids.iter().all(CanvasId::is_well_formed) {
        return Err(DamagedColumn(7));
    }
    check_age_range(row, 8)
}
