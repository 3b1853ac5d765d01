//! The reasons for which writing a skill is refused or reviewed.

use crate::contract::Decision;

/// Why a skill must not be written as it is, or why a parent should look at it first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A string that is published contains a child's name.
    ChildName,
    /// The label, the description or the prompt is blank.
    BlankField,
    /// The label, the description or the prompt is longer than a server accepts. A server refuses such
    /// an argument before it is analyzed.
    TooLong,
    /// The prompt has a placeholder that no input declares.
    UndeclaredPlaceholder,
    /// The prompt has something that was meant as a placeholder, or an input has a name that is
    /// not valid in a placeholder.
    MalformedPlaceholder,
    /// Two inputs have the same name.
    DuplicateInput,
    /// The prompt does not use an input.
    UnusedInput,
    /// A hand is not a documented tool.
    UnknownHand,
    /// The hands are those of a skill that does work and of one that schedules it.
    MixedShape,
    /// A child may launch it, and no age range is given.
    KidCallableWithoutAgeRange,
    /// A child may launch it, and it is for the home agent alone.
    KidCallableHomeAgent,
    /// A child may launch it, and it uses a tool that changes what a child earns or is allowed.
    SensitiveKidHand,
    /// The age range is not written as `5-7`.
    InvalidAgeRange,
    /// There are more canvases than a skill may link.
    TooManyCanvases,
    /// A canvas is not a UUID.
    InvalidCanvasId,
    /// A hand is blank, or has a character that no tool has in its name.
    InvalidHand,
    /// A string has hidden characters, or the label letters that look like those of another script.
    MisleadingCharacters,
    /// A string has a key or a token that looks real.
    Secret,
    /// A string has a command that runs what it downloads.
    PipedShell,
    /// The prompt mentions a file that is not published. A server cannot see that.
    UnpublishedFile,
}

impl Reason {
    /// Every reason that a server can see in the arguments.
    pub const ALL: [Self; 18] = [
        Self::ChildName,
        Self::BlankField,
        Self::UndeclaredPlaceholder,
        Self::MalformedPlaceholder,
        Self::DuplicateInput,
        Self::UnusedInput,
        Self::UnknownHand,
        Self::MixedShape,
        Self::KidCallableWithoutAgeRange,
        Self::KidCallableHomeAgent,
        Self::SensitiveKidHand,
        Self::InvalidAgeRange,
        Self::TooManyCanvases,
        Self::InvalidCanvasId,
        Self::InvalidHand,
        Self::MisleadingCharacters,
        Self::Secret,
        Self::PipedShell,
    ];

    /// Returns the code on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::ChildName => "PII_IN_PROMPT",
            Self::BlankField => "BLANK_FIELD",
            Self::TooLong => "TOO_LONG",
            Self::UndeclaredPlaceholder => "UNDECLARED_PLACEHOLDER",
            Self::MalformedPlaceholder => "MALFORMED_PLACEHOLDER",
            Self::DuplicateInput => "DUPLICATE_INPUT",
            Self::UnusedInput => "UNUSED_INPUT",
            Self::UnknownHand => "UNKNOWN_HAND",
            Self::MixedShape => "MIXED_SHAPE",
            Self::KidCallableWithoutAgeRange => "AGE_RANGE_REQUIRED",
            Self::KidCallableHomeAgent => "KID_CALLABLE_HOME_AGENT",
            Self::SensitiveKidHand => "SENSITIVE_KID_HAND",
            Self::InvalidAgeRange => "INVALID_AGE_RANGE",
            Self::TooManyCanvases => "CANVAS_LIMIT_EXCEEDED",
            Self::InvalidCanvasId => "INVALID_CANVAS_ID",
            Self::InvalidHand => "INVALID_HAND",
            Self::MisleadingCharacters => "MISLEADING_CHARACTERS",
            Self::Secret => "SECRET",
            Self::PipedShell => "PIPED_SHELL",
            Self::UnpublishedFile => "UNPUBLISHED_FILE",
        }
    }

    /// Returns which changes of a skill it is checked for.
    pub const fn gate(self) -> Gate {
        match self {
            Self::ChildName
            | Self::BlankField
            | Self::TooLong
            | Self::TooManyCanvases
            | Self::InvalidCanvasId => Gate::Ownership,
            Self::UndeclaredPlaceholder
            | Self::MalformedPlaceholder
            | Self::DuplicateInput
            | Self::UnusedInput
            | Self::MisleadingCharacters
            | Self::Secret
            | Self::PipedShell
            | Self::UnpublishedFile => Gate::Safety,
            Self::UnknownHand
            | Self::InvalidHand
            | Self::MixedShape
            | Self::KidCallableWithoutAgeRange
            | Self::KidCallableHomeAgent
            | Self::SensitiveKidHand
            | Self::InvalidAgeRange => Gate::Policy,
        }
    }

    /// Returns the decision that it alone leads to.
    pub const fn decision(self) -> Decision {
        match self {
            Self::UnusedInput
            | Self::UnpublishedFile
            | Self::UnknownHand
            // Other servers have ids of other forms.
            | Self::InvalidCanvasId
            | Self::KidCallableHomeAgent
            | Self::SensitiveKidHand
            | Self::MisleadingCharacters
            | Self::Secret
            | Self::PipedShell => Decision::Review,
            _ => Decision::Refuse,
        }
    }
}

/// A group of checks. The fields that a change sets decide which groups it has to pass; a new
/// skill has to pass all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Every change: the skill stays complete and names no child, and its canvases are the
    /// family's.
    Ownership,
    /// A change of the prompt: every placeholder can be filled in, and nothing in it is suspicious.
    Safety,
    /// A change of who may launch it, or of the ages, which belong together.
    Policy,
}
