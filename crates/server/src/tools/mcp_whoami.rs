//! `mcp_whoami`: who is connected.

use serde_json::Value;

use crate::call::{Call, Run, Tool, success};
use crate::failure::Failure;
use crate::fields::SHORT_TEXT;
use crate::server::SERVER;
use crate::shape::{Kind, required};
use crate::store::Reader;
use dibber_skill::contract::Whoami;

pub(super) const TOOL: Tool = Tool {
    name: "mcp_whoami",
    title: "Who am I",
    description: "Tells whose connection this is and what it may do.",
    scope: None,
    is_idempotent: true,
    is_destructive: false,
    input: &[],
    output: &[
        required("userId", SHORT_TEXT, "The caller."),
        required("name", SHORT_TEXT, "Their name."),
        required("familyId", SHORT_TEXT, "Their family."),
        required("scopes", Kind::List { of: &SHORT_TEXT, max: 20 }, "What they may do."),
        required("server", SHORT_TEXT, "What answers, and its version."),
    ],
    run: Run::Read(run),
};

fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let users = store.users(&call.caller.family)?;
    let user = users.into_iter().find(|user| user.id == call.caller.user_id);
    let whoami = Whoami {
        user_id: call.caller.user_id.clone(),
        name: user.map(|user| user.name).unwrap_or_default(),
        family_id: call.caller.family.0.clone(),
        scopes: call.caller.scopes.clone(),
        server: SERVER.to_owned(),
    };
    Ok(success(&whoami, "Read the instructions, then call what the task needs."))
}
