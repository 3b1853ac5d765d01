//! Passing lines between an editor, an agent and the proxy between them.
//!
//! Lines for the editor are put together and written under the lock of standard output, so that lists
//! of skills come in the order in which they were made.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::read_line::{LineEnd, copy_line, read_line};
use dibber_catalog::acp::{Conductor, LINE_BYTES_MAX, Proxy, ProxySkill};
use dibber_catalog::{FollowedFolders, read_body};

/// The bytes that are read at a time.
const BUFFER_BYTES: usize = 64 << 10;

/// The shortest pause between two looks at the folders.
const PAUSE_MIN: Duration = Duration::from_millis(500);

/// How many times longer than a look the pause after it is, so that following many folders leaves the
/// computer idle.
const PAUSE_PER_LOOK: u32 = 50;

/// The end of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The editor has closed its end.
    Client,
    /// The agent has closed its output.
    Agent,
}

/// What skills can be added to.
pub(super) trait AddSkills: Send {
    /// Replaces the skills. Returns the lines for the editor.
    fn set_skills(&mut self, skills: Vec<ProxySkill>) -> Vec<String>;
}

impl AddSkills for Proxy {
    fn set_skills(&mut self, skills: Vec<ProxySkill>) -> Vec<String> {
        self.set_skills(skills)
    }
}

impl AddSkills for Conductor {
    fn set_skills(&mut self, skills: Vec<ProxySkill>) -> Vec<String> {
        self.set_skills(skills)
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes what the editor writes to the agent, until one of them ends.
pub(super) fn client_to_agent(proxy: &Mutex<Proxy>, mut agent: impl Write, ended: &Sender<Ended>) {
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, io::stdin().lock());
    let mut buffer = Vec::new();
    let mut pass = || -> io::Result<bool> {
        match read_line(&mut reader, &mut buffer, LINE_BYTES_MAX)? {
            LineEnd::End => return Ok(false),
            LineEnd::Long => {
                agent.write_all(&buffer)?;
                copy_line(&mut reader, &mut agent)?;
            }
            LineEnd::Whole => {
                let (line, end) = split_end(&buffer);
                let line = lock(proxy).client_line(line, &mut read_body);
                agent.write_all(&line)?;
                agent.write_all(end)?;
            }
        }
        agent.flush()?;
        Ok(true)
    };
    while pass().unwrap_or(false) {}
    drop(agent);
    // Nobody listens when the program ends.
    let _ = ended.send(Ended::Client);
}

/// Passes what the agent writes to the editor, until the agent ends. What an editor that is gone does not
/// take is dropped.
pub(super) fn agent_to_client(proxy: &Mutex<Proxy>, agent: impl Read, ended: &Sender<Ended>) {
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, agent);
    let mut buffer = Vec::new();
    let mut pass = || -> io::Result<bool> {
        let end = read_line(&mut reader, &mut buffer, LINE_BYTES_MAX)?;
        let mut out = io::stdout().lock();
        match end {
            LineEnd::End => return Ok(false),
            LineEnd::Long => {
                out.write_all(&buffer)?;
                copy_line(&mut reader, &mut out)?;
            }
            LineEnd::Whole => {
                let (line, end) = split_end(&buffer);
                let lines = lock(proxy).agent_line(line);
                out.write_all(&lines.line)?;
                out.write_all(if lines.after.is_empty() { end } else { b"\n" })?;
                write_lines(&mut out, &lines.after)?;
            }
        }
        out.flush()?;
        Ok(true)
    };
    let has_failed = loop {
        match pass() {
            Ok(true) => {}
            Ok(false) => break false,
            Err(_) => break true,
        }
    };
    if has_failed {
        let _ = ended.send(Ended::Client);
        // The agent is asked to end, and must not be ended by a closed pipe before.
        let _ = io::copy(&mut reader, &mut io::sink());
    }
    let _ = ended.send(Ended::Agent);
}

/// Answers a conductor until it ends.
pub(super) fn answer_conductor(chain: &Mutex<Conductor>) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, io::stdin().lock());
    let mut buffer = Vec::new();
    loop {
        match read_line(&mut reader, &mut buffer, LINE_BYTES_MAX)? {
            LineEnd::End => return Ok(()),
            // A message cannot be wrapped without being read.
            LineEnd::Long => {
                copy_line(&mut reader, &mut io::sink())?;
                let mut out = io::stdout().lock();
                let line = lock(chain).long_line(&buffer);
                write_lines(&mut out, &[line])?;
                out.flush()?;
            }
            LineEnd::Whole => {
                let mut out = io::stdout().lock();
                let lines = lock(chain).line(&buffer, &mut read_body);
                write_lines(&mut out, &lines)?;
                out.flush()?;
            }
        }
    }
}

/// Tells the editor of changes in the folders, for ever.
pub(super) fn follow(mut folders: FollowedFolders, added: &Mutex<impl AddSkills>) {
    loop {
        let started = Instant::now();
        let skills = folders.look();
        let pause = PAUSE_MIN.max(started.elapsed().saturating_mul(PAUSE_PER_LOOK));
        if let Some(skills) = skills {
            let mut out = io::stdout().lock();
            let lines = lock(added).set_skills(skills);
            // An editor that is gone is noticed by the other threads.
            let _ = write_lines(&mut out, &lines).and_then(|()| out.flush());
        }
        thread::sleep(pause);
    }
}

fn write_lines(out: &mut impl Write, lines: &[String]) -> io::Result<()> {
    lines.iter().try_for_each(|line| {
        out.write_all(line.as_bytes())?;
        out.write_all(b"\n")
    })
}

/// Returns a line and its end.
fn split_end(line: &[u8]) -> (&[u8], &[u8]) {
    line.split_at(line.len() - usize::from(line.ends_with(b"\n")))
}
