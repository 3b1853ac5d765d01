//! Commands that run what they download without review.
//!
//! The words of a command line are enough, wherever it is: in a script, in a code block, in a
//! string. Only a command that names its source counts; a mention such as `curl | sh` does not,
//! nor does data that a program reads (`curl … | python3 -m json.tool`).

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::word_finder::{Case, finder};
use dibber_text::Span;

/// A command that runs what it downloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Download {
    /// The span from the first word to the program that runs it.
    pub span: Span,
    /// The program that fetches or decodes.
    pub fetcher: &'static str,
    /// The program that runs it.
    pub runner: Span,
}

/// The maximum number of fetching programs in one file that are checked.
const FETCHERS_MAX: usize = 2_000;
/// The maximum length of a command line in bytes.
const COMMAND_BYTES_MAX: usize = 600;

const FETCHERS: [&str; 8] = [
    "curl",
    "wget",
    "base64",
    "iwr",
    "irm",
    "Invoke-WebRequest",
    "Invoke-RestMethod",
    "DownloadString",
];
/// The first of [`FETCHERS`] that belongs to PowerShell.
const FIRST_OF_POWERSHELL: usize = 3;
const BASE64: &str = "base64";

static FETCHER_WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| finder(FETCHERS, Case::Sensitive));

/// Returns such commands in the order of the file.
pub fn find(text: &str) -> Vec<Download> {
    let mut found: Vec<Download> = Vec::new();
    for hit in FETCHER_WORDS.find_iter(text).take(FETCHERS_MAX) {
        let word = Span::new(hit.start(), hit.end());
        let index = hit.pattern().as_usize();
        // One command may contain several fetchers, and is reported once.
        if found.last().is_some_and(|last| word.start < last.span.end) || !is_word(text, word) {
            continue;
        }
        let line = CommandLine::around(text, word);
        let span_and_runner = if index >= FIRST_OF_POWERSHELL {
            line.powershell()
        } else if FETCHERS[index] == BASE64 {
            line.decoded_and_piped()
        } else {
            line.substituted().or_else(|| line.piped())
        };
        let Some((span, runner)) = span_and_runner else { continue };
        if !line.is_warning(span.start) && !is_under_warning(text, line.span.start) {
            found.push(Download { span, fetcher: FETCHERS[index], runner });
        }
    }
    found
}

fn is_word(text: &str, word: Span) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let bytes = text.as_bytes();
    let starts = word.start == 0 || !is_part(bytes[word.start - 1]);
    starts && bytes.get(word.end).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'(' | b'\\'))
}

/// The number of bytes above a command that are searched for its heading or comment.
const HEADING_BYTES_MAX: usize = 2000;

/// Returns `true` if the nearest heading or comment above is about attacks.
fn is_under_warning(text: &str, line_start: usize) -> bool {
    let from = text.floor_char_boundary(line_start.saturating_sub(HEADING_BYTES_MAX));
    let heading = text[from..line_start].lines().rev().find_map(|line| {
        let line = line.trim_start();
        (line.starts_with('#') && !line.starts_with("#!")).then(|| line.to_ascii_lowercase())
    });
    let words = ["attack", "malicious", "exploit", "vulnerab", "unsafe", "dangerous", "insecure"];
    heading.is_some_and(|heading| {
        words.iter().any(|word| heading.contains(word))
            || ["# bad", "# never", "# don't", "# avoid"].iter().any(|w| heading.contains(w))
    })
}

/// A command line with the fetching program in it.
struct CommandLine<'a> {
    text: &'a str,
    /// The line, with the lines that a backslash joins to it.
    span: Span,
    fetcher: Span,
}

impl<'a> CommandLine<'a> {
    fn around(text: &'a str, fetcher: Span) -> Self {
        let bytes = text.as_bytes();
        let from = fetcher.start.saturating_sub(COMMAND_BYTES_MAX);
        let start =
            memchr::memrchr(b'\n', &bytes[from..fetcher.start]).map_or(from, |at| from + at + 1);
        let to = text.len().min(fetcher.end + COMMAND_BYTES_MAX);
        let is_end = |at: usize| {
            let before = bytes[..at].strip_suffix(b"\r").unwrap_or(&bytes[..at]);
            !before.ends_with(b"\\")
        };
        let end = memchr::memchr_iter(b'\n', &bytes[fetcher.end..to])
            .map(|at| fetcher.end + at)
            .find(|at| is_end(*at))
            .unwrap_or(to);
        let start = text.ceil_char_boundary(start).min(fetcher.start);
        let end = text.floor_char_boundary(end).max(fetcher.end);
        Self { text, span: Span::new(start, end), fetcher }
    }

    fn before(&self) -> &'a str {
        &self.text[self.span.start..self.fetcher.start]
    }

    fn after(&self) -> &'a str {
        &self.text[self.fetcher.end..self.span.end]
    }

    /// Returns `true` if the words before byte `start` warn against the command.
    fn is_warning(&self, start: usize) -> bool {
        let before = self.text[self.span.start..start.max(self.span.start)].to_ascii_lowercase();
        ["never ", "don't ", "don’t ", "do not ", "avoid ", "instead of ", "not `", "no `"]
            .iter()
            .any(|words| before.contains(words))
    }

    /// `curl … | sh`: a pipe from the fetcher into a shell.
    fn piped(&self) -> Option<(Span, Span)> {
        let start = self.fetcher.end;
        let pipes = Pipes { bytes: self.after().as_bytes(), at: 0, quote: None };
        // In a Markdown table an unescaped `|` separates cells and is not a pipe.
        let is_table = self.before().trim_start().starts_with('|') && !self.before().contains('`');
        let mut names_source = false;
        let mut command = 0;
        for Pipe { at, is_escaped } in pipes {
            names_source |= has_source(&self.after()[command..at]);
            if is_table && !is_escaped {
                return None;
            }
            command = at + 1;
            if let Some(runner) = runner_of_input(&self.after()[command..]) {
                let runner = runner.shift(start + command);
                let span = Span::new(self.fetcher.start, runner.end);
                return names_source.then_some((span, runner));
            }
        }
        None
    }

    /// `echo … | base64 -d | sh`.
    fn decoded_and_piped(&self) -> Option<(Span, Span)> {
        let options = self.after().split('|').next()?;
        let decodes =
            options.split_whitespace().any(|word| matches!(word, "-d" | "-D" | "--decode"));
        let echo = ["echo ", "printf ", "curl ", "wget "].into_iter().find_map(|word| {
            let at = self.before().rfind(word)?;
            has_payload(&self.before()[at + word.len()..]).then_some(self.span.start + at)
        })?;
        let pipe = self.after().find('|')? + 1;
        let runner = runner_of_input(&self.after()[pipe..])?.shift(self.fetcher.end + pipe);
        decodes.then_some((Span::new(echo, runner.end), runner))
    }

    /// `bash <(curl …)`, `sh -c "$(curl …)"`, `` eval `curl …` ``.
    fn substituted(&self) -> Option<(Span, Span)> {
        let before = self.before();
        let (words, must_run_input) = if let Some(words) = before.strip_suffix("<(") {
            (words, true)
        } else {
            (before.strip_suffix("$(").or_else(|| before.strip_suffix('`'))?, false)
        };
        let words = words.trim_end_matches(['"', '\'', '\\', ' ']);
        let (words, has_option) = match words.strip_suffix(" -c") {
            Some(words) => (words.trim_end(), true),
            None => (words, false),
        };
        let name = words.rsplit([' ', '\t', '`', '"', '\'', '(', ';', '&', '|', '/']).next()?;
        let is_runner = match name {
            "eval" => !must_run_input,
            "source" | "." => must_run_input,
            _ => is_interpreter(name) && (must_run_input || has_option),
        };
        let closing = self.after().find([')', '`']).unwrap_or(self.after().len());
        let start = self.span.start + words.len() - name.len();
        let runner = Span::new(start, start + name.len());
        let span = Span::new(start, self.fetcher.end + closing);
        (is_runner && has_source(&self.after()[..closing])).then_some((span, runner))
    }

    /// `irm … | iex`, `iex (iwr …)`.
    fn powershell(&self) -> Option<(Span, Span)> {
        let line = &self.text[self.span.range()];
        let runner = ["iex", "Invoke-Expression"].into_iter().find_map(|name| {
            let at = find_ignoring_case(line, name)?;
            let span = Span::new(at, at + name.len()).shift(self.span.start);
            let bytes = self.text.as_bytes();
            let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            let is_whole = (span.start == 0 || !is_part(bytes[span.start - 1]))
                && bytes.get(span.end).is_none_or(|byte| !is_part(*byte));
            is_whole.then_some(span)
        })?;
        let after = self.after();
        let argument = after.find(')').map_or(after.len(), |closing| closing + 1);
        let end = if runner.start > self.fetcher.start {
            runner.end
        } else {
            self.fetcher.end + argument
        };
        let span = Span::new(self.fetcher.start.min(runner.start), end);
        let is_piped = runner.start < self.fetcher.start
            || self.text[self.fetcher.end..runner.start].contains('|');
        (is_piped && has_source(after)).then_some((span, runner))
    }
}

fn find_ignoring_case(line: &str, name: &str) -> Option<usize> {
    let first = name.as_bytes()[0];
    let firsts = memchr::memchr2_iter(
        first.to_ascii_lowercase(),
        first.to_ascii_uppercase(),
        line.as_bytes(),
    );
    firsts.into_iter().find(|at| {
        line.as_bytes()[*at..]
            .get(..name.len())
            .is_some_and(|w| w.eq_ignore_ascii_case(name.as_bytes()))
    })
}

/// A pipe in a command line.
struct Pipe {
    at: usize,
    /// Whether it is written `\|`, as in a Markdown table.
    is_escaped: bool,
}

/// An iterator over the pipes of one pipeline outside quotes.
struct Pipes<'a> {
    bytes: &'a [u8],
    at: usize,
    quote: Option<u8>,
}

impl Iterator for Pipes<'_> {
    type Item = Pipe;

    fn next(&mut self) -> Option<Pipe> {
        while let Some(&byte) = self.bytes.get(self.at) {
            let at = self.at;
            self.at += 1;
            let next = self.bytes.get(self.at);
            match (byte, self.quote) {
                (b'\'' | b'"', Some(quote)) if byte == quote => self.quote = None,
                // A quote that is not closed here was opened before the command.
                (b'\'' | b'"', None) if self.bytes[self.at..].contains(&byte) => {
                    self.quote = Some(byte);
                }
                (b'|', None) if next == Some(&b'|') => return None,
                (b'|', None) => {
                    let is_escaped = at > 0 && self.bytes[at - 1] == b'\\';
                    return Some(Pipe { at, is_escaped });
                }
                (b';' | b'`', None) => return None,
                (b'&', None) if next == Some(&b'&') => return None,
                _ => {}
            }
        }
        None
    }
}

/// Returns `true` if the arguments name a source: a URL, a host, a variable.
fn has_source(arguments: &str) -> bool {
    let words = arguments.split([' ', '\t', '\n', '\\', '"', '\'', '(', ')', '`', ',']);
    words.filter(|word| !word.starts_with('-')).any(|word| {
        let word = word.trim_start_matches('<').trim_end_matches('>');
        let address = word.split_once("://").map(|(_, address)| address);
        match address {
            Some(address) => !address.is_empty() && !is_example_host(address),
            None => is_variable(word) || (is_host(word) && !is_example_host(word)),
        }
    })
}

fn is_variable(word: &str) -> bool {
    let name = word.strip_prefix('$').map(|name| name.trim_start_matches('{'));
    name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

/// Returns `true` if `word` begins with a host name, as in `get.example.sh/install`.
fn is_host(word: &str) -> bool {
    let host = word.split('/').next().unwrap_or(word);
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    host.contains('.')
        && host.split('.').all(is_label)
        && host
            .rsplit('.')
            .next()
            .is_some_and(|last| last.len() >= 2 && last.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// Returns `true` if an address is a placeholder, or the local machine.
fn is_example_host(address: &str) -> bool {
    let host = address.split(['/', ':', '?', '#']).next().unwrap_or(address).to_ascii_lowercase();
    let names = ["example", "attacker", "evil", "malicious", "localhost", "127.0.0.1", "…", "..."];
    names.iter().any(|name| host.contains(name))
        || host.starts_with("your")
        || host.starts_with(['<', '{', '['])
}

/// Returns `true` if there is something to decode: long base64, or a source.
fn has_payload(arguments: &str) -> bool {
    const PAYLOAD_BYTES_MIN: usize = 16;
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    has_source(arguments)
        || arguments.split(|c| !is_base64(c)).any(|part| part.len() >= PAYLOAD_BYTES_MIN)
}

/// Returns the program after a pipe if it runs its input.
fn runner_of_input(command: &str) -> Option<Span> {
    let mut at = 0;
    loop {
        let rest = &command[at..];
        let word_start = at + rest.find(|c: char| !matches!(c, ' ' | '\t' | '\\' | '\n' | '\r'))?;
        let word = &command[word_start..];
        let length = word.find([' ', '\t', '\n', '\r', '`', '"', '\'', ')', ';', '|', '&', ',']);
        let word = &word[..length.unwrap_or(word.len())];
        let word = word.trim_end_matches(['.', ':']);
        at = word_start + word.len();
        // Words before the program itself: wrappers, assignments, and options of wrappers.
        let is_prefix = matches!(word, "sudo" | "env" | "command" | "exec" | "nohup")
            || word.contains('=')
            || (word.starts_with('-') && word_start > 1);
        if word.is_empty() || !is_prefix {
            let name = word.rsplit('/').next().unwrap_or(word);
            let runs = is_interpreter(name) && reads_input(&command[at..], name);
            return runs.then_some(Span::new(word_start, at));
        }
    }
}

fn is_interpreter(name: &str) -> bool {
    matches!(
        name,
        "sh" | "bash"
            | "zsh"
            | "dash"
            | "ksh"
            | "fish"
            | "python"
            | "python3"
            | "perl"
            | "ruby"
            | "node"
    )
}

/// Returns `true` if a program with these arguments runs its input: not a file, nor the code in an
/// option that reads the input as data.
fn reads_input(arguments: &str, name: &str) -> bool {
    let arguments =
        arguments.split(['`', '"', '\'', ')', ';', '|', '&', '\n', '#', '>', '<']).next();
    let first = arguments.unwrap_or_default().split_whitespace().next();
    let is_shell = name.ends_with("sh");
    match first {
        None | Some("-" | "/dev/stdin" | ".") => true,
        Some(option) => {
            is_shell
                && option.starts_with('-')
                && !option.starts_with("--")
                && !option.contains('c')
        }
    }
}
