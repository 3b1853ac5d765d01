//! `mcp_health`: whether the server and its store answer.

use std::sync::LazyLock;

use serde_json::Value;

use crate::failure::Failure;
use crate::input_schema::InputSchema;
use crate::server::SERVER;
use crate::store::Reader;
use crate::times;
use crate::tool::{Call, Run, Tool, success};
use dibber_skill::contract::{Health, NoArguments, input_schema, output_schema};

pub(super) static TOOL: Tool = Tool {
    name: "mcp_health",
    title: "Check the server",
    description: "Checks the server and its store; returns the server's time.",
    scope: None,
    is_idempotent: true,
    is_destructive: false,
    input: InputSchema::new(input_schema::<NoArguments>),
    output: LazyLock::new(output_schema::<Health>),
    run: Run::Read(run),
};

fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    // The family's zone comes from the store, so that an answer shows that it can be read.
    let zone = times::family_zone(store, &call.caller.family)?;
    let health = Health {
        status: "ok".to_owned(),
        time: times::format_time(call.now, &zone),
        server: SERVER.to_owned(),
    };
    Ok(success(&health, "The server works: continue with your task."))
}
