//! The dry-run of one skill.

use serde_json::{Map, Value};

use super::arguments::{Options, Show};
use super::json;
use super::mask::Private;
use super::render::{self, RenderContext};
use super::review::Review;
use super::saved::{self, Saved};
use crate::cli::drafted::as_json;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::inputs::ways_to_give;
use crate::cli::term::rendered::Rendered;
use dibber_lint::report::write_json_pretty;
use dibber_skill::contract::Decision;
use dibber_skill::discover::{DiscoverError, FoundSkill};
use dibber_skill::draft::MissingInputs;
use dibber_skill::spec_hash::SpecHash;
use dibber_text::{Message, message, quote, quote_display, quote_in_full};

/// What a run reads and does not change.
pub(super) struct RunContext<'a> {
    pub(super) options: &'a Options,
    pub(super) render: RenderContext<'a>,
    /// The preview in the file of `--save`.
    pub(super) saved: Option<Saved>,
}

/// The result for one skill.
pub(super) struct SkillResult {
    /// For standard output.
    pub(super) printed: Vec<u8>,
    /// For standard error, in this order.
    pub(super) messages: Vec<Notice>,
    pub(super) decision: Decision,
    pub(super) exit: Exit,
    /// The preview to write.
    pub(super) preview: Option<Vec<u8>>,
}

/// Something to show on standard error.
pub(super) enum Notice {
    Error(CommandError),
    Warning(Message),
    /// Lines that were rendered.
    Lines(Rendered),
}

/// Reviews one skill; this can run on any thread.
pub(super) fn review(
    found: &FoundSkill,
    context: &RunContext<'_>,
) -> Result<SkillResult, DiscoverError> {
    let review = Review::load(found, context.render.roster, context.render.settings)?;
    let decision = review.decision.decision;
    let exit = if decision == Decision::Refuse { Exit::BadInput } else { Exit::Done };
    let mut result =
        SkillResult { printed: Vec::new(), messages: Vec::new(), decision, exit, preview: None };
    let mut rendered = None;
    if let Some(inputs) = context.options.inputs.as_ref().filter(|_| review.hash.is_some()) {
        match render(&review, inputs, context, &mut result) {
            Ok(prompt) => rendered = Some(prompt),
            Err(MissingInputs(names)) => result.fail(missing_inputs(&review, &names)),
        }
    }
    let mismatch = context.options.expect.filter(|expected| review.hash != Some(*expected));
    match (context.options.show, mismatch) {
        (Show::Json, _) => result.printed = json::draft(&review, rendered.as_deref()),
        (Show::Arguments, None) => result.print_arguments(&review, context),
        (Show::Page, Some(_)) if context.saved.is_some() && review.hash.is_some() => {}
        (Show::Page, _) => {
            result.printed =
                render::page(&review, rendered.as_deref(), &context.render).as_bytes().to_vec();
        }
        (Show::Arguments, Some(_)) | (Show::Saved, _) => {}
    }
    match mismatch {
        Some(expected) => result.report_mismatch(&review, expected, context),
        None => result.set_preview(&review, context),
    }
    Ok(result)
}

impl SkillResult {
    fn fail(&mut self, error: CommandError) {
        self.messages.push(Notice::Error(error));
        self.exit = Exit::BadInput;
    }

    /// Prints the exact arguments, if they are certain and contain nothing private.
    fn print_arguments(&mut self, review: &Review, context: &RunContext<'_>) {
        match (&review.drafted().hash, review.arguments(context.render.roster)) {
            (Err(faults), _) => {
                self.fail(review.drafted().no_hash(faults, context.render.settings));
            }
            (Ok(_), Err(private)) => {
                self.fail(private_error(private, "the arguments are not printed"));
            }
            (Ok(_), Ok(arguments)) => write_json_pretty(arguments, &mut self.printed),
        }
    }

    /// Reports that the skill has another hash than expected, and what has changed if a preview was
    /// saved.
    fn report_mismatch(&mut self, review: &Review, expected: SpecHash, context: &RunContext<'_>) {
        let now = review.hash.map_or("none".to_owned(), |hash| hash.to_string());
        let hashes = message![
            "\n  expected ",
            quote_display(expected),
            "\n  found    ",
            quote_in_full(&now)
        ];
        let path = quote_in_full(&review.path);
        let message = message!["SPEC_HASH_MISMATCH: ", path, " has a different spec-hash", hashes];
        if let (Some(saved), Some(_)) = (&context.saved, review.hash) {
            self.show_changes(review, saved, expected, context);
        }
        let help = match review.hash {
            Some(_) => {
                "look at the preview again; once the parent agrees, expect the new hash".into()
            }
            None => message![quote_in_full(&review.next_step)],
        };
        self.fail(CommandError::new(message).help(help));
    }

    /// Shows what has changed since the preview was saved: on standard output if that is for
    /// people, on standard error otherwise.
    fn show_changes(
        &mut self,
        review: &Review,
        saved: &Saved,
        expected: SpecHash,
        context: &RunContext<'_>,
    ) {
        if saved.hash() != expected {
            let hash = saved.hash();
            let message =
                message!["the saved preview also has a different spec-hash: ", quote_display(hash)];
            self.messages.push(Notice::Warning(message));
        }
        let now = as_json(review.exact_arguments());
        let changes = saved.changes(&now, context.render.style.color, context.render.roster);
        match context.options.show {
            Show::Page => self.printed = changes.as_bytes().to_vec(),
            Show::Json | Show::Arguments | Show::Saved => {
                self.messages.push(Notice::Lines(changes));
            }
        }
    }

    /// Sets the preview to save.
    fn set_preview(&mut self, review: &Review, context: &RunContext<'_>) {
        if context.options.save.is_none() {
            return;
        }
        let (Some(hash), Some(preview)) = (review.hash, &review.preview) else {
            let error = CommandError::new("the preview is not saved: the files have problems");
            return self.fail(error.help(quote_in_full(&review.next_step)));
        };
        match review.arguments(context.render.roster) {
            Ok(arguments) => self.preview = Some(saved::save(arguments, hash, preview, review)),
            Err(private) => self.fail(private_error(private, "the preview is not saved")),
        }
    }
}

/// Renders the prompt, and warns of inputs that the skill does not have.
fn render(
    review: &Review,
    inputs: &Map<String, Value>,
    context: &RunContext<'_>,
    result: &mut SkillResult,
) -> Result<String, MissingInputs> {
    let rendered = review.render(inputs, context.render.roster)?;
    if !rendered.ignored.is_empty() {
        let message = message!["the skill has no ", input_names(&rendered.ignored)];
        result.messages.push(Notice::Warning(message));
    }
    Ok(rendered.prompt)
}

fn missing_inputs(review: &Review, names: &[String]) -> CommandError {
    CommandError::new(message![
        "BAD_INPUT: ",
        quote_in_full(&review.path),
        " needs the ",
        input_names(names)
    ])
    .help(quote_in_full(&ways_to_give(names.iter().map(String::as_str))))
}

/// Returns "input `a`" or "inputs `a`, `b`".
fn input_names(names: &[String]) -> Message {
    let quoted = names.iter().map(|name| message!["`", quote(name), "`"]);
    let word = if names.len() == 1 { "input" } else { "inputs" };
    message![word, " ", Message::join(quoted, ", ")]
}

fn private_error(private: Private, what: &'static str) -> CommandError {
    match private {
        Private::Name => {
            let contains = ": the skill contains a child's name";
            CommandError::new(message!["PII_IN_PROMPT: ", what, contains]).help(
                "write `{{input.child_name}}` in its place; `dibber dry-run` without this option \
                 shows where",
            )
        }
        Private::Secret => CommandError::new(message![what, ": the skill contains a key or token"])
            .help("remove it; `dibber lint` shows where"),
    }
}
