//! Placeholders in a prompt: `{{input.name}}`, which an agent fills at each run.
//!
//! A name is made of letters, digits and underscores of ASCII, and does not begin with a digit.
//! There are no spaces inside the braces, and a placeholder in code counts like any other. Other
//! text in braces belongs to another program and is left alone, unless it was clearly meant as a
//! placeholder.

use dibber_text::Span;

const PREFIX: &str = "input.";
/// How many braces open a placeholder, and how many close it.
const BRACES: usize = 2;

/// What is asked of the name of an input, as a sentence fragment.
pub const INPUT_NAME_RULE: &str =
    "a name has letters from a to z, digits and `_`, and does not begin with a digit";

/// Something in braces that is, or was meant as, a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The bytes, from the first brace to the last.
    pub span: Span,
    /// What it is.
    pub kind: PlaceholderKind,
}

/// The kinds of [`Placeholder`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceholderKind {
    /// `{{input.name}}`: the name.
    Input(String),
    /// Meant as a placeholder, but nothing will fill it.
    Malformed {
        /// What is wrong with it, as a sentence fragment.
        fault: &'static str,
        /// The name that was probably meant, as a placeholder can contain it.
        meant: Option<String>,
    },
    /// `{{name}}`, with or without spaces, or `{input.name}`: meant as a placeholder if an input
    /// has that name, and another program's if none does.
    Lookalike(String),
}

/// The placeholders of `text`, in its order, in bytes of it.
pub fn placeholders(text: &str) -> Vec<Placeholder> {
    let mut found = Vec::new();
    let mut read_to = 0;
    while let Some(at) = memchr::memchr(b'{', &text.as_bytes()[read_to..]) {
        let braced = Braced::at(text, read_to + at);
        read_to = braced.inner.end + braced.closing;
        found.extend(braced.placeholder());
    }
    found
}

/// The placeholder that a name is filled in at: `{{input.name}}`.
pub fn placeholder_of(name: &str) -> String {
    format!("{{{{{PREFIX}{name}}}}}")
}

/// Returns `true` if a placeholder can contain `name`.
pub fn is_input_name(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty() && after_name(name) == 0
}

/// Returns the name with `_` in place of spaces, hyphens and dots, if it then can be in a
/// placeholder.
pub fn corrected_name(name: &str) -> Option<String> {
    let is_gap = |c: char| c.is_whitespace() || matches!(c, '-' | '.');
    let words: Vec<&str> = name.split(is_gap).filter(|word| !word.is_empty()).collect();
    let joined = words.join("_");
    is_input_name(&joined).then_some(joined)
}

/// How many bytes of `text` follow the characters of a name that it begins with.
fn after_name(text: &str) -> usize {
    text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len()
}

/// Opening braces, and what follows them.
struct Braced<'a> {
    text: &'a str,
    /// How many braces open it, right before the inner part.
    opening: usize,
    /// Up to the next brace or line break.
    inner: Span,
    /// How many braces close it, right after the inner part.
    closing: usize,
}

/// The inner part of what was meant as a placeholder.
struct Meant<'a> {
    /// `input`, or what was written for it.
    word: &'a str,
    /// What follows the dot, without spaces around it.
    name: &'a str,
    /// The byte of the inner part at which the name begins.
    name_at: usize,
}

impl<'a> Braced<'a> {
    /// Reads the braces that open at byte `at`.
    fn at(text: &'a str, at: usize) -> Self {
        let opened = &text[at..];
        let opening = opened.len() - opened.trim_start_matches('{').len();
        let start = at + opening;
        let rest = &text[start..];
        let length = rest.find(['{', '}', '\n', '\r']).unwrap_or(rest.len());
        let after = &rest[length..];
        let closing = after.len() - after.trim_start_matches('}').len();
        Self { text, opening, inner: Span::new(start, start + length), closing }
    }

    /// The placeholder that it is; `None` if it belongs to another program.
    fn placeholder(&self) -> Option<Placeholder> {
        let inner = &self.text[self.inner.range()];
        let start = self.inner.start - self.opening;
        let is_behind_dollar = self.text[..start].ends_with('$');
        let exact = inner.strip_prefix(PREFIX).filter(|name| is_input_name(name));
        let (end, kind) = match (exact, Meant::parse(inner)) {
            (Some(name), _) if self.opening == BRACES && self.is_closed() => {
                (self.inner.end + BRACES, PlaceholderKind::Input(name.to_owned()))
            }
            // `${input.name}` is how shells and JavaScript write something of their own.
            (Some(name), _) if self.opening == 1 && self.closing > 0 && !is_behind_dollar => {
                (self.inner.end + 1, PlaceholderKind::Lookalike(name.to_owned()))
            }
            _ if self.opening == 1 => return None,
            (_, Some(meant)) if meant.is_of_others(is_behind_dollar) => return None,
            (_, Some(meant)) => self.malformed(&meant),
            _ => {
                let name = Some(inner.trim()).filter(|name| is_input_name(name))?;
                if !self.is_closed() || is_behind_dollar {
                    return None;
                }
                (self.closed_end(), PlaceholderKind::Lookalike(name.to_owned()))
            }
        };
        Some(Placeholder { span: Span::new(start, end), kind })
    }

    const fn is_closed(&self) -> bool {
        self.closing >= BRACES
    }

    /// Returns the byte after as many closing braces as there are opening ones.
    fn closed_end(&self) -> usize {
        self.inner.end + self.closing.min(self.opening)
    }

    /// What is wrong with what was meant, and where it ends.
    fn malformed(&self, meant: &Meant) -> (usize, PlaceholderKind) {
        let fault = match self.text.as_bytes().get(self.inner.end) {
            _ if self.is_closed() => meant.fault(self.opening),
            Some(b'{') => "is not closed before the next brace opens",
            _ => "is not closed with `}}` on its line",
        };
        let (end, meant) = if self.closing > 0 {
            (self.closed_end(), corrected_name(meant.name))
        } else {
            // Its end is unknown: after one word at the latest.
            let word = &meant.name[..meant.name.len() - after_name(meant.name)];
            let end = self.inner.start + meant.name_at + word.len();
            (end, is_input_name(word).then(|| word.to_owned()))
        };
        (end, PlaceholderKind::Malformed { fault, meant })
    }
}

impl<'a> Meant<'a> {
    /// Reads the inner part of braces; nothing when it was not meant to name an input.
    fn parse(inner: &'a str) -> Option<Self> {
        let trimmed = inner.trim_start();
        let length = trimmed.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (word, rest) = trimmed.split_at(length);
        let name = rest.trim_start();
        let name = match name.strip_prefix('.') {
            Some(name) => name.trim_start(),
            None if name.is_empty() => name,
            None => return None,
        };
        let is_alike = word.eq_ignore_ascii_case("input") || word.eq_ignore_ascii_case("inputs");
        let name_at = inner.len() - name.len();
        is_alike.then_some(Self { word, name: name.trim_end(), name_at })
    }

    /// Returns `true` if it belongs to another language of templates: `${{ inputs.name }}` to
    /// GitHub, `{{inputs.parameters.name}}` to Argo.
    fn is_of_others(&self, is_behind_dollar: bool) -> bool {
        let is_dotted = self.name.contains('.');
        self.word.eq_ignore_ascii_case("inputs") && (is_behind_dollar || is_dotted)
    }

    /// What is wrong with it between that many opening braces, and closing ones.
    fn fault(&self, opening: usize) -> &'static str {
        if self.name.is_empty() {
            "names no input"
        } else if opening > BRACES {
            "has more than two braces"
        } else if self.word != "input" {
            "does not begin with `input.`"
        } else if is_input_name(self.name) {
            "has spaces inside the braces"
        } else if self.name.starts_with(|c: char| c.is_ascii_digit()) {
            "has a name that begins with a digit"
        } else {
            "has a name with other characters than a to z, digits and `_`"
        }
    }
}
