//! Interpreters at unusual places.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use dibber_sandbox::{Interpreter, Job, Mode, Sandbox, SandboxSetup};
use serde_json::json;
use tempfile::TempDir;

use crate::support::{SETTINGS, User, block_on, setup, value_of};

/// Returns a virtual environment whose interpreter is a link to `target`.
fn environment(target: &Path) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    fs::create_dir(directory.path().join("bin")).expect("a directory");
    symlink(target, directory.path().join("bin/python3")).expect("a link");
    let home = target.parent().expect("a directory").display();
    fs::write(directory.path().join("pyvenv.cfg"), format!("home = {home}\n")).expect("a file");
    set_mode(directory.path(), 0o755);
    directory
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
}

/// Returns what a setup with the interpreter of an environment lacks.
fn setup_with(user: User, environment: &Path) -> SandboxSetup {
    let interpreter = Interpreter::find(environment.join("bin/python3")).expect("an interpreter");
    SandboxSetup { interpreter, ..setup(user).expect("it works") }
}

/// The temporary directory is at a place where a sandbox has a directory of its own.
#[test]
fn a_virtual_environment_whose_interpreter_is_a_chain_of_links() {
    let Some(interpreter) = setup(User::Own).map(|setup| setup.interpreter) else { return };
    let chain = tempfile::tempdir().expect("a directory");
    set_mode(chain.path(), 0o755);
    let middle = chain.path().join("python3");
    symlink(&interpreter.executable, &middle).expect("a link");
    let environment = environment(&interpreter.executable);
    let link = environment.path().join("bin/python3");
    fs::remove_file(&link).expect("it is there");
    symlink(&middle, &link).expect("a link");
    for setting in SETTINGS.iter() {
        let setup = setup_with(setting.user, environment.path());
        let sandbox = block_on(Sandbox::new(setup, &[setting.mode]));
        let sandbox = sandbox.unwrap_or_else(|error| panic!("{setting:?}: {error}"));
        let job = Job::code("import sys\ndef main(args): return sys.prefix");
        let outcome = block_on(sandbox.run(&job)).expect("a run");
        assert_eq!(value_of(&outcome, "prefix"), json!(environment.path()), "{setting:?}");
    }
}

#[test]
fn one_that_the_user_of_the_run_cannot_reach_is_named() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let Some(interpreter) = setup(User::Own).map(|setup| setup.interpreter) else { return };
    let environment = environment(&interpreter.executable);
    let setup = setup_with(User::Own, environment.path());
    set_mode(environment.path(), 0o700);
    for setting in SETTINGS.iter() {
        if setting.user == User::Own && setting.mode == Mode::Landlock {
            let error =
                block_on(Sandbox::new(setup.clone(), &[setting.mode])).expect_err("refused");
            let directory = environment.path().display();
            let expected = format!(
                "no sandbox is available; landlock: cannot execute the interpreter \
                 `{directory}/bin/python3`: Permission denied (os error 13): the user 65534 cannot enter \
                 `{directory}`; allow it with `chmod o+x`, or choose another path"
            );
            assert_eq!(error.to_string(), expected);
        }
    }
}
