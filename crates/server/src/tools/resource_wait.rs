//! `resource_wait`: waiting until a resource changes.

use std::sync::LazyLock;

use crate::input_schema::InputSchema;
use crate::tool::{Run, Tool};
use dibber_skill::contract::{
    RESOURCE_WAIT, ResourceWaitAnswer, ResourceWaitArguments, input_schema, output_schema,
};

pub(super) static TOOL: Tool = Tool {
    name: RESOURCE_WAIT,
    title: "Wait for a change",
    description: "Waits until a resource differs from sinceVersion.",
    // Each resource needs the scope of what it contains.
    scope: None,
    is_idempotent: true,
    is_destructive: false,
    input: InputSchema::new(input_schema::<ResourceWaitArguments>),
    output: LazyLock::new(output_schema::<ResourceWaitAnswer>),
    run: Run::Wait,
};
