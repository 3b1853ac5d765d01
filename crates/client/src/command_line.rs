//! The command line of a server that is a program, split into words as a shell does.

use std::cmp::Reverse;
use std::{fmt, iter};

use super::address::mask_urls;
use super::short_hash::short_hash;
use dibber_text::MASKED;

/// The words in the name of an option, a variable or a header whose value may be a secret.
const SECRET_WORDS: [&str; 8] =
    ["auth", "bearer", "cookie", "cred", "key", "pass", "secret", "token"];
/// The options whose value is a header, `Name: value`.
const HEADER_OPTIONS: [&str; 3] = ["-H", "--header", "--headers"];
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
        let words = self.arguments_with_secrets().into_iter().map(|(word, secret)| {
            let end = secret.map(|_| MASKED).unwrap_or_default();
            let start = &word[..word.len() - secret.unwrap_or_default().len()];
            mask_urls(start).into_owned() + end
        });
        iter::once(self.program.clone()).chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Returns the arguments and the variables that may be secrets, the longest first, and the last
    /// words of those that have several, such as the token after `Bearer`.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let arguments = self.arguments_with_secrets().into_iter().filter_map(|(_, secret)| secret);
        let variables = self.environment.iter().filter(|(name, _)| is_of_secret(name));
        let all = arguments.chain(variables.map(|(_, value)| value.as_str()));
        let all = all.flat_map(|secret| iter::once(secret).chain(secret.split_whitespace().last()));
        let mut all: Vec<_> = all.filter(|secret| secret.len() >= SECRET_BYTES_MIN).collect();
        all.sort_by_key(|secret| (Reverse(secret.len()), *secret));
        all.dedup();
        all.into_iter().map(str::to_owned).collect()
    }

    /// Returns each argument with the part at its end that may be a secret.
    fn arguments_with_secrets(&self) -> Vec<(&str, Option<&str>)> {
        let mut previous = "";
        let arguments = self.arguments.iter().map(|argument| {
            let secret = if HEADER_OPTIONS.contains(&previous) {
                Some(
                    argument
                        .split_once(':')
                        .map_or(argument.as_str(), |(_, value)| value.trim_start()),
                )
            } else if previous.starts_with('-') && is_of_secret(previous) && !has_value(previous) {
                Some(argument.as_str())
            } else {
                secret_value(argument)
            };
            previous = argument.as_str();
            (argument.as_str(), secret)
        });
        arguments.collect()
    }

    /// Returns a name that may be recorded and shown, unlike the command line, whose arguments may
    /// be secrets: the file name of the program, and a short hash of all words.
    pub(crate) fn public_name(&self) -> String {
        let program = self.program.rsplit(std::path::is_separator).next().unwrap_or_default();
        let words = iter::once(&self.program).chain(&self.arguments);
        let words: String = words.map(|word| format!("{word}\0")).collect();
        format!("{program}#{}", short_hash(words))
    }
}

/// Only the program: an argument or a variable may be a secret.
impl fmt::Debug for ServerCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerCommand").field("program", &self.program).finish_non_exhaustive()
    }
}

/// Returns `true` if the value of an option, a variable or a header with this name may be a secret.
pub(super) fn is_of_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_WORDS.iter().any(|word| name.contains(word))
}

/// Returns `true` if an option has its value in the same word.
fn has_value(option: &str) -> bool {
    option.contains(['=', ':'])
}

/// Returns the value of the first name in a word that may have a secret: `name=value`,
/// `name: value`, or both, such as `--env=TOKEN=value`.
fn secret_value(word: &str) -> Option<&str> {
    // The query and the fragment of a URL are masked with it.
    let searched = match word.split_once("://") {
        Some(_) => &word[..word.find(['?', '#']).unwrap_or(word.len())],
        None => word,
    };
    let mut start = 0;
    for (at, separator) in searched.match_indices(['=', ':']) {
        let name = &searched[start..at];
        // `HOST:PORT` and `registry/image:tag` have no names.
        let is_name = separator == "=" || !name.contains(['/', '.']);
        if is_name
            && (is_of_secret(name) || HEADER_OPTIONS.contains(&name) || name.starts_with("-H"))
        {
            return Some(word[at + 1..].trim_start());
        }
        start = at + 1;
    }
    None
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

    #[test]
    fn secrets_are_masked_wherever_an_option_has_them() {
        let cases = [
            ("x --token a=b", "x --token ****"),
            ("x --token -hunter2", "x --token ****"),
            ("x --token aHVudGVyMg== y", "x --token **** y"),
            ("x --auth --token hunter2", "x --auth **** ****"),
            ("x --token=a=b TOKEN=hunter2", "x --token=**** TOKEN=****"),
            ("x --env=TOKEN=hunter2", "x --env=TOKEN=****"),
            ("x --bearer hunter2", "x --bearer ****"),
            ("x --header 'Authorization: Bearer h=' y", "x --header Authorization: **** y"),
            ("x -H 'X-Api-Key: hunter2'", "x -H X-Api-Key: ****"),
            ("x -H 'X-Org: hunter2' -H hunter2", "x -H X-Org: **** -H ****"),
            ("x --header=X-Org:hunter2 -HX-Org:hunter2", "x --header=**** -HX-Org:****"),
            ("x Authorization:hunter2", "x Authorization:****"),
            ("x '{\"a\": 1, \"token\": \"hunter2\"}'", "x {\"a\": 1, \"token\": ****"),
            ("x https://h/mcp?user=ann@example.org&key=hunter2", "x https://h/mcp?****"),
            ("x --url=https://u:p@h/mcp?key=hunter2", "x --url=https://****@h/mcp?****"),
            ("x https://h/mcp#token=hunter2", "x https://h/mcp#****"),
            ("x TOKEN=https://h/mcp", "x TOKEN=****"),
            ("x https://auth.example.org:8443/@scope", "x https://auth.example.org:8443/@scope"),
            ("x -y ghcr.io/x/auth:latest a:b", "x -y ghcr.io/x/auth:latest a:b"),
        ];
        for (line, masked) in cases {
            // Unlike a shell, a query is not a pattern here.
            let line = line.replace('&', "\\&");
            let command = ServerCommand::parse(&line).expect("a command");
            assert_eq!(command.without_secrets(), masked);
        }
    }

    #[test]
    fn secrets_include_the_token_of_a_header() {
        let command = "x -H 'Authorization: Bearer hunter2' --key ab --key -hunter3";
        let command = ServerCommand::parse(command).expect("a command");
        assert_eq!(command.secrets(), ["Bearer hunter2", "-hunter3", "hunter2"]);
    }
}
