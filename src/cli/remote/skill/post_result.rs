//! `dibber skill post-result`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde_json::Value;

use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::flags::DryRun;
use crate::cli::inputs::ObjectFile;
use crate::cli::mask::masked_json;
use crate::cli::remote::resolve;
use crate::cli::remote::session::{self, Session};
use crate::cli::term::ui::Ui;
use crate::cli::typed_json;
use dibber_client::Intent;
use dibber_skill::contract::{SKILL_POST_RESULT, SkillPostResult};
use dibber_text::{escape_line, message, quote_in_full};

/// The file of `--result-file`.
const RESULT_FILE: ObjectFile = ObjectFile {
    noun: "results",
    example: r#"{"summary": "Planned the week."}"#,
    mebibytes_max: 1,
};

/// What is printed when Ctrl-C ends a post before its answer. A server may not recognise a post that is
/// sent again.
const INTERRUPTED: &str = "\
error: interrupted before the server answered, so it is not known whether the result was posted
help: look for it where the skill posts its results; if it is not there, run the same command again";

pub(super) const ACTION: Command = Command { name: "post-result", define, run };

/// Post the result of a run to the family's inbox
#[derive(Args)]
struct PostArgs {
    /// The skill: its folder, its label, its name or its id
    #[arg(value_name = "SKILL")]
    skill: String,

    /// The result, as a JSON object
    #[arg(value_name = "JSON", required_unless_present = "result_file")]
    result: Option<String>,

    /// Take the result from a file, or `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "result")]
    result_file: Option<PathBuf>,

    #[command(flatten)]
    dry_run: DryRun,

    /// Print JSON, as the server answers
    #[arg(long)]
    json: bool,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(PostArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: PostArgs = parse_args(matches);
    let bad = |cause: String| {
        CommandError::new(message!["the result ", quote_in_full(&cause)])
            .help("write a JSON object: `{\"summary\": \"Planned the week.\"}`")
    };
    let result = match (&arguments.result, &arguments.result_file) {
        (_, Some(file)) => RESULT_FILE.read(file)?,
        (Some(typed), None) => match typed_json::parse(typed) {
            Ok(Value::Object(result)) => result,
            Ok(_) => return Err(bad("is JSON, but not an object".to_owned())),
            Err(cause) => return Err(bad(format!("is {cause}"))),
        },
        (None, None) => unreachable!("clap requires one of them"),
    };
    let session = Session::open(matches, ui)?;
    let mut locks = session.locks()?;
    let skill_id = resolve::resolve(&arguments.skill, &session, &mut locks)?;
    let post = SkillPostResult { skill_id, result, heartbeat_id: None };
    let payload = serde_json::to_value(&post).expect("a result is an object");
    if arguments.dry_run.is_set() {
        let roster = ui.names()?;
        ui.print_json(&masked_json(&payload, &roster))?;
        ui.eprintln("this would be posted; nothing was sent");
        return Ok(Exit::Done);
    }
    session.set_interrupt_message(|_| INTERRUPTED.into())?;
    let posted = session.write(
        &Intent::new(session.recorded()?, SKILL_POST_RESULT, &payload),
        async |operation| session.client.skill_post_result(&post, operation).await,
        // A post is not read back: it is there, or its key is not known to the server.
        async |_| Ok(true),
    )?;
    if arguments.json {
        ui.print_json(&posted)?;
        return Ok(Exit::Done);
    }
    ui.print(format!("{}\n", escape_line(posted.result_id.as_str())).as_bytes())?;
    let (thread, at) = (quote_in_full(posted.thread_id.as_str()), quote_in_full(&posted.posted_at));
    ui.eprintln(message!["Posted to the thread ", thread, " at ", at]);
    Ok(Exit::Done)
}
