//! From TOML to a [`ProtocolManifest`], collecting every problem on the way.

use semver::Version;
use toml::de::DeTable;

use super::input_schema;
use super::model::{
    DESCRIPTION_CHARACTERS_MAX, PROTOCOL_BYTES_MAX, ProtocolKind, ProtocolManifest,
};
use super::name::{DOTTED_NAME_BYTES_MAX, DottedName};
use super::problem::{ProtocolProblem, ProtocolProblemKind as Kind, TOO_LARGE_HELP};
use super::reader::{Keys, Reader, Value};
use crate::manifest::Located;
use crate::skill::PROTOCOL_FILE_NAME;
use crate::toml_syntax::SyntaxErrors;
use dibber_text::{Message, NotUtf8, Problem, Source, Span, closest_match, message, quote};

const KEYS: Keys = Keys {
    of: "`skill.toml`",
    known: &["name", "version", "description", "kind", "runtime", "permissions", "input_schema"],
    instead: &[
        ("input", "input_schema"),
        ("inputs", "input_schema"),
        ("inputSchema", "input_schema"),
        ("parameters", "input_schema"),
        ("schema", "input_schema"),
        ("type", "kind"),
    ],
};

pub(super) fn manifest(source: &Source) -> (ProtocolManifest, Vec<ProtocolProblem>) {
    let (mut manifest, mut reader) = (ProtocolManifest::default(), Reader::default());
    if let Some(problem) = unreadable(source) {
        reader.add(Kind::Invalid, problem);
        return (manifest, reader.finish());
    }
    let (root, errors) = DeTable::parse_recoverable(source.text());
    reader.root(root.get_ref(), &mut manifest);
    let syntax = SyntaxErrors::new(source.text(), root.get_ref(), &errors);
    forget_guesses(&mut manifest, &syntax);
    reader.add_syntax_errors(syntax);
    (manifest, reader.finish())
}

/// Empties the fields that only follow from a syntax error: they are compared with other files.
fn forget_guesses(manifest: &mut ProtocolManifest, syntax: &SyntaxErrors) {
    fn forget<T>(field: &mut Option<Located<T>>, syntax: &SyntaxErrors) {
        field.take_if(|field| syntax.is_guess(field.span));
    }
    forget(&mut manifest.name, syntax);
    forget(&mut manifest.version, syntax);
    forget(&mut manifest.description, syntax);
    forget(&mut manifest.kind, syntax);
    forget(&mut manifest.input_schema, syntax);
    if let Some(runtime) = &mut manifest.runtime {
        forget(&mut runtime.entrypoint, syntax);
        forget(&mut runtime.export, syntax);
    }
}

/// Returns the problem of a file that is not parsed.
fn unreadable(source: &Source) -> Option<Problem> {
    if source.text().len() > PROTOCOL_BYTES_MAX {
        let message = message!["`", PROTOCOL_FILE_NAME, "` is larger than 64 KiB"];
        return Some(Problem::new(Span::empty(0), message).with_help(TOO_LARGE_HELP));
    }
    let NotUtf8 { at, .. } = source.not_utf8()?;
    let problem = Problem::new(Span::new(at, at + 1), "the file is not UTF-8 from here on");
    Some(problem.with_help("save it as UTF-8"))
}

impl Reader {
    fn root(&mut self, root: &DeTable<'_>, manifest: &mut ProtocolManifest) {
        for (key, value) in root {
            match key.get_ref().as_ref() {
                "name" => manifest.name = self.name(value),
                "version" => manifest.version = self.version(value),
                "description" => manifest.description = self.description(value),
                "kind" => manifest.kind = self.kind(value),
                "runtime" => manifest.runtime = self.runtime(value),
                "permissions" => manifest.permissions = self.permissions(value),
                "input_schema" => manifest.input_schema = input_schema::read(value, self),
                _ => self.unknown_key(key, &KEYS),
            }
        }
        let first = root.iter().map(|(key, _)| Span::from(key.span())).min();
        let top = (KEYS.of, first.unwrap_or(Span::empty(0)));
        for (key, kind, example) in [
            ("name", Kind::InvalidName, "\"family.dates.countdown\""),
            ("version", Kind::InvalidVersion, "\"0.1.0\""),
            ("description", Kind::Invalid, "\"Counts the days to a date.\""),
            ("kind", Kind::Invalid, "\"instruction\""),
        ] {
            if root.get(key).is_none() {
                self.missing(kind, top, key, example);
            }
        }
        self.check_runtime(root, manifest);
    }

    fn name(&mut self, value: &Value<'_>) -> Option<Located<DottedName>> {
        let Located { value: text, span } =
            self.string(value, "name", "\"family.dates.countdown\"")?;
        if let Some(name) = DottedName::parse(&text) {
            return Some(Located { value: name, span });
        }
        let message = message!["`", quote(&text), "` is not a dotted name"];
        let help = match DottedName::corrected(&text) {
            Some(name) => {
                message!["write `", quote(name.as_str()).derived_from(&text), "`"]
            }
            None if text.len() > DOTTED_NAME_BYTES_MAX => {
                message!["write at most ", DOTTED_NAME_BYTES_MAX, " characters"]
            }
            None => "write two or more words of lowercase letters and digits with dots between \
                     them, such as `family.dates.countdown`"
                .into(),
        };
        self.add(Kind::InvalidName, Problem::new(span, message).with_help(help));
        None
    }

    fn version(&mut self, value: &Value<'_>) -> Option<Located<Version>> {
        let Located { value: text, span } = self.string(value, "version", "\"0.1.0\"")?;
        if let Ok(version) = Version::parse(&text) {
            return Some(Located { value: version, span });
        }
        let message = message!["`", quote(&text), "` is not a semantic version"];
        let problem = Problem::new(span, message).with_help(version_help(&text));
        self.add(Kind::InvalidVersion, problem);
        None
    }

    fn description(&mut self, value: &Value<'_>) -> Option<Located<String>> {
        let text = self.string(value, "description", "\"Counts the days to a date.\"")?;
        let (message, help): (Message, &str) = if text.value.trim().is_empty() {
            ("the `description` is blank".into(), "say in one line what the skill does")
        } else if text.value.trim_end().contains(['\n', '\r']) {
            let help = "say it in one line; details belong in `SKILL.md`";
            ("the `description` has more than one line".into(), help)
        } else if text.value.chars().count() > DESCRIPTION_CHARACTERS_MAX {
            let message = message![
                "the `description` is longer than ",
                DESCRIPTION_CHARACTERS_MAX,
                " characters"
            ];
            (message, "say it in one line; details belong in `SKILL.md`")
        } else {
            return Some(text);
        };
        self.invalid(text.span, message, help);
        None
    }

    fn kind(&mut self, value: &Value<'_>) -> Option<Located<ProtocolKind>> {
        let Located { value: text, span } = self.string(value, "kind", "\"instruction\"")?;
        if let Some(kind) = ProtocolKind::from_name(&text) {
            return Some(Located { value: kind, span });
        }
        let help = match closest_match(&text, ProtocolKind::ALL.map(ProtocolKind::name)) {
            Some(meant) => message!["did you mean `", meant, "`?"],
            None => "write `action` for a skill that has code to run, or `instruction`".into(),
        };
        self.invalid(span, message!["`", quote(&text), "` is not a kind of skill"], help);
        None
    }
}

/// Returns what to write instead of an invalid version, which may lack numbers or begin with a `v`.
fn version_help(text: &str) -> Message {
    let numbers = text.trim().trim_start_matches(['v', 'V']);
    let padded = [numbers.to_owned(), format!("{numbers}.0"), format!("{numbers}.0.0")];
    match padded.iter().find(|version| Version::parse(version).is_ok()) {
        Some(version) => message!["write `", quote(version).derived_from(text), "`"],
        None => "write three numbers with dots between them: `0.1.0`".into(),
    }
}
