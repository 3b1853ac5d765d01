//! Where messages come from: an agent that is started, or a file.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Cursor, Read, Write, sink};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use super::super::agent_process::AgentProcess;
use super::super::read_line::{LineEnd, copy_line, read_line};
use crate::cli::bounded_input::read_bounded;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_catalog::acp::{Collector, CollectorError, LINE_BYTES_MAX};
use dibber_text::{message, quote, quote_display};

/// The largest file of messages, in MiB.
const FILE_MEBIBYTES_MAX: u64 = 256;

/// How long nothing may come after a list, for another one to be waited for.
const QUIET: Duration = Duration::from_millis(300);

/// The lines that are read ahead of what is looked at.
const LINES_AHEAD: usize = 8;

/// The answers that wait for an agent to read them.
const ANSWERS_WAITING: usize = 64;

/// The pause before an answer is tried again that there is no room for.
const ANSWER_PAUSE: Duration = Duration::from_millis(10);

/// What is read.
pub(super) enum Source {
    /// The command of an agent.
    Agent(Vec<OsString>),
    /// A file of messages.
    Recorded(PathBuf),
}

/// How an agent is asked.
pub(super) struct Timing {
    /// The directory of the session.
    pub(super) directory: PathBuf,
    /// How long it may take.
    pub(super) wait: Duration,
}

/// A line of an agent; none if it is too long.
type AgentLine = Option<Vec<u8>>;

impl Source {
    /// Returns the name of the source: its command or its path.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Agent(command) => {
                let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
                words.join(" ")
            }
            Self::Recorded(file) => file.to_string_lossy().into_owned(),
        }
    }

    /// Returns what distinguishes the source from others: its words, and its paths from the root.
    pub(super) fn key(&self) -> Vec<String> {
        let absolute = |path: &Path| match std::path::absolute(path) {
            Ok(path) => path.to_string_lossy().into_owned(),
            Err(_) => path.to_string_lossy().into_owned(),
        };
        match self {
            Self::Recorded(file) => vec![absolute(file)],
            Self::Agent(command) => {
                let key = |(at, word): (usize, &OsString)| {
                    let path = Path::new(word);
                    // The first word is looked up on the path if it is only a name.
                    let is_path = (at > 0 || path.components().count() > 1) && path.exists();
                    if is_path { absolute(path) } else { word.to_string_lossy().into_owned() }
                };
                command.iter().enumerate().map(key).collect()
            }
        }
    }

    /// Reads what is offered there.
    pub(super) fn collect(&self, timing: &Timing) -> Result<Collector, CommandError> {
        match self {
            Self::Recorded(file) => {
                let help = "record less of the session";
                let bytes = read_bounded(file, FILE_MEBIBYTES_MAX, help)?;
                let mut collector = Collector::default();
                read_lines(Cursor::new(bytes), |line| {
                    take(&mut collector, &line);
                    true
                });
                Ok(collector)
            }
            Self::Agent(command) => ask(command, timing),
        }
    }
}

fn take(collector: &mut Collector, line: &AgentLine) -> Option<String> {
    let Some(line) = line else {
        collector.long_line(LINE_BYTES_MAX);
        return None;
    };
    collector.line(line)
}

/// Reads lines until the end, or until one is not wanted.
fn read_lines(reader: impl Read, mut take: impl FnMut(AgentLine) -> bool) {
    let mut reader = BufReader::new(reader);
    let mut buffer = Vec::new();
    loop {
        let line = match read_line(&mut reader, &mut buffer, LINE_BYTES_MAX) {
            Ok(LineEnd::Whole) => Some(buffer.clone()),
            Ok(LineEnd::Long) if skip(&mut reader) => None,
            Ok(LineEnd::End | LineEnd::Long) | Err(_) => return,
        };
        if !take(line) {
            return;
        }
    }
}

fn skip(reader: &mut impl BufRead) -> bool {
    copy_line(reader, &mut sink()).is_ok()
}

fn ask(command: &[OsString], timing: &Timing) -> Result<Collector, CommandError> {
    let (agent, input, output) = AgentProcess::start(command)?;
    let end = Instant::now() + timing.wait;
    let (sender, lines) = mpsc::sync_channel(LINES_AHEAD);
    thread::spawn(move || read_lines(output, |line| sender.send(line).is_ok()));
    let mut collector = Collector::new(timing.directory.to_string_lossy());
    let answers = start_writing(input);
    let mut send = |line: String| send_until(&answers, line, end);
    send(collector.start());
    let has_ended = listen(&mut collector, &lines, end, &mut send);
    drop(answers);
    drop(lines);
    agent.terminate();
    let name = quote_display(Source::Agent(command.to_vec()).name());
    match collector.error() {
        Some(error) => Err(refusal(error)),
        None if collector.has_list() || (collector.has_session() && !has_ended) => Ok(collector),
        None if has_ended => Err(CommandError::new(message!["the agent `", name, "` has ended"])
            .help("start it in a terminal to see why")
            .exit(Exit::Failed)),
        None => Err(CommandError::new(message!["the agent `", name, "` does not answer"])
            .help("`--wait SECONDS` waits longer; check that the command speaks ACP on its output")
            .exit(Exit::Failed)),
    }
}

/// Writes lines to an agent from a thread of their own: one that does not read holds it up alone.
fn start_writing(mut input: impl Write + Send + 'static) -> SyncSender<String> {
    let (sender, answers) = mpsc::sync_channel::<String>(ANSWERS_WAITING);
    thread::spawn(move || {
        for line in answers {
            // An agent that has ended is noticed when nothing more comes from it.
            let _ = input.write_all((line + "\n").as_bytes()).and_then(|()| input.flush());
        }
    });
    sender
}

/// Sends a line, if there is room for it before the end.
fn send_until(answers: &SyncSender<String>, mut line: String, end: Instant) {
    while let Err(TrySendError::Full(unsent)) = answers.try_send(line) {
        if Instant::now() >= end {
            return;
        }
        line = unsent;
        thread::sleep(ANSWER_PAUSE);
    }
}

/// Listens until a list has come and nothing after it, or until the end of the time. Returns `true` if the
/// agent has ended.
fn listen(
    collector: &mut Collector,
    lines: &Receiver<AgentLine>,
    end: Instant,
    send: &mut impl FnMut(String),
) -> bool {
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let is_complete = collector.has_list() && collector.has_session();
        let pause = if is_complete { QUIET.min(left) } else { left };
        match lines.recv_timeout(pause) {
            Ok(line) => {
                if let Some(answer) = take(collector, &line) {
                    send(answer);
                }
                if collector.error().is_some() || Instant::now() >= end {
                    return false;
                }
            }
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => return true,
        }
    }
}

fn refusal(error: &CollectorError) -> CommandError {
    let (method, text) = (error.method, quote(&error.message));
    let message = message!["the agent refuses `", method, "`: ", text];
    let error = CommandError::new(message).exit(Exit::Failed);
    error.help("log in with the agent's own program first, if it asks for that")
}
