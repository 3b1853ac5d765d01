//! The command line of a server that is a program, split into words as a shell does.

use std::fmt;

use super::address::mask_urls;
use dibber_text::hex;
use sha2::{Digest, Sha256};

/// The digits of the hash in the name of a command.
const HASH_DIGITS: usize = 6;
/// What is shown in place of a value that may be a secret.
const MASKED: &str = "****";
/// The words in the name of an option or a variable whose value may be a secret.
const SECRET_WORDS: [&str; 6] = ["auth", "cred", "key", "pass", "secret", "token"];
/// The fewest bytes of a secret that is looked for in other text.
const SECRET_BYTES_MIN: usize = 4;
/// The most words of a command line.
const WORDS_MAX: usize = 1_000;

/// A program, its arguments, and the variables that its environment has besides the usual ones.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerCommand {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Variables of its environment.
    pub environment: Vec<(String, String)>,
}

/// Why a string is not a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandLineError {
    /// It has no word.
    Empty,
    /// A quote is not closed.
    OpenQuote(char),
    /// It ends with a backslash.
    OpenEscape,
    /// It has a character that only a shell understands, and no shell runs.
    ShellSyntax(char),
    /// It has more than 1,000 words.
    TooLong,
}

impl ServerCommand {
    /// Parses a command line: words between spaces, with quotes and backslashes as a shell reads
    /// them. Nothing is expanded, and no shell runs.
    pub fn parse(text: &str) -> Result<Self, CommandLineError> {
        let mut words = split(text)?.into_iter();
        let program =
            words.next().filter(|word| !word.is_empty()).ok_or(CommandLineError::Empty)?;
        Ok(Self { program, arguments: words.collect(), environment: Vec::new() })
    }

    /// Returns the command line without the values of options that may be secrets.
    pub fn without_secrets(&self) -> String {
        let words = self.arguments_with_secrets().into_iter().map(|(word, secret)| match secret {
            Some(secret) => format!("{}{MASKED}", &word[..word.len() - secret.len()]),
            None => mask_urls(word).into_owned(),
        });
        std::iter::once(self.program.clone()).chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Returns the arguments and the variables that may be secrets.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let arguments = self.arguments_with_secrets().into_iter().filter_map(|(_, secret)| secret);
        let variables = self.environment.iter().filter(|(name, _)| is_of_secret(name));
        let all = arguments.chain(variables.map(|(_, value)| value.as_str()));
        all.filter(|secret| secret.len() >= SECRET_BYTES_MIN).map(str::to_owned).collect()
    }

    /// Returns each argument with the part at its end that may be a secret.
    fn arguments_with_secrets(&self) -> Vec<(&str, Option<&str>)> {
        let mut found = Vec::new();
        let mut is_after_secret = false;
        for argument in &self.arguments {
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (argument.as_str(), None),
            };
            let is_option = name.starts_with('-') || value.is_some();
            let is_secret = is_option && is_of_secret(name);
            let secret = match value {
                Some(_) if is_secret => value,
                None if is_after_secret && !is_option => Some(argument.as_str()),
                _ => None,
            };
            found.push((argument.as_str(), secret));
            is_after_secret = is_secret && value.is_none();
        }
        found
    }

    /// Returns a name that may be recorded and shown, unlike the command line, whose arguments may
    /// be secrets: the file name of the program, and a short hash of all words.
    pub(crate) fn public_name(&self) -> String {
        let program = self.program.rsplit(std::path::is_separator).next().unwrap_or_default();
        let mut hash = Sha256::new();
        for word in std::iter::once(&self.program).chain(&self.arguments) {
            hash.update(word.as_bytes());
            hash.update([0]);
        }
        let mut digits = hex(hash.finalize());
        digits.truncate(HASH_DIGITS);
        format!("{program}#{digits}")
    }
}

/// Only the program: an argument or a variable may be a secret.
impl fmt::Debug for ServerCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerCommand").field("program", &self.program).finish_non_exhaustive()
    }
}

/// Returns `true` if the value of an option or a variable with this name may be a secret.
fn is_of_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_WORDS.iter().any(|word| name.contains(word))
}

fn split(text: &str) -> Result<Vec<String>, CommandLineError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                quoted(c, &mut characters, word)?;
            }
            // On Windows, it separates the names of a path.
            '\\' if !cfg!(windows) => {
                let escaped = characters.next().ok_or(CommandLineError::OpenEscape)?;
                word.get_or_insert_default().push(escaped);
            }
            '|' | '&' | ';' | '<' | '>' | '(' | ')' | '$' | '`' => {
                return Err(CommandLineError::ShellSyntax(c));
            }
            c => word.get_or_insert_default().push(c),
        }
        if words.len() > WORDS_MAX {
            return Err(CommandLineError::TooLong);
        }
    }
    words.extend(word);
    Ok(words)
}

/// Reads up to the closing quote.
fn quoted(
    quote: char,
    characters: &mut std::str::Chars<'_>,
    word: &mut String,
) -> Result<(), CommandLineError> {
    while let Some(c) = characters.next() {
        match c {
            c if c == quote => return Ok(()),
            '\\' if quote == '"' => match characters.next() {
                Some(escaped @ ('"' | '\\' | '$' | '`')) => word.push(escaped),
                Some(other) => word.extend(['\\', other]),
                None => return Err(CommandLineError::OpenQuote(quote)),
            },
            c => word.push(c),
        }
    }
    Err(CommandLineError::OpenQuote(quote))
}

impl fmt::Display for CommandLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("missing program"),
            Self::OpenQuote(quote) => write!(f, "unclosed quote {quote}"),
            Self::OpenEscape => f.write_str("it ends with a backslash"),
            Self::ShellSyntax(c) => {
                write!(f, "`{c}` is shell syntax, and the command runs without a shell")
            }
            Self::TooLong => write!(f, "it has more than {WORDS_MAX} words"),
        }
    }
}

impl std::error::Error for CommandLineError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<Vec<String>, CommandLineError> {
        let command = ServerCommand::parse(text)?;
        Ok([vec![command.program], command.arguments].concat())
    }

    #[test]
    fn words_are_those_of_a_shell() {
        assert_eq!(words("npx -y  server").expect("words"), ["npx", "-y", "server"]);
        assert_eq!(words("a 'b c' \"d e\"f ''").expect("words"), ["a", "b c", "d ef", ""]);
        assert_eq!(words(r#"a "\"\x" '$x|'"#).expect("words"), ["a", "\"\\x", "$x|"]);
        if !cfg!(windows) {
            assert_eq!(words(r"a\ b \'c").expect("words"), ["a b", "'c"]);
            assert_eq!(words("a \\"), Err(CommandLineError::OpenEscape));
        }
        assert_eq!(words(" "), Err(CommandLineError::Empty));
        assert_eq!(words("'' a"), Err(CommandLineError::Empty));
        assert_eq!(words("a 'b"), Err(CommandLineError::OpenQuote('\'')));
        assert_eq!(words("a | b"), Err(CommandLineError::ShellSyntax('|')));
        assert_eq!(words("a $HOME"), Err(CommandLineError::ShellSyntax('$')));
    }
}
