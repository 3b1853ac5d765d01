//! The state between an editor and an agent: a line in, lines out.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde_json::Value;
use serde_json::value::RawValue;

use super::edit::{Edit, apply};
use super::expand::{called, expanded};
use super::message::{
    Block, InSession, Initialized, Message, Update, WithMeta, id_key, messages, parse,
};
use super::proxy_skill::{ProxySkill, ReadBody};
use super::session::Session;
use crate::acp::announce::{Form, is_announced, update};
use crate::acp::types::{SKILLS_CAPABILITY, UpdateNotification};
use crate::acp::version::Version;

/// The most requests whose answers are waited for.
const PENDING_MAX: usize = 1000;

/// The most sessions that are kept. Of more, the oldest is forgotten: its lists are extended when they
/// pass, and not sent again when folders change.
const SESSIONS_MAX: usize = 1000;

/// The longest id of a session that is kept.
const SESSION_ID_BYTES_MAX: usize = 1024;

/// The requests whose answer begins a session.
const SESSION_METHODS: [&str; 4] =
    ["session/new", "session/load", "session/resume", "session/fork"];

/// The requests that end a session.
const END_METHODS: [&str; 2] = ["session/close", "session/delete"];

/// What is between an editor and an agent, and adds skills to what the agent announces.
#[derive(Debug, Default)]
pub struct Proxy {
    /// Sorted by name, each name once.
    skills: Vec<ProxySkill>,
    version: Version,
    client_knows_skills: bool,
    pending: HashMap<String, Pending>,
    sessions: BTreeMap<String, Session>,
    /// How many sessions there were.
    count: u64,
}

/// A request whose answer is waited for.
#[derive(Debug)]
enum Pending {
    Initialize,
    /// A session, with its id if the request has it.
    Session(Option<String>),
}

/// A line of an agent, and those that follow it.
#[derive(Debug)]
pub struct AgentLines<'a> {
    /// The line, without its end.
    pub line: Cow<'a, [u8]>,
    /// Lines of the proxy, without their ends.
    pub after: Vec<String>,
}

impl Proxy {
    /// Creates a proxy that adds these skills. Those without a valid name and those that a user does
    /// not call are not commands; of several with one name, the first is added.
    pub fn new(skills: Vec<ProxySkill>) -> Self {
        let mut proxy = Self::default();
        proxy.replace_skills(skills);
        proxy
    }

    /// Returns the line of an editor as the agent gets it: a call of a skill is replaced by the skill.
    pub fn client_line<'a>(&mut self, line: &'a [u8], read: &mut ReadBody) -> Cow<'a, [u8]> {
        let Ok(text) = std::str::from_utf8(line) else { return Cow::Borrowed(line) };
        let messages = messages(text).into_iter();
        let edits = messages.filter_map(|message| self.client_message(text, message, read));
        apply(text, edits.collect())
    }

    fn client_message(
        &mut self,
        line: &str,
        message: &RawValue,
        read: &mut ReadBody,
    ) -> Option<Edit> {
        let message: Message = parse(message)?;
        let method = message.method.as_deref()?;
        if method == "session/prompt" {
            return self.prompt(line, message.params?, read);
        }
        if method == "initialize" {
            let params: Value = parse(message.params?)?;
            self.client_knows_skills = knows_skills(&params);
            self.expect(message.id, Pending::Initialize);
        } else if SESSION_METHODS.contains(&method) {
            let params = message.params.and_then(parse::<InSession>).unwrap_or_default();
            let of_request = params
                .session_id
                .filter(|id| method != "session/fork" && id.len() <= SESSION_ID_BYTES_MAX);
            self.expect(message.id, Pending::Session(of_request.map(Cow::into_owned)));
        } else if END_METHODS.contains(&method) {
            let params: InSession = parse(message.params?)?;
            self.sessions.remove(&*params.session_id?);
        }
        None
    }

    fn expect(&mut self, id: Option<&RawValue>, pending: Pending) {
        if self.pending.len() < PENDING_MAX
            && let Some(key) = id.and_then(id_key)
        {
            self.pending.insert(key, pending);
        }
    }

    fn prompt(&self, line: &str, params: &RawValue, read: &mut ReadBody) -> Option<Edit> {
        let params: InSession = parse(params)?;
        let blocks: Vec<&RawValue> = parse(params.prompt?)?;
        let block: Block = parse(blocks.first()?)?;
        let raw = block.text.filter(|_| block.kind == "text")?;
        let text: Cow<str> = parse(raw)?;
        let (name, arguments) = called(&text)?;
        let unknown = Session::default();
        let session = params.session_id.and_then(|id| self.sessions.get(&*id)).unwrap_or(&unknown);
        let skill = session.skill(name, &self.skills)?;
        let text = expanded(&skill.directory, &read(skill)?, arguments);
        Some(Edit::replace(line, raw, Value::String(text).to_string()))
    }

    /// Returns the line of an agent as the editor gets it: with the skills among the commands.
    pub fn agent_line<'a>(&mut self, line: &'a [u8]) -> AgentLines<'a> {
        let unchanged = AgentLines { line: Cow::Borrowed(line), after: Vec::new() };
        let Ok(text) = std::str::from_utf8(line) else { return unchanged };
        if self.pending.is_empty() && !text.contains("available_commands_update") {
            return unchanged;
        }
        let (mut edits, mut after) = (Vec::new(), Vec::new());
        for message in messages(text) {
            let Some(message) = parse::<Message>(message) else { continue };
            match message.method.as_deref() {
                Some("session/update") => edits.extend(self.update(text, &message)),
                Some(_) => {}
                None => edits.extend(self.answer(text, &message, &mut after)),
            }
        }
        AgentLines { line: apply(text, edits), after }
    }

    fn update(&mut self, line: &str, message: &Message) -> Option<Edit> {
        let params: InSession = parse(message.params?)?;
        let update: Update = parse(params.update?)?;
        let list = update.available_commands?;
        if update.session_update != "available_commands_update" {
            return None;
        }
        let id = params.session_id?;
        self.remember(&id);
        let session = self.sessions.get_mut(&*id)?;
        if !session.set_commands(list) {
            return None;
        }
        self.extend_list(line, list, &id)
    }

    /// Adds the skills to a list of commands that passes.
    fn extend_list(&mut self, line: &str, list: &RawValue, id: &str) -> Option<Edit> {
        let session = self.sessions.get_mut(id)?;
        let added = session.additions(&self.skills, self.version);
        if added.is_empty() {
            return None;
        }
        session.has_skills = true;
        let is_empty = list.get()[1..].trim_start().starts_with(']');
        let added = if is_empty { added } else { format!(",{added}") };
        Some(Edit::before_closing(line, list, added))
    }

    fn answer(&mut self, line: &str, message: &Message, after: &mut Vec<String>) -> Option<Edit> {
        let pending = self.pending.remove(&id_key(message.id?)?)?;
        if message.error.is_some() {
            return None;
        }
        match pending {
            Pending::Initialize => self.initialized(line, message.result?),
            Pending::Session(of_request) => {
                // That of `session/load` may be null.
                let result = message.result.and_then(parse::<InSession>).unwrap_or_default();
                let id = result.session_id.map(Cow::into_owned).or(of_request)?;
                self.remember(&id);
                let session = self.sessions.get_mut(&id)?;
                let list = result.available_commands.filter(|list| session.set_commands(list));
                let edit = list.and_then(|list| self.extend_list(line, list, &id));
                // Version 2 has the list in the answer.
                if edit.is_none() {
                    after.extend(self.announce(&id));
                }
                after.extend(self.announce_skills(&id));
                edit
            }
        }
    }

    fn remember(&mut self, id: &str) {
        if id.len() > SESSION_ID_BYTES_MAX || self.sessions.contains_key(id) {
            return;
        }
        if self.sessions.len() == SESSIONS_MAX {
            let oldest = self.sessions.iter().min_by_key(|(_, session)| session.number);
            if let Some(id) = oldest.map(|(id, _)| id.clone()) {
                self.sessions.remove(&id);
            }
        }
        self.count += 1;
        self.sessions.insert(id.to_owned(), Session::new(self.count));
    }

    /// Notes the version, and adds to the capabilities of the agent that its skills are announced.
    fn initialized(&mut self, line: &str, result: &RawValue) -> Option<Edit> {
        let result: Initialized = parse(result)?;
        self.version = if result.protocol_version >= 2 { Version::V2 } else { Version::V1 };
        let capabilities = result.agent_capabilities.or(result.capabilities)?;
        if !self.client_knows_skills {
            return None;
        }
        let member = format!("\"{SKILLS_CAPABILITY}\":true");
        let (object, member) = match parse::<WithMeta>(capabilities)?.meta {
            Some(meta) => (meta, member),
            None => (capabilities, format!("\"_meta\":{{{member}}}")),
        };
        let fields = object.get().strip_prefix('{')?;
        let separator = if fields.trim_start().starts_with('}') { "" } else { "," };
        Some(Edit::after_opening(line, object, member + separator))
    }

    /// Replaces the skills. Returns the lines that tell the editor, in each session.
    pub fn set_skills(&mut self, skills: Vec<ProxySkill>) -> Vec<String> {
        if !self.replace_skills(skills) {
            return Vec::new();
        }
        let ids: Vec<String> = self.sessions.keys().cloned().collect();
        let announce = |id: &String| [self.announce(id), self.announce_skills(id)];
        ids.iter().flat_map(announce).flatten().collect()
    }

    /// Returns `true` if they differ from those before.
    fn replace_skills(&mut self, mut skills: Vec<ProxySkill>) -> bool {
        skills.retain(|skill| {
            is_announced(&skill.description) && skill.description.flags.user_invocable
        });
        skills.sort_by(|a, b| (a.name(), &a.directory).cmp(&(b.name(), &b.directory)));
        skills.dedup_by(|later, first| later.name() == first.name());
        let has_changed = skills != self.skills;
        self.skills = skills;
        has_changed
    }

    /// Returns the line with the commands of a session.
    fn announce(&mut self, id: &str) -> Option<String> {
        let session = self.sessions.get_mut(id)?;
        if self.skills.is_empty() && !session.has_skills {
            return None;
        }
        let list = session.merged(&self.skills, self.version)?;
        session.has_skills = true;
        let id = Value::from(id);
        let update = format!(
            r#"{{"sessionUpdate":"available_commands_update","availableCommands":{list}}}"#
        );
        let params = format!(r#"{{"sessionId":{id},"update":{update}}}"#);
        Some(format!(r#"{{"jsonrpc":"2.0","method":"session/update","params":{params}}}"#))
    }

    /// Returns the line with the skills of a session, for an editor that knows such lines.
    fn announce_skills(&self, id: &str) -> Option<String> {
        if !self.client_knows_skills {
            return None;
        }
        let form = match self.version {
            Version::V1 => Form::Skills,
            Version::V2 => Form::CustomSkills,
        };
        let skills = self.skills.iter().map(|skill| &skill.description);
        Some(UpdateNotification::new(id, update(skills, form)).to_line())
    }
}

/// Returns `true` if the parameters of `initialize` say that the editor knows skills.
fn knows_skills(params: &Value) -> bool {
    ["clientCapabilities", "capabilities"].iter().any(|key| {
        let value = &params[key]["_meta"][SKILLS_CAPABILITY];
        value.is_object() || value == &Value::Bool(true)
    })
}
