//! Running the safety check for a call.

use std::sync::Arc;

use tokio::time::Instant;

use super::command::SafetyCommand;
use super::contract::SafetySubject;
use super::reasons::{Safety, SafetyReasons};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::roster;
use crate::server::Server;
use crate::store::StoreExt;
use dibber_skill::privacy::Privacy;

impl Server {
    /// Lets this program judge what is published.
    #[must_use]
    pub fn with_safety_command(self, command: SafetyCommand) -> Self {
        Self { safety: Some(Arc::new(command)), ..self }
    }

    /// Returns what a call begins with.
    pub(crate) const fn unchecked(&self) -> Safety {
        if self.safety.is_some() { Safety::Unchecked } else { Safety::Off }
    }

    /// Runs the program for a call that began then.
    pub(crate) async fn check_safety(
        &self,
        caller: &Caller,
        subject: Box<SafetySubject>,
        began: Instant,
    ) -> Result<Safety, Failure> {
        let Some(command) = &self.safety else { return Ok(Safety::Off) };
        let family = caller.family.clone();
        let roster = self.store.read(move |store| roster::load(store, &family)).await?;
        let privacy = Privacy { roster: &roster };
        match command.check(&caller.family, &subject, began, &privacy).await {
            Ok(output) => Ok(Safety::Checked(subject, SafetyReasons::new(output, &privacy))),
            Err(error) => {
                tracing::error!(%error, "the safety check failed");
                Err(Failure::safety_check(&format!(
                    "the safety check of the server failed: {error}"
                )))
            }
        }
    }
}
