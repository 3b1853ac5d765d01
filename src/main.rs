//! The `dibber` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    dibber::cli::install_panic_hook();
    dibber::cli::run(std::env::args_os())
}
