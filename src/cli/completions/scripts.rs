//! What a shell runs so that it asks dibber for completions.

use clap_complete::Shell;
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Zsh};

/// The environment variable with the name of the shell that asks.
pub(super) const VARIABLE: &str = "COMPLETE";
/// The program that is completed, and that is asked.
const PROGRAM: &str = "dibber";

/// What follows for zsh, which runs the file as the function of its name at the first completion:
/// without it, only the second one would answer.
const ZSH_FIRST: &str = "\
if [ \"$funcstack[1]\" = \"_dibber\" ]; then
    _clap_dynamic_completer_dibber \"$@\"
fi
";

/// Returns how the completions for a shell are written.
pub(super) const fn completer(shell: Shell) -> &'static dyn EnvCompleter {
    match shell {
        Shell::Elvish => &Elvish,
        Shell::Fish => &Fish,
        Shell::PowerShell => &Powershell,
        Shell::Zsh => &Zsh,
        // The enum of the library is open.
        _ => &Bash,
    }
}

/// Returns the script for a shell.
pub(super) fn script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    let written =
        completer(shell).write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script);
    written.expect("a vector accepts all bytes");
    if shell == Shell::Zsh {
        script.extend_from_slice(ZSH_FIRST.as_bytes());
    }
    script
}

/// Returns `true` for a script of any version: it sets the variable and runs this program.
pub(super) fn is_own_script(script: &[u8]) -> bool {
    let script = String::from_utf8_lossy(script);
    let calls = [format!("{PROGRAM} -- "), format!("\"{PROGRAM}\" -- ")];
    script.contains(&format!("{VARIABLE}=")) && calls.iter().any(|call| script.contains(call))
}
