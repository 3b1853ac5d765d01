//! What the schema of a tool does not accept, and where it is in the arguments of a call.

use serde_json::Value;

/// The first value of an argument that its schema does not accept.
pub(super) struct Mismatch<'a> {
    /// Where it is: the fields and items that contain it, from the outermost.
    parts: Vec<PathPart<'a>>,
    pub(super) problem: Problem<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum PathPart<'a> {
    Field(&'a str),
    Item(usize),
}

/// What a schema does not accept.
pub(super) enum Problem<'a> {
    /// A value of another type, or out of its choices or bounds.
    Value { value: &'a Value, schema: &'a Value },
    /// A value that is none of the choices of several schemas.
    Choice { value: &'a Value, choices: Vec<&'a Value> },
    /// A string that does not match its pattern.
    Pattern { text: &'a str, pattern: &'a str },
    /// A string or a list that is too short or too long.
    Length(WrongLength),
    /// A field that an object does not have.
    UnknownField { name: &'a str, object: &'a Value },
    /// A required field that an object lacks, and its schema.
    MissingField { name: &'a str, schema: Option<&'a Value> },
}

/// A string or a list that is too short or too long.
pub(super) struct WrongLength {
    pub(super) length: u64,
    /// What is counted, of one and of several.
    pub(super) unit: [&'static str; 2],
    pub(super) limit: LengthLimit,
}

pub(super) enum LengthLimit {
    AtLeast(u64),
    AtMost(u64),
}

impl<'a> Problem<'a> {
    pub(super) const fn at_value(self) -> Mismatch<'a> {
        Mismatch { parts: Vec::new(), problem: self }
    }
}

impl<'a> Mismatch<'a> {
    pub(super) fn inside(mut self, part: PathPart<'a>) -> Self {
        self.parts.insert(0, part);
        self
    }

    /// Returns `true` if it is the value itself that is not accepted, and not a part of it.
    pub(super) const fn is_whole_value(&self) -> bool {
        self.parts.is_empty() && matches!(self.problem, Problem::Value { .. })
    }

    /// Returns where it begins: the field or item that contains it, or is it, if it is a part.
    pub(super) fn first_part(&self) -> Option<PathPart<'a>> {
        self.parts.first().copied()
    }

    /// Returns `true` if an argument itself is not accepted, and not a part of one.
    pub(super) const fn is_argument(&self) -> bool {
        match self.problem {
            Problem::UnknownField { .. } | Problem::MissingField { .. } => self.parts.is_empty(),
            _ => self.parts.len() == 1,
        }
    }

    /// Returns where it is, as in `filter.days[0]`.
    pub(super) fn path(&self) -> String {
        let mut path = String::new();
        for part in &self.parts {
            match part {
                PathPart::Field(name) if path.is_empty() => path.push_str(name),
                PathPart::Field(name) => path += &format!(".{name}"),
                PathPart::Item(index) => path += &format!("[{index}]"),
            }
        }
        path
    }
}
