//! Showing what is wrong with what is packed, and lists of files.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_catalog::pack::PackProblem;
use dibber_text::{Message, message, quote_in_full};

/// Shows problems. Returns `true` if one of them is an error.
pub(super) fn show(problems: &[PackProblem], ui: &mut Ui) -> bool {
    for problem in problems {
        let message = with_place(problem);
        if !problem.is_error {
            ui.warning(message);
            continue;
        }
        let error = CommandError::new(message).exit(Exit::BadInput);
        ui.item_error(&match &problem.help {
            Some(help) => error.help(help.clone()),
            None => error,
        });
    }
    problems.iter().any(|problem| problem.is_error)
}

fn with_place(problem: &PackProblem) -> Message {
    let Some(path) = &problem.path else { return problem.message.clone() };
    let path = quote_in_full(path);
    match problem.position {
        Some((line, column)) => {
            message![path, ":", line, ":", column, ": ", problem.message.clone()]
        }
        None => message![path, ": ", problem.message.clone()],
    }
}

/// Returns lines with the size and the path of each file.
pub(super) fn table(files: &[(&str, usize)], ui: &Ui) -> String {
    let columns = files.iter().map(|(_, size)| size.to_string().len()).max().unwrap_or_default();
    let line =
        |(path, size): &(&str, usize)| format!("{size:>columns$}  {}\n", ui.shown(path).in_full());
    files.iter().map(line).collect()
}
