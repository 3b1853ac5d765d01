//! Typed calls of the eight methods.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::Serialize;
use serde_json::Value;

use super::answers::{RemoteBlob, RemoteFile, RemoteSkill, RemoteSkillsPage, blob_created, guide};
use super::envelope;
use super::exact_output::{self, SplitAnswer};
use super::post::{HttpAnswer, RpcPoster};
use super::rpc_address::rpc_address;
use super::run_answer::RemoteRun;
use crate::address::Address;
use crate::certificate_authority::CertificateAuthority;
use crate::deadline::Deadline;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::failure::Failure;
use crate::header::Header;
use crate::options::Options;
use crate::retry_safety::RetrySafety;
use crate::secrets::Secrets;
use crate::token::Token;
use dibber_skill::contract::skills_protocol::{
    BlobCreated, CreateBlob, DescribeSkill, ExecuteSkill, Guide, LIST_ITEMS_MAX, ListSkills,
    ProtocolMethod, ReadBlob, ReadSkillFile, RunCode,
};

/// The most bytes of an answer (16 MiB).
const ANSWER_BYTES_MAX: usize = 16 << 20;
/// The most bytes of an answer with a blob (512 MiB): in JSON, a content is longer than it is.
const BLOB_ANSWER_BYTES_MAX: usize = 512 << 20;
/// The most pages of a list.
const PAGES_MAX: usize = 10_000;

/// A server of the Skills Protocol, over HTTP.
#[derive(Clone, Debug)]
pub struct RpcServer {
    /// The URL of its endpoint, or of the MCP endpoint beside it.
    pub url: Address,
    /// The bearer token, if the server requires one.
    pub token: Option<Token>,
    /// More headers of every request.
    pub headers: Vec<Header>,
    /// The authority that has signed its certificate; none for those of the system.
    pub authority: Option<CertificateAuthority>,
}

/// A client of one server of the Skills Protocol.
pub struct SkillsProtocolClient {
    poster: RpcPoster,
    secrets: Secrets,
    options: Options,
    next_id: AtomicU64,
    has_masked: AtomicBool,
}

impl SkillsProtocolClient {
    /// Creates a client; nothing is sent before the first call.
    ///
    /// # Errors
    /// If a token would be sent without encryption, or the certificates cannot be used.
    pub fn new(server: RpcServer, options: Options) -> Result<Self, ClientError> {
        let RpcServer { url, token, headers, authority } = server;
        let url = rpc_address(url);
        let secrets = Secrets::of(&Endpoint::Http {
            url: url.clone(),
            token: token.clone(),
            sign_in: None,
            headers: headers.clone(),
            authority: authority.clone(),
        });
        let poster = RpcPoster::new(url, token, headers, authority.as_ref(), options.timeout)?;
        let (next_id, has_masked) = (AtomicU64::new(1), AtomicBool::new(false));
        Ok(Self { poster, secrets, options, next_id, has_masked })
    }

    /// Returns the URL of the endpoint.
    pub const fn url(&self) -> &Address {
        self.poster.url()
    }

    /// Returns `true` if an answer had a secret that was sent to the server, which is masked in it.
    pub fn has_masked(&self) -> bool {
        self.has_masked.load(Ordering::Relaxed)
    }

    /// Lists a page of skills.
    pub async fn list(&self, call: &ListSkills) -> Result<RemoteSkillsPage, ClientError> {
        self.call(ProtocolMethod::ListSkills, call, RemoteSkillsPage::parse).await
    }

    /// Lists skills from all pages, until there are this many. The cursor of the result is where the
    /// rest begins. If a later page cannot be read, its error is beside what was listed before.
    pub async fn list_up_to(
        &self,
        first: &ListSkills,
        limit: usize,
    ) -> Result<(RemoteSkillsPage, Option<ClientError>), ClientError> {
        let mut listed = RemoteSkillsPage::default();
        let mut call = first.clone();
        for _ in 0..PAGES_MAX {
            let missing = u32::try_from(limit - listed.skills.len().min(limit));
            call.limit = Some(missing.unwrap_or(u32::MAX).min(LIST_ITEMS_MAX));
            let page = match self.list(&call).await {
                Ok(page) => page,
                Err(error) if call.cursor == first.cursor => return Err(error),
                Err(error) => {
                    listed.next_cursor = call.cursor;
                    return Ok((listed, Some(error)));
                }
            };
            listed.skills.extend(page.skills);
            listed.unreadable += page.unreadable;
            listed.warnings.extend(page.warnings);
            listed.warnings.dedup();
            if listed.skills.len() + listed.unreadable >= limit || page.next_cursor.is_none() {
                listed.next_cursor = page.next_cursor;
                return Ok((listed, None));
            }
            if page.next_cursor == call.cursor {
                let message = "its list does not end: the cursor of a page leads to the same page";
                return Ok((listed, Some(ClientError::Protocol(message.to_owned()))));
            }
            call.cursor = page.next_cursor;
        }
        // The cursor is where the rest begins.
        listed.next_cursor = call.cursor;
        Ok((listed, None))
    }

    /// Describes a skill.
    pub async fn describe(&self, call: &DescribeSkill) -> Result<RemoteSkill, ClientError> {
        let parse = |result: &Value| RemoteSkill::parse(result, &call.name);
        self.call(ProtocolMethod::DescribeSkill, call, parse).await
    }

    /// Reads a file of a skill.
    pub async fn read_file(&self, call: &ReadSkillFile) -> Result<RemoteFile, ClientError> {
        let parse = |result: &Value| RemoteFile::parse(result, &call.path);
        self.call(ProtocolMethod::ReadSkillFile, call, parse).await
    }

    /// Runs a skill.
    pub async fn execute(&self, call: &ExecuteSkill) -> Result<RemoteRun, ClientError> {
        self.run(ProtocolMethod::ExecuteSkill, call).await
    }

    /// Runs code.
    pub async fn run_code(&self, call: &RunCode) -> Result<RemoteRun, ClientError> {
        self.run(ProtocolMethod::RunCode, call).await
    }

    /// Stores a blob.
    pub async fn create_blob(&self, call: &CreateBlob) -> Result<BlobCreated, ClientError> {
        self.call(ProtocolMethod::CreateBlob, call, blob_created).await
    }

    /// Reads a blob.
    pub async fn read_blob(&self, call: &ReadBlob) -> Result<RemoteBlob, ClientError> {
        let parse = |result: &Value| RemoteBlob::parse(result, call);
        self.call(ProtocolMethod::ReadBlob, call, parse).await
    }

    /// Reads the guide for models.
    pub async fn guide(&self) -> Result<Guide, ClientError> {
        let none = serde_json::Map::new();
        self.call(ProtocolMethod::LoadSkillsProtocolGuide, &none, guide).await
    }

    async fn run(
        &self,
        method: ProtocolMethod,
        params: &impl Serialize,
    ) -> Result<RemoteRun, ClientError> {
        let read = |id: u64, mut answer: HttpAnswer| {
            let split = exact_output::split(&answer.body);
            let output = split.map(|SplitAnswer { rest, output }| {
                answer.body = rest;
                output
            });
            let mut run = RemoteRun::parse(&self.result(id, &answer)?)?;
            if let Some(output) = output {
                let masked = self.secrets.mask_part(output.clone());
                self.note_masked(masked != output);
                (run.output, run.exact_output) = (None, Some(masked));
            }
            Ok(run)
        };
        self.exchange(method, params, read).await
    }

    async fn call<T>(
        &self,
        method: ProtocolMethod,
        params: &impl Serialize,
        parse: impl Fn(&Value) -> Result<T, Failure>,
    ) -> Result<T, ClientError> {
        let read = |id: u64, answer: HttpAnswer| parse(&self.result(id, &answer)?);
        self.exchange(method, params, read).await
    }

    /// Returns the result in an answer, with the secrets masked.
    fn result(&self, id: u64, answer: &HttpAnswer) -> Result<Value, Failure> {
        let mut result = envelope::result(id, answer)?;
        self.note_masked(self.secrets.mask_result(&mut result));
        Ok(result)
    }

    fn note_masked(&self, is_masked: bool) {
        if is_masked {
            self.has_masked.store(true, Ordering::Relaxed);
        }
    }

    async fn exchange<T>(
        &self,
        method: ProtocolMethod,
        params: &impl Serialize,
        read: impl Fn(u64, HttpAnswer) -> Result<T, Failure>,
    ) -> Result<T, ClientError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let body = envelope::request(id, method, params)?;
        let safety = if method.is_repeatable() { RetrySafety::ReadOnly } else { RetrySafety::Once };
        let bytes_max = match method {
            ProtocolMethod::ReadBlob => BLOB_ANSWER_BYTES_MAX,
            _ => ANSWER_BYTES_MAX,
        };
        let Options { timeout, retry, clock } = self.options;
        let deadline = Deadline::after(timeout);
        let request = self.poster.request(body);
        let attempt = || async {
            let answered = async {
                let answer = RpcPoster::send(&request, bytes_max).await?;
                read(id, answer)
            };
            let answered = deadline.with_timeout::<_, Failure>(answered).await;
            answered.map_err(|failure| failure.with_retry_safety(safety))
        };
        let done = retry.until_done(deadline, clock, attempt).await;
        done.map_err(|error| self.secrets.mask_error(error))
    }
}
