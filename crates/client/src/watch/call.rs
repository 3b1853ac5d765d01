//! The tool that waits for changes. Other servers may not have it.

use super::super::client::Client;
use super::super::error::ClientError;
use super::super::tool_info::ToolInfo;
use super::super::typed::object;
use dibber_skill::contract::{RESOURCE_WAIT, ResourceWaitAnswer, ResourceWaitArguments};

impl Client {
    /// Returns `true` if the server lists the tool that waits for changes.
    pub async fn can_wait_for_changes(&self) -> Result<bool, ClientError> {
        Ok(ToolInfo::find(&self.tools().await?, RESOURCE_WAIT).is_some())
    }

    /// `resource_wait`: returns the versions of resources as soon as one differs from the version
    /// that is known, and at the end of the time otherwise.
    pub async fn resource_wait(
        &self,
        wait: &ResourceWaitArguments,
    ) -> Result<ResourceWaitAnswer, ClientError> {
        let answer: ResourceWaitAnswer = self.typed(RESOURCE_WAIT, object(wait)).await?;
        let is_asked = answer.resources.iter().map(|resource| &resource.uri);
        if is_asked.ne(wait.resources.iter().map(|resource| &resource.uri)) {
            let cause = format!("the answer of `{RESOURCE_WAIT}` is about other resources");
            return Err(ClientError::Protocol(cause));
        }
        Ok(answer)
    }
}
