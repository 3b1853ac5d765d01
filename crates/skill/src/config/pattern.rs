//! Globs over paths from the directory of `dibber.toml`.

use globset::{Glob, GlobBuilder, GlobMatcher};

use dibber_text::{Message, Problem, Span, message, quote, quote_in_full};

/// The characters that make a pattern more than a path.
const GLOB_CHARACTERS: [char; 5] = ['*', '?', '[', '{', '\\'];

/// The most bytes of a pattern: as many as Linux lets a path have.
pub(super) const PATTERN_BYTES_MAX: usize = 4_096;

/// A glob, with the bytes it was written at.
///
/// `*` and `?` stay within one name, `**` reaches over directories. A pattern that matches a
/// directory matches everything below it: `vendor`, `vendor/` and `vendor/**` say the same.
#[derive(Clone, Debug)]
pub struct PathPattern {
    /// The pattern as written.
    pub text: String,
    /// The bytes of it, quotes included.
    pub span: Span,
    fixed: String,
    /// The glob, and the glob of what is below; `None` when the pattern is just `fixed`.
    globs: Option<[GlobMatcher; 2]>,
}

impl PathPattern {
    /// Parses a pattern.
    pub(super) fn new(text: &str, span: Span) -> Result<Self, Box<Problem>> {
        let mut path = text;
        while let Some(rest) = path.strip_prefix("./") {
            path = rest.trim_start_matches('/');
        }
        let path = path.trim_end_matches('/');
        let path = if path == "." { "**" } else { path };
        check(text, path).map_err(|problem| Box::new(problem.map_place(|()| span)))?;
        let fixed = fixed(path);
        let globs = globs(path, fixed).map_err(|error| {
            let reason = reason(&error);
            let reason = quote_in_full(&reason);
            let message = message!["`", quote(text), "` is not a valid glob: ", reason];
            let help = "put a `\\` before a character that is meant as it is";
            Box::new(Problem::new(span, message).with_help(help))
        })?;
        Ok(Self { text: text.to_owned(), span, fixed: fixed.to_owned(), globs })
    }

    /// Returns `true` if it has glob characters.
    pub(super) const fn is_glob(&self) -> bool {
        self.globs.is_some()
    }

    /// Returns `true` if it matches a path from the directory of `dibber.toml`.
    pub fn matches(&self, path: &str) -> bool {
        match &self.globs {
            None => is_in(path, &self.fixed),
            Some(globs) => globs.iter().any(|glob| glob.is_match(path)),
        }
    }

    /// Returns `true` if everything that it can match is in `directory`, a path from the directory
    /// of `dibber.toml` (empty for that directory itself), or is the file of that path.
    pub fn is_within(&self, directory: &str) -> bool {
        is_in(&self.fixed, directory)
    }

    /// Returns `true` if it can match something in `directory`, or the file of that path.
    pub fn reaches_into(&self, directory: &str) -> bool {
        // What follows the fixed part may match anything.
        self.is_within(directory) || is_in(directory, &self.fixed)
    }

    /// Returns the path before its first glob character: of a file or directory, or of the
    /// directory that everything that it can match is in.
    pub fn fixed_part(&self) -> &str {
        &self.fixed
    }
}

/// Returns `true` if `path` is `directory` or is below it.
fn is_in(path: &str, directory: &str) -> bool {
    directory.is_empty()
        || path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn fixed(path: &str) -> &str {
    match path.find(GLOB_CHARACTERS) {
        None => path,
        Some(at) => &path[..path[..at].rfind('/').unwrap_or(0)],
    }
}

fn check(text: &str, path: &str) -> Result<(), Problem<()>> {
    let error =
        |message: Message, help: &'static str| Err(Problem::new((), message).with_help(help));
    if text.len() > PATTERN_BYTES_MAX {
        let message = message!["the path pattern is longer than ", PATTERN_BYTES_MAX, " bytes"];
        return error(
            message,
            "no path is that long; name a directory, or use `*` for a part of it",
        );
    }
    if path.trim().is_empty() && !text.starts_with('/') {
        return error(message!["the path is empty"], "`**` matches everything");
    }
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    if text.starts_with('/') || has_drive {
        let message = message!["`", quote(text), "` is an absolute path"];
        return error(message, "paths start at the directory of `dibber.toml`, without a `/`");
    }
    if path.split('/').any(|part| part == "..") {
        let message = message!["`", quote(text), "` leaves the directory of `dibber.toml`"];
        return error(message, "move `dibber.toml` up to a directory that holds all of the skills");
    }
    Ok(())
}

/// Returns the message of the glob parser without the advice that they may end in.
fn reason(error: &globset::Error) -> String {
    let words = error.kind().to_string();
    words.split(" (").next().unwrap_or_default().to_owned()
}

/// Returns the glob and the glob of what is below, unless the pattern is just a path.
///
/// They are two matchers and no `GlobSet`, which makes a DFA of the literal part of a pattern:
/// its size, and the time to make it, grow with the square of the length.
fn globs(path: &str, fixed: &str) -> Result<Option<[GlobMatcher; 2]>, globset::Error> {
    let whole = glob(path)?;
    if fixed.len() == path.len() {
        return Ok(None);
    }
    let below = glob(&format!("{path}/**"))?;
    Ok(Some([whole.compile_matcher(), below.compile_matcher()]))
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).backslash_escape(true).build()
}
