//! What a resource contains.

use serde_json::{Map, Value, json};

use super::{access, day};
use crate::caller::{Caller, EntityKind, not_found_in_family};
use crate::failure::Failure;
use crate::server::Server;
use crate::store::{HeartbeatState, Reader, Resource, StoreError, StoreExt};
use crate::tool::Call;
use crate::tools::{activity_list, heartbeat_list, inbox_list, skill_get};
use dibber_skill::contract::{HeartbeatId, NEXT_STEP, Scope};

impl Server {
    /// Returns what a resource contains, with its version, as JSON.
    pub(crate) async fn read_resource(
        &self,
        caller: Caller,
        uri: String,
    ) -> Result<String, Failure> {
        let (arguments, safety) = (Map::new(), self.unchecked());
        let call = Call { caller, arguments, now: self.now(), safety };
        self.store
            .read(move |store| {
                let resource = access::find(store, &call.caller, &uri)?;
                let mut state = read(store, &call, &resource)?;
                let version = access::version(store, &call.caller.family, &resource, call.now)?;
                state.insert("version".to_owned(), version.into());
                Ok(serde_json::to_string(&state).map_err(StoreError::new)?)
            })
            .await
    }
}

/// Returns what a resource contains: what the tool that reads it answers.
pub(super) fn read(
    store: &dyn Reader,
    call: &Call,
    resource: &Resource,
) -> Result<Map<String, Value>, Failure> {
    let answer = match resource {
        Resource::Activity => activity_list::run(&with(call, &Value::Null), store)?,
        Resource::Inbox => inbox_list::run(&with(call, &Value::Null), store)?,
        Resource::Skill(id) => skill_get::run(&with(call, &json!({"skillId": id})), store)?,
        Resource::Heartbeat(id) => heartbeat(store, call, id)?,
        Resource::Today(id) => day::read(store, call, id)?,
    };
    let Value::Object(mut state) = answer else { unreachable!("an answer is an object") };
    state.remove(NEXT_STEP);
    Ok(state)
}

/// Returns the call with other arguments.
fn with(call: &Call, arguments: &Value) -> Call {
    Call { arguments: arguments.as_object().cloned().unwrap_or_default(), ..call.clone() }
}

/// Returns a heartbeat. One that was cancelled, which is not listed any more, says so.
fn heartbeat(store: &dyn Reader, call: &Call, id: &HeartbeatId) -> Result<Value, Failure> {
    let family = &call.caller.family;
    let heartbeat = store.heartbeat(family, id)?;
    let heartbeat =
        heartbeat.ok_or_else(|| not_found_in_family(Scope::HeartbeatRead, EntityKind::Resource))?;
    let members = store.members(family, id)?.rows;
    let is_cancelled = heartbeat.state == HeartbeatState::Cancelled;
    let item = heartbeat_list::item(&heartbeat, members, call.now)?;
    Ok(json!({"heartbeat": item, "cancelled": is_cancelled}))
}
