//! `family_query_overview`: who is in the family.

use std::sync::LazyLock;

use serde_json::Value;

use crate::call::{Call, Run, Tool, success};
use crate::failure::Failure;
use crate::families::age;
use crate::input_schema::InputSchema;
use crate::store::Reader;
use crate::times;
use dibber_skill::contract::{
    FamilyOverview, Kid, NoArguments, Parent, Scope, input_schema, output_schema,
};

/// The most people of one kind that are listed.
const PEOPLE_MAX: usize = 1_000;

pub(super) static TOOL: Tool = Tool {
    name: "family_query_overview",
    title: "Look at the family",
    description: "Returns who is in the family: the grown-ups, and the children with their ages. Their \
            ids are what heartbeats are for and who takes part in them.",
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
    let parents = store.users(family)?.into_iter().take(PEOPLE_MAX);
    let kids = store.children(family)?.into_iter().take(PEOPLE_MAX);
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
    };
    let next_step = "Use a child's id where a tool asks for it, and {{input.child_name}} in the \
                     place of a name in a skill.";
    Ok(success(&overview, next_step))
}
