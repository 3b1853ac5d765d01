//! What a terminal does during a call: it shows the progress that the server reports, and asks the
//! user what the server asks.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value};

use super::form::{Field, FieldKind, fields};
use crate::cli::error::CommandError;
use crate::cli::term::ask::Asker;
use crate::cli::term::ui::Ui;
use dibber_client::{Answer, Host, PageUrl, Progress, Question, UserRequest};
use dibber_skill::names::Roster;
use dibber_text::{Message, message, quote, quote_in_full};

/// How often the picture of a progress without an end moves.
const TICK: Duration = Duration::from_millis(120);
/// The most attempts at the value of one field.
const ATTEMPTS_MAX: usize = 5;

/// The terminal.
pub(super) struct TerminalHost {
    ui: Mutex<Ui>,
    bar: Mutex<Option<ProgressBar>>,
}

impl TerminalHost {
    pub(super) fn new(ui: &Ui) -> Self {
        Self { ui: Mutex::new(ui.for_thread()), bar: Mutex::default() }
    }

    /// Removes the progress, before anything else is shown.
    pub(super) fn hide_progress(&self) {
        if let Some(bar) = self.bar().take() {
            bar.finish_and_clear();
        }
    }

    fn bar(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for TerminalHost {
    fn show_progress(&self, progress: &Progress) {
        // A question may have the terminal for any time, and this must not wait: it runs on the
        // thread that waits for the answer and for an interruption.
        let Ok(ui) = self.ui.try_lock() else { return };
        if !ui.has_live_stderr() {
            return;
        }
        let mut bar = self.bar();
        let bar = bar.get_or_insert_with(|| {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(TICK);
            bar
        });
        let message = progress.message.as_deref().unwrap_or_default();
        bar.set_message(ui.shown(message).to_string());
        bar.set_style(style(progress.total));
        bar.set_length(progress.total.map_or(0, whole));
        bar.set_position(whole(progress.done));
    }

    fn answer(&self, question: &Question) -> Answer {
        let mut ui = self.ui.lock().unwrap_or_else(PoisonError::into_inner);
        self.hide_progress();
        match &question.request {
            UserRequest::Form(schema) => fill_in(&mut ui, &question.message, schema),
            UserRequest::Page(url) => open(&mut ui, &question.message, url),
            UserRequest::Unsupported => decline_unsupported(&mut ui, &question.message),
        }
    }
}

fn decline_unsupported(ui: &mut Ui, message: &str) -> Answer {
    ui.warning(message![
        "declined a question of a kind that is not supported: ",
        quote_in_full(message)
    ]);
    Answer::Decline
}

/// Asks for the values of a form.
fn fill_in(ui: &mut Ui, message: &str, schema: &Map<String, Value>) -> Answer {
    let Some(fields) = fields(schema, &ui.privacy()) else {
        return decline_unsupported(ui, message);
    };
    if !ui.can_ask() {
        let names = fields.iter().map(|field| message!["`", quote(&field.name), "`"]);
        ui.warning(message![
            "declined to give the server ",
            Message::join(names, " and "),
            ", which needs a terminal; it asks: ",
            quote_in_full(message)
        ]);
        return Answer::Decline;
    }
    let Ok(roster) = ui.names() else { return Answer::Decline };
    match ask(ui, &roster, message, &fields) {
        Ok(Some(answer)) => Answer::Accept(answer),
        Ok(None) => Answer::Decline,
        Err(_) => Answer::Cancel,
    }
}

/// Asks the user to open a page. It is never opened by this program: the user decides whether to
/// trust the host.
fn open(ui: &mut Ui, message: &str, url: &PageUrl) -> Answer {
    let address = url.to_string();
    if !ui.can_ask() {
        ui.warning(message![
            "declined to open a page of `",
            quote_in_full(url.host()),
            "`, which needs a terminal; the server asks: ",
            quote_in_full(message)
        ]);
        return Answer::Decline;
    }
    let Ok(roster) = ui.names() else { return Answer::Decline };
    let mut asker = Asker::new(ui, &roster);
    asker.eprintln(message!["the server asks: ", quote_in_full(message)]);
    asker.eprintln(message!["open this address, of `", quote_in_full(url.host()), "`:"]);
    asker.eprintln(message!["  ", quote_in_full(&address)]);
    match asker.confirm("have you opened it?", false) {
        Ok(true) => Answer::Opened,
        Ok(false) => Answer::Decline,
        Err(_) => Answer::Cancel,
    }
}

/// Asks whether to answer, and then for each field. None means that the user does not answer.
fn ask(
    ui: &mut Ui,
    roster: &Roster,
    message: &str,
    fields: &[Field],
) -> Result<Option<Map<String, Value>>, CommandError> {
    let mut asker = Asker::new(ui, roster);
    asker.eprintln(message!["the server asks: ", quote_in_full(message)]);
    if !asker.confirm("answer it?", true)? {
        return Ok(None);
    }
    let mut answer = Map::new();
    for field in fields {
        if let Some(value) = ask_field(&mut asker, field)? {
            answer.insert(field.name.clone(), value);
        }
    }
    Ok(Some(answer))
}

fn ask_field(asker: &mut Asker<'_>, field: &Field) -> Result<Option<Value>, CommandError> {
    match &field.kind {
        FieldKind::Boolean => {
            let default = field.default.as_ref().and_then(Value::as_bool).unwrap_or(false);
            return Ok(Some(asker.confirm(quote_in_full(&field.label), default)?.into()));
        }
        FieldKind::One(choices) => {
            let labels: Vec<Message> =
                choices.iter().map(|choice| quote_in_full(&choice.label).into()).collect();
            let first =
                choices.iter().position(|choice| Some(&choice.value) == field.default.as_ref());
            let chosen = asker.select(quote_in_full(&field.label), &labels, first.unwrap_or(0))?;
            return Ok(Some(choices[chosen].value.clone()));
        }
        FieldKind::Several(choices) => {
            let labels: Vec<Message> =
                choices.iter().map(|choice| quote_in_full(&choice.label).into()).collect();
            let chosen = asker.multi_select(quote_in_full(&field.label), &labels)?;
            return Ok(Some(chosen.iter().map(|index| choices[*index].value.clone()).collect()));
        }
        FieldKind::String | FieldKind::Integer | FieldKind::Number => {}
    }
    let default = field.default.as_ref().map(|default| match default.as_str() {
        Some(text) => text.to_owned(),
        None => default.to_string(),
    });
    for _ in 0..ATTEMPTS_MAX {
        let typed = asker.input(quote_in_full(&field.label), default.as_deref())?;
        match field.parse(&typed) {
            Ok(value) => return Ok(value),
            Err(problem) => asker.show_error(&CommandError::new(problem)),
        }
    }
    Err(CommandError::interrupted())
}

fn style(total: Option<f64>) -> ProgressStyle {
    let template = match total {
        Some(_) => "{bar:30} {pos}/{len} {msg}",
        None => "{spinner} {pos} {msg}",
    };
    ProgressStyle::with_template(template).expect("the template is constant")
}

/// Returns the whole part of a number of a server, which may be anything.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is cut to what a bar can show"
)]
fn whole(number: f64) -> u64 {
    number.clamp(0.0, 1e15) as u64
}
