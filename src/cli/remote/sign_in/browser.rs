//! Opening a page in the browser of the user.

use std::io;
use std::process::{Command, Stdio};

use dibber_client::Address;

/// The environment variable with the command of the browser: one, or several with `:` between them, in
/// which `%s` is the address.
const BROWSER_VARIABLE: &str = "BROWSER";
/// The variables of which one is set where windows can be opened.
const DISPLAY_VARIABLES: [&str; 2] = ["DISPLAY", "WAYLAND_DISPLAY"];

/// Opens a page. Returns `false` if this computer has no browser with a window.
pub(super) fn open(page: &Address) -> bool {
    command(page.as_str()).is_some_and(|command| start(command).is_ok())
}

fn command(url: &str) -> Option<Command> {
    let variable = std::env::var(BROWSER_VARIABLE).ok();
    if let Some(line) = variable.as_deref().and_then(|line| line.split(':').next()) {
        return typed(line, url);
    }
    let (program, arguments): (_, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        // `start` is a part of the shell, which would read the address.
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ if DISPLAY_VARIABLES.iter().any(|name| std::env::var_os(name).is_some()) => {
            ("xdg-open", &[])
        }
        // Without a window it would open a browser of the terminal, in which the answer is typed.
        _ => return None,
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(url);
    Some(command)
}

/// Returns the command of a line of the user, without a shell.
fn typed(line: &str, url: &str) -> Option<Command> {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next()?);
    let words: Vec<_> = words.collect();
    command.args(words.iter().map(|word| word.replace("%s", url)));
    if !words.iter().any(|word| word.contains("%s")) {
        command.arg(url);
    }
    Some(command)
}

/// Starts a browser, which is not waited for.
fn start(mut command: Command) -> io::Result<()> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}
