//! Why signing in fails.

use std::path::PathBuf;
use std::{fmt, io};

use super::super::error::ClientError;
use dibber_text::escape_line;

/// Why a sign-in does not succeed, or cannot be used.
#[derive(Debug)]
pub enum SignInError {
    /// A server cannot be reached, or its answer is not one.
    Request(ClientError),
    /// The server does not say where to sign in to it.
    NotOffered,
    /// What a server says of itself cannot be used, and why.
    Metadata(String),
    /// The authorization server has no way for this: what it lacks.
    Unsupported(&'static str),
    /// The authorization server refuses.
    Refused {
        /// The code of OAuth.
        code: String,
        /// What it says about it.
        description: Option<String>,
    },
    /// An answer that is not one to the request of this program.
    WrongAnswer(&'static str),
    /// The person has not answered in time.
    NoAnswer,
    /// The sign-in has ended: it was revoked, or is too old.
    Ended,
    /// The program cannot listen for the answer of the browser.
    Listen(io::Error),
    /// The system gives no random numbers.
    Random,
    /// The file of a sign-in cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        cause: io::Error,
    },
}

impl SignInError {
    /// Returns the code of OAuth, if the authorization server has refused.
    pub(super) fn code(&self) -> Option<&str> {
        match self {
            Self::Refused { code, .. } => Some(code),
            _ => None,
        }
    }
}

impl From<ClientError> for SignInError {
    fn from(error: ClientError) -> Self {
        Self::Request(error)
    }
}

impl fmt::Display for SignInError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(error) => write!(f, "{error}"),
            Self::NotOffered => f.write_str("the server does not say where to sign in to it"),
            Self::Metadata(why) => f.write_str(why),
            Self::Unsupported(what) => write!(f, "the authorization server has no {what}"),
            Self::Refused { code, description: None } => {
                write!(f, "the authorization server refuses: {code}")
            }
            Self::Refused { code, description: Some(description) } => {
                write!(f, "the authorization server refuses: {description} ({code})")
            }
            Self::WrongAnswer(why) => {
                write!(f, "this is not the answer to the request of this program: {why}")
            }
            Self::NoAnswer => f.write_str("the request was not answered in the browser"),
            Self::Ended => f.write_str("the sign-in has ended"),
            Self::Listen(cause) => write!(f, "cannot listen for the browser: {cause}"),
            Self::Random => f.write_str("the system gives no random numbers"),
            Self::File { path, cause } => {
                write!(f, "cannot use {}: {cause}", escape_line(&path.to_string_lossy()))
            }
        }
    }
}

impl std::error::Error for SignInError {}
