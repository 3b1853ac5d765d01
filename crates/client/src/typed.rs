//! A typed call for each tool of the contract.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::client::Client;
use super::dry_run::DryRun;
use super::error::ClientError;
use super::journal::Operation;
use super::listing::Listed;
use super::retry_safety::RetrySafety;
use super::sent_form::{
    complete_description, complete_found, complete_health, complete_heartbeat, complete_item,
};
use super::tool_info::ToolInfo;
use super::tool_result::ToolResult;
use super::unreadable_item::cause;
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    DescribeMode, ErrorCode, HEARTBEAT_CREATE, HEARTBEAT_DUE, HEARTBEAT_UPDATE, Health,
    HeartbeatCreate, HeartbeatDescribe, HeartbeatDescription, HeartbeatDue, HeartbeatDueAnswer,
    HeartbeatListArguments, HeartbeatListItem, HeartbeatUpdate, MissedFires, Page, ResultPosted,
    SKILL_POST_RESULT, SKILL_UPDATE, SKILL_WRITE, SkillFound, SkillGet, SkillId, SkillInvoke,
    SkillInvoked, SkillListArguments, SkillListItem, SkillPostResult, SkillUpdate,
    SkillUpdateArguments, SkillWrite, SkillWriteArguments, StoredSkill,
};

/// The answer of a `skill_write` that wrote.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Commit {
    /// The skill.
    pub(crate) skill_id: SkillId,
    /// The content hash of the skill. Other servers do not have it.
    #[serde(default)]
    pub(crate) content_hash: Option<String>,
}

impl Client {
    /// `skill_write` with `dryRun`: nothing is written, nor sent if the schema of the tool lacks that
    /// argument, as a server that does not know it might write.
    pub async fn skill_dry_run(&self, skill: &SkillWrite) -> Result<DryRun, ClientError> {
        let tools = self.tools().await?;
        if ToolInfo::find(&tools, SKILL_WRITE).is_some_and(|tool| tool.lacks_argument("dryRun")) {
            return Err(ClientError::NoPreview);
        }
        let skill = self.accepted(skill).await?.into_owned();
        let arguments = SkillWriteArguments { skill, dry_run: Some(true), spec_hash: None };
        self.typed(SKILL_WRITE, object(&arguments)).await
    }

    /// Returns `true` if the schema of `skill_write` has other arguments, and no response model.
    pub(crate) async fn lacks_response_models(&self) -> Result<bool, ClientError> {
        let tools = self.tools().await?;
        let tool = ToolInfo::find(&tools, SKILL_WRITE);
        Ok(tool.is_some_and(|tool| tool.lacks_argument("responseModel")))
    }

    /// Takes from a heartbeat what the server has no argument for: what runs of missed times. Returns
    /// it if it is not the default, which is what such a server is taken to do.
    pub async fn take_unsent(
        &self,
        create: &mut HeartbeatCreate,
    ) -> Result<Option<MissedFires>, ClientError> {
        if create.missed_fires.is_none() {
            return Ok(None);
        }
        let tools = self.tools().await?;
        let tool = ToolInfo::find(&tools, HEARTBEAT_CREATE);
        let is_lacking = tool.is_some_and(|tool| tool.lacks_argument("missedFires"));
        let taken = if is_lacking { create.missed_fires.take() } else { None };
        Ok(taken.filter(|taken| *taken != MissedFires::default()))
    }

    /// Returns `true` if the schema of `heartbeat_update` can change what runs of missed times.
    pub(crate) async fn edits_missed_fires(&self) -> Result<bool, ClientError> {
        let tools = self.tools().await?;
        let tool = ToolInfo::find(&tools, HEARTBEAT_UPDATE);
        Ok(tool.is_some_and(|tool| tool.has_argument("missedFires")))
    }

    /// Returns a skill as it is sent: without its response model if the server takes none.
    pub(crate) async fn accepted<'s>(
        &self,
        skill: &'s SkillWrite,
    ) -> Result<Cow<'s, SkillWrite>, ClientError> {
        if skill.response_model.is_some() && self.lacks_response_models().await? {
            return Ok(Cow::Owned(SkillWrite { response_model: None, ..skill.clone() }));
        }
        Ok(Cow::Borrowed(skill))
    }

    /// `skill_update` with `dryRun`: nothing is written. None if the server does not list that
    /// argument; a server that does not know it might write.
    pub async fn skill_update_dry_run(
        &self,
        update: &SkillUpdate,
    ) -> Result<Option<DryRun>, ClientError> {
        let tools = self.tools().await?;
        let tool = ToolInfo::find(&tools, SKILL_UPDATE);
        if !tool.is_some_and(|tool| tool.has_argument("dryRun") && tool.has_argument("specHash")) {
            return Ok(None);
        }
        let update = update.clone();
        let arguments =
            SkillUpdateArguments { update, dry_run: Some(true), ..SkillUpdateArguments::default() };
        self.typed(SKILL_UPDATE, object(&arguments)).await.map(Some)
    }

    /// `skill_list`: one page.
    pub async fn skill_list(
        &self,
        list: &SkillListArguments,
    ) -> Result<Listed<SkillListItem>, ClientError> {
        let page = self.typed("skill_list", object(list)).await?;
        let mut page: Page<Value> = page;
        page.items.iter_mut().for_each(complete_item);
        Ok(Listed::from_page(page))
    }

    /// `skill_get`. Whether the skill is archived may be in the list alone.
    pub async fn skill_get(&self, skill_id: &SkillId) -> Result<SkillFound, ClientError> {
        let arguments = SkillGet { skill_id: skill_id.clone() };
        let safety = RetrySafety::ReadOnly;
        let answer = self.send("skill_get", &object(&arguments), Some(safety)).await?;
        if answer.is_masked() {
            self.note_masked(skill_id.as_str());
        }
        let mut found = answer.into_value();
        complete_found(&mut found);
        let found = read_value("skill_get", &found, safety);
        let found: SkillFound = found.map_err(|error| self.without_secrets(error))?;
        let id = &found.skill.skill_id;
        if id != skill_id {
            let cause = format!("the answer of `skill_get` for `{skill_id}` is about `{id}`");
            return Err(ClientError::Protocol(cause));
        }
        Ok(found)
    }

    /// Returns a skill; none if it does not exist or `skill_get` says that it is archived.
    pub async fn active_skill(
        &self,
        skill_id: &SkillId,
    ) -> Result<Option<StoredSkill>, ClientError> {
        match self.skill_get(skill_id).await {
            Ok(found) if found.skill.is_archived() => Ok(None),
            Ok(found) => Ok(Some(found.skill)),
            Err(ClientError::Refused(error)) if error.code == ErrorCode::DomainNotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Fails if a skill is no longer the one that was read. Only a server of this program compares
    /// `expectedHash`; with another one, a change could be overwritten that was made while a user
    /// was asked.
    pub async fn check_unchanged(&self, read: &StoredSkill) -> Result<(), ClientError> {
        if self.is_server_of_dibber().await? {
            return Ok(());
        }
        let now = self.skill_get(&read.skill_id).await?.skill;
        let is_same = now.archived == read.archived
            && ContentHash::of_stored(&now) == ContentHash::of_stored(read);
        if is_same { Ok(()) } else { Err(ClientError::SkillChanged(read.skill_id.clone())) }
    }

    /// `skill_invoke`.
    pub async fn skill_invoke(&self, invoke: &SkillInvoke) -> Result<SkillInvoked, ClientError> {
        self.typed("skill_invoke", object(invoke)).await
    }

    /// `skill_post_result`.
    pub async fn skill_post_result(
        &self,
        post: &SkillPostResult,
        operation: &Operation,
    ) -> Result<ResultPosted, ClientError> {
        // No tool lists results, so nothing can be found. To resume is the user's decision.
        let find = async || Ok(None);
        match self.create_or_find((SKILL_POST_RESULT, post), operation, find).await {
            Err(ClientError::MayBeCreatedLater(cause)) => Err(ClientError::MayBePosted(cause)),
            posted => posted,
        }
    }

    /// `heartbeat_describe` of a heartbeat to be created.
    pub async fn describe_create(
        &self,
        create: &HeartbeatCreate,
    ) -> Result<HeartbeatDescription, ClientError> {
        let arguments = HeartbeatDescribe {
            mode: DescribeMode::Create,
            payload: Some(create.clone()),
            patch: None,
            heartbeat_id: None,
        };
        let mut described = self.describe(&arguments).await?;
        if described.preview.skill_id.as_str().is_empty() {
            described.preview.skill_id.clone_from(&create.run_skill_id);
        }
        Ok(described)
    }

    /// `heartbeat_describe` of a change.
    pub async fn describe_update(
        &self,
        update: &HeartbeatUpdate,
    ) -> Result<HeartbeatDescription, ClientError> {
        let arguments = HeartbeatDescribe {
            mode: DescribeMode::Update,
            payload: None,
            patch: Some(object(&update.change)),
            heartbeat_id: Some(update.heartbeat_id.clone()),
        };
        self.describe(&arguments).await
    }

    async fn describe(
        &self,
        arguments: &HeartbeatDescribe,
    ) -> Result<HeartbeatDescription, ClientError> {
        let tool = "heartbeat_describe";
        let mut described = self.typed(tool, object(arguments)).await?;
        complete_description(&mut described);
        let described = read_value(tool, &described, RetrySafety::ReadOnly);
        described.map_err(|error| self.without_secrets(error))
    }

    /// `heartbeat_list`: one page.
    pub async fn heartbeat_list(
        &self,
        list: &HeartbeatListArguments,
    ) -> Result<Listed<HeartbeatListItem>, ClientError> {
        let page = self.typed("heartbeat_list", object(list)).await?;
        let mut page: Page<Value> = page;
        page.items.iter_mut().for_each(complete_heartbeat);
        Ok(Listed::from_page(page))
    }

    /// `heartbeat_due`, to list runs.
    pub async fn heartbeat_runs(
        &self,
        list: &HeartbeatDue,
    ) -> Result<HeartbeatDueAnswer, ClientError> {
        self.typed(HEARTBEAT_DUE, object(list)).await
    }

    /// `heartbeat_due`, to claim a run or to end it.
    pub async fn change_run(
        &self,
        change: &HeartbeatDue,
        operation: &Operation,
    ) -> Result<HeartbeatDueAnswer, ClientError> {
        // The key of the call answers a repetition; what another call did is not this one's.
        let find = async || Ok(None);
        self.change_or_find((HEARTBEAT_DUE, change), operation, find).await
    }

    /// `mcp_health`. Other servers may answer with the status alone.
    pub async fn health(&self) -> Result<Health, ClientError> {
        let tool = "mcp_health";
        let mut health = self.typed(tool, Map::new()).await?;
        complete_health(&mut health);
        let health = read_value(tool, &health, RetrySafety::ReadOnly);
        health.map_err(|error| self.without_secrets(error))
    }

    /// A tool without arguments: `mcp_whoami`, `family_query_overview`.
    pub async fn ask<T: DeserializeOwned>(&self, tool: &str) -> Result<T, ClientError> {
        self.typed(tool, Map::new()).await
    }

    /// Calls a tool of the contract that changes nothing.
    pub(super) async fn typed<T: DeserializeOwned>(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<T, ClientError> {
        let safety = RetrySafety::ReadOnly;
        let answer = self.send(tool, &arguments, Some(safety)).await?;
        if answer.is_masked() {
            self.note_masked(tool);
        }
        read_answer(tool, answer, safety).map_err(|error| self.without_secrets(error))
    }
}

/// Reads the answer of a tool of the contract.
pub(super) fn read_answer<T: DeserializeOwned>(
    tool: &str,
    answer: ToolResult,
    safety: RetrySafety<'_>,
) -> Result<T, ClientError> {
    read_value(tool, &answer.into_value(), safety)
}

fn read_value<T: DeserializeOwned>(
    tool: &str,
    answer: &Value,
    safety: RetrySafety<'_>,
) -> Result<T, ClientError> {
    T::deserialize(answer).map_err(|error| {
        let cause = format!("the answer of `{tool}`: {}", cause::<T>(answer, &error));
        match safety {
            RetrySafety::ReadOnly => ClientError::Protocol(cause),
            _ => ClientError::OutcomeUnknown(cause),
        }
    })
}

/// Returns the arguments of a `skill_write` that writes the skill of a dry-run with this hash, in
/// whatever form the server writes it.
pub(crate) fn commit_arguments(skill: &SkillWrite, spec_hash: &str) -> Map<String, Value> {
    let spec_hash = Some(spec_hash.to_owned());
    object(&SkillWriteArguments { skill: skill.clone(), dry_run: None, spec_hash })
}

/// Returns the arguments of a `skill_update` that changes a skill, with the hash of its dry-run if there
/// was one.
pub(super) fn update_arguments(
    update: &SkillUpdate,
    spec_hash: Option<&str>,
) -> SkillUpdateArguments {
    let (update, spec_hash) = (update.clone(), spec_hash.map(str::to_owned));
    SkillUpdateArguments { update, spec_hash, ..SkillUpdateArguments::default() }
}

/// Returns arguments as they are sent.
pub(super) fn object(arguments: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(arguments) {
        Ok(Value::Object(object)) => object,
        _ => unreachable!("arguments are an object"),
    }
}
