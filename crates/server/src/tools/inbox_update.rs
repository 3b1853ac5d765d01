//! `inbox_update`: marks cards of the inbox as read or unread, or archives them.

use std::sync::LazyLock;

use serde_json::Value;

use crate::caller::EntityKind;
use crate::failure::Failure;
use crate::input_schema::InputSchema;
use crate::problems::Problems;
use crate::store::Writer;
use crate::tool::{Call, Run, Tool, success};
use dibber_skill::contract::{
    CardState, INBOX_UPDATE, InboxUpdate, InboxUpdated, Scope, output_schema, write_input_schema,
};

pub(super) static TOOL: Tool = Tool {
    name: INBOX_UPDATE,
    title: "Sort the inbox",
    description: "Marks cards of the inbox as read or unread, or archives them.",
    scope: Some(Scope::SkillWrite),
    is_idempotent: true,
    is_destructive: false,
    input: InputSchema::new(write_input_schema::<InboxUpdate>),
    output: LazyLock::new(output_schema::<InboxUpdated>),
    run: Run::Write(run),
};

fn run(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let InboxUpdate { result_ids, state } = call.parse_arguments()?;
    let family = &call.caller.family;
    let mut problems = Problems::default();
    if result_ids.is_empty() {
        let message = "`resultIds` is empty";
        problems.add_bad_input("/resultIds", "NOTHING_TO_UPDATE", message, "name a card");
    }
    let mut changed = 0;
    for (index, id) in result_ids.iter().enumerate() {
        if store.set_card_state(family, id, state)? {
            changed += 1;
        } else if store.card(family, id)?.is_none() {
            let path = format!("/resultIds/{index}");
            problems.add_not_found(Scope::SkillWrite, &path, EntityKind::Card);
        }
    }
    problems.into_result()?;
    let next_step = match state {
        CardState::Archived => "They are archived: inbox_list shows them with state archived.",
        CardState::Read | CardState::Unread => {
            "inbox_list with state unread shows what is still new."
        }
    };
    Ok(success(&InboxUpdated { changed }, next_step))
}
