//! `mcp_health`: whether the server and its store answer.

use serde_json::Value;

use crate::call::{Call, Run, Tool, success};
use crate::failure::Failure;
use crate::fields::SHORT_TEXT;
use crate::server::SERVER;
use crate::shape::{Kind, required};
use crate::store::Reader;
use crate::times;
use dibber_skill::contract::Health;

pub(super) const TOOL: Tool = Tool {
    name: "mcp_health",
    title: "Is the server well",
    description: "Tells that the server and its store answer, and the server's time.",
    scope: None,
    is_idempotent: true,
    is_destructive: false,
    input: &[],
    output: &[
        required("status", Kind::OneOf(&["ok"]), "How the server is."),
        required("time", SHORT_TEXT, "The server's time, on the family's clock."),
        required("server", SHORT_TEXT, "What answers, and its version."),
    ],
    run: Run::Read(run),
};

fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    // The family's zone comes from the store, so that an answer shows that it can be read.
    let zone = times::zone_of(store, &call.caller.family)?;
    let health = Health {
        status: "ok".to_owned(),
        time: times::shown(call.now, &zone),
        server: SERVER.to_owned(),
    };
    Ok(success(&health, "All is well: go on with what you came for."))
}
