//! A schedule of five fields, as Debian's cron reads it.

use super::error::CronError;
use super::field::{Field, FieldName};
use crate::text::{Span, shorten};

/// The most bytes of a schedule.
const CRON_BYTES_MAX: usize = 1_000;

/// The nicknames of other crons, and what they stand for.
const NICKNAMES: [(&str, &str); 7] = [
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
    ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@hourly", "0 * * * *"),
];

/// When something fires, in local time.
///
/// The fields are minute, hour, day of the month, month and day of the week, with lists, ranges,
/// steps and names. A day has to match both of the day fields when one of them begins with `*`,
/// and either of them otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cron {
    pub(super) minute: Field,
    pub(super) hour: Field,
    pub(super) day_of_month: Field,
    pub(super) month: Field,
    pub(super) day_of_week: Field,
}

/// What a change of the clocks does to a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// Its minute and hour are given: it fires once, however the clocks change.
    Fixed,
    /// Its minute or hour begins with `*`: it follows the clock on the wall.
    Wildcard,
}

impl Cron {
    /// Reads a schedule.
    ///
    /// # Errors
    /// At the characters that are wrong, with what may stand there.
    pub fn parse(text: &str) -> Result<Self, CronError> {
        let whole = Span::new(0, text.len());
        if text.len() > CRON_BYTES_MAX {
            let message = format!("a schedule has at most {CRON_BYTES_MAX} bytes");
            return Err(CronError::new(whole, None, message));
        }
        let fields = fields(text);
        if let [first, ..] = fields.as_slice()
            && text[first.range()].starts_with('@')
        {
            return Err(nickname(text, *first));
        }
        let [minute, hour, day_of_month, month, day_of_week] = fields[..] else {
            return Err(wrong_count(text, &fields));
        };
        Ok(Self {
            minute: Field::parse(text, minute, FieldName::Minute)?,
            hour: Field::parse(text, hour, FieldName::Hour)?,
            day_of_month: Field::parse(text, day_of_month, FieldName::DayOfMonth)?,
            month: Field::parse(text, month, FieldName::Month)?,
            day_of_week: Field::parse(text, day_of_week, FieldName::DayOfWeek)?,
        })
    }

    /// What a change of the clocks does to it.
    pub const fn kind(&self) -> JobKind {
        if self.minute.star.is_some() || self.hour.star.is_some() {
            JobKind::Wildcard
        } else {
            JobKind::Fixed
        }
    }

    /// The schedule in its one normal form: numbers only, in order, `*` where it was written.
    pub fn normalized(&self) -> String {
        let fields = [self.minute, self.hour, self.day_of_month, self.month, self.day_of_week];
        let mut text = String::with_capacity(16);
        for (index, (field, name)) in fields.into_iter().zip(FieldName::ALL).enumerate() {
            if index > 0 {
                text.push(' ');
            }
            field.write(name, &mut text);
        }
        text
    }

    /// How many times of the day it has.
    pub(super) const fn times_per_day(&self) -> u32 {
        self.minute.values.count_ones() * self.hour.values.count_ones()
    }
}

/// The places of the words of a text.
fn fields(text: &str) -> Vec<Span> {
    let is_blank = |c: char| c == ' ' || c == '\t';
    let mut fields = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        match (is_blank(character), start) {
            (false, None) => start = Some(at),
            (true, Some(from)) => {
                fields.push(Span::new(from, at));
                start = None;
            }
            _ => {}
        }
    }
    fields
}

fn nickname(text: &str, first: Span) -> CronError {
    let word = &text[first.range()];
    let known = NICKNAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    match known {
        Some((name, meaning)) => CronError::new(first, None, format!("`{name}` is a nickname"))
            .help(format!("write `{meaning}`")),
        None => CronError::new(first, None, format!("`{}` is not a time", shorten(word)))
            .help("write five fields: minute, hour, day of the month, month, day of the week"),
    }
}

fn wrong_count(text: &str, fields: &[Span]) -> CronError {
    let order = "minute, hour, day of the month, month, day of the week";
    match fields.len() {
        0 => CronError::new(Span::empty(0), None, "the schedule is empty")
            .help(format!("write five fields: {order}; `0 8 * * 1-5` is every weekday at 8")),
        count @ 1..5 => {
            let end = Span::empty(fields[count - 1].end);
            let message = format!("{count} of the five fields are there");
            CronError::new(end, None, message).help(format!("the fields are {order}"))
        }
        count => {
            let rest = Span::new(fields[5].start, fields[count - 1].end);
            let message = format!("{count} fields, and not five");
            let without_first = text[fields[1].start..fields[5].end].to_owned();
            let error = CronError::new(rest, None, message);
            if count == 6 && Cron::parse(&without_first).is_ok() {
                error.help(format!("there are no seconds: write `{without_first}`"))
            } else {
                error.help(format!("the fields are {order}"))
            }
        }
    }
}
