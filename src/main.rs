//! The `dibber` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything else: a launcher of sandboxes must have one thread.
    #[cfg(feature = "remote")]
    dibber_sandbox::enter();
    dibber::cli::install_panic_hook();
    dibber::cli::run(std::env::args_os())
}
