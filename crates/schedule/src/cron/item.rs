//! Parses one field of a cron expression: a list of values, ranges and steps.

use unicode_normalization::UnicodeNormalization;

use super::error::CronError;
use super::field::{Field, stepped};
use super::field_name::FieldName;
use dibber_text::{Message, Span, closest_match, message, quote, quote_in_full};

/// The most bytes of one list item.
const ITEM_BYTES_MAX: usize = 32;

/// The most values that a suggestion lists one by one.
const LISTED_MAX: usize = 12;

impl Field {
    /// Parses the field at `span` of `text`.
    pub(super) fn parse(text: &str, span: Span, name: FieldName) -> Result<Self, CronError> {
        let mut field = Self { values: 0, star: None };
        let mut start = span.start;
        for (index, item) in text[span.range()].split(',').enumerate() {
            let item_span = Span::new(start, start + item.len());
            start = item_span.end + 1;
            let item = Item { text: item, span: item_span, name };
            let (values, star) = item.values()?;
            field.values |= values;
            // `load_entry` of Vixie cron sets its star flags by the first character of a field:
            // `*,10` has a star, `10,*` has none.
            if index == 0 {
                field.star = star;
            }
        }
        Ok(field)
    }
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
            // Debian's cron continues a step after a single value to the largest number that may
            // be written, which is 7 for weekdays: `3/2` is `3-7/2`.
            let value = self.value(range)?;
            (value, if step.is_some() { self.name.limits().1 } else { value })
        };
        if first > last {
            return Err(self.reversed(first, last, step.unwrap_or(1)));
        }
        Ok((self.fold_sunday(stepped(first, last, step.unwrap_or(1))), None))
    }

    /// Moves Sunday from bit 7 to bit 0, so that each weekday has one bit.
    fn fold_sunday(&self, values: u64) -> u64 {
        match self.name {
            FieldName::DayOfWeek => (values | values >> 7) & 0x7F,
            _ => values,
        }
    }

    fn check_characters(&self) -> Result<(), CronError> {
        let text = self.text;
        if text.is_empty() {
            let message = message!["empty list item in the ", self.name.word()];
            return Err(self.error(message).help("remove the comma, or write a value"));
        }
        if text.len() > ITEM_BYTES_MAX {
            return Err(self.error(self.invalid(text)).help(self.range_help()));
        }
        let unsupported = [
            ('?', "`?` is not supported in a cron expression", "write `*`"),
            (
                '#',
                "`#` is not supported in a cron expression",
                "write the weekday alone; five fields cannot express \"the second Monday\"",
            ),
        ];
        for (character, message, help) in unsupported {
            if text.contains(character) {
                return Err(self.error(message).help(help));
            }
        }
        self.check_look_alikes()?;
        self.check_letters()
    }

    /// Rejects characters that only look like those of an expression, such as the dashes of a
    /// word processor.
    fn check_look_alikes(&self) -> Result<(), CronError> {
        if self.text.is_ascii() {
            return Ok(());
        }
        let ascii: String = self.text.nfkc().map(ascii_look_alike).collect();
        let Some(strange) = self.text.split(|c: char| c.is_ascii()).find(|part| !part.is_empty())
        else {
            return Ok(());
        };
        // The suggestion must itself be valid; otherwise the item has a second problem.
        if !ascii.is_ascii() || (Item { text: &ascii, ..*self }).values().is_err() {
            return Err(self.error_at(strange, self.invalid(self.text)).help(self.range_help()));
        }
        let message = message!["`", quote(strange), "` only looks like an ASCII character"];
        Err(self.error_at(strange, message).help(message!["write `", quote(&ascii), "`"]))
    }

    /// Rejects `L`, `W` and `H` of other cron dialects, which look like beginnings of names.
    fn check_letters(&self) -> Result<(), CronError> {
        let is_part_of_number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '/');
        let letters = self.text.trim_matches(is_part_of_number);
        let help = match letters {
            "L" | "l" | "W" | "w" | "LW" | "lw" => {
                "write the days as numbers; five fields cannot express \"the last day\""
            }
            "H" | "h" => "write a number; no value is chosen automatically",
            _ => return Ok(()),
        };
        let message = message!["`", quote(letters), "` is not supported in a cron expression"];
        Err(self.error(message).help(help))
    }

    fn step(&self, text: &str) -> Result<u8, CronError> {
        let max = self.name.limits().1;
        match number(text) {
            Some(step) if step >= 1 && step <= u32::from(max) => {
                Ok(u8::try_from(step).expect("at most 59"))
            }
            Some(0) => Err(self
                .error_at(text, "step must be at least 1")
                .help("write a step of 1 or more")),
            Some(_) | None => {
                let message = match text {
                    "" => message!["missing step in the ", self.name.word()],
                    _ => message!["invalid step `", quote(text), "` for the ", self.name.word()],
                };
                Err(self
                    .error_at(text, message)
                    .help(message!["a step is a number from 1 to ", max]))
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
            return Err(self.error_at(text, self.invalid(text)).help(self.range_help()));
        }
        let names = self.name.value_names();
        if let Some(index) = names.iter().position(|name| name.eq_ignore_ascii_case(text)) {
            return Ok(min + u8::try_from(index).expect("at most twelve"));
        }
        let message = match text {
            "" => message!["missing value in the ", self.name.word()],
            _ => self.invalid(text),
        };
        let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let similar =
            |text| closest_match(text, lower.iter().map(String::as_str)).map(str::to_uppercase);
        // The first three letters of a full name ("Monday") are its abbreviation.
        let abbreviation = text.get(..3).map(str::to_uppercase);
        let suggestion = abbreviation
            .filter(|abbreviation| names.contains(&abbreviation.as_str()))
            .or_else(|| similar(text));
        Err(self.error_at(text, message).help(match suggestion {
            Some(suggestion) => message!["write `", quote(&suggestion), "`"],
            None => self.range_help(),
        }))
    }

    /// A range such as `FRI-MON`, whose help lists the values that were probably meant.
    fn reversed(&self, first: u8, last: u8, step: u8) -> CronError {
        let message = message!["the range `", quote(self.text), "` is reversed"];
        let (min, max) = (self.name.limits().0, self.name.last_of_star());
        let values = (first..=max).chain(min..=last).step_by(usize::from(step));
        let has_names = self.text.starts_with(|c: char| c.is_ascii_alphabetic());
        let word = |value: u8| {
            let name = self.name.value_names().get(usize::from(value - min));
            name.filter(|_| has_names).map_or_else(|| value.to_string(), |name| (*name).to_owned())
        };
        let words: Vec<String> = values.map(word).collect();
        self.error(message).help(if words.len() <= LISTED_MAX {
            message!["write `", quote_in_full(&words.join(",")), "`"]
        } else if step == 1 {
            let run = |first: u8, last: u8| {
                if first == last { word(first) } else { format!("{}-{}", word(first), word(last)) }
            };
            message!["write `", quote(&run(first, max)), ",", quote(&run(min, last)), "`"]
        } else {
            message!["write the smaller value first"]
        })
    }

    fn error(&self, message: impl Into<Message>) -> CronError {
        CronError::new(self.span, Some(self.name), message)
    }

    /// Returns an error at a part of the item, which is a slice of its text; at the whole item
    /// when the part is empty.
    fn error_at(&self, part: &str, message: impl Into<Message>) -> CronError {
        if part.is_empty() {
            return self.error(message);
        }
        let start = self.span.start + part.as_ptr().addr() - self.text.as_ptr().addr();
        CronError::new(Span::new(start, start + part.len()), Some(self.name), message)
    }

    fn invalid(&self, text: &str) -> Message {
        message!["invalid ", self.name.word(), " `", quote(text), "`"]
    }

    fn range_help(&self) -> Message {
        message!["the ", self.name.word(), " is ", self.name.allowed()]
    }
}

/// Returns the ASCII character that a similar one was probably meant to be.
const fn ascii_look_alike(character: char) -> char {
    match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2217}' | '\u{204E}' | '\u{22C6}' | '\u{2731}' => '*',
        other => other,
    }
}

/// Parses a number of at most nine ASCII digits, without a sign.
fn number(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}
