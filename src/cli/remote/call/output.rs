//! How the result of a call is printed.

use std::path::Path;

use serde_json::Value;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::masked_json;
use crate::cli::remote::content::ContentPage;
use crate::cli::term::ui::Ui;
use dibber_client::{Content, ToolResult};
use dibber_lint::report::write_json_pretty;

/// The only field of the structured content with which some frameworks wrap a value that is not an
/// object.
const WRAPPED: &str = "result";

/// 2 to the power of 63: larger integers need not fit 64 bits.
const INTEGER_END: f64 = 9_223_372_036_854_775_808.0;

/// How a result is printed.
pub(super) enum Output {
    /// As the server sent it.
    Json,
    /// For people.
    Page(ContentPage),
}

impl Output {
    /// Prepares the output, and its directory.
    pub(super) fn new(
        is_json: bool,
        directory: Option<&Path>,
        ui: &Ui,
    ) -> Result<Self, CommandError> {
        if is_json { Ok(Self::Json) } else { ContentPage::new(directory, ui).map(Self::Page) }
    }

    /// Prints a result.
    pub(super) fn print(self, result: &ToolResult, ui: &mut Ui) -> Result<Exit, CommandError> {
        if may_have_rounded_number(result.json()) {
            ui.warning("the answer has a number of more than 64 bits, which may be rounded");
        }
        match self {
            Self::Json => {
                let roster = ui.names()?;
                ui.print_json(&masked_json(result.json(), &roster))?;
            }
            Self::Page(page) => print_page(page, result, ui)?,
        }
        Ok(Exit::Done)
    }
}

/// Returns `true` if a value has a number that is out of the range of integers, so that it is a float
/// however it was written.
fn may_have_rounded_number(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            number.is_f64() && number.as_f64().is_some_and(|number| number.abs() >= INTEGER_END)
        }
        Value::Array(items) => items.iter().any(may_have_rounded_number),
        Value::Object(fields) => fields.values().any(may_have_rounded_number),
        _ => false,
    }
}

/// Prints the blocks of a result, and its structured content. Servers send the same value as both,
/// for clients that know only one of them; it is printed once.
fn print_page(mut page: ContentPage, result: &ToolResult, ui: &mut Ui) -> Result<(), CommandError> {
    let structured = result.structured();
    let wrapped = structured.and_then(wrapped_value);
    let mut has_wrapped_text = false;
    for content in result.content() {
        if let Content::Text(text) = content {
            let is_same = |value: &Value| {
                value.as_str() == Some(text)
                    || serde_json::from_str(text).is_ok_and(|t: Value| t == *value)
            };
            if structured.is_some_and(is_same) {
                continue;
            }
            has_wrapped_text |= wrapped.is_some_and(is_same);
        }
        page.push(content);
    }
    if let Some(structured) = structured.filter(|_| !has_wrapped_text) {
        let roster = ui.names()?;
        page.push_text(&pretty(&masked_json(structured, &roster)));
    }
    page.print(ui)
}

fn wrapped_value(structured: &Value) -> Option<&Value> {
    structured.as_object().filter(|object| object.len() == 1)?.get(WRAPPED)
}

fn pretty(value: &Value) -> String {
    let mut json = Vec::new();
    write_json_pretty(value, &mut json);
    String::from_utf8_lossy(&json).into_owned()
}
