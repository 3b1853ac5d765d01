//! The dry-run of one skill.

use serde_json::{Map, Value};

use super::arguments::{Options, Show};
use super::json;
use super::mask::Private;
use super::render::{self, Look};
use super::review::Review;
use super::saved::{self, Saved};
use crate::cli::drafted::as_json;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_lint::report::write_json_pretty;
use dibber_skill::contract::Decision;
use dibber_skill::discover::{DiscoverError, FoundSkill};
use dibber_skill::draft::MissingInputs;
use dibber_skill::spec_hash::SpecHash;

/// What a run works with and does not change.
pub(super) struct RunContext<'a> {
    pub(super) options: &'a Options,
    pub(super) look: Look<'a>,
    /// The preview in the file of `--save`.
    pub(super) saved: Option<Saved>,
}

/// The result for one skill.
pub(super) struct SkillResult {
    /// For standard output.
    pub(super) printed: Vec<u8>,
    /// For standard error, in this order.
    pub(super) messages: Vec<Message>,
    pub(super) decision: Decision,
    pub(super) exit: Exit,
    /// The preview to write.
    pub(super) preview: Option<Vec<u8>>,
}

/// A message for standard error.
pub(super) enum Message {
    Error(CommandError),
    Warning(String),
    /// Lines that are escaped already.
    Lines(String),
}

/// Reviews one skill; this can run on any thread.
pub(super) fn review(
    found: &FoundSkill,
    plan: &RunContext<'_>,
) -> Result<SkillResult, DiscoverError> {
    let review = Review::load(found, plan.look.roster, plan.look.settings)?;
    let decision = review.decision.decision;
    let exit = if decision == Decision::Refuse { Exit::BadInput } else { Exit::Done };
    let mut done =
        SkillResult { printed: Vec::new(), messages: Vec::new(), decision, exit, preview: None };
    let mut rendered = None;
    if let Some(inputs) = plan.options.inputs.as_ref().filter(|_| review.hash.is_some()) {
        match render(&review, inputs, plan, &mut done) {
            Ok(prompt) => rendered = Some(prompt),
            Err(MissingInputs(names)) => done.fail(missing(&review, &names)),
        }
    }
    let mismatch = plan.options.expect.filter(|expected| review.hash != Some(*expected));
    match (plan.options.show, mismatch) {
        (Show::Json, _) => done.printed = json::draft(&review, rendered.as_deref()),
        (Show::Arguments, None) => done.arguments(&review, plan),
        (Show::Page, Some(_)) if plan.saved.is_some() && review.hash.is_some() => {}
        (Show::Page, _) => {
            done.printed = render::page(&review, rendered.as_deref(), &plan.look).into_bytes();
        }
        (Show::Arguments, Some(_)) => {}
    }
    match mismatch {
        Some(expected) => done.mismatch(&review, expected, plan),
        None => done.save(&review, plan),
    }
    Ok(done)
}

impl SkillResult {
    fn fail(&mut self, error: CommandError) {
        self.messages.push(Message::Error(error));
        self.exit = Exit::BadInput;
    }

    /// Prints the exact arguments, if they are certain and contain nothing private.
    fn arguments(&mut self, review: &Review, plan: &RunContext<'_>) {
        match (&review.drafted().hash, review.arguments(plan.look.roster)) {
            (Err(faults), _) => {
                self.fail(review.drafted().no_hash(faults, plan.look.settings));
            }
            (Ok(_), Err(private)) => {
                self.fail(private_error(private, "the arguments are not printed"));
            }
            (Ok(_), Ok(arguments)) => write_json_pretty(arguments, &mut self.printed),
        }
    }

    /// Reports that the skill has another hash than expected, and what has changed if a preview was
    /// saved.
    fn mismatch(&mut self, review: &Review, expected: SpecHash, plan: &RunContext<'_>) {
        let now = review.hash.map_or("none".to_owned(), |hash| hash.to_string());
        let message = format!(
            "SPEC_HASH_MISMATCH: {} has another spec-hash\n  expected {expected}\n  found    {now}",
            review.path
        );
        if let (Some(saved), Some(_)) = (&plan.saved, review.hash) {
            self.changes(review, saved, expected, plan);
        }
        let hint = match review.hash {
            Some(_) => "look at the preview again; once the parent agrees, expect the new hash",
            None => &review.next_step,
        };
        self.fail(CommandError::new(message).help(hint));
    }

    /// Shows what has changed since the preview was saved: on standard output if that is for
    /// people, on standard error otherwise.
    fn changes(
        &mut self,
        review: &Review,
        saved: &Saved,
        expected: SpecHash,
        plan: &RunContext<'_>,
    ) {
        if saved.hash() != expected {
            let hash = saved.hash();
            let message = format!("the saved preview has another spec-hash, too: {hash}");
            self.messages.push(Message::Warning(message));
        }
        let now = as_json(review.exact_arguments());
        let changes = saved.changes(&now, plan.look.roster);
        match plan.options.show {
            Show::Page => self.printed = changes.into_bytes(),
            Show::Json | Show::Arguments => {
                self.messages.push(Message::Lines(changes));
            }
        }
    }

    /// Sets the preview to save.
    fn save(&mut self, review: &Review, plan: &RunContext<'_>) {
        if plan.options.save.is_none() {
            return;
        }
        let (Some(hash), Some(preview)) = (review.hash, &review.preview) else {
            let error = CommandError::new("the preview is not saved: the files have problems");
            return self.fail(error.help(&review.next_step));
        };
        match review.arguments(plan.look.roster) {
            Ok(arguments) => self.preview = Some(saved::save(arguments, hash, preview, review)),
            Err(private) => self.fail(private_error(private, "the preview is not saved")),
        }
    }
}

/// Renders the prompt, and warns of inputs that the skill does not have.
fn render(
    review: &Review,
    inputs: &Map<String, Value>,
    plan: &RunContext<'_>,
    done: &mut SkillResult,
) -> Result<String, MissingInputs> {
    let rendered = review.render(inputs, plan.look.roster)?;
    if !rendered.ignored.is_empty() {
        let message = format!("the skill has no {}", input_names(&rendered.ignored));
        done.messages.push(Message::Warning(message));
    }
    Ok(rendered.prompt)
}

fn missing(review: &Review, names: &[String]) -> CommandError {
    let options: Vec<_> = names.iter().map(|name| format!("--input {name}=…")).collect();
    CommandError::new(format!("BAD_INPUT: {} needs the {}", review.path, input_names(names)))
        .help(format!("add {}", options.join(" ")))
}

/// Returns "input `a`" or "inputs `a`, `b`".
fn input_names(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    let word = if names.len() == 1 { "input" } else { "inputs" };
    format!("{word} {}", quoted.join(", "))
}

fn private_error(private: Private, what: &str) -> CommandError {
    match private {
        Private::Name => CommandError::new(format!("PII_IN_PROMPT: {what}: the skill contains a child's name"))
            .help("write `{{input.child_name}}` in its place; `dibber dry-run` without this option shows where"),
        Private::Secret => CommandError::new(format!("{what}: the skill contains a key or token"))
            .help("take it out; `dibber lint` shows where"),
    }
}
