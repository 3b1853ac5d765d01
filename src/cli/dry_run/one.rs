//! What a dry-run of one skill prints and says.

use serde_json::{Map, Value};

use super::arguments::{Options, Show};
use super::json;
use super::mask::Private;
use super::page::{self, Look};
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

/// What a run works with, and does not change.
pub(super) struct Plan<'a> {
    pub(super) options: &'a Options,
    pub(super) look: Look<'a>,
    /// What the file of `--save` holds.
    pub(super) saved: Option<Saved>,
}

/// What came of one skill.
pub(super) struct Done {
    /// For standard output.
    pub(super) printed: Vec<u8>,
    /// For standard error, in this order.
    pub(super) said: Vec<Said>,
    pub(super) decision: Decision,
    pub(super) exit: Exit,
    /// The preview to write.
    pub(super) preview: Option<Vec<u8>>,
}

/// Something for standard error.
pub(super) enum Said {
    Error(CommandError),
    Warning(String),
    /// Lines that can be shown as they are.
    Lines(String),
}

/// Does all for one skill that can be done on any thread.
pub(super) fn review(found: &FoundSkill, plan: &Plan<'_>) -> Result<Done, DiscoverError> {
    let review = Review::load(found, plan.look.roster, plan.look.settings)?;
    let decision = review.decision.decision;
    let exit = if decision == Decision::Refuse { Exit::BadInput } else { Exit::Done };
    let mut done = Done { printed: Vec::new(), said: Vec::new(), decision, exit, preview: None };
    let mut rendered = None;
    if let Some(inputs) = plan.options.inputs.as_ref().filter(|_| review.hash.is_some()) {
        match fill_in(&review, inputs, plan, &mut done) {
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
            done.printed = page::page(&review, rendered.as_deref(), &plan.look).into_bytes();
        }
        (Show::Arguments, Some(_)) => {}
    }
    match mismatch {
        Some(expected) => done.mismatch(&review, expected, plan),
        None => done.save(&review, plan),
    }
    Ok(done)
}

impl Done {
    fn fail(&mut self, error: CommandError) {
        self.said.push(Said::Error(error));
        self.exit = Exit::BadInput;
    }

    /// Prints the exact arguments, unless they are not certain, or not for everybody's eyes.
    fn arguments(&mut self, review: &Review, plan: &Plan<'_>) {
        match (&review.drafted().hash, review.arguments(plan.look.roster)) {
            (Err(faults), _) => {
                self.fail(review.drafted().no_hash(faults, plan.look.settings));
            }
            (Ok(_), Err(private)) => self.fail(not_given(private, "the arguments are not printed")),
            (Ok(_), Ok(arguments)) => write_json_pretty(arguments, &mut self.printed),
        }
    }

    /// Says that the skill is not the one that was expected, and what has changed if that is
    /// known.
    fn mismatch(&mut self, review: &Review, expected: SpecHash, plan: &Plan<'_>) {
        let now = review.hash.map_or("none".to_owned(), |hash| hash.to_string());
        let message = format!(
            "SPEC_HASH_MISMATCH: {} is not what was expected\n  expected {expected}\n  it is    {now}",
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

    /// Shows what has changed since the preview was saved: on standard output where people read,
    /// beside it otherwise.
    fn changes(&mut self, review: &Review, saved: &Saved, expected: SpecHash, plan: &Plan<'_>) {
        if saved.hash() != expected {
            let hash = saved.hash();
            let message = format!("the saved preview is not the expected one either, but {hash}");
            self.said.push(Said::Warning(message));
        }
        let now = as_json(review.exact_arguments());
        let changes = saved.changes(&now, plan.look.roster);
        match plan.options.show {
            Show::Page => self.printed = changes.into_bytes(),
            Show::Json | Show::Arguments => {
                self.said.push(Said::Lines(changes));
            }
        }
    }

    /// Makes the preview that is to be saved.
    fn save(&mut self, review: &Review, plan: &Plan<'_>) {
        if plan.options.save.is_none() {
            return;
        }
        let (Some(hash), Some(preview)) = (review.hash, &review.preview) else {
            let error = CommandError::new("the preview is not saved: the files have faults");
            return self.fail(error.help(&review.next_step));
        };
        match review.arguments(plan.look.roster) {
            Ok(arguments) => self.preview = Some(saved::save(arguments, hash, preview, review)),
            Err(private) => self.fail(not_given(private, "the preview is not saved")),
        }
    }
}

/// Fills the prompt in, and says which inputs nothing asks for.
fn fill_in(
    review: &Review,
    inputs: &Map<String, Value>,
    plan: &Plan<'_>,
    done: &mut Done,
) -> Result<String, MissingInputs> {
    let rendered = review.render(inputs, plan.look.roster)?;
    if !rendered.ignored.is_empty() {
        let message = format!("the skill has no {}", named(&rendered.ignored));
        done.said.push(Said::Warning(message));
    }
    Ok(rendered.prompt)
}

fn missing(review: &Review, names: &[String]) -> CommandError {
    let options: Vec<_> = names.iter().map(|name| format!("--input {name}=…")).collect();
    CommandError::new(format!("BAD_INPUT: {} needs the {}", review.path, named(names)))
        .help(format!("add {}", options.join(" ")))
}

/// The inputs of those names, in words.
fn named(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    let word = if names.len() == 1 { "input" } else { "inputs" };
    format!("{word} {}", quoted.join(", "))
}

fn not_given(private: Private, what: &str) -> CommandError {
    match private {
        Private::Name => CommandError::new(format!("PII_IN_PROMPT: {what}: a child's name stands in the skill"))
            .help("write `{{input.child_name}}` in its place; `dibber dry-run` without this option shows where"),
        Private::Secret => CommandError::new(format!("{what}: a key or token stands in the skill"))
            .help("take it out; `dibber lint` shows where"),
    }
}
