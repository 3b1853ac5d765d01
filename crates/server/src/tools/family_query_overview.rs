//! `family_query_overview`: who is in the family.

use std::sync::LazyLock;

use serde_json::Value;

use crate::failure::Failure;
use crate::families::age;
use crate::input_schema::InputSchema;
use crate::store::{Canvas, Reader};
use crate::tool::{Call, Run, Tool, success};
use crate::{cursor, times};
use dibber_skill::contract::{
    FamilyCanvas, FamilyOverview, Kid, NoArguments, Parent, Scope, input_schema, output_schema,
};

/// The most people of one kind, and the most canvases, that are listed.
const LISTED_MAX: usize = 1_000;

pub(super) static TOOL: Tool = Tool {
    name: "family_query_overview",
    title: "Look at the family",
    description: "Returns the family's grown-ups, children with ages, and canvases, with their ids.",
    scope: Some(Scope::FamilyRead),
    is_idempotent: true,
    is_destructive: false,
    input: InputSchema::new(input_schema::<NoArguments>),
    output: LazyLock::new(output_schema::<FamilyOverview>),
    run: Run::Read(run),
};

fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let family = &call.caller.family;
    let today = call.now.to_zoned(times::family_zone(store, family)?).date();
    let parents = store.users(family)?;
    let kids = store.children(family)?;
    let canvases = store.canvases(family)?;
    let damaged = parents.damaged.len() + kids.damaged.len() + canvases.damaged.len();
    let parents = parents.rows.into_iter().take(LISTED_MAX);
    let kids = kids.rows.into_iter().take(LISTED_MAX);
    let canvases = canvases.rows.into_iter().take(LISTED_MAX);
    let overview = FamilyOverview {
        family_id: family.clone(),
        parents: parents.map(|user| Parent { user_id: user.id, name: user.name }).collect(),
        kids: kids
            .map(|child| Kid {
                child_id: child.id,
                name: child.name,
                birth_date: child.birth_date.to_string(),
                age: i64::from(age(child.birth_date, today).max(0)),
            })
            .collect(),
        canvases: canvases.map(listed_canvas).collect(),
        damaged_items: cursor::damaged_items(damaged),
    };
    let next_step = "Use a child's id where a tool asks for it, and {{input.child_name}} in the \
                     place of a name in a skill.";
    Ok(success(&overview, cursor::with_damage(next_step, damaged)))
}

fn listed_canvas(canvas: Canvas) -> FamilyCanvas {
    FamilyCanvas {
        canvas_id: canvas.id,
        name: canvas.name,
        emoji: canvas.emoji,
        age_range: canvas.age_range,
    }
}
