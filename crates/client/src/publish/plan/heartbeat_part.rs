//! The parts of a heartbeat that a user changes.

/// A part of a heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeartbeatPart {
    /// Its name.
    Name,
    /// Its schedule, with the time zone.
    Schedule,
    /// What runs of the times that were missed.
    MissedFires,
    /// The skill that it runs.
    Skill,
    /// The inputs of the skill, and the rest of what it runs with.
    Inputs,
}

impl HeartbeatPart {
    /// Returns the word for the part.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Schedule => "schedule",
            Self::MissedFires => "missed times",
            Self::Skill => "skill",
            Self::Inputs => "inputs",
        }
    }
}
