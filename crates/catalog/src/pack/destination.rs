//! Who accepts archives of skills, and what they accept.

use crate::archive::ArchiveFormat;

/// Who an archive is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// The Skills API of Anthropic, `POST /v1/skills`.
    Anthropic,
    /// The upload of skills in the settings of claude.ai.
    ClaudeAi,
    /// The Skills API of OpenAI, `POST /v1/skills`.
    OpenAi,
    /// The index of a site: `type` is `archive`.
    WellKnown,
}

impl Destination {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Anthropic, Self::ClaudeAi, Self::OpenAi, Self::WellKnown];

    /// Returns what it is called on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::ClaudeAi => "claude-ai",
            Self::OpenAi => "openai",
            Self::WellKnown => "well-known",
        }
    }

    /// Returns what it is called in a sentence.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Anthropic => "the API of Anthropic",
            Self::ClaudeAi => "claude.ai",
            Self::OpenAi => "the API of OpenAI",
            Self::WellKnown => "an index of a site",
        }
    }

    /// Returns how its archives are packed.
    pub const fn format(self) -> ArchiveFormat {
        match self {
            Self::WellKnown => ArchiveFormat::TarGz,
            Self::Anthropic | Self::ClaudeAi | Self::OpenAi => ArchiveFormat::Zip,
        }
    }

    /// Returns `true` if everything is in one directory.
    pub const fn has_wrapper(self) -> bool {
        !matches!(self, Self::WellKnown)
    }

    /// Returns `true` if it refuses fields that the specification does not have.
    pub(super) const fn is_strict(self) -> bool {
        matches!(self, Self::Anthropic | Self::ClaudeAi)
    }

    /// Returns the most files: those of an upload (OpenAI's API reference), of claude.ai, and of what every
    /// host of skills accepts.
    pub(super) const fn files_max(self) -> Option<usize> {
        match self {
            Self::ClaudeAi => Some(200),
            Self::OpenAi => Some(500),
            Self::Anthropic | Self::WellKnown => None,
        }
    }

    /// Returns the most bytes of all files together.
    pub(super) const fn bytes_max(self) -> Option<u64> {
        match self {
            Self::Anthropic | Self::ClaudeAi => Some(30_000_000),
            Self::OpenAi | Self::WellKnown => None,
        }
    }

    /// Returns the most bytes of the archive.
    pub(super) const fn archive_bytes_max(self) -> Option<u64> {
        match self {
            Self::OpenAi => Some(50_000_000),
            Self::Anthropic | Self::ClaudeAi | Self::WellKnown => None,
        }
    }

    /// Returns the most bytes of one file.
    pub(super) const fn file_bytes_max(self) -> Option<u64> {
        match self {
            Self::OpenAi => Some(25_000_000),
            Self::Anthropic | Self::ClaudeAi | Self::WellKnown => None,
        }
    }

    /// Returns the most characters of a description, if they are fewer than in the specification.
    pub(super) const fn description_characters_max(self) -> Option<usize> {
        match self {
            Self::ClaudeAi => Some(200),
            Self::Anthropic | Self::OpenAi | Self::WellKnown => None,
        }
    }
}
