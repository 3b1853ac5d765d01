//! From the YAML tree to a [`Manifest`], collecting every fault on the way.

use super::{
    Fault, FaultKind, Heartbeat, INPUT_TYPES, Input, Located, MANIFEST_FILE_NAME, Manifest,
};
use crate::contract::Category;
use crate::skill::{self, Entry, Node, NodeKind, ScalarType};
use crate::text::{Source, Span, nearest, shorten};

const KEYS: [&str; 9] = [
    "label",
    "summary",
    "category",
    "hands",
    "inputs",
    "kidCallable",
    "ageRange",
    "canvases",
    "heartbeats",
];
const INPUT_KEYS: [&str; 4] = ["name", "type", "description", "required"];
const HEARTBEAT_KEYS: [&str; 6] =
    ["name", "cron", "tz", "input", "assignmentSkill", "postResultNotify"];

pub(super) fn manifest(source: &Source) -> (Manifest, Vec<Fault>) {
    let mut reader = Reader { faults: Vec::new() };
    let (root, faults) = skill::parse_yaml(source.text());
    reader.add_yaml_faults(&faults);
    let mut manifest = Manifest::default();
    if let Some(Node { kind: NodeKind::Mapping(entries), .. }) = &root {
        reader.manifest(entries, &mut manifest);
    }
    reader.faults.sort_by_key(|fault| fault.span);
    (manifest, reader.faults)
}

struct Reader {
    faults: Vec<Fault>,
}

impl Reader {
    fn add_yaml_faults(&mut self, faults: &[skill::Fault]) {
        for fault in faults {
            let message = match &fault.kind {
                skill::FaultKind::InvalidYaml { message, .. } => format!("not YAML: {message}"),
                skill::FaultKind::Limit { what, max } => format!("more than {max} {what}"),
                skill::FaultKind::NotAMapping { found } => {
                    format!("`{MANIFEST_FILE_NAME}` is {found}, not keys and values")
                }
                skill::FaultKind::DuplicateKey { key, .. } => {
                    format!("the key `{}` stands twice", shorten(key))
                }
                skill::FaultKind::MissingFrontmatter(_) | skill::FaultKind::UnclosedFrontmatter => {
                    continue;
                }
            };
            self.invalid(fault.span, message, None);
        }
    }

    fn manifest(&mut self, entries: &[Entry], manifest: &mut Manifest) {
        for Entry { key, value } in entries {
            match key.as_str().unwrap_or_default() {
                "label" => manifest.label = self.text(value, "label"),
                "summary" => manifest.summary = self.text(value, "summary"),
                "category" => manifest.category = self.category(value),
                "hands" => manifest.hands = self.texts(value, "hands"),
                "inputs" => manifest.inputs = self.inputs(value),
                "kidCallable" => manifest.kid_callable = self.truth(value, "kidCallable"),
                "ageRange" => manifest.age_range = self.text(value, "ageRange"),
                "canvases" => {
                    manifest.canvases = self.texts(value, "canvases").unwrap_or_default();
                }
                "heartbeats" => manifest.heartbeats = self.heartbeats(value),
                _ => self.unknown_key(key, &KEYS),
            }
        }
    }

    fn invalid(&mut self, span: Span, message: impl Into<String>, help: Option<String>) {
        let message = message.into();
        self.faults.push(Fault { span, kind: FaultKind::Invalid, message, help });
    }

    fn unknown_key(&mut self, key: &Node, known: &[&str]) {
        let name = key.as_str().unwrap_or_default();
        let help = match nearest(name, known.iter().copied()) {
            Some(known) => format!("write `{known}`"),
            None => format!("the keys here are {}", known.join(", ")),
        };
        let message = format!("`{}` is not a key here", shorten(name));
        let fault =
            Fault { span: key.span, kind: FaultKind::UnknownKey, message, help: Some(help) };
        self.faults.push(fault);
    }

    fn text(&mut self, value: &Node, key: &str) -> Option<Located<String>> {
        if let Some(text) = value.as_text() {
            return Some(Located { value: text.to_owned(), span: value.span });
        }
        let message = format!("`{key}` is {}, not a text", value.describe());
        let help = match value.scalar_type() {
            Some(ScalarType::Null) | None => None,
            Some(_) => Some("put it in quotes".to_owned()),
        };
        self.invalid(value.span, message, help);
        None
    }

    fn truth(&mut self, value: &Node, key: &str) -> Option<Located<bool>> {
        if value.scalar_type() == Some(ScalarType::Bool) {
            let truth = value.as_str().is_some_and(|text| text.eq_ignore_ascii_case("true"));
            return Some(Located { value: truth, span: value.span });
        }
        let message = format!("`{key}` is {}, not a truth value", value.describe());
        self.invalid(value.span, message, Some("write `true` or `false`".to_owned()));
        None
    }

    fn list<'a>(&mut self, value: &'a Node, key: &str) -> Option<&'a [Node]> {
        if let NodeKind::Sequence(items) = &value.kind {
            return Some(items);
        }
        let message = format!("`{key}` is {}, not a list", value.describe());
        let help = "write each item on a line of its own, with a `-` in front".to_owned();
        self.invalid(value.span, message, Some(help));
        None
    }

    fn texts(&mut self, value: &Node, key: &str) -> Option<Vec<Located<String>>> {
        let items = self.list(value, key)?;
        let what = format!("an item of `{key}`");
        Some(items.iter().filter_map(|item| self.text(item, &what)).collect())
    }

    fn mapping<'a>(&mut self, value: &'a Node, what: &str) -> Option<&'a [Entry]> {
        if let NodeKind::Mapping(entries) = &value.kind {
            return Some(entries);
        }
        let message = format!("{what} is {}, not keys and values", value.describe());
        self.invalid(value.span, message, None);
        None
    }

    fn category(&mut self, value: &Node) -> Option<Located<Category>> {
        let text = self.text(value, "category")?;
        let category = Category::from_name(&text.value);
        if category.is_none() {
            let message = format!("`{}` is not a category", shorten(&text.value));
            let help = "write `generic` or `home_agent`".to_owned();
            self.invalid(value.span, message, Some(help));
        }
        category.map(|category| Located { value: category, span: value.span })
    }

    fn inputs(&mut self, value: &Node) -> Option<Vec<Input>> {
        let items = self.list(value, "inputs")?;
        Some(items.iter().filter_map(|item| self.input(item)).collect())
    }

    fn input(&mut self, item: &Node) -> Option<Input> {
        let entries = self.mapping(item, "an input")?;
        let (mut name, mut kind, mut description, mut is_required) = (None, None, None, true);
        for Entry { key, value } in entries {
            match key.as_str().unwrap_or_default() {
                "name" => name = self.text(value, "name"),
                "type" => kind = self.input_type(value),
                "description" => description = self.text(value, "description"),
                "required" => {
                    is_required =
                        self.truth(value, "required").is_none_or(|required| required.value);
                }
                _ => self.unknown_key(key, &INPUT_KEYS),
            }
        }
        self.need(entries, "name", "an input", item.span);
        Some(Input { name: name?, kind, description, is_required })
    }

    fn input_type(&mut self, value: &Node) -> Option<Located<String>> {
        let text = self.text(value, "type")?;
        if INPUT_TYPES.contains(&text.value.as_str()) {
            return Some(text);
        }
        let message = format!("`{}` is not a type", shorten(&text.value));
        self.invalid(
            value.span,
            message,
            Some(format!("the types are {}", INPUT_TYPES.join(", "))),
        );
        None
    }

    fn heartbeats(&mut self, value: &Node) -> Vec<Heartbeat> {
        let items = self.list(value, "heartbeats").unwrap_or_default();
        items.iter().filter_map(|item| self.heartbeat(item)).collect()
    }

    fn heartbeat(&mut self, item: &Node) -> Option<Heartbeat> {
        let entries = self.mapping(item, "a heartbeat")?;
        let (mut name, mut cron, mut time_zone) = (None, None, None);
        let (mut input, mut assignment_skill, mut post_result_notify) = (Vec::new(), None, None);
        for Entry { key, value } in entries {
            match key.as_str().unwrap_or_default() {
                "name" => name = self.text(value, "name"),
                "cron" => cron = self.text(value, "cron"),
                "tz" => time_zone = self.text(value, "tz"),
                "input" => input = self.heartbeat_input(value),
                "assignmentSkill" => assignment_skill = self.text(value, "assignmentSkill"),
                "postResultNotify" => {
                    post_result_notify = self.truth(value, "postResultNotify");
                }
                _ => self.unknown_key(key, &HEARTBEAT_KEYS),
            }
        }
        self.need(entries, "name", "a heartbeat", item.span);
        self.need(entries, "cron", "a heartbeat", item.span);
        let (name, cron) = (name?, cron?);
        Some(Heartbeat { name, cron, time_zone, input, assignment_skill, post_result_notify })
    }

    fn heartbeat_input(&mut self, value: &Node) -> Vec<(Located<String>, Node)> {
        let entries = self.mapping(value, "`input`").unwrap_or_default();
        let named = entries.iter().filter_map(|Entry { key, value }| {
            let name = self.text(key, "the name of an input")?;
            Some((name, value.clone()))
        });
        named.collect()
    }

    fn need(&mut self, entries: &[Entry], key: &str, what: &str, span: Span) {
        if entries.iter().all(|entry| entry.key.as_str() != Some(key)) {
            self.invalid(span, format!("{what} has no `{key}`"), Some(format!("add `{key}:`")));
        }
    }
}
