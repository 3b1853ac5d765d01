//! The questions, in a parent's words. Only what is missing is asked.

use super::arguments::{NewArgs, with_trigger, without_quotes};
use super::{check, write};
use crate::cli::error::CommandError;
use crate::cli::heartbeat::typed::ask_meanings;
use crate::cli::term::ask::Asker;
use dibber_schedule::ScheduleText;
use dibber_skill::contract::{
    Category, HEARTBEAT_CREATE, InputVariable, PUBLIC_TOOLS, Sensitivity, SkillWrite,
    TIME_ZONE_DEFAULT, WireEnum, wire_name,
};
use dibber_skill::draft::{Draft, cadence};
use dibber_skill::scaffold::{self, Answers, Schedule, TEMPLATES, Template};
use dibber_skill::skill::name;
use dibber_text::{Message, message, quote_in_full};

/// A placeholder for the occasion while only the task is known.
const SOME_OCCASION: &str = "a parent asks for it, or for something that is much like it";
/// The default ages.
const AGES_DEFAULT: &str = "5-7";

/// Schedules to choose from.
const SCHEDULES: [&str; 6] = [
    "Every day at 8 in the morning",
    "Every weekday at 8 in the morning",
    "Every Saturday at 9 in the morning",
    "Every Sunday at 6 in the evening",
    "On the first day of each month, at 9 in the morning",
    "Every day at 7:30 in the evening",
];

/// Asks for the template.
pub(super) fn template(asker: &mut Asker<'_>) -> Result<&'static Template, CommandError> {
    let item = |template: &Template| message![template.name, ": ", template.summary];
    let items: Vec<Message> = TEMPLATES.iter().map(item).collect();
    let chosen = asker.select("What is it most like?", &items, 0)?;
    Ok(&TEMPLATES[chosen])
}

/// Asks for everything else that is missing.
pub(super) fn ask(
    asker: &mut Asker<'_>,
    template: &'static Template,
    arguments: &NewArgs,
    answers: &mut Answers,
) -> Result<(), CommandError> {
    let skill = scaffold::plan(template, &Answers::default()).skill();
    let draft = Draft::new(&skill);
    let is_published = draft.manifest.is_some();
    let mut wizard = Wizard { asker, template, arguments, known: draft.best_effort().clone() };
    wizard.description(answers)?;
    wizard.label(answers, is_published)?;
    wizard.name(answers, is_published)?;
    // Everything else has a default.
    if arguments.yes || !is_published {
        return Ok(());
    }
    wizard.category(answers)?;
    wizard.children(answers)?;
    wizard.inputs(answers)?;
    wizard.hands(answers)?;
    wizard.schedule(answers)
}

struct Wizard<'a, 'b> {
    asker: &'a mut Asker<'b>,
    template: &'static Template,
    arguments: &'a NewArgs,
    /// The draft of the template.
    known: SkillWrite,
}

impl Wizard<'_, '_> {
    /// Asks until the answers are valid, and shows their problems each time.
    fn ask_until_valid(
        &mut self,
        answers: &mut Answers,
        mut question: impl FnMut(&mut Asker<'_>, &mut Answers) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        loop {
            let mut tried = answers.clone();
            question(self.asker, &mut tried)?;
            let mut errors = check::errors(self.template, &tried, self.asker.roster());
            if let Some(name) = &tried.name {
                errors.extend(write::check_free(&self.arguments.into, name));
            }
            if errors.is_empty() {
                *answers = tried;
                return Ok(());
            }
            for error in &errors {
                self.asker.show_error(error);
            }
        }
    }

    fn description(&mut self, answers: &mut Answers) -> Result<(), CommandError> {
        if answers.description.is_some() {
            return Ok(());
        }
        let mut what = String::new();
        self.ask_until_valid(answers, |asker, tried| {
            what = asker.input("What should it do? (one sentence)", None)?;
            let is_blank = what.is_empty();
            tried.description =
                Some(if is_blank { String::new() } else { with_trigger(&what, SOME_OCCASION) });
            Ok(())
        })?;
        self.ask_until_valid(answers, |asker, tried| {
            let when = asker.input("When should it be used? Use it when …", None)?;
            let is_blank = when.is_empty();
            tried.description =
                Some(if is_blank { what.clone() } else { with_trigger(&what, &when) });
            Ok(())
        })
    }

    fn label(&mut self, answers: &mut Answers, is_published: bool) -> Result<(), CommandError> {
        if answers.label.is_some() || self.arguments.yes && answers.name.is_some() {
            return Ok(());
        }
        let last = |name: &str| name::to_heading(name.rsplit('.').next().unwrap_or(name));
        let proposal = answers.name.as_deref().map(last);
        let question =
            if is_published { "What should your family see as its title?" } else { "Its title?" };
        self.ask_until_valid(answers, |asker, tried| {
            tried.label = Some(asker.input(question, proposal.as_deref())?);
            Ok(())
        })
    }

    fn name(&mut self, answers: &mut Answers, is_published: bool) -> Result<(), CommandError> {
        if answers.name.is_some() {
            return Ok(());
        }
        let of_label = answers.label.as_deref().and_then(name::corrected_to_ascii);
        let proposal = of_label.filter(|_| is_published);
        let question = if is_published {
            "The name of its folder? (lowercase letters, digits, hyphens)"
        } else {
            "Its name? (whose.about-what.does-what, such as family.dates.countdown)"
        };
        self.ask_until_valid(answers, |asker, tried| {
            tried.name = Some(asker.input(question, proposal.as_deref())?);
            Ok(())
        })
    }

    fn category(&mut self, answers: &mut Answers) -> Result<(), CommandError> {
        if answers.category.is_some() {
            return Ok(());
        }
        let items = ["Sprout's own agent, and your home agent", "Your home agent alone"];
        let items = items.map(Message::from);
        let first = usize::from(self.known.category == Some(Category::HomeAgent));
        self.ask_until_valid(answers, |asker, tried| {
            let chosen = asker.select("Who is to run it?", &items, first)?;
            tried.category = Some(Category::all()[chosen]);
            Ok(())
        })
    }

    /// Asks whether a child may launch it, for the ages and for a canvas.
    fn children(&mut self, answers: &mut Answers) -> Result<(), CommandError> {
        let known = self.known.kid_callable == Some(true);
        if answers.kid_callable.is_none() && answers.category == Some(Category::Generic) {
            let is_callable = self.asker.confirm("May a child launch it?", known)?;
            answers.kid_callable = Some(is_callable);
        }
        if answers.kid_callable != Some(true) {
            // What the template has for children is removed.
            answers.kid_callable = known.then_some(false);
            return Ok(());
        }
        if answers.ages.is_none() {
            let proposal = self.known.age_range.clone();
            let proposal = proposal.unwrap_or_else(|| AGES_DEFAULT.to_owned());
            self.ask_until_valid(answers, |asker, tried| {
                let question = "For which ages? (the youngest and the oldest)";
                tried.ages = Some(without_quotes(&asker.input(question, Some(&proposal))?));
                Ok(())
            })?;
        }
        if answers.canvases.is_empty() {
            self.ask_until_valid(answers, |asker, tried| {
                let id = asker.input("The id of a canvas? (empty: none yet)", None)?;
                tried.canvases = Some(id).filter(|id| !id.is_empty()).into_iter().collect();
                Ok(())
            })?;
        }
        Ok(())
    }

    fn inputs(&mut self, answers: &mut Answers) -> Result<(), CommandError> {
        if !answers.inputs.is_empty() {
            return Ok(());
        }
        let known = self.known.input_variables.iter().map(|input| input.name.as_str());
        let known: Vec<&str> = known.collect();
        if known.is_empty() {
            self.asker
                .eprintln("Some details change at every run: a child's name, the day, a topic.");
        } else {
            self.asker.eprintln(message![
                "Filled in at every run already: ",
                quote_in_full(&known.join(", ")),
                "."
            ]);
        }
        loop {
            let count = answers.inputs.len();
            self.ask_until_valid(answers, |asker, tried| {
                let question = "What else changes every time? (a short name; empty: nothing more)";
                let name = asker.input(question, None)?;
                if !name.is_empty() {
                    tried.inputs.push(InputVariable { name, ..InputVariable::default() });
                }
                Ok(())
            })?;
            if answers.inputs.len() == count {
                return Ok(());
            }
            self.ask_until_valid(answers, |asker, tried| {
                let text = asker.input("What is to be filled in there?", None)?;
                tried.inputs[count].description = Some(text).filter(|text| !text.is_empty());
                Ok(())
            })?;
        }
    }

    fn hands(&mut self, answers: &mut Answers) -> Result<(), CommandError> {
        if !answers.hands.is_empty() {
            return Ok(());
        }
        let known = &self.known.hands_referenced;
        if !known.is_empty() {
            self.asker.eprintln(message![
                "It uses these tools already: ",
                quote_in_full(&known.join(", ")),
                "."
            ]);
        }
        let tools: Vec<_> = PUBLIC_TOOLS
            .iter()
            .filter(|tool| !known.iter().any(|known| known == tool.name))
            .collect();
        let purpose = |sensitivity: Sensitivity| match sensitivity {
            Sensitivity::Read => "looks",
            Sensitivity::Write => "changes something",
            Sensitivity::High => "touches what a child earns or may do",
        };
        let items: Vec<Message> = tools
            .iter()
            .map(|tool| message![tool.name, " (", purpose(tool.sensitivity), ")"])
            .collect();
        self.asker
            .eprintln("Space marks a tool, Enter goes on. If you do not know yet, mark none.");
        self.ask_until_valid(answers, |asker, tried| {
            let chosen = asker.multi_select("Which tools does it need?", &items)?;
            tried.hands = chosen.into_iter().map(|index| tools[index].name.to_owned()).collect();
            Ok(())
        })
    }

    fn schedule(&mut self, answers: &mut Answers) -> Result<(), CommandError> {
        let hands = self.known.hands_referenced.iter().chain(&answers.hands);
        let makes_schedules = hands.into_iter().any(|hand| wire_name(hand) == HEARTBEAT_CREATE);
        let is_for_sprout = answers.category == Some(Category::Generic);
        if answers.schedule.is_some() || makes_schedules || !is_for_sprout {
            return Ok(());
        }
        let items = ["No, only when asked for"].into_iter().chain(SCHEDULES);
        let items: Vec<Message> = items.chain(["At other times"]).map(Message::from).collect();
        self.ask_until_valid(answers, |asker, tried| {
            let chosen = asker.select("Should it run by itself?", &items, 0)?;
            let text = match chosen.checked_sub(1).map(|index| SCHEDULES.get(index)) {
                None => return Ok(()),
                Some(Some(words)) => (*words).to_owned(),
                Some(None) => {
                    let question = "When? (such as: weekdays at 7:30am, or Sundays at 18:30)";
                    let text = asker.input(question, None)?;
                    ask_meanings(&text, asker)?
                }
            };
            let (cron, time_zone) = match ScheduleText::parse(&text) {
                Ok(parsed) => (parsed.expression, parsed.zone),
                // The check of the answer reports it.
                Err(_) => (text, None),
            };
            tried.schedule = Some(Schedule { cron, time_zone, ..Schedule::default() });
            Ok(())
        })?;
        let Some(schedule) = &answers.schedule else { return Ok(()) };
        if schedule.time_zone.is_none() {
            self.time_zone(answers)?;
        }
        self.values_of_schedule(answers)?;
        let schedule = answers.schedule.as_ref();
        let words = schedule.and_then(|it| cadence(&it.cron, it.time_zone.as_deref()));
        self.asker
            .eprintln(message![quote_in_full(&words.expect("a schedule that was checked")), "."]);
        Ok(())
    }

    fn time_zone(&mut self, answers: &mut Answers) -> Result<(), CommandError> {
        self.ask_until_valid(answers, |asker, tried| {
            let zone = asker.input("In which time zone?", Some(TIME_ZONE_DEFAULT))?;
            if let Some(schedule) = &mut tried.schedule {
                schedule.time_zone = Some(zone);
            }
            Ok(())
        })
    }

    /// Asks for the values of the inputs, because a scheduled run cannot ask. Dates are the day of
    /// each run.
    fn values_of_schedule(&mut self, answers: &mut Answers) -> Result<(), CommandError> {
        let inputs = self.known.input_variables.iter().chain(&answers.inputs);
        let inputs = inputs.filter(|input| input.kind.as_deref() != Some("date"));
        let names: Vec<String> = inputs.map(|input| input.name.clone()).collect();
        for name in names {
            self.ask_until_valid(answers, |asker, tried| {
                let value = asker.input(
                    message![
                        "What is `",
                        quote_in_full(&name),
                        "` at these runs? (empty: you write it later)"
                    ],
                    None,
                )?;
                if let Some(schedule) = &mut tried.schedule {
                    schedule.values.insert(name.clone(), value);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}
