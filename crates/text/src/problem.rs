//! What is wrong at a place, and what to do about it.

use super::message::Message;

/// Something that is wrong with what a user wrote.
///
/// Parsers and analyzers return problems instead of failing. `P` is the place: a
/// [`Span`](super::Span) in a file, an argument of a call, or `()` where there is only one.
/// A type that adds a reason or a kind holds a problem as one of its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem<P = super::span::Span> {
    /// The place.
    pub place: P,
    /// What is wrong, as a sentence fragment in lower case.
    pub message: Message,
    /// What to write or do instead.
    pub help: Option<Message>,
    /// More places that help to understand it.
    pub labels: Vec<Label<P>>,
}

/// A second place of a problem, and what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label<P = super::span::Span> {
    /// The place.
    pub place: P,
    /// What is there, as a sentence fragment.
    pub message: Message,
}

impl<P> Problem<P> {
    /// Creates a problem without help and labels.
    pub fn new(place: P, message: impl Into<Message>) -> Self {
        Self { place, message: message.into(), help: None, labels: Vec::new() }
    }

    /// Sets what to write or do instead.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<Message>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn with_label(mut self, place: P, message: impl Into<Message>) -> Self {
        self.labels.push(Label { place, message: message.into() });
        self
    }

    /// Changes the place and those of the labels, for example from an argument to a span.
    pub fn map_place<Q>(self, mut map: impl FnMut(P) -> Q) -> Problem<Q> {
        let Self { place, message, help, labels } = self;
        let place = map(place);
        let labels = labels.into_iter();
        let labels =
            labels.map(|Label { place, message }| Label { place: map(place), message }).collect();
        Problem { place, message, help, labels }
    }
}
