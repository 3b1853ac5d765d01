//! How often `dibber run` starts an interpreter: once, if it is the one of the run before.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::support::Tree;
use crate::support::command::{Dibber, Ended, state_in};
use crate::support::sandbox::skip;

/// The file that each start of the interpreter outside of a sandbox makes longer.
const STARTS: &str = "starts";

/// A virtual environment that counts its starts, and a state directory.
struct Place {
    tree: Tree,
    /// The environment: a run has a `/tmp` of its own, so it cannot be in that of the computer.
    venv: TempDir,
    data: TempDir,
}

impl Place {
    /// None without Python.
    fn new() -> Option<Self> {
        let python = Path::new("/usr/bin/python3");
        let query = "import sys; print('%d.%d' % sys.version_info[:2])";
        let Ok(ended) = Command::new(python).args(["-c", query]).output() else {
            skip("there is no /usr/bin/python3");
            return None;
        };
        let version = String::from_utf8_lossy(&ended.stdout).trim().to_owned();
        let place = Self {
            tree: Tree::new(),
            venv: TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory"),
            data: TempDir::new().expect("a directory"),
        };
        place.tree.write("code.py", b"def main(args): return 42");
        // Where the environment is below `/tmp` nevertheless, it cannot be mounted.
        let config = b"[sandbox]\nmode = [\"full\", \"landlock\"]\n";
        place.tree.write("config/dibber/dibber.toml", config);
        let starts = place.path(STARTS);
        let line = format!(
            "import os; exec(\"try:\\n open('{}', 'a').write('x')\\nexcept OSError: pass\")\n",
            starts.display()
        );
        let packages = place.venv.path().join(format!("lib/python{version}/site-packages"));
        fs::create_dir_all(&packages).expect("a directory");
        fs::write(packages.join("starts.pth"), line).expect("a file");
        fs::write(place.environment_file(), "home = /usr/bin\n").expect("a file");
        fs::create_dir(place.venv.path().join("bin")).expect("a directory");
        symlink(python, place.python()).expect("a link");
        Some(place)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.tree.path().join(path)
    }

    fn environment_file(&self) -> PathBuf {
        self.venv.path().join("pyvenv.cfg")
    }

    fn python(&self) -> PathBuf {
        self.venv.path().join("bin/python3")
    }

    fn known(&self) -> PathBuf {
        state_in(self.data.path()).join("interpreter.json")
    }

    fn dibber(&self, arguments: &[&str]) -> Ended {
        let path = format!("{}/bin:/usr/bin:/bin", self.venv.path().display());
        Dibber::new(arguments)
            .data(self.data.path())
            .in_directory(self.tree.path())
            .env("XDG_CONFIG_HOME", &self.path("config").to_string_lossy())
            .env("PATH", &path)
            .run()
    }

    /// Runs some code, and returns how much the interpreter has written outside of a sandbox: Python may
    /// read the file of an environment twice for one start.
    fn run(&self) -> usize {
        let before = self.starts();
        let ended = self.dibber(&["run", "--code", "code.py"]);
        assert_eq!((ended.code, &*ended.stdout), (0, "42\n"), "{}", ended.show());
        self.starts() - before
    }

    fn starts(&self) -> usize {
        fs::read(self.path(STARTS)).map_or(0, |bytes| bytes.len())
    }
}

#[test]
fn what_an_interpreter_needs_is_asked_once() {
    let Some(place) = Place::new() else { return };
    let first = place.dibber(&["run", "--code", "code.py"]);
    if first.code == 6 {
        skip(&first.show());
        return;
    }
    let one = place.starts();
    assert!(one > 0);
    let mode = fs::metadata(place.known()).expect("it is kept").permissions().mode();
    assert_eq!((mode & 0o777, place.run()), (0o600, 0));

    fs::write(place.environment_file(), "home = /usr/bin\n\n").expect("a file");
    assert_eq!((place.run(), place.run()), (one, 0), "the environment has changed");

    fs::set_permissions(place.known(), PermissionsExt::from_mode(0o666)).expect("a mode");
    assert_eq!((place.run(), place.run()), (one, 0), "others could have written it");

    fs::write(place.known(), "{\"version\": 1}").expect("a file");
    assert_eq!((place.run(), place.run()), (one, 0), "it is damaged");

    let before = place.starts();
    place.dibber(&["doctor"]);
    assert_eq!((place.starts() - before, place.run()), (one, 0), "doctor looks again");

    // What a link leads to belongs to someone else: it may be a device.
    let other = place.path("other");
    fs::write(&other, "not dibber's\n").expect("a file");
    fs::remove_file(place.known()).expect("it is kept");
    symlink(&other, place.known()).expect("a link");
    assert_eq!((place.run(), place.run()), (one, 0), "it is a link");
    assert_eq!(fs::read_to_string(&other).expect("a file"), "not dibber's\n");

    let known = fs::read_to_string(place.known()).expect("it is kept");
    let executable = format!("\"executable\":\"{}\"", place.python().display());
    let wrong = known.replace(&executable, "\"executable\":\"/usr/bin/env\"");
    assert_ne!(known, wrong);
    fs::write(place.known(), wrong).expect("a file");
    assert_eq!((place.run(), place.run()), (one, 0), "no mode works with what is known");
}

#[test]
fn a_script_that_chooses_an_interpreter_is_asked_each_time() {
    let Some(place) = Place::new() else { return };
    fs::remove_file(place.python()).expect("a link");
    fs::write(place.python(), "#!/bin/sh\nexec /usr/bin/python3 \"$@\"\n").expect("a file");
    fs::set_permissions(place.python(), PermissionsExt::from_mode(0o755)).expect("a mode");
    if place.dibber(&["run", "--code", "code.py"]).code == 0 {
        assert!(!place.known().exists(), "it may choose another one tomorrow");
    }
}

#[test]
fn the_run_itself_shows_whether_a_mode_works() {
    let Some(place) = Place::new() else { return };
    let container = |script: &str| {
        let script = script.replace("STARTS", &place.path(STARTS).to_string_lossy());
        let config = format!(
            "[sandbox]\nmode = \"container\"\n\
             command = [\"sh\", \"-c\", '''{script}''', \"sh\"]\nstop = [\"true\"]\n"
        );
        place.tree.write("config/dibber/dibber.toml", config.as_bytes());
        let before = place.starts();
        let ended = place.dibber(&["run", "--code", "code.py"]);
        (ended, place.starts() - before)
    };
    let (first, _) = container("exec /usr/bin/python3 \"$@\"");
    assert_eq!((first.code, &*first.stdout), (0, "42\n"), "{}", first.show());
    let (ended, starts) = container("echo >> STARTS; exec /usr/bin/python3 \"$@\"");
    assert_eq!((ended.code, starts), (0, 1), "{}", ended.show());
    let (ended, starts) = container("echo >> STARTS; echo no such image >&2; exit 125");
    assert_eq!(ended.code, 6, "{}", ended.show());
    assert!(ended.stderr.contains("no such image"), "{}", ended.show());
    assert!(starts > 1, "a function was tried as well");
}

#[test]
fn a_run_that_has_begun_is_not_repeated() {
    let Some(place) = Place::new() else { return };
    let container = |script: &str| {
        let script = script.replace("RUNS", &place.path("runs").to_string_lossy());
        let config = format!(
            "[sandbox]\nmode = \"container\"\n\
             command = [\"sh\", \"-c\", '''{script}''', \"sh\"]\nstop = [\"true\"]\n"
        );
        place.tree.write("config/dibber/dibber.toml", config.as_bytes());
        place.dibber(&["run", "--code", "code.py"])
    };
    let works = container("exec /usr/bin/python3 \"$@\"");
    assert_eq!(works.code, 0, "{}", works.show());

    // From the second start on, nothing works, as on a machine whose disk the run has filled.
    place.tree.write("code.py", b"import os\ndef main(args): os._exit(3)");
    let once = "test -e RUNS && { echo x >> RUNS; exit 125; }; echo x >> RUNS; exec /usr/bin/python3 \"$@\"";
    let ended = container(once);
    assert_eq!(fs::read_to_string(place.path("runs")).expect("it ran"), "x\n", "{}", ended.show());
    assert!(ended.stderr.contains("exited with code 3"), "{}", ended.show());

    fs::remove_file(place.path("runs")).expect("it ran");
    let ended = container("echo x >> RUNS; exit 125");
    assert_eq!(ended.code, 6, "{}", ended.show());
    let starts = fs::read_to_string(place.path("runs")).expect("it was tried");
    assert_eq!(starts, "x\nx\n", "the run and one function to try the mode: {}", ended.show());
}
