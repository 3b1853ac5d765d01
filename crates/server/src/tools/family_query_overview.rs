//! `family_query_overview`: who is in the family.

use serde_json::Value;

use crate::call::{Call, Run, Tool, success};
use crate::failure::Failure;
use crate::families::age;
use crate::fields::SHORT_TEXT;
use crate::shape::{Field, Kind, required};
use crate::store::Reader;
use crate::times;
use dibber_skill::contract::{FamilyOverview, Kid, Parent, Scope};

/// The most people that are told of one kind.
const PEOPLE_MAX: usize = 1_000;
/// More years than anybody is old.
const YEARS_MAX: i64 = 200;

const PARENT: &[Field] =
    &[required("userId", SHORT_TEXT, "The grown-up."), required("name", SHORT_TEXT, "Their name.")];

const KID: &[Field] = &[
    required("childId", SHORT_TEXT, "The child."),
    required("name", SHORT_TEXT, "Their name; it never stands in a skill."),
    required("birthDate", SHORT_TEXT, "The day of the birth: 2019-04-30."),
    required("age", Kind::Integer { min: 0, max: YEARS_MAX }, "The age in years."),
];

pub(super) const TOOL: Tool = Tool {
    name: "family_query_overview",
    title: "Look at the family",
    description: "Tells who is in the family: the grown-ups, and the children with their ages. Their \
            ids are what heartbeats are for and who takes part in them.",
    scope: Some(Scope::FamilyRead),
    is_idempotent: true,
    is_destructive: false,
    input: &[],
    output: &[
        required("familyId", SHORT_TEXT, "The family."),
        required(
            "parents",
            Kind::List { of: &Kind::Object(PARENT), max: PEOPLE_MAX },
            "The grown-ups.",
        ),
        required("kids", Kind::List { of: &Kind::Object(KID), max: PEOPLE_MAX }, "The children."),
    ],
    run: Run::Read(run),
};

fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let family = &call.caller.family;
    let today = call.now.to_zoned(times::zone_of(store, family)?).date();
    let parents = store.users(family)?.into_iter().take(PEOPLE_MAX);
    let kids = store.children(family)?.into_iter().take(PEOPLE_MAX);
    let overview = FamilyOverview {
        family_id: family.0.clone(),
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
