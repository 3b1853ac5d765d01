//! The grammar of days and months: "Mon, Wed and Fri", "the 1st and 15th", "24 December".

use super::cursor::Cursor;
use super::error::ScheduleTextError;
use super::lexer::LexemeKind;
use super::vocabulary::{Term, Unit};
use dibber_text::{Span, message, quote_in_full};

/// The most days of a month.
const DATE_MAX: u32 = 31;

/// The abbreviations of the months, from January.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

type Parsed<T> = Result<Option<T>, ScheduleTextError>;

/// Parses "odd dates", "1st, 5th to 9th and 15th", "first day".
pub(super) fn dates(cursor: &mut Cursor<'_>) -> Parsed<u64> {
    let parity = cursor.take_value(|term| match term {
        Term::Parity(dates) => Some(dates),
        _ => None,
    });
    if parity.is_some() {
        let _ = cursor.take(Term::Date) || cursor.take(Term::Unit(Unit::Day));
        return Ok(parity);
    }
    let start = cursor.at;
    if cursor.take(Term::Last) {
        let message = "a schedule cannot name the last day of a month";
        let help = "write `on the 28th at 8am`, which every month has, or `on the 1st at 8am`";
        return Err(ScheduleTextError::new(cursor.span_from(start), message, help));
    }
    let items = cursor.list(|cursor, _| {
        let _ = cursor.term(0) == Some(Term::The) && cursor.take(Term::The);
        range(cursor, ordinal)
    })?;
    let Some(items) = items else { return Ok(None) };
    let dates = items.into_iter().fold(0, |all, item| all | item);
    if let Some(Term::Weekdays(_)) = cursor.term(0) {
        cursor.at += 1;
        return Err(nth_weekday(cursor.span_from(start)));
    }
    cursor.take(Term::Unit(Unit::Day));
    Ok(Some(dates))
}

fn nth_weekday(span: Span) -> ScheduleTextError {
    let message = "a schedule cannot count the weekdays of a month";
    let help = "write `on Mondays that fall on the 1st to 7th at 8am` for the first Monday, or \
                `every Monday at 8am` and let the skill check the date";
    ScheduleTextError::new(span, message, help)
}

/// Returns the error of a date in numbers, "12/24" or "24.12.", of which the month may be first or
/// last.
pub(super) fn check_no_numeric_date(cursor: &mut Cursor<'_>) -> Result<(), ScheduleTextError> {
    let digits = |by: usize| match cursor.peek(by)?.kind {
        LexemeKind::Digits { value, .. } => Some(value),
        _ => None,
    };
    let (Some(first), Some(second)) = (digits(0), digits(2)) else { return Ok(()) };
    let is_dotted = cursor.is_sign(1, '.') && cursor.is_sign(3, '.');
    if !is_dotted && !cursor.is_sign(1, '/') {
        return Ok(());
    }
    let start = cursor.at;
    cursor.at += if is_dotted { 4 } else { 3 };
    let span = cursor.span_from(start);
    let date = |month: u32, date: u32| {
        let name = MONTHS.get(usize::try_from(month).ok()?.checked_sub(1)?)?;
        (1..=DATE_MAX).contains(&date).then(|| format!("{name} {date}"))
    };
    let message = "a schedule has the name of a month in a date";
    let meanings = if is_dotted {
        [None, date(second, first)]
    } else {
        [date(first, second), date(second, first)]
    };
    Err(match meanings {
        [Some(one), Some(other)] if one != other => {
            ScheduleTextError::ambiguous(span, message, [one, other])
        }
        [Some(only), _] | [None, Some(only)] => {
            let only = quote_in_full(&only);
            let help = message!["write `every ", only, " at 8am` or `", only, " at 6pm`"];
            ScheduleTextError::new(span, message, help)
        }
        [None, None] => {
            let help = "write `every Dec 24 at 6pm` or `on the 24th at 6pm`";
            ScheduleTextError::new(span, message, help)
        }
    })
}

/// Parses "Jan 1 and 15", "24 December", "1st of January".
pub(super) fn dates_of_month(cursor: &mut Cursor<'_>) -> Parsed<(u32, u64)> {
    let month = |cursor: &mut Cursor<'_>| {
        cursor.take_value(|term| match term {
            Term::Month(month) => Some(month),
            _ => None,
        })
    };
    cursor.attempt(|cursor| {
        let before = month(cursor);
        let items = cursor.list(|cursor, _| range(cursor, date))?;
        let month = before.or_else(|| month(cursor));
        let (Some(month), Some(items)) = (month, items) else { return Ok(None) };
        Ok(Some((month, items.into_iter().fold(0, |all, item| all | item))))
    })
}

/// Parses a date, or all from one to another.
fn range(cursor: &mut Cursor<'_>, date: impl Fn(&mut Cursor<'_>) -> Option<u32>) -> Parsed<u64> {
    let start = cursor.at;
    let Some(first) = date(cursor) else { return Ok(None) };
    let last = cursor.attempt(|cursor| {
        let is_range = cursor.take_to();
        Ok(if is_range { date(cursor) } else { None })
    })?;
    let last = last.unwrap_or(first);
    if first == 0 || first > last || last > DATE_MAX {
        let message = message!["a month has no days from ", first, " to ", last];
        let message = if first == last { message!["a month has no day ", first] } else { message };
        let help = "write dates in order: `on the 1st at 8am` or `on the 1st to 5th at 8am`";
        return Err(ScheduleTextError::new(cursor.span_from(start), message, help));
    }
    Ok(Some((first..=last).fold(0, |all, date| all | 1 << date)))
}

/// Takes "1st" or "first".
fn ordinal(cursor: &mut Cursor<'_>) -> Option<u32> {
    if cursor.term(0) == Some(Term::Other) { None } else { cursor.ordinal() }
}

/// Takes a number that is not that of a time of the day.
fn date(cursor: &mut Cursor<'_>) -> Option<u32> {
    if let Some(ordinal) = ordinal(cursor) {
        return Some(ordinal);
    }
    let start = cursor.at;
    let (number, _) = cursor.number()?;
    let is_time = cursor.is_sign(0, ':')
        || cursor.is_sign(0, '.')
            && matches!(cursor.peek(1).map(|it| it.kind), Some(LexemeKind::Digits { .. }))
        || matches!(
            cursor.term(0),
            Some(Term::Half(_) | Term::Oclock | Term::Unit(_) | Term::Times | Term::Past)
        );
    if is_time {
        cursor.at = start;
        return None;
    }
    Some(number)
}

/// Parses "Mon, Wed and Fri", "Monday to Friday", "weekdays".
pub(super) fn weekdays(cursor: &mut Cursor<'_>) -> Parsed<u64> {
    let days = cursor.list(|cursor, is_first| {
        let _ = !is_first && (cursor.take(Term::Every) || cursor.take(Term::On));
        let Some(first) = weekday(cursor) else { return Ok(None) };
        // A group such as "weekends" has no first and last day.
        let last = cursor.attempt(|cursor| {
            let is_range = first.is_power_of_two() && cursor.take_to();
            Ok(if is_range { weekday(cursor).filter(|last| last.is_power_of_two()) } else { None })
        })?;
        Ok(Some(last.map_or(first, |last| weekday_range(first, last))))
    })?;
    Ok(days.map(|days| days.into_iter().fold(0, |all, item| all | item)))
}

/// Returns the error for a time between two fires that no field expresses.
pub(super) fn not_regular(count: u32, unit: Option<Unit>, span: Span) -> ScheduleTextError {
    if (unit, count) == (Some(Unit::Day), 2) {
        let (dates, weekdays) = ("on odd dates", "every Mon, Wed and Fri");
        let message = "a schedule cannot skip every other day; it names dates or weekdays";
        let readings = [dates.to_owned(), weekdays.to_owned()];
        return ScheduleTextError::ambiguous(span, message, readings);
    }
    let (message, help) = match unit {
        Some(Unit::Day) => (
            "a schedule cannot count days from one month to the next",
            "name the dates, `on the 1st, 11th and 21st at 8am`, or weekdays, `on Mondays and \
             Thursdays at 8am`",
        ),
        Some(Unit::Month | Unit::Year) => (
            "a schedule cannot count months or years",
            "name the months: `on the 1st in January, April, July and October at 8am` or `every Jan \
             1 at 8am`",
        ),
        _ => (
            "a schedule cannot count weeks",
            "write `every Monday at 8am` and let the skill check the week, or `on the 1st and 15th \
             at 8am`",
        ),
    };
    ScheduleTextError::new(span, message, help)
}

/// Takes a weekday or a group of them, "weekend day".
fn weekday(cursor: &mut Cursor<'_>) -> Option<u64> {
    let days = cursor.take_value(|term| match term {
        Term::Weekdays(days) => Some(days),
        _ => None,
    })?;
    let _ = days.count_ones() > 1 && cursor.take(Term::Unit(Unit::Day));
    Some(days)
}

/// Returns the weekdays from one to another, which may be in the next week.
fn weekday_range(first: u64, last: u64) -> u64 {
    let (first, last) = (first.trailing_zeros(), last.trailing_zeros());
    let days = (last + 7 - first) % 7;
    (0..=days).fold(0, |all, by| all | 1 << ((first + by) % 7))
}

/// Takes "January", or "November to February".
pub(super) fn month_range(cursor: &mut Cursor<'_>) -> Parsed<u64> {
    let month = |cursor: &mut Cursor<'_>| {
        cursor.take_value(|term| match term {
            Term::Month(month) => Some(month),
            _ => None,
        })
    };
    let Some(first) = month(cursor) else { return Ok(None) };
    let last = cursor.attempt(|cursor| {
        let is_range = cursor.take_to();
        Ok(if is_range { month(cursor) } else { None })
    })?;
    let months = (last.unwrap_or(first) + 12 - first) % 12;
    Ok(Some((0..=months).fold(0, |all, by| all | 1 << ((first - 1 + by) % 12 + 1))))
}
