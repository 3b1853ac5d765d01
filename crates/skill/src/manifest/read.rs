//! From the YAML tree to a [`Manifest`], collecting every fault on the way.

use super::faults::Faults;
use super::keys::{HEARTBEAT, INPUT, MANIFEST};
use super::{Fault, Heartbeat, INPUT_TYPES, Input, Located, Manifest, tree};
use crate::contract::Category;
use crate::skill::{
    Entry, INPUT_NAME_RULE, Node, NodeKind, ScalarStyle, ScalarType, corrected_name, is_input_name,
};
use dibber_text::{Source, closest_match, ellipsize};

/// What people write instead of one of the types of an input.
const TYPES_INSTEAD: [(&str, &str); 10] = [
    ("text", "string"),
    ("str", "string"),
    ("int", "integer"),
    ("float", "number"),
    ("decimal", "number"),
    ("bool", "boolean"),
    ("datetime", "date"),
    ("day", "date"),
    ("list", "array"),
    ("map", "object"),
];
const CATEGORY_HELP: &str = "write `generic`, or `home_agent` for the family's own agent alone";
const AGES_HELP: &str = "write the youngest and the oldest age: `5-7`";
const CRON_HELP: &str = "write five fields: `0 16 * * 1-5`";

pub(super) fn manifest(source: &Source) -> (Manifest, Vec<Fault>) {
    let mut reader = Reader { text: source.text(), faults: Faults::default() };
    let mut manifest = Manifest::default();
    let root = tree::parse(source, &mut reader.faults);
    if let Some(Node { kind: NodeKind::Mapping(entries), .. }) = &root {
        reader.manifest(entries, &mut manifest);
    }
    (manifest, reader.faults.finish())
}

struct Reader<'a> {
    text: &'a str,
    faults: Faults,
}

impl Reader<'_> {
    fn manifest(&mut self, entries: &[Entry], manifest: &mut Manifest) {
        for Entry { key, value } in entries {
            match key.as_str().unwrap_or_default() {
                "label" => manifest.label = self.text(value, "`label`", None),
                "summary" => manifest.summary = self.text(value, "`summary`", None),
                "category" => manifest.category = self.category(value),
                "hands" => manifest.hands = self.texts(value, "hands", "- task_create"),
                "inputs" => manifest.inputs = self.inputs(value),
                "kidCallable" => manifest.kid_callable = self.truth(value, "kidCallable"),
                "ageRange" => manifest.age_range = self.text(value, "`ageRange`", Some(AGES_HELP)),
                "canvases" => {
                    let example = "- 0b9f3c1e-7a52-4d8e-9c40-5e1f2a3b4c5d";
                    manifest.canvases = self.texts(value, "canvases", example).unwrap_or_default();
                }
                "heartbeats" => manifest.heartbeats = self.heartbeats(value),
                _ => self.faults.unknown_key(key, &MANIFEST, entries),
            }
        }
    }

    /// A text; `what` names it. Some texts have a form of their own: `form` says it.
    fn text(&mut self, value: &Node, what: &str, form: Option<&str>) -> Option<Located<String>> {
        if let Some(text) = value.as_text() {
            return Some(Located { value: text.to_owned(), span: value.span });
        }
        let (found, help) = match (value.scalar_type(), value.as_str()) {
            (Some(ScalarType::Null), _) => {
                (nothing(value), form.unwrap_or("write a text there").to_owned())
            }
            (_, Some(written)) if form.is_none() && !written.contains('"') => {
                (value.describe(), format!("put it in quotes: `\"{}\"`", ellipsize(written)))
            }
            _ if self.text[value.span.range()].starts_with("{{") => {
                ("a mapping because of its braces", "put the whole text in quotes".to_owned())
            }
            _ => (value.describe(), form.unwrap_or("write it as one text").to_owned()),
        };
        self.faults.value(value, format!("{what} is {found}, not a text"), help);
        None
    }

    fn truth(&mut self, value: &Node, key: &str) -> Option<Located<bool>> {
        let written = value.as_str().map(str::to_ascii_lowercase);
        let meant = match written.as_deref() {
            Some("true" | "yes" | "on" | "y" | "1") => Some(true),
            Some("false" | "no" | "off" | "n" | "0") => Some(false),
            _ => None,
        };
        let is_truth = matches!(written.as_deref(), Some("true" | "false"));
        if let (Some(ScalarType::Bool), Some(truth), true) = (value.scalar_type(), meant, is_truth)
        {
            return Some(Located { value: truth, span: value.span });
        }
        let found = match (value.scalar_type(), &value.kind) {
            (Some(ScalarType::Null), _) => nothing(value).to_owned(),
            (Some(ScalarType::Text), NodeKind::Scalar { text, .. }) => {
                format!("the text `{}`", ellipsize(text))
            }
            _ => value.describe().to_owned(),
        };
        let is_quoted = !matches!(&value.kind, NodeKind::Scalar { style: ScalarStyle::Plain, .. });
        let help = match meant {
            Some(truth) if is_quoted => format!("write `{truth}`, without quotes"),
            Some(truth) => format!("write `{truth}`"),
            None => "write `true` or `false`".to_owned(),
        };
        self.faults.value(value, format!("`{key}` is {found}, not `true` or `false`"), help);
        None
    }

    /// A list; `example` shows how one of its items is written.
    fn list<'n>(&mut self, value: &'n Node, key: &str, example: &str) -> Option<&'n [Node]> {
        if let NodeKind::Sequence(items) = &value.kind {
            return Some(items);
        }
        let (found, help) = match value.scalar_type() {
            Some(ScalarType::Null) => (
                nothing(value),
                format!("write its items below it, such as `{example}`, or take it out"),
            ),
            _ => (value.describe(), format!("write each item on a line of its own: `{example}`")),
        };
        self.faults.value(value, format!("`{key}` is {found}, not a list"), help);
        None
    }

    fn texts(&mut self, value: &Node, key: &str, example: &str) -> Option<Vec<Located<String>>> {
        let own = value.as_text().filter(|text| !text.contains([' ', ',']));
        let own = own.map(|text| format!("- {}", ellipsize(text)));
        let items = self.list(value, key, own.as_deref().unwrap_or(example))?;
        let what = format!("an item of `{key}`");
        Some(items.iter().filter_map(|item| self.text(item, &what, None)).collect())
    }

    fn category(&mut self, value: &Node) -> Option<Located<Category>> {
        let text = self.text(value, "`category`", Some(CATEGORY_HELP))?;
        let category = Category::from_name(&text.value);
        if category.is_none() {
            let message = format!("`{}` is not a category", ellipsize(&text.value));
            let help = match closest_match(&text.value, Category::ALL.map(Category::name)) {
                Some(meant) => format!("write `{meant}`"),
                None => CATEGORY_HELP.to_owned(),
            };
            self.faults.value(value, message, help);
        }
        category.map(|category| Located { value: category, span: value.span })
    }

    fn inputs(&mut self, value: &Node) -> Option<Vec<Input>> {
        let example = match &value.kind {
            NodeKind::Mapping(entries) => entries.first().and_then(|entry| entry.key.as_str()),
            _ => value.as_text(),
        };
        let example = example.filter(|name| is_input_name(name) && !INPUT.known.contains(name));
        let example = format!("- name: {}", ellipsize(example.unwrap_or("child_name")));
        let items = self.list(value, "inputs", &example)?;
        Some(items.iter().filter_map(|item| self.input(item)).collect())
    }

    fn input(&mut self, item: &Node) -> Option<Input> {
        let NodeKind::Mapping(entries) = &item.kind else {
            let message = format!("an input is {}, not keys and values", nothing_or(item));
            self.faults.value(item, message, bare_name_help(item.as_text()));
            return None;
        };
        if let Some(key) = name_as_key(entries) {
            self.faults.value(key, "an input has no `name`", bare_name_help(key.as_str()));
            return None;
        }
        let (mut name, mut kind, mut description, mut is_required) = (None, None, None, true);
        for Entry { key, value } in entries {
            match key.as_str().unwrap_or_default() {
                "name" => name = self.input_name(value),
                "type" => kind = self.input_type(value),
                "description" => {
                    description = self.text(value, "the `description` of an input", None);
                }
                "required" => {
                    is_required =
                        self.truth(value, "required").is_none_or(|required| required.value);
                }
                _ => self.faults.unknown_key(key, &INPUT, entries),
            }
        }
        self.faults.need(entries, item.span, "name", &INPUT, "child_name");
        Some(Input { name: name?, kind, description, is_required })
    }

    fn input_name(&mut self, value: &Node) -> Option<Located<String>> {
        let name = self.text(value, "the `name` of an input", None)?;
        self.check_input_name(value, &name.value).then_some(name)
    }

    /// Tells whether a name can stand in a placeholder, and says so if it cannot.
    fn check_input_name(&mut self, value: &Node, name: &str) -> bool {
        if is_input_name(name) {
            return true;
        }
        let message = match name.trim() {
            "" => "the name of an input is blank".to_owned(),
            name => format!("`{}` cannot be the name of an input", ellipsize(name)),
        };
        let bare = name.trim_matches(['{', '}', ' ']).trim_start_matches("input.");
        let help = match corrected_name(bare) {
            Some(corrected) => format!("write `{}`", ellipsize(&corrected)),
            None => INPUT_NAME_RULE.to_owned(),
        };
        self.faults.value(value, message, help);
        false
    }

    fn input_type(&mut self, value: &Node) -> Option<Located<String>> {
        let kind = self.text(value, "the `type` of an input", Some(&types()))?;
        if INPUT_TYPES.contains(&kind.value.as_str()) {
            return Some(kind);
        }
        let message = format!("`{}` is not a type", ellipsize(&kind.value));
        self.faults.value(value, message, input_type_help(&kind.value));
        None
    }

    fn heartbeats(&mut self, value: &Node) -> Vec<Heartbeat> {
        let example = "- name: Every school day";
        let items = self.list(value, "heartbeats", example).unwrap_or_default();
        items.iter().filter_map(|item| self.heartbeat(item)).collect()
    }

    fn heartbeat(&mut self, item: &Node) -> Option<Heartbeat> {
        let NodeKind::Mapping(entries) = &item.kind else {
            let message = format!("a heartbeat is {}, not keys and values", nothing_or(item));
            let help = "write `- name: Every school day`, and `cron: 0 16 * * 1-5` below `name`";
            self.faults.value(item, message, help);
            return None;
        };
        let (mut name, mut cron, mut time_zone) = (None, None, None);
        let (mut input, mut assignment_skill, mut post_result_notify) = (Vec::new(), None, None);
        for Entry { key, value } in entries {
            let key_name = key.as_str().unwrap_or_default();
            let what = format!("the `{key_name}` of a heartbeat");
            match key_name {
                "name" => name = self.text(value, &what, None),
                "cron" => cron = self.text(value, &what, Some(CRON_HELP)),
                "tz" => time_zone = self.text(value, &what, None),
                "input" => input = self.heartbeat_input(value),
                "assignmentSkill" => assignment_skill = self.text(value, &what, None),
                "postResultNotify" => {
                    post_result_notify = self.truth(value, "postResultNotify");
                }
                _ => self.faults.unknown_key(key, &HEARTBEAT, entries),
            }
        }
        self.faults.need(entries, item.span, "name", &HEARTBEAT, "Every school day");
        self.faults.need(entries, item.span, "cron", &HEARTBEAT, "0 16 * * 1-5");
        let (name, cron) = (name?, cron?);
        Some(Heartbeat { name, cron, time_zone, input, assignment_skill, post_result_notify })
    }

    fn heartbeat_input(&mut self, value: &Node) -> Vec<(Located<String>, Node)> {
        let NodeKind::Mapping(entries) = &value.kind else {
            let message =
                format!("the `input` of a heartbeat is {}, not keys and values", nothing_or(value));
            let help =
                "write the name of each input and its value below it: `today: \"{{fireDate}}\"`";
            self.faults.value(value, message, help);
            return Vec::new();
        };
        let named = entries.iter().filter_map(|Entry { key, value }| {
            let name = key.as_str().unwrap_or_default();
            let located = Located { value: name.to_owned(), span: key.span };
            self.check_input_name(key, name).then(|| (located, value.clone()))
        });
        named.collect()
    }
}

/// What to do about a type that is none of [`INPUT_TYPES`].
pub(super) fn input_type_help(written: &str) -> String {
    let written = written.to_ascii_lowercase();
    let instead = TYPES_INSTEAD.iter().find(|(word, _)| *word == written);
    match instead.map(|(_, meant)| *meant).or_else(|| closest_match(&written, INPUT_TYPES)) {
        Some(meant) => format!("write `{meant}`"),
        None => types(),
    }
}

fn types() -> String {
    format!("the types are {}", INPUT_TYPES.join(", "))
}

/// How a value is written that holds nothing.
fn nothing(value: &Node) -> &'static str {
    match value.as_str() {
        None | Some("") => "empty",
        Some("~") => "`~`",
        Some(_) => "`null`",
    }
}

fn nothing_or(value: &Node) -> &'static str {
    match value.scalar_type() {
        Some(ScalarType::Null) => nothing(value),
        _ => value.describe(),
    }
}

/// The name of an input that stands as a key, as in `- child_name: string`.
fn name_as_key(entries: &[Entry]) -> Option<&Node> {
    let [Entry { key, .. }] = entries else { return None };
    let name = key.as_str()?;
    let is_key = INPUT.known.contains(&name) || INPUT.meant(name).is_some();
    (is_input_name(name) && !is_key).then_some(key)
}

/// How to write an input of which only the name stands there.
fn bare_name_help(name: Option<&str>) -> String {
    match name.filter(|name| is_input_name(name)) {
        Some(name) => format!("write `- name: {}`", ellipsize(name)),
        None => "write `- name: child_name`, with `type` and `description` below it".to_owned(),
    }
}
