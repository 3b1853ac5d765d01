//! What an agent offers, from its messages: a line in, lines out.

use serde_json::{Value, json};

use dibber_text::{Message, message};

use super::offered::OfferedSkill;
use crate::acp::read::{Announced, ReadProblem, read_update};
use crate::acp::types::{AvailableCommand, AvailableSkill, SKILLS_CAPABILITY};

/// The most problems that are kept.
const PROBLEMS_MAX: usize = 1000;

/// The ids of the two requests.
const INITIALIZE_ID: &str = "dibber-initialize";
const SESSION_ID: &str = "dibber-session";

/// Why an agent offers nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectorError {
    /// The method that failed.
    pub method: &'static str,
    /// The code of the error.
    pub code: i64,
    /// What the agent says.
    pub message: String,
}

/// Collects what an agent offers.
#[derive(Debug, Default)]
pub struct Collector {
    directory: String,
    skills: Option<Vec<AvailableSkill>>,
    commands: Option<Vec<AvailableCommand>>,
    problems: Vec<ReadProblem>,
    error: Option<CollectorError>,
    has_session: bool,
}

impl Collector {
    /// Creates a collector of a session in this directory, an absolute path.
    pub fn new(directory: impl Into<String>) -> Self {
        Self { directory: directory.into(), ..Self::default() }
    }

    /// Returns the line that begins, without its end.
    pub fn start(&self) -> String {
        let capabilities = json!({"_meta": {SKILLS_CAPABILITY: true}});
        let info = json!({"name": "dibber", "version": env!("CARGO_PKG_VERSION")});
        request(
            INITIALIZE_ID,
            "initialize",
            &json!({"protocolVersion": 1, "clientCapabilities": capabilities, "clientInfo": info}),
        )
    }

    /// Takes a line of the agent. Returns the line to answer, if there is one.
    pub fn line(&mut self, line: &[u8]) -> Option<String> {
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            if !line.trim_ascii().is_empty() {
                self.report("", "the line is not JSON");
            }
            return None;
        };
        match message.as_array() {
            Some(messages) => messages.iter().filter_map(|message| self.message(message)).last(),
            None => self.message(&message),
        }
    }

    fn message(&mut self, message: &Value) -> Option<String> {
        if message.get("method").is_some() {
            self.update(message);
            // What an agent asks for is not there.
            let id = message.get("id").filter(|id| !id.is_null())?;
            let error = json!({"code": -32601, "message": "not available here"});
            return Some(json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string());
        }
        match message["id"].as_str() {
            Some(INITIALIZE_ID) if self.is_success(message, "initialize") => {
                let params = json!({"cwd": self.directory, "mcpServers": []});
                Some(request(SESSION_ID, "session/new", &params))
            }
            Some(SESSION_ID) if self.is_success(message, "session/new") => {
                self.has_session = true;
                // Version 2 has the commands in the answer.
                if let Some(commands) = message["result"].get("availableCommands") {
                    let update = json!({"sessionUpdate": "available_commands_update",
                        "availableCommands": commands});
                    self.update(&json!({"method": "session/update", "params": {
                        "sessionId": message["result"]["sessionId"], "update": update}}));
                }
                None
            }
            _ => None,
        }
    }

    fn is_success(&mut self, message: &Value, method: &'static str) -> bool {
        let Some(error) = message.get("error") else { return true };
        let text = error["message"].as_str().unwrap_or_default().to_owned();
        let code = error["code"].as_i64().unwrap_or_default();
        self.error = Some(CollectorError { method, code, message: text });
        false
    }

    fn update(&mut self, message: &Value) {
        let Some(read) = read_update(message) else { return };
        match read.announced {
            Announced::Skills(skills) => self.skills = Some(skills),
            Announced::Commands(commands) => self.commands = Some(commands),
        }
        for problem in read.problems {
            self.push(problem);
        }
    }

    fn report(&mut self, pointer: &str, message: impl Into<Message>) {
        let (pointer, message) = (pointer.to_owned(), message.into());
        self.push(ReadProblem { pointer, message, is_skipped: true });
    }

    fn push(&mut self, problem: ReadProblem) {
        if self.problems.len() < PROBLEMS_MAX && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Notes that a line was too long to be read.
    pub fn long_line(&mut self, bytes_max: usize) {
        self.report("", message!["a line has more than ", bytes_max >> 20, " MiB"]);
    }

    /// Returns `true` once a list has come.
    pub fn has_list(&self) -> bool {
        self.skills.is_some() || self.commands.is_some()
    }

    /// Returns `true` once there is a session.
    pub fn has_session(&self) -> bool {
        self.has_session
    }

    /// Returns why the agent offers nothing, if it has said so.
    pub fn error(&self) -> Option<&CollectorError> {
        self.error.as_ref()
    }

    /// Returns what is wrong with what the agent has sent.
    pub fn problems(&self) -> &[ReadProblem] {
        &self.problems
    }

    /// Returns the last lists: the skills, and the commands that are not among them, sorted by name.
    pub fn offered(&self) -> Vec<OfferedSkill> {
        let skills = self.skills.iter().flatten();
        let is_skill =
            |command: &&AvailableCommand| skills.clone().any(|skill| skill.name == command.name);
        let commands = self.commands.iter().flatten().filter(|command| !is_skill(command));
        let mut offered: Vec<_> = commands.cloned().map(OfferedSkill::of_command).collect();
        offered.extend(skills.clone().cloned().map(OfferedSkill::of_skill));
        offered.sort_by(|a, b| a.skill.name.cmp(&b.skill.name));
        offered
    }
}

fn request(id: &str, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}
