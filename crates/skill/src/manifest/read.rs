//! From the YAML tree to a [`Manifest`], collecting every problem.

use super::keys::{INPUT, MANIFEST};
use super::located::Located;
use super::model::{INCLUDED_FILES_MAX, INPUT_TYPES, Input, MANIFEST_FILE_NAME, Manifest};
use super::problem::ManifestProblem;
use super::problems::Problems;
use super::result;
use super::tree;
use crate::contract::{Category, WireEnum};
use crate::skill::{
    Entry, INPUT_NAME_RULE, Node, NodeKind, SKILL_FILE_NAME, ScalarStyle, ScalarType,
    corrected_name, is_input_name,
};
use dibber_text::{Message, Source, closest_match, message, quote};

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
const CATEGORY_HELP: &str = "write `generic`, or `home_agent` for the family's own agent only";
const AGES_HELP: &str = "write the lowest and the highest age: `5-7`";

/// Returns `true` if a path leads to a file of the skill that is not published otherwise.
pub fn is_included_path(path: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part != "." && part != "..";
    path.split('/').all(is_part)
        && !path.contains(|c: char| c == '\\' || c.is_control())
        && path.trim() == path
        && !path.eq_ignore_ascii_case(SKILL_FILE_NAME)
        && path != MANIFEST_FILE_NAME
}

pub(super) fn manifest(source: &Source) -> (Manifest, Vec<ManifestProblem>) {
    let mut reader = Reader { text: source.text(), problems: Problems::default() };
    let mut manifest = Manifest::default();
    let root = tree::parse(source, &mut reader.problems);
    if let Some(Node { kind: NodeKind::Mapping(entries), .. }) = &root {
        reader.manifest(entries, &mut manifest);
    }
    (manifest, reader.problems.finish())
}

pub(super) struct Reader<'a> {
    text: &'a str,
    pub(super) problems: Problems,
}

impl Reader<'_> {
    fn manifest(&mut self, entries: &[Entry], manifest: &mut Manifest) {
        for Entry { key, value } in entries {
            match key.as_str().unwrap_or_default() {
                "label" => manifest.label = self.string(value, "`label`", None),
                "summary" => manifest.summary = self.string(value, "`summary`", None),
                "category" => manifest.category = self.category(value),
                "hands" => manifest.hands = self.strings(value, "hands", "- task_create"),
                "inputs" => manifest.inputs = self.inputs(value),
                "include" => manifest.include = self.included_files(value),
                "kidCallable" => manifest.kid_callable = self.boolean(value, "kidCallable"),
                "ageRange" => {
                    manifest.age_range = self.string(value, "`ageRange`", Some(AGES_HELP.into()));
                }
                "canvases" => {
                    let example = "- 0b9f3c1e-7a52-4d8e-9c40-5e1f2a3b4c5d";
                    manifest.canvases =
                        self.strings(value, "canvases", example).unwrap_or_default();
                }
                "result" => manifest.result = result::read(value, &mut self.problems),
                "heartbeats" => manifest.heartbeats = self.heartbeats(value),
                _ => self.problems.unknown_key(key, &MANIFEST, entries),
            }
        }
    }

    /// Reads a string; `what` names it. `form` is the help for one that has a form of its own.
    pub(super) fn string(
        &mut self,
        value: &Node,
        what: impl Into<Message>,
        form: Option<Message>,
    ) -> Option<Located<String>> {
        if let Some(text) = value.as_text() {
            return Some(Located { value: text.to_owned(), span: value.span });
        }
        let (found, help) = match (value.scalar_type(), value.as_str()) {
            (Some(ScalarType::Null), _) => {
                (empty(value), form.unwrap_or_else(|| "write a string".into()))
            }
            (_, Some(written)) if form.is_none() && !written.contains('"') => {
                (value.describe(), message!["put it in quotes: `\"", quote(written), "\"`"])
            }
            _ if self.text[value.span.range()].starts_with("{{") => {
                ("a mapping because of its braces", message!["put the whole string in quotes"])
            }
            _ => (value.describe(), form.unwrap_or_else(|| "write it as one string".into())),
        };
        self.problems.value(value, message![what.into(), " is ", found, ", not a string"], help);
        None
    }

    pub(super) fn boolean(&mut self, value: &Node, key: &'static str) -> Option<Located<bool>> {
        let written = value.as_str().map(str::to_ascii_lowercase);
        let meant = match written.as_deref() {
            Some("true" | "yes" | "on" | "y" | "1") => Some(true),
            Some("false" | "no" | "off" | "n" | "0") => Some(false),
            _ => None,
        };
        let is_lowercase = matches!(written.as_deref(), Some("true" | "false"));
        if let (Some(ScalarType::Bool), Some(boolean), true) =
            (value.scalar_type(), meant, is_lowercase)
        {
            return Some(Located { value: boolean, span: value.span });
        }
        let found = match (value.scalar_type(), &value.kind) {
            (Some(ScalarType::Null), _) => message![empty(value)],
            (Some(ScalarType::Text), NodeKind::Scalar { text, .. }) => {
                message!["the string `", quote(text), "`"]
            }
            _ => message![value.describe()],
        };
        let is_quoted = !matches!(&value.kind, NodeKind::Scalar { style: ScalarStyle::Plain, .. });
        let help = match meant {
            Some(true) if is_quoted => message!["write `true`, without quotes"],
            Some(false) if is_quoted => message!["write `false`, without quotes"],
            Some(true) => message!["write `true`"],
            Some(false) => message!["write `false`"],
            None => message!["write `true` or `false`"],
        };
        self.problems.value(
            value,
            message!["`", key, "` is ", found, ", not `true` or `false`"],
            help,
        );
        None
    }

    /// Reads a list; `example` shows how one of its items is written.
    pub(super) fn list<'n>(
        &mut self,
        value: &'n Node,
        key: &'static str,
        example: impl Into<Message>,
    ) -> Option<&'n [Node]> {
        if let NodeKind::Sequence(items) = &value.kind {
            return Some(items);
        }
        let (found, help) = match value.scalar_type() {
            Some(ScalarType::Null) => (
                empty(value),
                message!["write its items below it, such as `", example.into(), "`, or remove it"],
            ),
            _ => (
                value.describe(),
                message!["write each item on a line of its own: `", example.into(), "`"],
            ),
        };
        self.problems.value(value, message!["`", key, "` is ", found, ", not a list"], help);
        None
    }

    fn strings(
        &mut self,
        value: &Node,
        key: &'static str,
        example: &'static str,
    ) -> Option<Vec<Located<String>>> {
        let own = value.as_text().filter(|text| !text.contains([' ', ',']));
        let own = own.map(|text| message!["- ", quote(text)]);
        let items = self.list(value, key, own.unwrap_or_else(|| example.into()))?;
        let what = || message!["an item of `", key, "`"];
        Some(items.iter().filter_map(|item| self.string(item, what(), None)).collect())
    }

    /// Reads the paths of files to append to the prompt. Whether they exist is not known here.
    fn included_files(&mut self, value: &Node) -> Vec<Located<String>> {
        let own = value.as_text().map(|text| message!["- ", quote(text)]);
        let example = own.unwrap_or_else(|| "- references/format.md".into());
        let items = self.list(value, "include", example).unwrap_or_default();
        let mut paths: Vec<Located<String>> = Vec::new();
        for item in items {
            let Some(path) = self.string(item, "an item of `include`", None) else { continue };
            let shown = quote(&path.value);
            if !is_included_path(&path.value) {
                let message = message!["`", shown, "` is not the path of a file in the skill"];
                let help = "write it from the directory of the skill, with `/` between its parts";
                self.problems.value(item, message, help);
            } else if paths.iter().any(|known| known.value == path.value) {
                let message = message!["`", shown, "` is included twice"];
                self.problems.value(item, message, "remove one of the two");
            } else if paths.len() == INCLUDED_FILES_MAX {
                let message = message!["more than ", INCLUDED_FILES_MAX, " files are included"];
                self.problems.value(item, message, "join some of them, or mention fewer");
                break;
            } else {
                paths.push(path);
            }
        }
        paths
    }

    fn category(&mut self, value: &Node) -> Option<Located<Category>> {
        self.word(value, ("`category`", "category"), CATEGORY_HELP)
    }

    /// Reads one of the words of an enum; the value is named with its key, and by what it is.
    pub(super) fn word<E: WireEnum>(
        &mut self,
        value: &Node,
        (key, what): (&'static str, &'static str),
        help: &'static str,
    ) -> Option<Located<E>> {
        let text = self.string(value, key, Some(help.into()))?;
        let word = E::from_name(&text.value);
        if word.is_none() {
            let message = message!["unknown ", what, " `", quote(&text.value), "`"];
            let help = match closest_match(&text.value, E::words().iter().copied()) {
                Some(meant) => message!["write `", meant, "`"],
                None => help.into(),
            };
            self.problems.value(value, message, help);
        }
        word.map(|word| Located { value: word, span: value.span })
    }

    fn inputs(&mut self, value: &Node) -> Option<Vec<Input>> {
        let example = match &value.kind {
            NodeKind::Mapping(entries) => entries.first().and_then(|entry| entry.key.as_str()),
            _ => value.as_text(),
        };
        let example = example.filter(|name| is_input_name(name) && !INPUT.known.contains(name));
        let example = message!["- name: ", quote(example.unwrap_or("child_name"))];
        let items = self.list(value, "inputs", example)?;
        Some(items.iter().filter_map(|item| self.input(item)).collect())
    }

    fn input(&mut self, item: &Node) -> Option<Input> {
        let NodeKind::Mapping(entries) = &item.kind else {
            let message = message!["an input is ", empty_or_type(item), ", not a mapping"];
            self.problems.value(item, message, bare_name_help(item.as_text()));
            return None;
        };
        if let Some(key) = name_as_key(entries) {
            self.problems.value(key, "an input has no `name`", bare_name_help(key.as_str()));
            return None;
        }
        let (mut name, mut kind, mut description, mut is_required) = (None, None, None, true);
        for Entry { key, value } in entries {
            match key.as_str().unwrap_or_default() {
                "name" => name = self.input_name(value),
                "type" => kind = self.input_type(value),
                "description" => {
                    description = self.string(value, "the `description` of an input", None);
                }
                "required" => {
                    is_required =
                        self.boolean(value, "required").is_none_or(|required| required.value);
                }
                _ => self.problems.unknown_key(key, &INPUT, entries),
            }
        }
        self.problems.require(entries, item.span, "name", &INPUT, "child_name");
        Some(Input { name: name?, kind, description, is_required })
    }

    fn input_name(&mut self, value: &Node) -> Option<Located<String>> {
        let name = self.string(value, "the `name` of an input", None)?;
        self.check_input_name(value, &name.value).then_some(name)
    }

    /// Returns `true` if a name is valid in a placeholder, and reports it otherwise.
    pub(super) fn check_input_name(&mut self, value: &Node, name: &str) -> bool {
        if is_input_name(name) {
            return true;
        }
        let message = match name.trim() {
            "" => message!["the name of an input is blank"],
            name => message!["`", quote(name), "` is not a valid input name"],
        };
        let bare = name.trim_matches(['{', '}', ' ']).trim_start_matches("input.");
        let help = match corrected_name(bare) {
            Some(corrected) => message!["write `", quote(&corrected).derived_from(name), "`"],
            None => INPUT_NAME_RULE.into(),
        };
        self.problems.value(value, message, help);
        false
    }

    fn input_type(&mut self, value: &Node) -> Option<Located<String>> {
        let kind = self.string(value, "the `type` of an input", Some(types()))?;
        if INPUT_TYPES.contains(&kind.value.as_str()) {
            return Some(kind);
        }
        let message = message!["unknown input type `", quote(&kind.value), "`"];
        self.problems.value(value, message, input_type_help(&kind.value));
        None
    }
}

/// Returns what to do about a type that is none of [`INPUT_TYPES`], as a sentence fragment.
pub fn input_type_help(written: &str) -> Message {
    let written = written.to_ascii_lowercase();
    let instead = TYPES_INSTEAD.iter().find(|(word, _)| *word == written);
    match instead.map(|(_, meant)| *meant).or_else(|| closest_match(&written, INPUT_TYPES)) {
        Some(meant) => message!["write `", meant, "`"],
        None => types(),
    }
}

fn types() -> Message {
    message!["the types are ", Message::join(INPUT_TYPES, ", ")]
}

/// Returns how an empty value is written.
fn empty(value: &Node) -> &'static str {
    match value.as_str() {
        None | Some("") => "empty",
        Some("~") => "`~`",
        Some(_) => "`null`",
    }
}

pub(super) fn empty_or_type(value: &Node) -> &'static str {
    match value.scalar_type() {
        Some(ScalarType::Null) => empty(value),
        _ => value.describe(),
    }
}

/// Returns the name of an input that is written as a key, as in `- child_name: string`.
fn name_as_key(entries: &[Entry]) -> Option<&Node> {
    let [Entry { key, .. }] = entries else { return None };
    let name = key.as_str()?;
    let is_key = INPUT.known.contains(&name) || INPUT.meant(name).is_some();
    (is_input_name(name) && !is_key).then_some(key)
}

/// Returns how to write an input that is only a name.
fn bare_name_help(name: Option<&str>) -> Message {
    match name.filter(|name| is_input_name(name)) {
        Some(name) => message!["write `- name: ", quote(name), "`"],
        None => message!["write `- name: child_name`, with `type` and `description` below it"],
    }
}
