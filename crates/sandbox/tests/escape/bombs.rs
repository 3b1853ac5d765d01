//! Code that uses more than it may: it is stopped, and what it started ends with it.

use std::time::Duration;

use dibber_sandbox::{Job, Limits, Mode};
use serde_json::json;

use crate::support::{SETTINGS, value_of};

const MIB: u64 = 1024 * 1024;

fn limits() -> Limits {
    Limits { timeout: Duration::from_secs(20), memory_bytes: 256 * MIB, ..Limits::default() }
}

/// Asserts that code ends with an error of a kind in both modes.
#[track_caller]
fn assert_error(code: &str, limits: &Limits, kinds: [&str; 2]) {
    for setting in SETTINGS.iter() {
        let kind = if setting.mode == Mode::Full { kinds[0] } else { kinds[1] };
        let error = setting.error(code, limits.clone());
        assert_eq!(error.kind, kind, "{setting:?}: {error:?}");
    }
}

#[test]
fn time() {
    let limits = Limits { timeout: Duration::from_millis(500), ..limits() };
    let code = "import os, signal, time\n\ndef main(args):\n    for number in range(1, 64):\n        try: signal.signal(number, signal.SIG_IGN)\n        except (OSError, ValueError): pass\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0: time.sleep(60)\n    time.sleep(60)\n";
    for setting in SETTINGS.iter() {
        let outcome = setting.run(&Job { limits: limits.clone(), ..Job::code(code) });
        let error = outcome.result.expect_err("it takes too long");
        assert_eq!(error.kind, "Timeout");
        assert!(outcome.duration < Duration::from_secs(5), "{:?}", outcome.duration);
    }
}

#[test]
fn cpu_time() {
    let limits = Limits { timeout: Duration::from_millis(800), ..limits() };
    assert_error("def main(args):\n    while True: pass\n", &limits, ["Timeout", "Timeout"]);
}

#[test]
fn memory_of_one_process() {
    let code = "def main(args): return len(bytearray(700 * 1024 * 1024))";
    assert_error(code, &limits(), ["MemoryError", "MemoryError"]);
}

#[test]
fn memory_of_many_processes() {
    let code = "import os, time\n\ndef main(args):\n    for _ in range(6):\n        if os.fork() == 0:\n            held = bytearray(os.urandom(1024)) * (100 * 1024)\n            time.sleep(60)\n    time.sleep(60)\n";
    assert_error(code, &limits(), ["MemoryLimit", "MemoryLimit"]);
}

#[test]
fn forked_processes_that_share_their_memory_are_not_counted_twice() {
    let code = "import os, time\n\ndef main(args):\n    held = bytearray(100 * 1024 * 1024)\n    for _ in range(5):\n        if os.fork() == 0:\n            time.sleep(0.3)\n            os._exit(0)\n    for _ in range(5): os.wait()\n    return len(held)\n";
    for setting in SETTINGS.iter() {
        let outcome = setting.run(&Job { limits: limits(), ..Job::code(code) });
        assert_eq!(value_of(&outcome, &format!("{setting:?}")), json!(100 * MIB));
    }
}

#[test]
fn processes() {
    let code = "import os, time\n\ndef main(args):\n    started = 0\n    try:\n        while started < 400:\n            if os.fork() == 0: time.sleep(60)\n            started += 1\n    except BlockingIOError:\n        pass\n    time.sleep(2)\n    return started\n";
    for setting in SETTINGS.iter() {
        let outcome = setting.run(&Job { limits: limits(), ..Job::code(code) });
        if setting.mode == Mode::Full {
            let started = value_of(&outcome, "processes").as_u64().expect("a number");
            assert!((20..=32).contains(&started), "{setting:?}: {started}");
        } else {
            // The kernel counts all processes of the user, so those of the run are watched.
            assert_eq!(outcome.result.expect_err("too many").kind, "ProcessLimit", "{setting:?}");
        }
    }
}

#[test]
fn fork_bomb() {
    let limits = Limits { timeout: Duration::from_secs(1), ..limits() };
    let code = "import os\n\ndef main(args):\n    while True:\n        try: os.fork()\n        except OSError: pass\n";
    for setting in SETTINGS.iter() {
        let error = setting.error(code, limits.clone());
        assert!(["Timeout", "ProcessLimit"].contains(&error.kind.as_str()), "{error:?}");
    }
}

#[test]
fn threads() {
    let code = "import threading, time\n\ndef main(args):\n    for _ in range(400): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n    time.sleep(2)\n";
    for setting in SETTINGS.iter() {
        let error = setting.error(code, limits());
        let kinds = ["RuntimeError", "ProcessLimit", "MemoryError"];
        assert!(kinds.contains(&error.kind.as_str()), "{setting:?}: {error:?}");
    }
}

#[test]
fn disk_space() {
    let code = "import time\n\ndef main(args):\n    for number in range(10):\n        with open(str(number), 'wb') as file:\n            for _ in range(20): file.write(b'x' * 1_000_000)\n    time.sleep(2)\n";
    assert_error(code, &limits(), ["OSError", "DiskLimit"]);
}

#[test]
fn disk_space_of_deleted_files() {
    let code = "import os, time\n\ndef main(args):\n    held = []\n    for _ in range(10):\n        file = open('x', 'wb')\n        os.remove('x')\n        for _ in range(20): file.write(b'x' * 1_000_000)\n        held.append(file)\n    time.sleep(2)\n";
    assert_error(code, &limits(), ["OSError", "DiskLimit"]);
}

#[test]
fn size_of_a_file() {
    let code =
        "def main(args):\n    with open('x', 'wb') as file: file.truncate(100 * 1024 * 1024)\n";
    assert_error(code, &limits(), ["OSError", "OSError"]);
}

#[test]
fn number_of_files() {
    let code = "import time\n\ndef main(args):\n    for number in range(20_000): open(str(number), 'w').close()\n    time.sleep(2)\n";
    assert_error(code, &limits(), ["OSError", "DiskLimit"]);
}

#[test]
fn depth_of_directories() {
    let code = "import os, time\n\ndef main(args):\n    for _ in range(6_000):\n        os.mkdir('d' * 200)\n        os.chdir('d' * 200)\n    time.sleep(2)\n";
    assert_error(code, &limits(), ["OSError", "DiskLimit"]);
}

#[test]
fn open_files() {
    let code = "def main(args): held = [open('/dev/null') for _ in range(1000)]";
    assert_error(code, &limits(), ["OSError", "OSError"]);
}

#[test]
fn output() {
    let code = "def main(args):\n    while True: print('x' * 100_000)\n";
    let limits = Limits { timeout: Duration::from_secs(1), ..limits() };
    for setting in SETTINGS.iter() {
        let outcome = setting.run(&Job { limits: limits.clone(), ..Job::code(code) });
        assert_eq!(outcome.result.expect_err("it never ends").kind, "Timeout");
        assert_eq!(outcome.logs.text.len(), limits.log_bytes);
    }
}

#[test]
fn deep_and_huge_results() {
    let code = "def main(args):\n    value = []\n    for _ in range(100_000): value = [value]\n    return value\n";
    assert_error(code, &limits(), ["NotSerializable", "NotSerializable"]);
    let code = "def main(args):\n    value = []\n    for _ in range(500): value = [value]\n    return value\n";
    assert_error(code, &limits(), ["InvalidResult", "InvalidResult"]);
}
