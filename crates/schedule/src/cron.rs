//! A schedule of five fields, as Debian's cron reads it.

use super::error::CronError;
use super::field::{Field, FieldName};
use dibber_text::{BYTE_ORDER_MARK, Span, ellipsize};

/// The most bytes of a schedule.
const CRON_BYTES_MAX: usize = 1_000;

/// The fields, in words.
const ORDER: &str = "minute, hour, day of the month, month, day of the week";

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
            let help = format!("five short fields are enough: {ORDER}");
            return Err(CronError::new(whole, None, message).help(help));
        }
        if let Some(error) = no_plain_line(text) {
            return Err(error);
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

/// What surrounds a schedule that was copied from elsewhere: quotes, a line break, spaces that are
/// wider or narrower than the plain one.
fn no_plain_line(text: &str) -> Option<CronError> {
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`' | '\u{201C}' | '\u{201D}');
    let is_space = |c: char| c.is_whitespace() && !matches!(c, ' ' | '\t') || c == BYTE_ORDER_MARK;
    let (at, character) = text.char_indices().find(|(_, c)| is_quote(*c) || is_space(*c))?;
    let (message, help) = match character {
        '\n' | '\r' => ("a schedule is one line", "take the line break out"),
        BYTE_ORDER_MARK => ("there is a byte-order mark", "take it out"),
        quote if is_quote(quote) => ("there are no quotes in a schedule", "take them out"),
        _ => ("this is not the plain space", "write a space"),
    };
    let span = Span::new(at, at + character.len_utf8());
    Some(CronError::new(span, None, message).help(help))
}

fn nickname(text: &str, first: Span) -> CronError {
    let word = &text[first.range()];
    let known = NICKNAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    match known {
        Some((name, meaning)) => CronError::new(first, None, format!("`{name}` is a nickname"))
            .help(format!("write `{meaning}`")),
        None => CronError::new(first, None, format!("`{}` is not a time", ellipsize(word)))
            .help(format!("write five fields: {ORDER}")),
    }
}

fn wrong_count(text: &str, fields: &[Span]) -> CronError {
    let order = format!("the fields are {ORDER}");
    match fields {
        [] => CronError::new(Span::empty(0), None, "the schedule is empty")
            .help(format!("write five fields: {ORDER}; `0 8 * * 1-5` is every weekday at 8")),
        [.., last] if fields.len() < 5 => {
            let message = match fields.len() {
                1 => "only one of the five fields is there".to_owned(),
                count => format!("only {count} of the five fields are there"),
            };
            CronError::new(Span::empty(last.end), None, message).help(order)
        }
        _ => too_many(text, fields).unwrap_or_else(|| {
            let rest = Span::new(fields[5].start, fields[fields.len() - 1].end);
            CronError::new(rest, None, format!("{} fields, and not five", fields.len())).help(order)
        }),
    }
}

/// What is known to make more than five fields, where the rest is a schedule.
fn too_many(text: &str, fields: &[Span]) -> Option<CronError> {
    let word = |index: usize| &text[fields[index].range()];
    let error = |index: usize, message: &str, rewrite: &str| {
        let is_schedule = Cron::parse(rewrite).is_ok();
        let error = CronError::new(fields[index], None, message);
        is_schedule.then(|| error.help(format!("write `{rewrite}`")))
    };
    let last = fields.len() - 1;
    if word(0).contains('=') {
        let help = "give the time zone beside the schedule, not in it";
        return Some(CronError::new(fields[0], None, "this is no field of a schedule").help(help));
    }
    let beside_comma =
        |index: &usize| word(*index).ends_with(',') || word(index + 1).starts_with(',');
    if let Some(index) = (0..last).find(beside_comma) {
        // With one space between them, each that is taken out makes one field less.
        let words: Vec<&str> = (0..=last).map(word).collect();
        let rewrite = words.join(" ").replace(", ", ",").replace(" ,", ",");
        return error(index, "a list has no space beside its commas", &rewrite);
    }
    // Elsewhere seconds stand first, a year may stand last, and `?` stands for any day.
    let without_seconds = text[fields[1].start..fields[5].end].replace('?', "*");
    let without_year = &text[fields[0].start..fields[4].end];
    let is_year = word(last).len() == 4 && word(last).bytes().all(|byte| byte.is_ascii_digit());
    if last == 5 && is_year {
        return error(last, "there are no years in a schedule", without_year);
    }
    (last <= 6).then(|| error(0, "there are no seconds in a schedule", &without_seconds)).flatten()
}
