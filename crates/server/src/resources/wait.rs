//! Waiting for a change, as the tool `resource_wait` does.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;
use tokio::time::timeout_at;

use super::access::{self, RefusedResource};
use super::state;
use super::watch::Watch;
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
        let uris: Vec<String> = arguments.resources.iter().map(|it| it.uri.clone()).collect();
        if uris.is_empty() {
            return Err(Failure::invalid_arguments(&[no_resources()], 1));
        }
        let time = arguments.timeout_ms.unwrap_or(WAIT_MILLISECONDS_MAX);
        let deadline = Instant::now() + Duration::from_millis(time.min(WAIT_MILLISECONDS_MAX));
        let answer = match self.wait_until(deadline, call, arguments, &uris).await {
            Ok(answer) => answer,
            Err(refused) => {
                let roster = self.roster(call.caller.family.clone()).await.ok();
                return Err(refused.into_failure(&uris, roster.as_ref()));
            }
        };
        let next_step = if has_changed(&answer) {
            "Read what has changed, then wait again with these versions."
        } else {
            "Nothing has changed. Call again to wait on, with these versions."
        };
        Ok(success(&answer, next_step))
    }

    /// Compares the versions until one of them has changed, or the time is over. If one has at once,
    /// nothing is watched.
    async fn wait_until(
        &self,
        deadline: Instant,
        call: &Call,
        arguments: ResourceWaitArguments,
        uris: &[String],
    ) -> Result<ResourceWaitAnswer, RefusedResource> {
        let mut watch: Option<Watch> = None;
        loop {
            let (call, arguments) = (Call { now: self.now(), ..call.clone() }, arguments.clone());
            let (caller, wanted) = (call.caller.clone(), uris.to_vec());
            let compare =
                move |store: &dyn Reader| compare_versions(store, &call, arguments, &wanted);
            let answer = self.store.read(compare).await?;
            if has_changed(&answer) || Instant::now() >= deadline {
                return Ok(answer);
            }
            let Some(watch) = &watch else {
                let new = watch.insert(self.watch(caller).await?);
                new.add(uris.to_vec()).await?;
                // Something may have changed before it was watched.
                continue;
            };
            if timeout_at(deadline, watch.next()).await.is_err() {
                return Ok(answer);
            }
        }
    }
}

fn no_resources() -> Issue {
    Issue {
        path: "/resources".to_owned(),
        reason: "TOO_FEW".to_owned(),
        message: "`resources` is empty".to_owned(),
        fix: format!(r#"add one, such as {{"uri": "{ACTIVITY_URI}"}}"#),
    }
}

fn has_changed(answer: &ResourceWaitAnswer) -> bool {
    answer.resources.iter().any(|resource| resource.changed)
}

fn compare_versions(
    store: &dyn Reader,
    call: &Call,
    arguments: ResourceWaitArguments,
    uris: &[String],
) -> Result<ResourceWaitAnswer, RefusedResource> {
    let mut answer = ResourceWaitAnswer::default();
    let found = access::find_all(store, &call.caller, uris)?;
    for (wanted, resource) in arguments.resources.into_iter().zip(found) {
        let version = access::version(store, &call.caller.family, &resource, call.now)?;
        let changed = wanted.since_version.as_ref() != Some(&version);
        let has_state = changed && arguments.include_state == Some(true);
        let state = has_state.then(|| state::read(store, call, &resource)).transpose()?;
        answer.resources.push(ResourceVersion { uri: wanted.uri, version, changed, state });
    }
    Ok(answer)
}
