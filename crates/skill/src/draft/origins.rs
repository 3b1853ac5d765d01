//! Which bytes of which file each argument came from.

use std::collections::BTreeMap;

use crate::diagnostic::Place;
use dibber_text::Span;

/// One argument of `skill_write`, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Argument {
    /// `name`.
    Name,
    /// `description`.
    Description,
    /// `category`.
    Category,
    /// `prompt`.
    Prompt,
    /// An item of `handsReferenced`.
    Hand(usize),
    /// An item of `inputVariables`: its `name`.
    InputName(usize),
    /// An item of `inputVariables`: its `type`.
    InputType(usize),
    /// An item of `inputVariables`: its `description`.
    InputDescription(usize),
    /// `kidCallable`.
    KidCallable,
    /// An item of `canvasIds`.
    Canvas(usize),
    /// `ageRange`.
    AgeRange,
    /// `responseModel`.
    ResponseModel,
}

impl Argument {
    /// Returns the path among the arguments, as a JSON Pointer (RFC 6901).
    pub fn json_pointer(self) -> String {
        match self {
            Self::Name => "/name".to_owned(),
            Self::Description => "/description".to_owned(),
            Self::Category => "/category".to_owned(),
            Self::Prompt => "/prompt".to_owned(),
            Self::Hand(index) => format!("/handsReferenced/{index}"),
            Self::InputName(index) => format!("/inputVariables/{index}/name"),
            Self::InputType(index) => format!("/inputVariables/{index}/type"),
            Self::InputDescription(index) => format!("/inputVariables/{index}/description"),
            Self::KidCallable => "/kidCallable".to_owned(),
            Self::Canvas(index) => format!("/canvasIds/{index}"),
            Self::AgeRange => "/ageRange".to_owned(),
            Self::ResponseModel => "/responseModel".to_owned(),
        }
    }
}

/// Where the arguments of one draft came from.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    places: BTreeMap<Argument, Origin>,
}

/// Where one argument came from.
#[derive(Clone, Debug)]
struct Origin {
    /// The bytes in the file.
    place: Place,
    /// How it is written there.
    written: Written,
}

/// How an argument is written in its file.
#[derive(Clone, Debug)]
pub(super) enum Written {
    /// Byte for byte, from this byte of the file on, but for a carriage return before each of
    /// these line feeds: offsets in the argument, in order.
    Exactly { start: usize, after_return: Vec<usize> },
    /// The same up to an offset in the argument; from there on, it comes from these places, each
    /// from an offset on, in order.
    Joined { start: usize, after_return: Vec<usize>, rest: Vec<(usize, Place)> },
    /// In another form: quoted, folded, or derived from something else.
    Otherwise,
}

impl Origins {
    pub(super) fn set(&mut self, argument: Argument, place: Place, written: Written) {
        self.places.insert(argument, Origin { place, written });
    }

    /// Returns the place of some bytes of an argument, or of the argument as a whole. An argument
    /// that was not given has none.
    pub(super) fn place(&self, argument: Argument, part: Option<Span>) -> Option<Place> {
        let origin = self.places.get(&argument)?;
        let Some(part) = part else { return Some(origin.place.clone()) };
        let (start, after_return) = match &origin.written {
            Written::Exactly { start, after_return } => (start, after_return),
            Written::Joined { start, after_return, rest } => {
                let joined = rest.iter().rev().find(|(from, _)| *from < part.end);
                if let Some((_, place)) = joined {
                    return Some(place.clone());
                }
                (start, after_return)
            }
            Written::Otherwise => return Some(origin.place.clone()),
        };
        // The file has one byte more for each carriage return before the offset.
        let in_file = |at| start + at + after_return.partition_point(|feed| *feed < at);
        let span = Span::new(in_file(part.start), in_file(part.end));
        Some(origin.place.with_span(span))
    }
}
