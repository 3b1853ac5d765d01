//! Nothing of a schedule in words is dropped: each of its words and numbers changes what it means,
//! or is one that only makes a sentence of it.

use dibber_schedule::{ClockFormat, Cron, ScheduleText, cadence_text};

use crate::schedule::cadence::TABLE;
use crate::schedule::words::{PARENTS, UNDERSTOOD};

/// The words that may be left out without a change. Each is part of a phrase, such as "in the
/// morning" and "the 1st day of each month", or says in another way what is said already. The
/// empty one is a sign, such as `&`.
const FILLERS: [&str; 44] = [
    "", "a", "all", "also", "an", "and", "at", "clock", "daily", "date", "dates", "day", "days",
    "each", "every", "everyday", "from", "hour", "hours", "in", "minutes", "month", "monthly",
    "nightly", "o'clock", "oclock", "of", "on", "once", "or", "past", "per", "that", "the", "time",
    "times", "uhr", "week", "weekly", "year", "yearly", "morning", "evening", "night",
];
/// What no schedule of the tables may have at any place without an error or another meaning.
const INSERTED: [&str; 12] =
    ["25:00", "24:00", "8:75", "25", "99", "0", "13pm", "32nd", "soon", "7:30pm", "UTC", "#"];

type Meaning = (Cron, Option<String>);

fn meaning(text: &str) -> Option<Meaning> {
    ScheduleText::parse(text).ok().map(|parsed| (parsed.cron, parsed.zone))
}

/// Returns the schedules in words of the other tests that are valid, with what they mean.
fn valid() -> Vec<(String, Meaning)> {
    let of_table = TABLE.lines().flat_map(|cron| {
        let cron = Cron::parse(cron).expect("a schedule");
        [ClockFormat::Twelve, ClockFormat::TwentyFour]
            .map(|clock| cadence_text(&cron, "America/New_York", clock))
    });
    let typed = PARENTS.iter().chain(&UNDERSTOOD).map(|text| (*text).to_owned());
    let in_words = |text: &String| Cron::parse(text).is_err() && !text.starts_with('@');
    let phrases = typed.chain(of_table).filter(in_words);
    phrases.filter_map(|phrase| meaning(&phrase).map(|meaning| (phrase, meaning))).collect()
}

/// Returns the words and numbers of a string.
fn tokens(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn each_word_has_a_meaning_or_is_a_filler() {
    let mut dropped = Vec::new();
    for (text, expected) in valid() {
        let tokens = tokens(&text);
        for index in 0..tokens.len() {
            let plain = tokens[index].trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            if FILLERS.contains(&plain.as_str()) {
                continue;
            }
            let rest = [&tokens[..index], &tokens[index + 1..]].concat().join(" ");
            if meaning(&rest) == Some(expected.clone()) {
                dropped.push(format!("{text}: `{}`", tokens[index]));
            }
        }
    }
    assert!(dropped.is_empty(), "{}", dropped.join("\n"));
}

#[test]
fn nothing_can_be_inserted_without_a_change() {
    let mut dropped = Vec::new();
    for (text, expected) in valid() {
        let tokens = tokens(&text);
        for index in 0..=tokens.len() {
            for inserted in INSERTED {
                let text = [&tokens[..index], &[inserted], &tokens[index..]].concat().join(" ");
                if meaning(&text) == Some(expected.clone()) {
                    dropped.push(text);
                }
            }
        }
    }
    assert!(dropped.is_empty(), "{}", dropped.join("\n"));
}
