//! Parses a cron expression, and explains those of other dialects.

use super::error::CronError;
use super::expression::Cron;
use super::field::Field;
use super::field_name::FieldName;
use dibber_text::{BYTE_ORDER_MARK, Span, message, quote, quote_in_full};

/// The most bytes of an expression.
pub(crate) const CRON_BYTES_MAX: usize = 1_000;

/// The fields, in words.
const ORDER: &str = "minute, hour, day of the month, month, day of the week";

/// The nicknames of other crons, and their meanings (crontab(5), "EXTENSIONS").
const NICKNAMES: [(&str, &str); 7] = [
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
    ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@hourly", "0 * * * *"),
];

/// The nickname of "when the machine starts".
const REBOOT: &str = "@reboot";

impl Cron {
    /// Parses an expression.
    ///
    /// # Errors
    /// The first error, at its characters, with what to write there.
    pub fn parse(text: &str) -> Result<Self, CronError> {
        let whole = Span::new(0, text.len());
        if text.len() > CRON_BYTES_MAX {
            let message = message!["a schedule has at most ", CRON_BYTES_MAX, " bytes"];
            let help = message!["write five fields: ", ORDER];
            return Err(CronError::new(whole, None, message).help(help));
        }
        check_plain_line(text)?;
        let fields = fields(text);
        if let [first, ..] = fields.as_slice()
            && text[first.range()].starts_with('@')
        {
            return Err(nickname(text, *first));
        }
        let [minute, hour, day_of_month, month, day_of_week] = fields[..] else {
            return Err(wrong_field_count(text, &fields));
        };
        Ok(Self {
            minute: Field::parse(text, minute, FieldName::Minute)?,
            hour: Field::parse(text, hour, FieldName::Hour)?,
            day_of_month: Field::parse(text, day_of_month, FieldName::DayOfMonth)?,
            month: Field::parse(text, month, FieldName::Month)?,
            day_of_week: Field::parse(text, day_of_week, FieldName::DayOfWeek)?,
        })
    }
}

/// Returns the spans of the words of an expression.
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

/// Rejects what surrounds an expression that was copied from elsewhere: quotes, line breaks and
/// whitespace that is not ASCII.
fn check_plain_line(text: &str) -> Result<(), CronError> {
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`' | '\u{201C}' | '\u{201D}');
    let is_space = |c: char| c.is_whitespace() && !matches!(c, ' ' | '\t') || c == BYTE_ORDER_MARK;
    let found = text.char_indices().find(|(_, c)| is_quote(*c) || is_space(*c));
    let Some((at, character)) = found else { return Ok(()) };
    let (message, help) = match character {
        '\n' | '\r' => (message!["a schedule is one line"], "remove the line break"),
        BYTE_ORDER_MARK => (message!["unexpected byte-order mark"], "remove it"),
        quote if is_quote(quote) => (message!["unexpected quote"], "remove the quotes"),
        space => (
            message!["unexpected whitespace ", quote(&format!("U+{:04X}", u32::from(space)))],
            "write an ordinary space",
        ),
    };
    let span = Span::new(at, at + character.len_utf8());
    Err(CronError::new(span, None, message).help(help))
}

/// Returns the five fields of a nickname.
pub(crate) fn nickname_meaning(word: &str) -> Option<&'static str> {
    let known = NICKNAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    known.map(|(_, meaning)| *meaning)
}

/// Returns `true` for a nickname of other crons, also for one that names no time.
pub(crate) fn is_nickname(word: &str) -> bool {
    nickname_meaning(word).is_some() || word.eq_ignore_ascii_case(REBOOT)
}

fn nickname(text: &str, first: Span) -> CronError {
    let word = &text[first.range()];
    if word.eq_ignore_ascii_case(REBOOT) {
        return CronError::new(first, None, "`@reboot` is not supported: it names no time")
            .help("write a time, such as `0 8 * * *`");
    }
    match nickname_meaning(word) {
        Some(meaning) => {
            let message = message!["the nickname `", quote(word), "` is not supported"];
            CronError::new(first, None, message).help(message!["write `", meaning, "`"])
        }
        None => CronError::new(first, None, message!["unknown nickname `", quote(word), "`"])
            .help(message!["write five fields: ", ORDER]),
    }
}

fn wrong_field_count(text: &str, fields: &[Span]) -> CronError {
    let order = message!["the fields are ", ORDER];
    let expected = |count| message!["expected 5 fields, found ", count];
    match fields {
        [] => CronError::new(Span::empty(0), None, "the schedule is empty").help(message![
            "write five fields: ",
            ORDER,
            "; `0 8 * * 1-5` is every weekday at 8"
        ]),
        [.., last] if fields.len() < 5 => {
            CronError::new(Span::empty(last.end), None, expected(fields.len())).help(order)
        }
        _ => too_many_fields(text, fields).unwrap_or_else(|| {
            let rest = Span::new(fields[5].start, fields[fields.len() - 1].end);
            CronError::new(rest, None, expected(fields.len())).help(order)
        }),
    }
}

/// Returns an error for a known reason for more than five fields, if the rest is valid.
fn too_many_fields(text: &str, fields: &[Span]) -> Option<CronError> {
    let word = |index: usize| &text[fields[index].range()];
    let error = |index: usize, message: &'static str, rewrite: &str| {
        let is_valid = Cron::parse(rewrite).is_ok();
        let error = CronError::new(fields[index], None, message);
        is_valid.then(|| error.help(message!["write `", quote_in_full(rewrite), "`"]))
    };
    let last = fields.len() - 1;
    if word(0).contains('=') {
        let help = "write the time zone in its own field, not in the schedule";
        let message = "a schedule has no variables";
        return Some(CronError::new(fields[0], None, message).help(help));
    }
    let is_beside_comma =
        |index: &usize| word(*index).ends_with(',') || word(index + 1).starts_with(',');
    if let Some(index) = (0..last).find(is_beside_comma) {
        // Joined by single spaces first, because `, ` is replaced only where there is one.
        let words: Vec<&str> = (0..=last).map(word).collect();
        let rewrite = words.join(" ").replace(", ", ",").replace(" ,", ",");
        return error(index, "unexpected space beside a comma", &rewrite);
    }
    // Quartz writes seconds first, may write a year last, and writes `?` for any day.
    let without_seconds = text[fields[1].start..fields[5].end].replace('?', "*");
    let without_year = &text[fields[0].start..fields[4].end];
    let is_year = word(last).len() == 4 && word(last).bytes().all(|byte| byte.is_ascii_digit());
    if last == 5 && is_year {
        return error(last, "a schedule has no field for years", without_year);
    }
    (last <= 6).then(|| error(0, "a schedule has no field for seconds", &without_seconds)).flatten()
}
