//! The names of children in a skill that is edited: those that the answers contain, according to
//! questions about them, and those on the private list.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::check::Checker;
use crate::cli::error::CommandError;
use crate::cli::new::explanation;
use crate::cli::new::free_text::{parse_value, value_question};
use crate::cli::new::name_questions::{ask_about_names, ask_about_value};
use crate::cli::new::spoken_names::{
    CHILD_NAME, NAME_IS_LEFT_OUT, NameCount, child_name_input, clean_folder, confirmed, decision,
    drop_overlapping, in_case_of, is_same_child, name_spans, names_to_ask, replace_name,
    with_first_names, without_names, without_spans,
};
use crate::cli::term::ask::{Asker, Reply};
use crate::cli::term::ui::Ui;
use dibber_skill::discover::FoundSkill;
use dibber_skill::names::{AnswerKind, Name, Roster, Scope, likely_names};
use dibber_skill::revision::{CurrentSchedule, SkillAnswers, SkillChanges};
use dibber_skill::skill::{PlaceholderKind, name, placeholder_of, placeholders};
use dibber_text::{Message, Span, message, quote, quote_in_full, shell_word};

/// What the question about the names in the skill means.
const EXPLANATION: &str = "\
With yes, the input `child_name` is filled in at each run, and the skill that is published contains no \
name. With no, the name stays, and is published.";
/// What marks a heading.
const HEADING: char = '#';

/// The names of children that are known while a skill is edited.
pub(in crate::cli) struct ChildNames<'a> {
    roster: &'a Roster,
    /// The words that looked like names, and whether each is the name of a child.
    asked: BTreeMap<String, bool>,
}

/// The text that an agent reads, without names of children.
struct CleanBody {
    text: String,
    /// The first name, which an input replaces; none if no name is in the steps.
    first: Option<String>,
}

impl<'a> ChildNames<'a> {
    pub(in crate::cli) fn new(roster: &'a Roster) -> Self {
        Self { roster, asked: BTreeMap::new() }
    }

    /// Returns an answer without names of children: those on the list, and the words that are names
    /// according to a question, which is asked once for each; none if the answer is to be typed
    /// again.
    pub(in crate::cli) fn leave_out(
        &mut self,
        typed: &str,
        kind: AnswerKind,
        asker: &mut Asker<'_>,
    ) -> Result<Option<String>, CommandError> {
        let likely = names_to_ask(typed, kind, self.roster, |name| decision(&self.asked, name));
        if !likely.is_empty() {
            let Some(decided) = ask_about_names(asker, &likely)? else { return Ok(None) };
            self.asked.extend(decided);
        }
        let clean = self.clean(typed);
        if clean != typed {
            asker.eprintln(NAME_IS_LEFT_OUT);
        }
        Ok(Some(clean))
    }

    /// Returns the value of an input in scheduled runs, without the names of children that are not to
    /// be stored with the schedule; none if it is to be typed again.
    pub(super) fn leave_out_of_value(
        &mut self,
        input: &str,
        typed: String,
        asker: &mut Asker<'_>,
    ) -> Result<Option<String>, CommandError> {
        if input == CHILD_NAME {
            return Ok(Some(typed));
        }
        let answer = ask_about_value(asker, &typed, &self.asked, &self.spoken())?;
        Ok(answer.map(|(value, names)| {
            self.asked.extend(names.into_iter().map(|name| (name, true)));
            value
        }))
    }

    /// Offers to replace the names that are in the skill after these changes. Returns `false` if the
    /// question before is to be asked again.
    pub(super) fn offer(
        &self,
        checker: &Checker<'_>,
        changes: &mut SkillChanges,
        asker: &mut Asker<'_>,
    ) -> Result<bool, CommandError> {
        let places = self.places(checker, changes)?;
        if places.is_empty() {
            return Ok(true);
        }
        let (mut next, first) = self.replaced(checker, changes);
        if next != *changes {
            let question = message![
                "The name of a child is in ",
                listed(&places),
                ". Write `",
                quote_in_full(&placeholder_of(CHILD_NAME)),
                "` in the steps instead, and `the child` in titles and descriptions?"
            ];
            match asker.confirm_or_back(question, EXPLANATION, true)? {
                None => return Ok(false),
                Some(false) => return Ok(true),
                Some(true) => {}
            }
            if let Some(first) = first.filter(|_| needs_value(&next, checker.known())) {
                let Some(value) = ask_value(asker, &first)? else { return Ok(false) };
                next.values.insert(CHILD_NAME.to_owned(), value);
            }
            match checker.files(&next).map(|files| checker.new_errors(&files)) {
                Ok(errors) if errors.is_empty() => *changes = next,
                Ok(errors) => {
                    for error in &errors {
                        asker.show_error(&error.to_command_error());
                    }
                }
                Err(error) => asker.show_error(&error),
            }
        }
        let places = self.places(checker, changes)?;
        if !places.is_empty() {
            let places = listed(&places);
            asker.eprintln(message![
                "The name of a child stays in ",
                places,
                ". Change it in an editor."
            ]);
        }
        Ok(true)
    }

    /// Returns how to rename the folder of the skill if it contains the name of a child.
    pub(super) fn folder_note(&self, found: &FoundSkill, title: Option<&str>) -> Option<Message> {
        let directory = found.directory.canonicalize().ok()?;
        let folder = directory.file_name()?.to_str()?;
        let clean = clean_folder(folder, |words| self.clean_in_any_case(words));
        if clean.as_deref() == Some(folder) {
            return None;
        }
        let of_title = || name::corrected_to_ascii(&self.clean_in_any_case(title?));
        let new = clean.or_else(of_title).unwrap_or_else(|| CHILD_NAME.replace('_', "-"));
        let numbered = (2..).map(|number| format!("{new}-{number}"));
        let is_free = |name: &String| !directory.with_file_name(name).exists();
        let name = std::iter::once(new.clone()).chain(numbered).find(is_free)?;
        let shown = Path::new(&found.shown);
        let command = if shown.file_name().is_some() {
            let new = shown.with_file_name(&name).display().to_string();
            format!("mv {} {}", shell_word(&found.shown), shell_word(&new))
        } else {
            let parent = shown.strip_prefix(".").unwrap_or(shown).join("..").display().to_string();
            let [parent, old, new] = [&parent, folder, &name].map(shell_word);
            format!("cd {parent} && mv {old} {new}")
        };
        Some(message![
            "The name of the folder contains the name of a child, and is published with the skill. \
             `",
            quote_in_full(&command),
            "` renames it; then write `name: ",
            quote_in_full(&name),
            "` in its SKILL.md. If the skill is published, push other changes before that, so that \
             `dibber push` recognises it."
        ])
    }

    fn spoken(&self) -> Vec<&str> {
        with_first_names(confirmed(&self.asked))
    }

    /// Returns where names are, each with the words after it that probably belong to it: a first name
    /// with its surname.
    fn whole_names(&self, text: &str) -> Vec<Span> {
        let likely = likely_names(text, AnswerKind::Sentence);
        let mut spans = name_spans(text, self.roster, self.spoken());
        for span in &mut spans {
            let whole = likely.iter().find(|it| it.span.start == span.start);
            span.end = whole.map_or(span.end, |it| it.span.end.max(span.end));
        }
        drop_overlapping(&mut spans);
        spans
    }

    fn clean(&self, text: &str) -> String {
        in_case_of(text, without_spans(text, self.whole_names(text)))
    }

    fn clean_in_any_case(&self, text: &str) -> String {
        let spoken: Vec<_> = self.spoken().into_iter().map(str::to_lowercase).collect();
        without_names(text, self.roster, spoken.iter().map(String::as_str))
    }

    /// Returns the lines with names in the files of the skill after these changes, by their paths.
    fn places(
        &self,
        checker: &Checker<'_>,
        changes: &SkillChanges,
    ) -> Result<BTreeMap<String, BTreeSet<usize>>, CommandError> {
        let names: Vec<_> =
            self.spoken().into_iter().filter_map(|it| Name::parse(it).ok()).collect();
        let files = checker.files(changes)?;
        let rosters = [Roster::new(&names), self.roster.clone()];
        let mut places: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for (path, line) in rosters.into_iter().flat_map(|it| checker.lines_with_names(&files, it))
        {
            places.entry(path).or_default().insert(line);
        }
        Ok(places)
    }

    /// Returns the changes with those that replace names, and the name that an input replaces.
    fn replaced(
        &self,
        checker: &Checker<'_>,
        changes: &SkillChanges,
    ) -> (SkillChanges, Option<String>) {
        let (mut next, after) = (changes.clone(), changes.applied_to(checker.known()));
        let clean = |text: Option<String>| {
            let text = text?;
            Some(self.clean(&text)).filter(|clean| *clean != text)
        };
        next.label = clean(after.label).or(next.label);
        next.description = clean(after.description).or(next.description);
        let text = changes.body.as_deref().unwrap_or(checker.body());
        let body = self.clean_body(text);
        if body.text != text {
            let is_input = |kind: &PlaceholderKind| matches!(kind, PlaceholderKind::Input(_));
            let mut used = placeholders(text).into_iter().map(|it| it.kind);
            // Without a list of inputs, those that the text uses are published.
            let is_listed = !after.inputs.is_empty() || !used.any(|kind| is_input(&kind));
            if body.first.is_some() && is_listed && !after.inputs.iter().any(|it| it == CHILD_NAME)
            {
                // It replaces the first name alone.
                next.inputs.push(child_name_input(NameCount::One));
            }
            next.body = Some(body.text);
        }
        (next, body.first)
    }

    /// Returns the text that an agent reads with an input in place of the first name in the steps,
    /// and "the child" in place of other names and in headings.
    fn clean_body(&self, body: &str) -> CleanBody {
        let spans = self.whole_names(body);
        let is_in_heading = |span: &Span| {
            let line = body[..span.start].rsplit('\n').next();
            line.is_some_and(|line| line.starts_with(HEADING))
        };
        let first = spans.iter().find(|span| !is_in_heading(span)).map(|span| &body[span.range()]);
        let mut text = body.to_owned();
        for span in spans.into_iter().rev() {
            let is_first = first.is_some_and(|first| is_same_child(first, &body[span.range()]));
            if is_first && !is_in_heading(&span) {
                text.replace_range(span.range(), &placeholder_of(CHILD_NAME));
                continue;
            }
            replace_name(&mut text, span);
            if body[..span.start].trim_end().ends_with(HEADING) {
                let end = span.start + 1;
                text[span.start..end].make_ascii_uppercase();
            }
        }
        CleanBody { text, first: first.map(str::to_owned) }
    }
}

/// Warns of the values of inputs that contain a name on the list, where nothing is asked. The input
/// for the name of the child is there to have it.
pub(super) fn warn_of_values(changes: &SkillChanges, roster: &Roster, ui: &mut Ui) {
    for (input, value) in &changes.values {
        if input != CHILD_NAME && !roster.find(value, Scope::Prose).is_empty() {
            ui.warning(message![
                "the value of `",
                quote(input),
                "` contains the name of a child; it is stored in sprout.yaml and on the server"
            ]);
        }
    }
}

/// Returns `true` if the new input needs a value in scheduled runs.
fn needs_value(changes: &SkillChanges, known: &SkillAnswers) -> bool {
    let is_new = changes.inputs.iter().any(|input| input.name == CHILD_NAME);
    let is_scheduled = changes.applied_to(known).schedule != CurrentSchedule::Never;
    is_new && is_scheduled && !changes.values.contains_key(CHILD_NAME)
}

/// Asks what the name is when the skill runs by itself; none if the question before is to be asked
/// again.
fn ask_value(asker: &mut Asker<'_>, default: &str) -> Result<Option<String>, CommandError> {
    loop {
        match asker.reply(value_question(CHILD_NAME), &[], Some(default))? {
            Reply::Back => return Ok(None),
            Reply::Help => asker.eprintln(explanation::VALUE),
            Reply::Given(typed) if typed.is_empty() => return Ok(Some(default.to_owned())),
            Reply::Given(typed) => match parse_value(&typed) {
                Ok(value) => return Ok(Some(value)),
                Err(error) => asker.show_error(&error),
            },
        }
    }
}

/// Returns lines in words: `SKILL.md, lines 3 and 6; sprout.yaml, line 1`.
fn listed(places: &BTreeMap<String, BTreeSet<usize>>) -> Message {
    let of_file = |(path, lines): (&String, &BTreeSet<usize>)| {
        let word = if lines.len() == 1 { ", line " } else { ", lines " };
        let lines: Vec<_> = lines.iter().map(usize::to_string).collect();
        let lines = match lines.split_last() {
            Some((last, [_, ..])) => format!("{} and {last}", lines[..lines.len() - 1].join(", ")),
            _ => lines.concat(),
        };
        message![quote_in_full(path), word, quote_in_full(&lines)]
    };
    Message::join(places.iter().map(of_file), "; ")
}
