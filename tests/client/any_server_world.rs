//! A server of another make that stores skills and heartbeats, and lists little of the latter.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::{Dibber, Ended, state_in};
use crate::support::fake_server::{Fake, Reply, Request};

const TOOLS: [&str; 12] = [
    "skill_write",
    "skill_update",
    "skill_list",
    "skill_get",
    "skill_archive",
    "skill_post_result",
    "heartbeat_create",
    "heartbeat_update",
    "heartbeat_describe",
    "heartbeat_list",
    "mcp_whoami",
    "mcp_health",
];

/// What a server does in its own way.
#[derive(Clone, Copy, Default)]
pub(super) struct Ways {
    /// A warning about every heartbeat.
    pub(super) warning: Option<&'static str>,
    /// Whether the answer to the first commit is an error without a code.
    pub(super) loses_commit: bool,
    /// Whether it ignores the keys of writes.
    pub(super) ignores_keys: bool,
    /// Whether it refuses changes that are made already.
    pub(super) refuses_repeated: bool,
    /// The arguments of a heartbeat that it lists, besides the name and the schedule.
    pub(super) lists: &'static [&'static str],
}

/// What a server does with the skills and heartbeats that it gets from now on.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Storing {
    /// It stores them.
    #[default]
    Exact,
    /// It answers that it has changed them, and does not.
    Ignoring,
    /// It answers that it has cancelled them, and does not.
    Keeping,
    /// It goes on listing those that it cancels, paused.
    Pausing,
    /// It writes the name and the schedule in another way.
    Normalizing,
    /// It removes white space at the ends of prompts.
    Trimming,
    /// It refuses new ones.
    Full,
    /// It refuses new ones for Ben.
    RefusingBen,
    /// It stores something else as this argument of new ones; none at all for an empty name.
    Dropping(&'static str),
}

/// A call that takes effect later.
type LateCall = (String, Value, Ways);

/// What another person changes.
pub(super) type ForeignEdit = fn(&mut Stored);

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a way to be different")]
pub(super) struct Stored {
    pub(super) skills: Vec<Value>,
    pub(super) heartbeats: Vec<Value>,
    /// The results that were posted.
    pub(super) results: Vec<Value>,
    storing: Storing,
    /// The answers to writes, by their keys.
    answers: BTreeMap<String, Value>,
    made: usize,
    /// A tool that takes effect the next time, and whose answer is lost.
    pub(super) loses_answer: Option<&'static str>,
    /// A tool whose next call is answered with this HTTP status. It takes effect later if that is 504:
    /// right before the next call of the same tool, unless it has arrived by then.
    pub(super) unanswered: Option<(&'static str, u16)>,
    late: Option<LateCall>,
    /// A journal whose writes it makes older while it leaves a call unanswered.
    aged_journal: Option<PathBuf>,
    /// The id of the next skill, if it is another one than usual.
    pub(super) next_id: Option<String>,
    /// Whether every new skill has the id of the first.
    pub(super) repeats_id: bool,
    /// A tool that answers with this id instead of the right one.
    pub(super) wrong_id: Option<(&'static str, &'static str)>,
    /// A field that `skill_get` leaves out.
    pub(super) left_out: Option<&'static str>,
    /// A field that `skill_list` leaves out.
    pub(super) unlisted: Option<&'static str>,
    /// Whether it lists hashes of its own.
    pub(super) has_hashes: bool,
    /// What it lists of the schedule of a new heartbeat, if that is something else than it describes.
    pub(super) words: Option<&'static str>,
    /// What it describes as that which a heartbeat runs, if that is something else than usual.
    pub(super) describes_as: Option<Value>,
    /// Whether it describes new heartbeats only.
    pub(super) describes_new: bool,
    /// A tool that answers without JSON from now on, and whether it takes effect.
    pub(super) wordy: Option<(&'static str, bool)>,
    /// Whether it has the code `INTERNAL_ERROR` where it answers without JSON.
    pub(super) has_codes: bool,
    /// A tool that fails, and the code of its error; an empty one is none of the contract.
    pub(super) failing: Option<(&'static str, &'static str)>,
    /// A tool that refuses what is not a dry run, and its error.
    pub(super) refusal: Option<(&'static str, Value)>,
    /// A tool after which another one fails, once a skill or heartbeat is created or changed.
    failing_after: Option<(&'static str, &'static str)>,
    /// An action of which it answers that it has done it, and does not.
    pub(super) ignored_action: Option<&'static str>,
    /// Fields of skills that it stores instead of those that it is sent.
    pub(super) replaces: Value,
    /// What it answers about skills that it archives or unarchives, if it does neither. With null, it
    /// does both, and answers with the id alone.
    pub(super) archives: Option<Value>,
    /// Fields of skills that its previews show.
    pub(super) previews: Value,
    /// The arguments that it lists for `skill_write`, if it lists any.
    pub(super) lists_arguments: &'static [&'static str],
    /// The arguments that it lists for the tools that create and change heartbeats, if it lists any.
    pub(super) lists_heartbeat_arguments: &'static [&'static str],
    /// A tool that answers without storing anything.
    pub(super) idle_tool: Option<&'static str>,
    /// A tool, and what another person changes after the next call of it.
    pub(super) edited_after: Option<(&'static str, ForeignEdit)>,
}

impl Stored {
    fn call(&mut self, tool: &str, arguments: &Value, ways: Ways) -> Value {
        match tool {
            _ if self.failing.is_some_and(|(failing, _)| failing == tool) => {
                let (_, code) = self.failing.expect("it was matched");
                let reason = if code == "PERMISSION_DENIED" { "SCOPE_MISSING" } else { "OTHER" };
                json!({"error": {"code": code, "message": "not now", "reason": reason}})
            }
            _ if arguments["dryRun"] != true && self.refuses(tool) => {
                let (_, error) = self.refusal.as_ref().expect("it was matched");
                json!({"error": error})
            }
            "skill_write" if arguments["dryRun"] == true => {
                let shown = &self.previews;
                json!({"specHash": "own", "policyDecision": "allow", "previewSkill": shown})
            }
            "skill_write" => {
                let mut skill = arguments.clone();
                let id = self.next_id.take();
                let number = if self.repeats_id { 0 } else { self.skills.len() };
                skill["skillId"] = id.unwrap_or_else(|| format!("sk_{number}")).into();
                skill["category"] = "generic".into();
                skill["archived"] = false.into();
                self.replace_fields(&mut skill);
                if self.idle_tool != Some("skill_write") {
                    self.skills.push(skill.clone());
                }
                self.fail_after("skill_write");
                json!({"skillId": skill["skillId"], "nextStep": "Invoke it."})
            }
            "skill_update" | "skill_archive" | "heartbeat_update" => {
                self.change(tool, arguments, ways)
            }
            "skill_post_result" => {
                self.results.push(arguments["result"].clone());
                let id = format!("res_{}", self.results.len());
                json!({"resultId": id, "threadId": "t", "postedAt": "2026-01-01T00:00:00Z"})
            }
            "skill_get" => {
                let id = &arguments["skillId"];
                match self.skills.iter().find(|skill| skill["skillId"] == *id) {
                    Some(skill) => {
                        let mut skill = skill.clone();
                        if let Some(field) = self.left_out {
                            skill.as_object_mut().expect("an object").remove(field);
                        }
                        json!({"skill": skill, "canvases": []})
                    }
                    None => json!({"error": {
                        "code": "DOMAIN_NOT_FOUND", "message": "no such skill", "fix": "",
                    }}),
                }
            }
            "heartbeat_create" => self.create_heartbeat(arguments, ways),
            "heartbeat_describe" if self.describes_new && arguments["mode"] == "update" => {
                json!({"error": {
                    "code": "BAD_INPUT", "message": "mode must be create", "reason": "MODE",
                }})
            }
            "heartbeat_describe" => json!({
                "cadenceText": "Some day", "nextFireAt": null,
                "preview": self.describes_as.clone().unwrap_or_else(
                    || json!({"kind": "skill", "skillId": "sk_0", "name": "Plan"})
                ),
                "warnings": ways.warning.into_iter().collect::<Vec<_>>(),
            }),
            "skill_list" => json!({"items": self.listed_skills(), "nextCursor": null}),
            "heartbeat_list" => json!({"items": self.listed_heartbeats(), "nextCursor": null}),
            "mcp_whoami" => json!({"userId": "u", "familyId": "f", "scopes": []}),
            _ => json!({"items": [], "nextCursor": null}),
        }
    }

    fn refuses(&self, tool: &str) -> bool {
        self.refusal.as_ref().is_some_and(|(refusing, _)| *refusing == tool)
    }

    /// Carries out the call that is late, if there is one.
    pub(super) fn arrive(&mut self) {
        if let Some((tool, arguments, ways)) = self.late.take() {
            self.call(&tool, &arguments, ways);
        }
    }

    /// Returns the call that is late, which does not arrive before it is set again.
    pub(super) const fn take_late(&mut self) -> Option<LateCall> {
        self.late.take()
    }

    pub(super) fn set_late(&mut self, late: Option<LateCall>) {
        self.late = late;
    }

    fn change(&mut self, tool: &str, arguments: &Value, ways: Ways) -> Value {
        let before = (self.skills.clone(), self.heartbeats.clone());
        let answer = match tool {
            "skill_update" => self.update_skill(arguments),
            "skill_archive" => self.archive_skill(arguments),
            _ => self.update_heartbeat(arguments),
        };
        self.fail_after(tool);
        if !ways.refuses_repeated || before != (self.skills.clone(), self.heartbeats.clone()) {
            return answer;
        }
        let error = json!({
            "code": "BAD_INPUT", "message": "it is so already", "reason": "REPEATED",
        });
        json!({"error": error})
    }

    fn update_skill(&mut self, arguments: &Value) -> Value {
        let id = &arguments["skillId"];
        let index = self.skills.iter().position(|skill| skill["skillId"] == *id);
        let mut skill = self.skills[index.expect("a skill")].clone();
        let names = [("name", "name"), ("description", "description"), ("prompt", "instructions")];
        for (name, sent_as) in names.into_iter().chain([("kidCallable", "kidCallable")]) {
            if let Some(sent) = arguments.get(sent_as) {
                skill[name] = sent.clone();
            }
        }
        self.replace_fields(&mut skill);
        if self.idle_tool != Some("skill_update") {
            self.skills[index.expect("a skill")] = skill;
        }
        json!({"skillId": id, "changedFields": []})
    }

    fn archive_skill(&mut self, arguments: &Value) -> Value {
        let (id, archived) = (&arguments["skillId"], &arguments["archived"]);
        let is_ignored = self.archives.as_ref().is_some_and(|it| !it.is_null());
        for skill in self.skills.iter_mut().filter(|it| it["skillId"] == *id && !is_ignored) {
            skill["archived"] = archived.clone();
        }
        let mut answer = json!({"skillId": id, "archived": archived});
        match &self.archives {
            Some(Value::Null) => {
                answer.as_object_mut().expect("an object").remove("archived");
            }
            Some(other) => answer["archived"] = other.clone(),
            None => {}
        }
        answer
    }

    /// Lets the tool fail that is to fail after this one.
    fn fail_after(&mut self, tool: &str) {
        if let Some((_, failing)) = self.failing_after.take_if(|(after, _)| *after == tool) {
            self.failing = Some((failing, "BAD_INPUT"));
        }
    }

    fn replace_fields(&self, skill: &mut Value) {
        for (name, value) in self.replaces.as_object().into_iter().flatten() {
            skill[name] = value.clone();
        }
        if self.storing == Storing::Trimming {
            skill["prompt"] = skill["prompt"].as_str().expect("a prompt").trim().into();
        }
    }

    fn listed_skills(&self) -> Vec<Value> {
        let mut items = self.skills.clone();
        for (item, field) in items.iter_mut().zip(self.unlisted.iter().cycle()) {
            item.as_object_mut().expect("an object").remove(*field);
        }
        items
    }

    fn listed_heartbeats(&self) -> Vec<Value> {
        let mut heartbeats = self.heartbeats.clone();
        for it in heartbeats.iter_mut().filter(|_| self.has_hashes) {
            it["contentHash"] = format!("v2:{} {}", it["name"], it["cron"]).into();
        }
        heartbeats
    }

    fn create_heartbeat(&mut self, arguments: &Value, ways: Ways) -> Value {
        let is_for_ben = arguments["skillInput"]["who"] == "Ben";
        let refuses_ben = self.storing == Storing::RefusingBen;
        if self.storing == Storing::Full || (refuses_ben && is_for_ben) {
            return json!({"error": {
                "code": "BAD_INPUT", "message": "too many heartbeats", "reason": "LIMIT",
            }});
        }
        self.made += 1;
        let id = format!("hb_{}", self.made);
        let mut item = json!({
            "heartbeatId": id, "name": arguments["name"], "cron": arguments["cron"],
            "cadenceText": self.words.unwrap_or("Some day"), "enabled": true, "nextRunAt": null,
            "lastRunAt": null, "chatId": "th",
        });
        for name in ways.lists {
            item[name] = arguments[name].clone();
        }
        self.normalize(&mut item);
        match self.storing {
            Storing::Dropping("cron") => item["cron"] = "0 0 * * *".into(),
            Storing::Dropping("name") => item["name"] = "Heartbeat".into(),
            Storing::Dropping("tz") => item["tz"] = "UTC".into(),
            Storing::Dropping("missedFires") => item["missedFires"] = "once".into(),
            Storing::Dropping("skillInput") => item["skillInput"] = json!({}),
            _ => {}
        }
        if self.storing != Storing::Dropping("") {
            self.heartbeats.push(item);
        }
        self.fail_after("heartbeat_create");
        json!({"heartbeatId": id, "chatId": "th", "nextFireAt": "later"})
    }

    fn update_heartbeat(&mut self, arguments: &Value) -> Value {
        let id = &arguments["heartbeatId"];
        let is_kept = matches!(self.storing, Storing::Keeping | Storing::Pausing);
        if arguments["action"] == "cancel" && !is_kept {
            self.heartbeats.retain(|it| it["heartbeatId"] != *id);
        }
        let mut heartbeats = std::mem::take(&mut self.heartbeats);
        for it in heartbeats.iter_mut().filter(|it| it["heartbeatId"] == *id) {
            if self.storing != Storing::Ignoring {
                match arguments["action"].as_str() {
                    action if action.is_some() && action == self.ignored_action => {}
                    Some("pause") => it["enabled"] = false.into(),
                    Some("cancel") if self.storing == Storing::Pausing => {
                        it["enabled"] = false.into();
                    }
                    Some("resume") => it["enabled"] = true.into(),
                    _ => {}
                }
            }
            for name in ["name", "cron", "tz"] {
                if let (Some(value), true) = (arguments.get(name), self.changes(it, name)) {
                    it[name] = value.clone();
                }
            }
            self.normalize(it);
        }
        self.heartbeats = heartbeats;
        json!({"heartbeatId": id, "status": "updated"})
    }

    fn changes(&self, item: &Value, name: &str) -> bool {
        self.storing != Storing::Ignoring && item.get(name).is_some()
    }

    fn normalize(&self, item: &mut Value) {
        if self.storing == Storing::Normalizing {
            let text = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
            let (name, cron) = (text("name").to_lowercase(), text("cron").replace("FRI", "5"));
            item["name"] = name.into();
            item["cron"] = cron.into();
        }
    }
}

pub(super) struct World {
    pub(super) tree: Tree,
    pub(super) server: Fake,
    pub(super) stored: Arc<Mutex<Stored>>,
}

impl World {
    pub(super) fn new(ways: Ways) -> Self {
        let stored = Arc::new(Mutex::new(Stored::default()));
        let of_server = Arc::clone(&stored);
        let server = Fake::new(move |request| {
            Some(answer(request, &mut of_server.lock().expect("no panic"), ways))
        });
        let tree = Tree::new();
        tree.write("dibber.toml", b"");
        let world = Self { tree, server, stored };
        world.write("plan", "Ada", "0 17 * * 5", "America/New_York");
        world
    }

    /// Writes a skill with one heartbeat.
    pub(super) fn write(&self, name: &str, who: &str, cron: &str, tz: &str) {
        let skill = format!(
            "---\nname: {name}\ndescription: Plans the week. Use when a parent wants to plan.\n\
             ---\n\n# Plan\n\nPlan the week of {{{{input.who}}}}.\n"
        );
        self.tree.write(&format!("{name}/SKILL.md"), skill.as_bytes());
        let manifest = format!(
            "label: {name}\ninputs:\n  - name: who\n    type: string\n    description: Who\n\
             heartbeats:\n  - name: Weekly plan\n    cron: '{cron}'\n    tz: {tz}\n    \
             input:\n      who: {who}\n"
        );
        self.tree.write(&format!("{name}/sprout.yaml"), manifest.as_bytes());
    }

    pub(super) fn run(&self, command: &[&str]) -> Ended {
        let url = self.server.url();
        self.run_alone(&[command, &["--server", &url]].concat())
    }

    /// Runs a command that calls no server.
    pub(super) fn run_alone(&self, command: &[&str]) -> Ended {
        let dibber = Dibber::new(command);
        let data = self.tree.path().join("data");
        dibber.in_directory(self.tree.path()).data(&data).env("COLUMNS", "80").run()
    }

    /// The directory of the journal.
    fn journal(&self) -> PathBuf {
        state_in(&self.tree.path().join("data")).join("journal")
    }

    /// Makes the writes of the journal two minutes older.
    pub(super) fn age_journal(&self) {
        self.age_journal_by(SignedDuration::from_mins(2));
    }

    /// Makes everything in the journal older.
    pub(super) fn age_journal_by(&self, age: SignedDuration) {
        age_entries(&self.journal(), age);
    }

    /// Makes the writes of the journal two minutes older while the server leaves a call unanswered, as if
    /// that took so long.
    pub(super) fn age_journal_while_unanswered(&self) {
        self.stored().aged_journal = Some(self.journal());
    }

    /// Removes from the journal when its writes were sent: earlier versions did not write that.
    pub(super) fn forget_when_sent(&self) {
        change_entries(&self.journal(), |entry| {
            entry.as_object_mut().expect("an object").remove("sent").expect("a time");
        });
    }

    /// Lets the journal say as in an earlier version what a push has begun: at the end of the base.
    pub(super) fn mark_pushes_in_their_bases(&self) {
        change_entries(&self.journal(), |entry| {
            let begun_by = entry.as_object_mut().expect("an object").remove("begun_by");
            assert_eq!(begun_by, Some("push".into()));
            let base = entry["base"].as_str().expect("a state");
            let mut parts: Vec<Value> = serde_json::from_str(base).expect("an array");
            parts.push("push".into());
            entry["base"] = json!(parts).to_string().into();
        });
    }

    pub(super) fn push(&self, name: &str) -> Ended {
        self.run(&["push", "--yes", name])
    }

    pub(super) fn heartbeats(&self) -> Vec<Value> {
        self.stored().heartbeats.clone()
    }

    /// Says what the server does with heartbeats from now on.
    pub(super) fn storing(&self, storing: Storing) {
        self.stored().storing = storing;
    }

    /// Lets a tool fail from now on, with an error of this code.
    pub(super) fn fail(&self, tool: &'static str, code: &'static str) {
        self.stored().failing = Some((tool, code));
    }

    /// Lets a tool fail once a skill or heartbeat is created or changed with another one.
    pub(super) fn fail_after(&self, after: &'static str, tool: &'static str) {
        self.stored().failing_after = Some((after, tool));
    }

    /// Lets every tool work again.
    pub(super) fn repair(&self) {
        self.stored().failing = None;
    }

    /// Lets the call arrive that is late.
    pub(super) fn arrive(&self) {
        self.stored().arrive();
    }

    /// What the server has.
    pub(super) fn stored(&self) -> MutexGuard<'_, Stored> {
        self.stored.lock().expect("no panic")
    }

    pub(super) fn made(&self) -> usize {
        self.stored().made
    }

    /// Returns how often a tool was called to write something.
    pub(super) fn sent(&self, tool: &str) -> usize {
        let parameters = |call: &Request| call.message["params"].clone();
        let calls = self.server.calls();
        let is_it = |sent: &Value| sent["name"] == tool && sent["arguments"]["dryRun"] != true;
        calls.iter().map(parameters).filter(is_it).count()
    }
}

fn age_entries(journal: &Path, age: SignedDuration) {
    change_entries(journal, |entry| {
        let sent = entry["sent"].as_str().and_then(|sent| sent.parse::<Timestamp>().ok());
        let sent = sent.expect("a time").saturating_sub(age);
        entry["sent"] = sent.expect("a duration").to_string().into();
    });
}

fn change_entries(journal: &Path, change: impl Fn(&mut Value)) {
    for entry in fs::read_dir(journal).expect("a journal").flatten() {
        let path = entry.path();
        let bytes = fs::read(&path).expect("a file");
        let Ok(mut entry) = serde_json::from_slice::<Value>(&bytes) else { continue };
        change(&mut entry);
        fs::write(path, entry.to_string()).expect("the owner's file");
    }
}

fn answer(request: &Request, stored: &mut Stored, ways: Ways) -> Reply {
    let parameters = &request.message["params"];
    let mut tools =
        json!(TOOLS.map(|name| json!({"name": name, "inputSchema": {"type": "object"}})));
    for name in stored.lists_arguments {
        tools[0]["inputSchema"]["properties"][name] = json!({});
    }
    for name in stored.lists_heartbeat_arguments {
        for index in [6, 7] {
            tools[index]["inputSchema"]["properties"][name] = json!({});
        }
    }
    let usual = |result: &Value| {
        if ways.ignores_keys {
            request.usual(&tools, result)
        } else {
            request.usual_with_keys(&tools, result)
        }
    };
    let (tool, arguments) = (parameters["name"].as_str(), &parameters["arguments"]);
    if let Some(tool) = tool.filter(|_| arguments["dryRun"] != true) {
        if stored.late.as_ref().is_some_and(|(late, ..)| late == tool) {
            stored.arrive();
        }
        if let Some((_, status)) = stored.unanswered.take_if(|(lost, _)| *lost == tool) {
            stored.late = (status == 504).then(|| (tool.to_owned(), arguments.clone(), ways));
            if let Some(journal) = stored.aged_journal.take() {
                age_entries(&journal, SignedDuration::from_mins(2));
            }
            return Reply::page(status, "<html>gateway</html>");
        }
    }
    let key = request.header("idempotency-key").map(str::to_owned);
    let key = key.filter(|_| !ways.ignores_keys);
    let known = key.as_ref().and_then(|key| stored.answers.get(key).cloned());
    let is_new = known.is_none();
    let is_write = arguments["dryRun"] != true;
    let wordy = stored.wordy.filter(|(wordy, _)| is_new && is_write && tool == Some(*wordy));
    if wordy.is_some_and(|(_, has_effect)| !has_effect) {
        return usual(&wordy_result(stored.has_codes));
    }
    let mut answer =
        known.unwrap_or_else(|| stored.call(tool.unwrap_or_default(), arguments, ways));
    if let Some((_, edit)) = stored.edited_after.take_if(|(after, _)| tool == Some(*after)) {
        edit(stored);
    }
    if let Some((_, id)) = stored.wrong_id.filter(|(wrong, _)| tool == Some(*wrong)) {
        let pointers = ["/skill/skillId", "/heartbeatId", "/skillId"];
        let pointer = pointers.into_iter().find(|pointer| answer.pointer(pointer).is_some());
        if let Some(right) = pointer.and_then(|pointer| answer.pointer_mut(pointer)) {
            *right = id.into();
        }
    }
    if let Some(key) = key {
        stored.answers.insert(key, answer.clone());
    }
    let is_commit = tool == Some("skill_write") && arguments["dryRun"] != true;
    let is_lost = ways.loses_commit && is_commit && is_new && stored.skills.len() == 1;
    let is_refused = answer.get("error").is_some();
    if wordy.is_some() {
        return usual(&wordy_result(stored.has_codes));
    }
    let text = if is_lost { "something bad happened".to_owned() } else { answer.to_string() };
    let content = json!([{"type": "text", "text": text}]);
    let result =
        json!({"resultType": "complete", "content": content, "isError": is_lost || is_refused});
    let reply = usual(&result);
    let is_read = arguments["dryRun"] == true;
    let is_lost = stored.loses_answer.take_if(|lost| tool == Some(*lost) && !is_read).is_some();
    if is_lost { reply.cut(0) } else { reply }
}

/// An error that says nothing a program can read, or nothing but that it is one.
fn wordy_result(has_code: bool) -> Value {
    let error = json!({"error": {"code": "INTERNAL_ERROR", "message": "something bad happened"}});
    let text = if has_code { error.to_string() } else { "something bad happened".to_owned() };
    let content = json!([{"type": "text", "text": text}]);
    json!({"resultType": "complete", "content": content, "isError": true})
}
