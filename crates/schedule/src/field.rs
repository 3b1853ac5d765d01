//! One field of a schedule: which values it allows, and the text it is written in.

use std::fmt::{self, Write};

use unicode_normalization::UnicodeNormalization;

use super::error::CronError;
use dibber_text::{Span, closest_match, ellipsize};

/// The most bytes of one item of a field that are looked at closely.
const ITEM_BYTES_MAX: usize = 32;

/// The most values that are listed one by one when a field is written in another way.
const LISTED_MAX: usize = 12;

/// Which of the five fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldName {
    /// The minute, 0 to 59.
    Minute,
    /// The hour, 0 to 23.
    Hour,
    /// The day of the month, 1 to 31.
    DayOfMonth,
    /// The month, 1 to 12.
    Month,
    /// The day of the week, 0 to 7; both 0 and 7 are Sunday.
    DayOfWeek,
}

const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

impl FieldName {
    /// The fields in the order in which they are written.
    pub const ALL: [Self; 5] =
        [Self::Minute, Self::Hour, Self::DayOfMonth, Self::Month, Self::DayOfWeek];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::DayOfMonth => "day of the month",
            Self::Month => "month",
            Self::DayOfWeek => "day of the week",
        }
    }

    /// The smallest and the largest number that may be written.
    pub(super) const fn limits(self) -> (u8, u8) {
        match self {
            Self::Minute => (0, 59),
            Self::Hour => (0, 23),
            Self::DayOfMonth => (1, 31),
            Self::Month => (1, 12),
            Self::DayOfWeek => (0, 7),
        }
    }

    /// The names that may stand in the place of numbers, the first for the smallest one.
    pub(super) const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Month => &MONTHS,
            Self::DayOfWeek => &WEEKDAYS,
            Self::Minute | Self::Hour | Self::DayOfMonth => &[],
        }
    }

    /// What may be written, in words.
    pub(super) fn allowed(self) -> String {
        let (min, max) = self.limits();
        match self.names() {
            [first, .., last] => format!("{min} to {max}, or {first} to {last}"),
            _ => format!("{min} to {max}"),
        }
    }

    /// The last value of `*`: Sunday counts once.
    const fn last_of_star(self) -> u8 {
        match self {
            Self::DayOfWeek => 6,
            _ => self.limits().1,
        }
    }
}

/// The values that a field allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Field {
    /// A bit for each value.
    pub(super) values: u64,
    /// The step of a field that begins with `*`: 1 for `*` alone.
    pub(super) star: Option<u8>,
}

impl Field {
    /// Reads the field that stands at `span` of `text`.
    pub(super) fn parse(text: &str, span: Span, name: FieldName) -> Result<Self, CronError> {
        let mut field = Self { values: 0, star: None };
        let mut start = span.start;
        for (index, item) in text[span.range()].split(',').enumerate() {
            let item_span = Span::new(start, start + item.len());
            start = item_span.end + 1;
            let item = Item { text: item, span: item_span, name };
            let (values, star) = item.values()?;
            field.values |= values;
            if index == 0 {
                field.star = star;
            }
        }
        Ok(field)
    }

    /// A field with some of the values of another one, that begins with `*` if that one does and
    /// the values can be written so.
    pub(super) fn like(other: Self, name: FieldName, values: u64) -> Self {
        let (first, max) = name.limits();
        let star = other.star.and_then(|_| {
            (1..=max).find(|step| stepped(first, name.last_of_star(), *step) == values)
        });
        Self { values, star }
    }

    /// Writes the field in its one normal form.
    pub(super) fn write(self, name: FieldName, out: &mut String) {
        let mut values = self.values;
        let mut separator = "";
        if let Some(step) = self.star {
            out.push('*');
            if step > 1 {
                write!(out, "/{step}").expect("a string takes all text");
            }
            values &= !stepped(name.limits().0, name.last_of_star(), step);
            separator = ",";
        }
        while values != 0 {
            let first = values.trailing_zeros();
            let run = (values >> first).trailing_ones();
            // Two values in a row are shorter with a comma.
            let taken = if run == 2 { 1 } else { run };
            out.push_str(separator);
            write!(out, "{first}").expect("a string takes all text");
            if taken > 1 {
                write!(out, "-{}", first + taken - 1).expect("a string takes all text");
            }
            values &= !(u64::MAX >> (64 - taken) << first);
            separator = ",";
        }
    }
}

/// The values from `first` to `last`, each `step` after the one before.
fn stepped(first: u8, last: u8, step: u8) -> u64 {
    (first..=last).step_by(usize::from(step)).fold(0, |values, value| values | 1 << value)
}

/// One item of a list: `*`, `5`, `1-5`, `*/10`, `1-31/2`, `5/10`.
struct Item<'a> {
    text: &'a str,
    span: Span,
    name: FieldName,
}

impl Item<'_> {
    fn values(&self) -> Result<(u64, Option<u8>), CronError> {
        self.check_characters()?;
        let (range, step) = match self.text.split_once('/') {
            Some((range, step)) => (range, Some(self.step(step)?)),
            None => (self.text, None),
        };
        if range == "*" {
            let (first, last) = (self.name.limits().0, self.name.last_of_star());
            let step = step.unwrap_or(1);
            return Ok((stepped(first, last, step), Some(step)));
        }
        let (first, last) = if let Some((first, last)) = range.split_once('-') {
            (self.value(first)?, self.value(last)?)
        } else {
            // A step after a single value goes on to the largest number that may be written,
            // which is Sunday among the weekdays: `3/2` is `3-7/2`.
            let value = self.value(range)?;
            (value, if step.is_some() { self.name.limits().1 } else { value })
        };
        if first > last {
            return Err(self.reversed(first, last, step.unwrap_or(1)));
        }
        Ok((self.fold_sunday(stepped(first, last, step.unwrap_or(1))), None))
    }

    /// 7 is Sunday, as 0 is.
    fn fold_sunday(&self, values: u64) -> u64 {
        match self.name {
            FieldName::DayOfWeek => (values | values >> 7) & 0x7F,
            _ => values,
        }
    }

    fn check_characters(&self) -> Result<(), CronError> {
        let text = self.text;
        if text.is_empty() {
            let message = format!("the {} has an empty place beside a comma", self.name.word());
            return Err(self.error(message).help("take the comma out, or write a value there"));
        }
        if text.len() > ITEM_BYTES_MAX {
            let message = format!("`{}` is no {}", ellipsize(text), self.name.word());
            return Err(self.error(message).help(self.help()));
        }
        let from_elsewhere = [
            ('?', "`?` is of another kind of cron", "write `*`"),
            (
                '#',
                "`#` is of another kind of cron",
                "write the weekday alone; \"the second Monday\" cannot be said",
            ),
        ];
        for (character, message, help) in from_elsewhere {
            if text.contains(character) {
                return Err(self.error(message).help(help));
            }
        }
        self.check_look_alikes()?;
        self.check_letters()
    }

    /// Characters that only look like those of a schedule, and come from a text processor.
    fn check_look_alikes(&self) -> Result<(), CronError> {
        if self.text.is_ascii() {
            return Ok(());
        }
        let plain: String = self.text.nfkc().map(plain).collect();
        let Some(strange) = self.text.split(|c: char| c.is_ascii()).find(|part| !part.is_empty())
        else {
            return Ok(());
        };
        if !plain.is_ascii() || (Item { text: &plain, ..*self }).values().is_err() {
            let message = format!("`{}` is no {}", ellipsize(self.text), self.name.word());
            return Err(self.error_at(strange, message).help(self.help()));
        }
        let message = format!("`{strange}` only looks like a character of a schedule");
        Err(self.error_at(strange, message).help(format!("write `{plain}`")))
    }

    /// `L` and `W` of other kinds of cron look like beginnings of names.
    fn check_letters(&self) -> Result<(), CronError> {
        let is_part_of_number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '/');
        let without_digits = self.text.trim_matches(is_part_of_number);
        if matches!(without_digits, "L" | "l" | "W" | "w" | "LW" | "lw") {
            let message = format!("`{without_digits}` is of another kind of cron");
            let help = "write the days as numbers; \"the last day\" cannot be said";
            return Err(self.error(message).help(help));
        }
        if matches!(without_digits, "H" | "h") {
            let message = format!("`{without_digits}` is of another kind of cron");
            return Err(self.error(message).help("choose a number: nothing is chosen for you"));
        }
        Ok(())
    }

    fn step(&self, text: &str) -> Result<u8, CronError> {
        let max = self.name.limits().1;
        match number(text) {
            Some(step) if step >= 1 && step <= u32::from(max) => {
                Ok(u8::try_from(step).expect("at most 59"))
            }
            Some(0) => Err(self
                .error_at(text, "a step of 0 never gets anywhere")
                .help("write a step of 1 or more")),
            Some(_) | None => {
                let message = match text {
                    "" => format!("a step is missing in the {}", self.name.word()),
                    _ => format!("`{}` is no step for the {}", ellipsize(text), self.name.word()),
                };
                Err(self
                    .error_at(text, message)
                    .help(format!("a step is a number from 1 to {max}")))
            }
        }
    }

    fn value(&self, text: &str) -> Result<u8, CronError> {
        let (min, max) = self.name.limits();
        if let Some(value) = number(text) {
            if let Some(value) =
                u8::try_from(value).ok().filter(|value| (min..=max).contains(value))
            {
                return Ok(value);
            }
            let message = format!("{} is no {}", ellipsize(text), self.name.word());
            return Err(self.error_at(text, message).help(self.help()));
        }
        let names = self.name.names();
        if let Some(index) = names.iter().position(|name| name.eq_ignore_ascii_case(text)) {
            return Ok(min_of_names(self.name) + u8::try_from(index).expect("at most twelve"));
        }
        let message = match text {
            "" => format!("a value is missing in the {}", self.name.word()),
            _ => format!("`{}` is no {}", ellipsize(text), self.name.word()),
        };
        let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let like =
            |text| closest_match(text, lower.iter().map(String::as_str)).map(str::to_uppercase);
        // Of a name that is written out, the beginning is the name that a schedule has.
        let short = text.get(..3).map(str::to_uppercase);
        let meant = short.filter(|short| names.contains(&short.as_str())).or_else(|| like(text));
        Err(self.error_at(text, message).help(match meant {
            Some(meant) => format!("write `{meant}`"),
            None => self.help(),
        }))
    }

    fn reversed(&self, first: u8, last: u8, step: u8) -> CronError {
        let message = format!("the range `{}` goes backwards", ellipsize(self.text));
        let (min, max) = (self.name.limits().0, self.name.last_of_star());
        let values = (first..=max).chain(min..=last).step_by(usize::from(step));
        let named = self.text.starts_with(|c: char| c.is_ascii_alphabetic());
        let word = |value: u8| {
            let name = self.name.names().get(usize::from(value - min_of_names(self.name)));
            name.filter(|_| named).map_or_else(|| value.to_string(), |name| (*name).to_owned())
        };
        let words: Vec<String> = values.map(word).collect();
        self.error(message).help(if words.len() <= LISTED_MAX {
            format!("write `{}`", words.join(","))
        } else if step == 1 {
            let run = |first: u8, last: u8| {
                if first == last { word(first) } else { format!("{}-{}", word(first), word(last)) }
            };
            format!("write `{},{}`", run(first, max), run(min, last))
        } else {
            "write the smaller value first".to_owned()
        })
    }

    fn error(&self, message: impl Into<String>) -> CronError {
        CronError::new(self.span, Some(self.name), message)
    }

    /// An error at a part of the text, which is a slice of it; at all of it when the part is empty.
    fn error_at(&self, part: &str, message: impl Into<String>) -> CronError {
        if part.is_empty() {
            return self.error(message);
        }
        let start = self.span.start + part.as_ptr().addr() - self.text.as_ptr().addr();
        CronError::new(Span::new(start, start + part.len()), Some(self.name), message)
    }

    fn help(&self) -> String {
        format!("the {} is {}", self.name.word(), self.name.allowed())
    }
}

/// The character that was meant by one that looks like it.
const fn plain(character: char) -> char {
    match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2217}' | '\u{204E}' | '\u{22C6}' | '\u{2731}' => '*',
        other => other,
    }
}

const fn min_of_names(name: FieldName) -> u8 {
    name.limits().0
}

/// A number of ASCII digits, few enough to be one.
fn number(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

impl fmt::Display for FieldName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
