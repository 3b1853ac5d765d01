//! Waiting for a change, as the tool `resource_wait` does.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;
use tokio::time::timeout_at;

use super::{access, state};
use crate::failure::Failure;
use crate::server::Server;
use crate::store::{Reader, StoreExt};
use crate::tool::{Call, success};
use dibber_skill::contract::{
    ACTIVITY_URI, Issue, ResourceVersion, ResourceWaitAnswer, ResourceWaitArguments,
    WAIT_MILLISECONDS_MAX,
};

impl Server {
    /// Waits until one of the resources has another version than the caller knows.
    pub(crate) async fn wait_for_change(&self, call: &Call) -> Result<Value, Failure> {
        let arguments: ResourceWaitArguments = call.parse_arguments()?;
        if arguments.resources.is_empty() {
            return Err(nothing_to_wait_for());
        }
        let time = arguments.timeout_ms.unwrap_or(WAIT_MILLISECONDS_MAX);
        let deadline = Instant::now() + Duration::from_millis(time.min(WAIT_MILLISECONDS_MAX));
        let watch = self.watch(call.caller.clone()).await?;
        let uris = arguments.resources.iter().map(|resource| resource.uri.clone());
        watch.add(uris.collect()).await?;
        loop {
            let (call, arguments) = (Call { now: self.now(), ..call.clone() }, arguments.clone());
            let answer =
                self.store.read(move |store| read_versions(store, &call, &arguments)).await?;
            if answer.resources.iter().any(|resource| resource.changed) {
                let next_step = "Read what has changed, then wait again with these versions.";
                return Ok(success(&answer, next_step));
            }
            if timeout_at(deadline, watch.next()).await.is_err() {
                let next_step = "Nothing has changed. Call again to wait on, with these versions.";
                return Ok(success(&answer, next_step));
            }
        }
    }
}

/// Returns the refusal of a wait that no change could end.
fn nothing_to_wait_for() -> Failure {
    let issue = Issue {
        path: "/resources".to_owned(),
        reason: "MISSING_FIELD".to_owned(),
        message: "`resources` is empty".to_owned(),
        fix: format!(r#"add one, such as {{"uri": "{ACTIVITY_URI}"}}"#),
    };
    Failure::invalid_arguments(&[issue], 1)
}

fn read_versions(
    store: &dyn Reader,
    call: &Call,
    arguments: &ResourceWaitArguments,
) -> Result<ResourceWaitAnswer, Failure> {
    let mut answer = ResourceWaitAnswer::default();
    for wanted in &arguments.resources {
        let resource = access::find(store, &call.caller, &wanted.uri)?;
        let version = access::version(store, &call.caller.family, &resource, call.now)?;
        let changed = wanted.since_version.as_ref() != Some(&version);
        let has_state = changed && arguments.include_state == Some(true);
        let state = has_state.then(|| state::read(store, call, &resource)).transpose()?;
        let uri = wanted.uri.clone();
        answer.resources.push(ResourceVersion { uri, version, changed, state });
    }
    Ok(answer)
}
