//! `mcp_whoami`: who is connected.

use std::sync::LazyLock;

use serde_json::Value;

use crate::failure::Failure;
use crate::input_schema::InputSchema;
use crate::server::SERVER;
use crate::store::Reader;
use crate::tool::{Call, Run, Tool, success};
use dibber_skill::contract::{NoArguments, Whoami, input_schema, output_schema};

pub(super) static TOOL: Tool = Tool {
    name: "mcp_whoami",
    title: "Who am I",
    description: "Returns whose connection this is and what it may do.",
    scope: None,
    is_idempotent: true,
    is_destructive: false,
    input: InputSchema::new(input_schema::<NoArguments>),
    output: LazyLock::new(output_schema::<Whoami>),
    run: Run::Read(run),
};

fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let users = store.users(&call.caller.family)?;
    let user = users.rows.into_iter().find(|user| user.id == call.caller.user_id);
    let whoami = Whoami {
        user_id: call.caller.user_id.clone(),
        name: user.map(|user| user.name).unwrap_or_default(),
        family_id: call.caller.family.clone(),
        scopes: call.caller.scopes.clone(),
        server: SERVER.to_owned(),
        server_id: Some(store.server_id()?),
        token_expires_at: call.caller.token_expires_at.map(|at| format!("{at:.0}")),
    };
    Ok(success(&whoami, "Read the instructions, then call what the task needs."))
}
