//! Reading what an agent announces, which may be anything.
//!
//! An item that is wrong is skipped, and what is wrong with it is said with its path; a list replaces the
//! one before.

use dibber_skill::skill::name;
use dibber_text::{Message, json_pointer, message, quote};
use serde_json::{Map, Value};

use super::types::{AvailableCommand, AvailableSkill, METADATA_KEY, SESSION_UPDATE};
use crate::description::{COMPATIBILITY_CHARACTERS_MAX, DESCRIPTION_CHARACTERS_MAX};

/// The most items of a list that are read.
pub const ITEMS_MAX: usize = 10_000;

/// The tags of updates with skills.
const SKILLS_TAGS: [&str; 2] = ["available_skills_update", "_dibber/available_skills_update"];

/// The tag of updates with commands.
const COMMANDS_TAG: &str = "available_commands_update";

/// What is wrong with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadProblem {
    /// The JSON Pointer of the place in the message.
    pub pointer: String,
    /// What is wrong there.
    pub message: Message,
    /// The item is not listed.
    pub is_skipped: bool,
}

/// What an update announces.
#[derive(Clone, Debug, PartialEq)]
pub enum Announced {
    /// The skills, all of them.
    Skills(Vec<AvailableSkill>),
    /// The commands, all of them.
    Commands(Vec<AvailableCommand>),
}

/// An update that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadUpdate {
    /// The session; none if the message does not name it.
    pub session_id: Option<String>,
    /// What there is now.
    pub announced: Announced,
    /// What is wrong with it.
    pub problems: Vec<ReadProblem>,
}

/// Reads a message; none if it announces neither skills nor commands.
///
/// The update may be nested below `params.update`, as the protocol says, or be in `params`, as the
/// proposal of skills shows it.
pub fn read_update(message: &Value) -> Option<ReadUpdate> {
    let params = message.get("params").filter(|_| message["method"] == SESSION_UPDATE)?;
    let mut reader = Reader { problems: Vec::new() };
    let (update, path) = match params.get("update") {
        Some(update) => (update, "/params/update"),
        None => (params, "/params"),
    };
    let tag = update.get("sessionUpdate")?.as_str()?;
    let is_skills = SKILLS_TAGS.contains(&tag);
    if !is_skills && tag != COMMANDS_TAG {
        return None;
    }
    if path == "/params" {
        reader.report(path, "the update is not in `update`", false);
    }
    let session_id = params.get("sessionId").and_then(Value::as_str).map(str::to_owned);
    if session_id.is_none() {
        reader.report("/params/sessionId", "it is not a string", false);
    }
    let announced = if is_skills {
        Announced::Skills(reader.items(update, path, "availableSkills", Reader::skill))
    } else {
        Announced::Commands(reader.items(update, path, "availableCommands", Reader::command))
    };
    Some(ReadUpdate { session_id, announced, problems: reader.problems })
}

struct Reader {
    problems: Vec<ReadProblem>,
}

impl Reader {
    fn report(&mut self, pointer: &str, message: impl Into<Message>, is_skipped: bool) {
        let message = message.into();
        self.problems.push(ReadProblem { pointer: pointer.to_owned(), message, is_skipped });
    }

    fn items<T>(
        &mut self,
        update: &Value,
        path: &str,
        key: &str,
        read: fn(&mut Self, &Map<String, Value>, &str) -> Option<T>,
    ) -> Vec<T> {
        let path = format!("{path}/{key}");
        let Some(list) = update.get(key).and_then(Value::as_array) else {
            self.report(&path, "it is not a list", true);
            return Vec::new();
        };
        if list.len() > ITEMS_MAX {
            let message =
                message!["it has more than ", ITEMS_MAX, " items; the others are skipped"];
            self.report(&path, message, true);
        }
        let mut items = Vec::new();
        for (at, item) in list.iter().take(ITEMS_MAX).enumerate() {
            let path = format!("{path}/{at}");
            match item.as_object() {
                Some(object) => items.extend(read(self, object, &path)),
                None => self.report(&path, "it is not an object", true),
            }
        }
        items
    }

    fn skill(&mut self, item: &Map<String, Value>, path: &str) -> Option<AvailableSkill> {
        let (name, description) = (self.name(item, path)?, self.description(item, path)?);
        let license = self.optional(item, path, "license");
        let compatibility = self.optional(item, path, "compatibility");
        if let Some(text) = &compatibility {
            self.check_length(text, COMPATIBILITY_CHARACTERS_MAX, path, "compatibility");
        }
        let allowed_tools = self.tools(item, path);
        let mut meta = self.meta(item, path);
        if let Some(metadata) = item.get("metadata").filter(|metadata| metadata.is_object())
            && !meta.contains_key(METADATA_KEY)
        {
            meta.insert(METADATA_KEY.to_owned(), metadata.clone());
        }
        Some(AvailableSkill { name, description, license, compatibility, allowed_tools, meta })
    }

    fn command(&mut self, item: &Map<String, Value>, path: &str) -> Option<AvailableCommand> {
        let name = self.required(item, path, "name")?;
        let description = self.required(item, path, "description")?;
        let input = item.get("input").filter(|input| !input.is_null());
        let input = input.and_then(|input| {
            let read = serde_json::from_value(input.clone()).ok();
            if read.is_none() {
                self.report(&format!("{path}/input"), "it has no `hint` that is a string", false);
            }
            read
        });
        let kind = item.get("type").and_then(Value::as_str).map(str::to_owned);
        Some(AvailableCommand { kind, name, description, input, meta: self.meta(item, path) })
    }

    /// A name decides what a client calls, so one that is not valid is skipped.
    fn name(&mut self, item: &Map<String, Value>, path: &str) -> Option<String> {
        let name = self.required(item, path, "name")?;
        let characters = name.chars().count();
        if characters <= name::CHARACTERS_MAX && name.is_ascii() && name::is_valid(&name) {
            return Some(name);
        }
        let message = message![
            "the name `",
            quote(&name),
            "` is not at most 64 of `a` to `z`, digits and single hyphens between them"
        ];
        self.report(&format!("{path}/name"), message, true);
        None
    }

    fn description(&mut self, item: &Map<String, Value>, path: &str) -> Option<String> {
        let description = self.required(item, path, "description")?;
        self.check_length(&description, DESCRIPTION_CHARACTERS_MAX, path, "description");
        Some(description)
    }

    fn required(
        &mut self,
        item: &Map<String, Value>,
        path: &str,
        key: &'static str,
    ) -> Option<String> {
        let message: Message = match item.get(key) {
            Some(Value::String(text)) if text.trim().is_empty() => "it is empty".into(),
            Some(Value::String(text)) => return Some(text.clone()),
            Some(_) => "it is not a string".into(),
            None => "it is missing".into(),
        };
        self.report(&format!("{path}/{key}"), message, true);
        None
    }

    fn optional(&mut self, item: &Map<String, Value>, path: &str, key: &str) -> Option<String> {
        match item.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(_) => {
                self.report(&format!("{path}/{key}"), "it is not a string", false);
                None
            }
        }
    }

    fn check_length(&mut self, text: &str, max: usize, path: &str, key: &str) {
        let characters = text.chars().count();
        if characters > max {
            let message = message!["it has ", characters, " characters; the maximum is ", max];
            self.report(&format!("{path}/{key}"), message, false);
        }
    }

    fn tools(&mut self, item: &Map<String, Value>, path: &str) -> Vec<String> {
        let path = format!("{path}/allowedTools");
        match item.get("allowedTools") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(tools)) => {
                let mut names = Vec::new();
                for (at, tool) in tools.iter().enumerate() {
                    match tool.as_str() {
                        Some(tool) => names.push(tool.to_owned()),
                        None => self.report(&format!("{path}/{at}"), "it is not a string", false),
                    }
                }
                names
            }
            Some(_) => {
                self.report(&path, "it is not a list", false);
                Vec::new()
            }
        }
    }

    fn meta(&mut self, item: &Map<String, Value>, path: &str) -> Map<String, Value> {
        match item.get("_meta") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(meta)) => meta.clone(),
            Some(_) => {
                self.report(
                    &(path.to_owned() + &json_pointer(["_meta"])),
                    "it is not an object",
                    false,
                );
                Map::new()
            }
        }
    }
}
