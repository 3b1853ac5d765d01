//! The requests of the extension.

use serde_json::Value;

use super::error::ServedSkillError;
use super::served::{ServedSkill, ServedSkills};
use crate::client::Client;
use crate::connection::List;
use crate::error::ClientError;
use crate::failure::Failure;

impl Client {
    /// Lists the skills of the server.
    ///
    /// # Errors
    /// [`ClientError::UnknownMethod`] if the server does not declare the extension.
    pub async fn served_skills(&self) -> Result<ServedSkills, ClientError> {
        self.expect_skills().await?;
        Ok(ServedSkills::parse(&self.all(List::Skills).await?))
    }

    /// Returns the skill whose `SKILL.md` has this URI, whether it is listed or not.
    pub async fn served_skill(&self, uri: &str) -> Result<ServedSkill, ServedSkillError> {
        self.expect_skills().await?;
        let get = |deadline| async move {
            let connection = self.connection(deadline).await?;
            let got = connection.skill(uri, deadline).await;
            self.drop_if_broken(&connection, got)
        };
        let answer: Value = self.until_done(get).await?;
        let skill = ServedSkill::parse(answer.get("skill").unwrap_or(&Value::Null));
        let skill = skill.map_err(ServedSkillError::skill)?;
        if skill.uri != uri {
            return Err(ServedSkillError::skill("the server answers with another skill"));
        }
        Ok(skill)
    }

    /// Returns what is directly in a directory of a skill, as the server sent it.
    pub(super) async fn served_directory(&self, uri: &str) -> Result<Vec<Value>, ClientError> {
        self.all(List::Directory(uri)).await
    }

    async fn expect_skills(&self) -> Result<(), ClientError> {
        let check = |deadline| async move {
            let connection = self.connection(deadline).await?;
            if connection.offers_skills() {
                return Ok(());
            }
            let cause = "it has no skills as resources of MCP (io.modelcontextprotocol/skills)";
            Err(Failure::permanent(ClientError::UnknownMethod(cause.to_owned())))
        };
        self.until_done(check).await
    }
}
