//! Reads what `dibber acp emit` prints with the official types of both versions: the form is the
//! argument, and the message comes on standard input.

use agent_client_protocol_schema::{v1, v2};
use serde_json::Value;

fn main() {
    let form = std::env::args().nth(1).expect("a form");
    let message: Value = serde_json::from_reader(std::io::stdin()).expect("JSON");
    let params = message["params"].clone();
    let first = serde_json::from_value::<v1::SessionNotification>(params.clone());
    let second = serde_json::from_value::<v2::UpdateSessionNotification>(params);
    match form.as_str() {
        "commands" => {
            let first = first.expect("version 1").update;
            let v1::SessionUpdate::AvailableCommandsUpdate(update) = first else { panic!("{first:?}") };
            assert!(!update.available_commands.is_empty());
        }
        "commands-v2" => {
            let second = second.expect("version 2").update;
            let v2::SessionUpdate::AvailableCommandsUpdate(update) = second else { panic!("{second:?}") };
            assert!(!update.available_commands.is_empty());
            let is_command = |command| matches!(command, &v2::AvailableCommand::Command(_));
            assert!(update.available_commands.iter().all(is_command));
        }
        // Version 1 refuses what it does not know, and that is why this form has to be asked for.
        "skills" => assert!(first.is_err()),
        "v2" => {
            let second = second.expect("version 2").update;
            assert!(matches!(second, v2::SessionUpdate::Other(_)), "{second:?}");
        }
        other => panic!("{other}"),
    }
}
