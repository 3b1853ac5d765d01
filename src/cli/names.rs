//! `dibber names`.

use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal, Read};

use clap::{ArgMatches, Args, Subcommand};
use serde::Serialize;

use super::command::{Command, parse_args};
use super::error::CommandError;
use super::exit::Exit;
use super::flags::DryRun;
use super::names_file::{Contents, NamesFile};
use super::term::ui::Ui;
use dibber_skill::names::{AddOutcome, Case, LIST_BYTES_MAX, List, NAMES_MAX, Name};
use dibber_text::{message, quote, quote_display, quote_in_full};

pub(super) const COMMAND: Command = Command { name: "names", define: NamesArgs::augment_args, run };

/// The version of the JSON shape.
const JSON_VERSION: u32 = 3;
/// What is said of a name that is a common word.
const ONE_NEEDS_UPPERCASE: &str = "\
the name is a common word, too, and is not found in lowercase; `dibber names add --any-case NAME` \
finds it there";
/// What is said of names of which some are common words.
const SOME_NEED_UPPERCASE: &str = "\
names that are common words, too, are not found in lowercase; `dibber names add --any-case NAME` \
finds them there";
/// The most problems of a list that are shown one by one.
const PROBLEMS_SHOWN_MAX: usize = 20;

/// Manage the private list of children's names
///
/// A name of the list in a skill is reported (rule `child-name`), and no output of
/// dibber shows it, except the family's own inbox. The list is the file `dibber/names` in your configuration folder, or the
/// one that the environment variable `DIBBER_NAMES` names: one name on a line, `~` before a
/// common word that counts in any case, `#` before a comment. Only you may be able to read it, and
/// it must not lie in a git work tree.
#[derive(Args)]
#[command(disable_help_subcommand = true)]
struct NamesArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Add names
    ///
    /// Without a name it reads them from the terminal or from standard input, one on a line. A
    /// name that is typed after the command stays in the history of your shell.
    Add {
        /// The names; those of several words in quotes
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// Find names that are common words, such as Will, in lowercase, too
        #[arg(long)]
        any_case: bool,
        #[command(flatten)]
        change: Change,
    },
    /// Show how many names there are, and the initials of each
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove names
    Remove {
        /// The numbers that `dibber names list` shows, or the names
        #[arg(value_name = "ENTRY", required = true)]
        entries: Vec<String>,
        #[command(flatten)]
        change: Change,
    },
}

/// How the list is changed.
#[derive(Args, Clone, Copy)]
struct Change {
    #[command(flatten)]
    dry_run: DryRun,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What `add` and `remove` print.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangedJson {
    version: u32,
    dry_run: bool,
    items: Vec<OutcomeJson>,
}

#[derive(Serialize)]
struct OutcomeJson {
    entry: usize,
    outcome: Outcome,
}

/// What became of an entry, or would become of it.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Added,
    /// It was in the list.
    Known,
    /// It counts in any case from now on.
    Widened,
    Removed,
}

#[derive(Serialize)]
struct ListJson {
    version: u32,
    count: usize,
    items: Vec<NameJson>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NameJson {
    entry: usize,
    initials: String,
    any_case: bool,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: NamesArgs = parse_args(matches);
    let file = NamesFile::locate()?;
    match arguments.action {
        Action::Add { names, any_case, change } => add(&file, &names, any_case, change, ui),
        Action::List { json } => list(&file, json, ui),
        Action::Remove { entries, change } => remove(&file, &entries, change, ui),
    }
}

fn add(
    file: &NamesFile,
    typed: &[String],
    any_case: bool,
    change: Change,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    if let Some(error) = file.check_outside_git() {
        return Err(error);
    }
    let mut names = if typed.is_empty() { read_names(ui)? } else { parse_names(typed)? };
    if any_case {
        names = names.into_iter().map(Name::in_any_case).collect();
    }
    if names.is_empty() {
        return Err(CommandError::new("no name was given")
            .help("type one on a line, or put a file with one on each line on standard input"));
    }
    let added = change.apply(file, |list| {
        let added: Vec<AddOutcome> = names.iter().map(|name| list.add(name)).collect();
        if added.contains(&AddOutcome::Full) {
            let message =
                message!["the list is limited to ", NAMES_MAX, " names; nothing was added"];
            return Err(CommandError::new(message));
        }
        Ok(added)
    })?;
    let outcomes = added.into_iter().filter_map(|added| match added {
        AddOutcome::New(number) => Some((number, Outcome::Added)),
        AddOutcome::Known(number) => Some((number, Outcome::Known)),
        AddOutcome::Widened(number) => Some((number, Outcome::Widened)),
        AddOutcome::Full => None,
    });
    let exit = change.report(outcomes, ui)?;
    if !change.json && names.iter().any(Name::needs_uppercase) {
        ui.eprintln(if names.len() == 1 { ONE_NEEDS_UPPERCASE } else { SOME_NEED_UPPERCASE });
    }
    Ok(exit)
}

fn parse_names(typed: &[String]) -> Result<Vec<Name>, CommandError> {
    let parsed = typed.iter().enumerate().map(|(index, name)| {
        Name::parse(name).map_err(|problem| {
            CommandError::new(message![
                "name ",
                index + 1,
                " cannot be added: ",
                quote_display(problem)
            ])
        })
    });
    parsed.collect()
}

/// Asks for names, or reads a list from standard input.
fn read_names(ui: &mut Ui) -> Result<Vec<Name>, CommandError> {
    let stdin = io::stdin();
    let is_asked = stdin.is_terminal();
    if is_asked {
        ui.eprintln("type a name on each line; an empty line ends");
    }
    let mut input = stdin.lock().take(LIST_BYTES_MAX as u64 + 1);
    let (mut text, mut read) = (Vec::new(), 0);
    loop {
        let line = input
            .read_until(b'\n', &mut text)
            .map_err(|error| CommandError::io("cannot read standard input", error))?;
        let is_empty = text[read..].trim_ascii().is_empty();
        read += line;
        if line == 0 || is_asked && is_empty {
            break;
        }
    }
    if text.len() > LIST_BYTES_MAX {
        let message = message!["standard input is larger than ", LIST_BYTES_MAX, " bytes"];
        return Err(CommandError::new(message));
    }
    let text =
        String::from_utf8(text).map_err(|_| CommandError::new("standard input is not UTF-8"))?;
    let (list, problems) = List::parse(&text);
    match problems.first() {
        Some(problem) => {
            Err(CommandError::new(message!["nothing was added: ", quote_display(problem)]))
        }
        None => Ok(list.names().cloned().collect()),
    }
}

fn list(file: &NamesFile, json: bool, ui: &mut Ui) -> Result<Exit, CommandError> {
    let Contents { list, problems, rejection } = file.read()?;
    let page = if json { list_json(&list) } else { list_table(&list) };
    ui.print(page.as_bytes())?;
    let mut errors = file.problem_errors(&problems, PROBLEMS_SHOWN_MAX);
    errors.extend(rejection);
    let last = errors.pop();
    for error in &errors {
        ui.error(error);
    }
    last.map_or(Ok(Exit::Done), Err)
}

fn list_table(list: &List) -> String {
    let mut table = String::new();
    for (index, name) in list.names().enumerate() {
        let any_case = if name.case() == Case::Any { "  any case" } else { "" };
        table += &format!("#{}  {}{any_case}\n", index + 1, name.initials());
    }
    table + &count(list) + "\n"
}

fn count(list: &List) -> String {
    match list.len() {
        0 => "no names".to_owned(),
        1 => "1 name".to_owned(),
        count => format!("{count} names"),
    }
}

fn list_json(list: &List) -> String {
    let names = list.names().enumerate().map(|(index, name)| NameJson {
        entry: index + 1,
        initials: name.initials(),
        any_case: name.case() == Case::Any,
    });
    let json = ListJson { version: JSON_VERSION, count: list.len(), items: names.collect() };
    serde_json::to_string_pretty(&json).expect("strings and numbers are JSON") + "\n"
}

fn remove(
    file: &NamesFile,
    entries: &[String],
    change: Change,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let removed = change.apply(file, |list| {
        let numbers: BTreeSet<usize> =
            entries.iter().map(|entry| number_of(entry, list)).collect::<Result<_, _>>()?;
        list.remove(&numbers);
        Ok(numbers)
    })?;
    change.report(removed.into_iter().map(|number| (number, Outcome::Removed)), ui)
}

impl Change {
    /// Changes the list, or finds out how it would be changed.
    fn apply<T>(
        self,
        file: &NamesFile,
        change: impl FnOnce(&mut List) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        if self.dry_run.is_set() { change(&mut file.read()?.list) } else { file.update(change) }
    }

    /// Reports what became of each entry.
    fn report(
        self,
        outcomes: impl Iterator<Item = (usize, Outcome)>,
        ui: &mut Ui,
    ) -> Result<Exit, CommandError> {
        let dry_run = self.dry_run.is_set();
        if self.json {
            let items = outcomes.map(|(entry, outcome)| OutcomeJson { entry, outcome }).collect();
            ui.print_json(&ChangedJson { version: JSON_VERSION, dry_run, items })?;
            return Ok(Exit::Done);
        }
        for (number, outcome) in outcomes {
            ui.eprintln(match (outcome, dry_run) {
                (Outcome::Added, false) => message!["added entry #", number],
                (Outcome::Added, true) => message!["would add entry #", number],
                (Outcome::Known, _) => message!["already in the list as entry #", number],
                (Outcome::Widened, false) => message!["entry #", number, " now counts in any case"],
                (Outcome::Widened, true) => message!["entry #", number, " would count in any case"],
                (Outcome::Removed, false) => message!["removed entry #", number],
                (Outcome::Removed, true) => message!["would remove entry #", number],
            });
        }
        Ok(Exit::Done)
    }
}

/// Returns the number of an entry that was typed as a number or as a name.
fn number_of(typed: &str, list: &List) -> Result<usize, CommandError> {
    let help = "`dibber names list` shows the numbers";
    let digits = typed.strip_prefix('#').unwrap_or(typed);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = digits.parse().ok().filter(|number| (1..=list.len()).contains(number));
        return number.ok_or_else(|| {
            let message = message![
                "unknown entry #",
                quote(digits),
                "; the list has ",
                quote_in_full(&count(list))
            ];
            CommandError::new(message).help(help)
        });
    }
    let number = Name::parse(typed).ok().and_then(|name| list.number(&name));
    number.ok_or_else(|| CommandError::new("the name is not in the list").help(help))
}
