//! Whether a licence is one of those that are accepted.

/// What is known of a licence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LicenseMatch {
    /// Accepted licences are enough.
    Accepted,
    /// It needs a licence that is not accepted.
    Refused,
    /// It is missing, the path of a file, or in words.
    Unknown,
}

/// The deepest parentheses.
const DEPTH_MAX: usize = 32;

/// Returns whether an SPDX expression is satisfied by these licences: of `OR` one side is enough, and
/// an exception after `WITH` permits more. Their case does not count.
pub fn license_match(license: Option<&str>, accepted: &[String]) -> LicenseMatch {
    let Some(license) = license else { return LicenseMatch::Unknown };
    let spaced = license.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Parser { words: &words, at: 0, depth: 0, accepted };
    match parser.any_of() {
        Some(true) if parser.at == words.len() => LicenseMatch::Accepted,
        Some(false) if parser.at == words.len() => LicenseMatch::Refused,
        _ => LicenseMatch::Unknown,
    }
}

/// None is what is not an expression.
struct Parser<'a> {
    words: &'a [&'a str],
    at: usize,
    depth: usize,
    accepted: &'a [String],
}

impl<'a> Parser<'a> {
    fn take(&mut self, word: &str) -> bool {
        let is_next = self.words.get(self.at).is_some_and(|next| next.eq_ignore_ascii_case(word));
        self.at += usize::from(is_next);
        is_next
    }

    fn any_of(&mut self) -> Option<bool> {
        let mut is_accepted = self.all_of()?;
        while self.take("OR") {
            is_accepted |= self.all_of()?;
        }
        Some(is_accepted)
    }

    fn all_of(&mut self) -> Option<bool> {
        let mut is_accepted = self.one()?;
        while self.take("AND") {
            is_accepted &= self.one()?;
        }
        Some(is_accepted)
    }

    fn one(&mut self) -> Option<bool> {
        if self.take("(") {
            self.depth += 1;
            let inner = if self.depth <= DEPTH_MAX { self.any_of()? } else { return None };
            self.depth -= 1;
            return self.take(")").then_some(inner);
        }
        let id = self.id()?;
        if self.take("WITH") {
            self.id()?;
        }
        Some(self.accepted.iter().any(|accepted| accepted.eq_ignore_ascii_case(id)))
    }

    /// A name of a licence has no `/`, which a path has, and is not one of the words between them. The
    /// name of a file is no licence.
    fn id(&mut self) -> Option<&'a str> {
        let word = *self.words.get(self.at)?;
        let is_id =
            word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-+:".contains(&byte));
        let is_operator =
            ["AND", "OR", "WITH"].iter().any(|other| word.eq_ignore_ascii_case(other));
        let lower = word.to_ascii_lowercase();
        let is_file =
            matches!(lower.rsplit_once('.'), Some((_, "txt" | "md"))) || lower == "license";
        self.at += 1;
        (is_id && !is_operator && !is_file).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_satisfied_by_accepted_licences() {
        let accepted = ["MIT".to_owned(), "GPL-2.0-only".to_owned()];
        let cases = [
            ("mit", LicenseMatch::Accepted),
            ("Apache-2.0", LicenseMatch::Refused),
            ("Apache-2.0 OR MIT", LicenseMatch::Accepted),
            ("Apache-2.0 AND MIT", LicenseMatch::Refused),
            (
                "MIT AND (Apache-2.0 OR GPL-2.0-only WITH Classpath-exception-2.0)",
                LicenseMatch::Accepted,
            ),
            ("./LICENSE.txt", LicenseMatch::Unknown),
            ("LICENSE.txt", LicenseMatch::Unknown),
            ("Complete terms in LICENSE.txt", LicenseMatch::Unknown),
            ("MIT OR", LicenseMatch::Unknown),
            ("(MIT", LicenseMatch::Unknown),
            ("", LicenseMatch::Unknown),
        ];
        for (license, expected) in cases {
            assert_eq!(license_match(Some(license), &accepted), expected, "{license}");
        }
        assert_eq!(license_match(Some(&"(".repeat(100_000)), &accepted), LicenseMatch::Unknown);
        assert_eq!(license_match(None, &accepted), LicenseMatch::Unknown);
    }
}
