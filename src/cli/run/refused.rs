//! A run that was refused before anything ran, in the words of the command line.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::rpc_refusals::{exit_of_reason, in_commands};
use dibber_protocol::sandbox_refusal;
use dibber_sandbox::SandboxError;
use dibber_skill::contract::skills_protocol::{RpcCode, RpcError, RpcErrorData, RpcReason};
use dibber_text::{Message, message, quote_in_full, quote_lines};

/// Returns the error of a run that was refused.
pub(super) fn refused(error: &RpcError) -> CommandError {
    let exit = error.reason().and_then(exit_of_reason).unwrap_or(Exit::BadInput);
    let message = in_commands(&error.message);
    let command_error = CommandError::new(quote_in_full(&message)).exit(exit);
    let Some(data) = &error.data else { return command_error };
    let issues: Vec<_> = data
        .issues
        .iter()
        .skip(1)
        .map(|issue| {
            let path =
                if issue.path.is_empty() { String::new() } else { format!("`{}`: ", issue.path) };
            format!("  {path}{}", issue.message)
        })
        .collect();
    let command_error = if issues.is_empty() {
        command_error
    } else {
        command_error.excerpt(quote_lines(&issues.join("\n")))
    };
    command_error
        .help(help(data).unwrap_or_else(|| message![quote_in_full(&in_commands(&data.help))]))
}

/// Returns the error of a run that the sandbox did not run, with the cause.
pub(super) fn not_run(error: &SandboxError) -> CommandError {
    let refusal = sandbox_refusal(error);
    if refusal.code == RpcCode::InvalidParams.number() {
        return refused(&refusal);
    }
    let begin = match error {
        SandboxError::Launcher(_) => "the code may have begun to run: ",
        _ => "nothing ran: ",
    };
    CommandError::new(message![begin, quote_in_full(&error.to_string())])
        .help("`dibber doctor` shows what each mode of the sandbox needs")
        .exit(Exit::Failed)
}

/// Returns the help where that of a server names methods and not options.
fn help(data: &RpcErrorData) -> Option<Message> {
    let help = match data.reason {
        RpcReason::NotExecutable => {
            "a skill that is run has `kind = \"action\"` and `[runtime]` in its `skill.toml`"
        }
        RpcReason::InvalidArguments => {
            "write `--args city=Berlin` for a string and `--args days:=3` for any other JSON, as \
             `[input_schema]` in the `skill.toml` has them"
        }
        RpcReason::NetworkNotSupported => {
            "fetch the data before, and pass them with `--args-json` or `--blob` to a skill without \
             `network` in `[permissions]`"
        }
        RpcReason::InvalidParams if data.help.contains("create_blob") => {
            "pass large data with `--blob`"
        }
        _ => return None,
    };
    Some(help.into())
}
