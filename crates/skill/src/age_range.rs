//! The ages that a skill or a canvas is for.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use dibber_text::{Problem, message, quote};

/// The highest age of a child, in years.
pub const AGE_MAX: u8 = 18;

/// The lowest and the highest age, in years. It is written as `5-7`, on the wire too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AgeRange {
    min: u8,
    max: u8,
}

impl AgeRange {
    /// Returns `true` if a child of this age is in the range.
    pub fn contains(self, age: i16) -> bool {
        (i16::from(self.min)..=i16::from(self.max)).contains(&age)
    }

    /// Returns the range as it is typed: `6` for `6-6`.
    pub fn in_short(self) -> String {
        if self.min == self.max { self.min.to_string() } else { self.to_string() }
    }

    /// Returns the range that was probably meant: `5-5` for `5`, up to the highest age for `5+`,
    /// and from the lower to the higher for anything else with two ages in it.
    pub fn closest(text: &str) -> Option<Self> {
        let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        let ages: Vec<u8> = numbers.map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let (one, other) = match ages[..] {
            [age] if text.trim_end().ends_with('+') => (age, AGE_MAX),
            [age] => (age, age),
            [one, other] => (one, other),
            _ => return None,
        };
        let range = Self { min: one.min(other), max: one.max(other) };
        (range.max <= AGE_MAX).then_some(range)
    }
}

impl fmt::Display for AgeRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.min, self.max)
    }
}

impl FromStr for AgeRange {
    type Err = Problem<()>;

    /// Parses a range in its only spelling, so that equal ranges are equal strings.
    fn from_str(text: &str) -> Result<Self, Problem<()>> {
        let closest = Self::closest(text);
        if let Some(range) = closest.filter(|range| range.to_string() == text) {
            return Ok(range);
        }
        let message = message!["`", quote(text), "` is not an age range"];
        let help = match closest {
            Some(range) => message!["write `", range.min, "-", range.max, "`"],
            None => message![
                "write the lowest and the highest age, such as `5-7`; the highest is ",
                AGE_MAX
            ],
        };
        Err(Problem::new((), message).with_help(help))
    }
}

impl Serialize for AgeRange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AgeRange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|problem: Problem<()>| D::Error::custom(problem.message.shown(&())))
    }
}
