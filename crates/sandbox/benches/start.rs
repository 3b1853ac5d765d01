//! How long a function takes to start in each mode, beside the bare interpreter and other sandboxes.
//!
//! Rounds are interleaved, so a busy machine slows all of them; medians are shown. "To main" is from
//! the start of the launcher to the first statement of the function, by the same clock.

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(target_os = "linux")]
#[expect(clippy::print_stdout, reason = "a benchmark shows its results")]
mod linux {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use dibber_sandbox::{Interpreter, Job, Launcher, Mode, Output, Sandbox, SandboxSetup};
    use rustix::time::{ClockId, clock_gettime};

    const ROUNDS: usize = 40;
    const CODE: &str = "import time\n\ndef main(args): return time.monotonic_ns()\n";
    const BWRAP: [&str; 14] = [
        "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--ro-bind",
        "/usr",
        "/usr",
        "--symlink",
        "usr/lib",
        "/lib",
        "--symlink",
        "usr/lib64",
        "/lib64",
        "--proc",
        "/proc",
    ];

    /// One row of the table: its name, and a function that returns the two times.
    type Row = (String, Box<dyn FnMut() -> (Option<Duration>, Duration)>);

    pub(super) fn main() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = std::rc::Rc::new(runtime.expect("a runtime"));
        let interpreter = Interpreter::find("/usr/bin/python3").expect("a Python interpreter");
        let python = interpreter.executable.to_string_lossy().into_owned();
        let mut rows: Vec<Row> = vec![
            command_row("python3 -c pass", &[&python, "-c", "pass"]),
            command_row("python3 -I -B -c pass", &[&python, "-I", "-B", "-c", "pass"]),
            command_row(
                "python3 -I -B -c 'import json'",
                &[&python, "-I", "-B", "-c", "import json"],
            ),
        ];
        if is_installed("bwrap") {
            rows.push(command_row("bwrap", &[&BWRAP[..], &[&python, "-c", "pass"]].concat()));
        }
        let setup = SandboxSetup {
            launcher: Launcher {
                program: env!("CARGO_BIN_EXE_dibber-sandbox").into(),
                arguments: Vec::new(),
            },
            interpreter,
            scratch: std::env::temp_dir(),
            container: None,
        };
        for mode in [Mode::Full, Mode::Landlock] {
            match runtime.block_on(Sandbox::new(setup.clone(), &[mode])) {
                Ok(sandbox) => rows.push(sandbox_row(runtime.clone(), sandbox)),
                Err(error) => println!("{error}"),
            }
        }
        measure(&mut rows);
    }

    fn measure(rows: &mut [Row]) {
        let mut times = vec![(Vec::new(), Vec::new()); rows.len()];
        for _ in 0..ROUNDS {
            for ((_, run), (to_main, total)) in rows.iter_mut().zip(&mut times) {
                let (first, second) = run();
                to_main.extend(first);
                total.push(second);
            }
        }
        println!("{:<32} {:>10} {:>10}", "median of 40", "to main", "total");
        for ((name, _), (to_main, total)) in rows.iter().zip(times) {
            println!("{name:<32} {:>10} {:>10}", median(to_main), median(total));
        }
    }

    fn median(mut times: Vec<Duration>) -> String {
        times.sort();
        let middle = times.get(times.len() / 2);
        middle.map_or_else(String::new, |time| format!("{:.1} ms", time.as_secs_f64() * 1000.0))
    }

    fn command_row(name: &str, command: &[&str]) -> Row {
        let command: Vec<_> = command.iter().map(|part| (*part).to_owned()).collect();
        let run = move || {
            let start = Instant::now();
            let status =
                Command::new(&command[0]).args(&command[1..]).stdin(Stdio::null()).status();
            assert!(status.expect("a program").success());
            (None, start.elapsed())
        };
        (name.to_owned(), Box::new(run))
    }

    fn sandbox_row(runtime: std::rc::Rc<tokio::runtime::Runtime>, sandbox: Sandbox) -> Row {
        let name = format!("sandbox, {}", sandbox.mode());
        let run = move || {
            let now = clock_gettime(ClockId::Monotonic);
            let outcome = runtime.block_on(sandbox.run(&Job::code(CODE))).expect("a run");
            let Ok(Output::Inline(value)) = outcome.result else { panic!("{outcome:?}") };
            let start = now.tv_sec * 1_000_000_000 + now.tv_nsec;
            let to_main = value.as_i64().expect("a time") - start;
            (Some(Duration::from_nanos(to_main.cast_unsigned())), outcome.duration)
        };
        (name, Box::new(run))
    }

    fn is_installed(program: &str) -> bool {
        Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok()
    }
}
