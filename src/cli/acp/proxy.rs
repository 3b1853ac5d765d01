//! `dibber acp proxy`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use clap::{ArgMatches, Args};

use super::agent_process::{AgentProcess, exit_code};
use super::pump::{Ended, agent_to_client, answer_conductor, client_to_agent, follow};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_catalog::FollowedFolders;
use dibber_catalog::acp::{Conductor, Proxy};
use dibber_skill::discover;
use dibber_text::{message, quote_path};

pub(super) const ACTION: Command = Command { name: "proxy", define: ProxyArgs::augment_args, run };

/// The directory of skills for every client, below that of a project and the user's own.
const SKILLS_DIRECTORY: [&str; 2] = [".agents", "skills"];

/// How often it is looked whether the agent has ended.
const POLL: Duration = Duration::from_millis(100);

/// How long the output of an agent that has ended is still read.
const REST_WAIT: Duration = Duration::from_secs(1);

/// Stand between an editor and an agent, and add skills to the agent's commands
///
/// Write it as the command of the agent in the settings of your editor. The skills of the folders are
/// listed after the agent's own commands, also after a change of the folders, and a prompt such as
/// `/bedtime-story Mia` becomes what the skill says. All else passes as it is.
///
/// A skill with the name of one of the agent's commands is called `NAME-skill`. One with
/// `user-invocable: false` is not listed. Nothing of a skill is executed.
#[derive(Args)]
struct ProxyArgs {
    /// A folder with skills; `.agents/skills` here and in your home folder if none is given
    #[arg(long, value_name = "PATH")]
    skills: Vec<PathBuf>,

    /// Be a component of a conductor, which starts the agent itself
    #[arg(long, conflicts_with = "agent")]
    conductor: bool,

    /// The command of the agent, after `--`
    #[arg(last = true, value_name = "AGENT", required_unless_present = "conductor")]
    agent: Vec<OsString>,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ProxyArgs = parse_args(matches);
    for missing in arguments.skills.iter().filter(|path| !path.exists()) {
        let missing = quote_path(missing);
        ui.warning(message![missing, " does not exist; skills are added when they come there"]);
    }
    let mut folders = FollowedFolders::new(skill_paths(arguments.skills));
    if arguments.conductor {
        let proxy = Proxy::new(folders.look().unwrap_or_default());
        let chain = Arc::new(Mutex::new(Conductor::new(proxy)));
        let followed = Arc::clone(&chain);
        thread::spawn(move || follow(folders, &followed));
        answer_conductor(&chain)
            .map_err(|error| CommandError::io("cannot speak with the conductor", error))?;
        return Ok(Exit::Done);
    }
    let (agent, input, output) = AgentProcess::start(&arguments.agent)?;
    let proxy = Arc::new(Mutex::new(Proxy::new(folders.look().unwrap_or_default())));
    let (sender, ended) = mpsc::channel();
    let (shared, ended_sender) = (Arc::clone(&proxy), sender.clone());
    thread::spawn(move || client_to_agent(&shared, input, &ended_sender));
    let shared = Arc::clone(&proxy);
    thread::spawn(move || agent_to_client(&shared, output, &sender));
    thread::spawn(move || follow(folders, &proxy));
    let code = wait(&agent, &ended);
    // An interruption has ended the agent, and ends the program with its own code.
    let interrupt = Interrupt::watch()?;
    let _held = interrupt.hold();
    #[expect(clippy::exit, reason = "the exit code is that of the agent")]
    process::exit(code)
}

/// Returns the paths of the folders, which do not change with the directory.
fn skill_paths(typed: Vec<PathBuf>) -> Vec<PathBuf> {
    if !typed.is_empty() {
        return typed.into_iter().map(discover::from_current_directory).collect();
    }
    let here = std::env::current_dir().ok();
    let bases = here.into_iter().chain(etcetera::home_dir().ok());
    let [above, name] = SKILLS_DIRECTORY;
    bases.map(|base| base.join(above).join(name)).collect()
}

/// Waits until one side ends, ends the other, and returns the exit code.
fn wait(agent: &AgentProcess, ended: &Receiver<Ended>) -> i32 {
    let mut has_output = true;
    let status = loop {
        match ended.recv_timeout(POLL) {
            Ok(side) => {
                has_output = side != Ended::Agent;
                break agent.end();
            }
            Err(RecvTimeoutError::Disconnected) => break agent.end(),
            Err(RecvTimeoutError::Timeout) => {}
        }
        // Processes that it has started may keep its output open.
        if let Some(status) = agent.status() {
            break Some(status);
        }
    };
    // What it wrote last still passes; processes that it has started may go on writing.
    let deadline = Instant::now() + REST_WAIT;
    while has_output {
        let left = deadline.saturating_duration_since(Instant::now());
        has_output = ended.recv_timeout(left) == Ok(Ended::Client);
    }
    status.map_or(Exit::Failed as i32, exit_code)
}
