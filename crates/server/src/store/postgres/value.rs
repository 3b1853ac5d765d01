//! Values of parameters and columns.
//!
//! A column is `BIGINT` or `TEXT`. A `TEXT` of PostgreSQL cannot contain U+0000, which a string of
//! ours can, so that U+0000 and U+001A are stored as two characters: U+001A and a digit.

use std::borrow::Cow;

use jiff::Timestamp;
use postgres::Row;
use postgres::types::{ToSql, Type};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::store::error::{StoreError, StoreResult};
use dibber_skill::age_range::AgeRange;
use dibber_skill::contract::Id;

/// The first of the two characters of a character that is stored as two.
const ESCAPE: char = '\u{1a}';

/// What follows it for U+0000, and for itself.
const ESCAPED: [(char, char); 2] = [('\0', '0'), (ESCAPE, '1')];

/// The value of a parameter.
#[derive(Clone)]
pub(super) enum Value<'a> {
    /// A `BIGINT`, or NULL.
    Integer(Option<i64>),
    /// A `TEXT`, as it is stored, or NULL.
    Text(Option<Cow<'a, str>>),
}

impl Value<'_> {
    /// Returns the type of the value.
    pub(super) fn sql_type(&self) -> Type {
        match self {
            Self::Integer(_) => Type::INT8,
            Self::Text(_) => Type::TEXT,
        }
    }

    /// Returns the value as a parameter of a statement.
    pub(super) fn as_sql(&self) -> &(dyn ToSql + Sync) {
        match self {
            Self::Integer(value) => value,
            Self::Text(value) => value,
        }
    }
}

impl From<i64> for Value<'_> {
    fn from(value: i64) -> Self {
        Self::Integer(Some(value))
    }
}

impl From<Option<i64>> for Value<'_> {
    fn from(value: Option<i64>) -> Self {
        Self::Integer(value)
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Self::Integer(Some(value.into()))
    }
}

impl From<Option<bool>> for Value<'_> {
    fn from(value: Option<bool>) -> Self {
        Self::Integer(value.map(i64::from))
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(Some(escape(value)))
    }
}

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(value: Option<&'a str>) -> Self {
        Self::Text(value.map(escape))
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(value: &'a String) -> Self {
        value.as_str().into()
    }
}

impl<'a> From<&'a Option<String>> for Value<'a> {
    fn from(value: &'a Option<String>) -> Self {
        value.as_deref().into()
    }
}

impl<'a, K> From<&'a Id<K>> for Value<'a> {
    fn from(value: &'a Id<K>) -> Self {
        value.as_str().into()
    }
}

impl<'a, K> From<Option<&'a Id<K>>> for Value<'a> {
    fn from(value: Option<&'a Id<K>>) -> Self {
        value.map(Id::as_str).into()
    }
}

/// Returns the parameters of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        &[$($crate::store::postgres::value::Value::from($value)),*]
    };
}
pub(super) use values;

/// Serializes a value as JSON.
pub(super) fn to_json(value: &impl Serialize) -> StoreResult<Value<'static>> {
    let json = serde_json::to_string(value).map_err(StoreError::new)?;
    Ok(Value::Text(Some(escape(&json).into_owned().into())))
}

/// Serializes a value as JSON, if there is one.
pub(super) fn optional_json(value: Option<&impl Serialize>) -> StoreResult<Value<'static>> {
    value.map_or(Ok(Value::Text(None)), to_json)
}

/// Returns a string as it is stored.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(ESCAPED.map(|(escaped, _)| escaped)) {
        return Cow::Borrowed(text);
    }
    let mut stored = String::with_capacity(text.len() + 1);
    for character in text.chars() {
        match ESCAPED.iter().find(|(escaped, _)| *escaped == character) {
            Some((_, digit)) => stored.extend([ESCAPE, *digit]),
            None => stored.push(character),
        }
    }
    stored.into()
}

fn unescape(stored: &str) -> Option<Cow<'_, str>> {
    if !stored.contains(ESCAPE) {
        return Some(Cow::Borrowed(stored));
    }
    let mut text = String::with_capacity(stored.len());
    let mut characters = stored.chars();
    while let Some(character) = characters.next() {
        if character != ESCAPE {
            text.push(character);
            continue;
        }
        let digit = characters.next()?;
        text.push(ESCAPED.iter().find(|(_, known)| *known == digit)?.0);
    }
    Some(text.into())
}

/// The column of a row that cannot be read. What is in it is not kept, since it may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DamagedColumn(pub(super) usize);

/// Converts the result of reading a row: which column is damaged matters only to a check.
pub(super) fn complete<T>(parsed: Parsed<T>) -> StoreResult<T> {
    parsed.map_err(|_| StoreError::Damaged)
}

/// The result of reading a row.
pub(super) type Parsed<T> = Result<T, DamagedColumn>;

/// Reads a column that may hold a string.
pub(super) fn optional_str(row: &Row, column: usize) -> Parsed<Option<Cow<'_, str>>> {
    let stored = row.try_get::<_, Option<&str>>(column).map_err(|_| DamagedColumn(column))?;
    stored.map(|stored| unescape(stored).ok_or(DamagedColumn(column))).transpose()
}

/// Reads a column that may hold a string.
pub(super) fn optional_text(row: &Row, column: usize) -> Parsed<Option<String>> {
    Ok(optional_str(row, column)?.map(Cow::into_owned))
}

/// Reads a column that holds a string.
pub(super) fn text(row: &Row, column: usize) -> Parsed<String> {
    optional_text(row, column)?.ok_or(DamagedColumn(column))
}

/// Reads a column that may hold an integer.
pub(super) fn optional_integer(row: &Row, column: usize) -> Parsed<Option<i64>> {
    row.try_get(column).map_err(|_| DamagedColumn(column))
}

/// Reads a column that holds an integer.
pub(super) fn integer(row: &Row, column: usize) -> Parsed<i64> {
    optional_integer(row, column)?.ok_or(DamagedColumn(column))
}

/// Reads a column that may hold 0 or another number, for `false` and `true`.
pub(super) fn optional_flag(row: &Row, column: usize) -> Parsed<Option<bool>> {
    Ok(optional_integer(row, column)?.map(|flag| flag != 0))
}

/// Reads a column that holds 0 or another number, for `false` and `true`.
pub(super) fn flag(row: &Row, column: usize) -> Parsed<bool> {
    optional_flag(row, column)?.ok_or(DamagedColumn(column))
}

/// Reads a column that holds an id.
pub(super) fn id<K>(row: &Row, column: usize) -> Parsed<Id<K>> {
    text(row, column).map(Id::from)
}

/// Reads a column that may hold an id.
pub(super) fn optional_id<K>(row: &Row, column: usize) -> Parsed<Option<Id<K>>> {
    Ok(optional_text(row, column)?.map(Id::from))
}

/// Parses a column that holds JSON.
pub(super) fn from_json<T: DeserializeOwned>(row: &Row, column: usize) -> Parsed<T> {
    from_word(row, column, |json| serde_json::from_str(json).ok())
}

/// Parses a column that holds one of a few words.
pub(super) fn from_word<T>(
    row: &Row,
    column: usize,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Parsed<T> {
    optional_str(row, column)?.and_then(|word| parse(&word)).ok_or(DamagedColumn(column))
}

/// Returns an error if a column holds something else than ages or nothing.
pub(super) fn check_age_range(row: &Row, column: usize) -> Parsed<()> {
    match optional_str(row, column)? {
        None => Ok(()),
        Some(ages) => ages.parse::<AgeRange>().map(drop).map_err(|_| DamagedColumn(column)),
    }
}

/// Returns a time in milliseconds since 1970, which has to be within the range of the calendar.
pub(super) fn time(row: &Row, column: usize) -> Parsed<i64> {
    optional_time(row, column)?.ok_or(DamagedColumn(column))
}

/// Returns a time, or none.
pub(super) fn optional_time(row: &Row, column: usize) -> Parsed<Option<i64>> {
    let milliseconds = optional_integer(row, column)?;
    let is_valid = milliseconds.is_none_or(|it| Timestamp::from_millisecond(it).is_ok());
    if is_valid { Ok(milliseconds) } else { Err(DamagedColumn(column)) }
}
