//! The question below all answers: whether the files are written, and published.

use dibber_text::{Message, message};

use crate::cli::term::answer_line::yes_or_no;

/// What is shown at `?` about publishing.
const PUBLISHING: &str = "\
The agents that use dibber on this computer can run a skill once it is published. With `write` it is \
only a folder, which you can publish later.";

/// What is to become of the skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// Its files are not written.
    Stop,
    /// Its files are written.
    Write,
    /// Its files are written, and then published.
    Publish,
}

/// The question about it.
pub(super) struct AgreementQuestion {
    /// Whether the skill can be published at once.
    pub(super) can_publish: bool,
    /// Whether there are answers to change.
    pub(super) has_answers: bool,
}

impl AgreementQuestion {
    pub(super) fn text(&self) -> Message {
        let question = if self.can_publish {
            "Write it, and publish it on this computer? Enter means yes; then you see it once more, \
             and type yes to publish it. `write` only writes it. "
        } else {
            "Write it? Enter means yes. "
        };
        let rest = if self.has_answers {
            "A number changes an answer, `show` shows the files, `no` writes nothing."
        } else {
            "`show` shows the files, `no` writes nothing."
        };
        message![question, rest]
    }

    /// Returns the help of an answer that is none of those that are possible.
    pub(super) fn help(&self) -> Message {
        message!["type ", self.answers()]
    }

    fn answers(&self) -> Message {
        let write = if self.can_publish { "write, " } else { "" };
        let rest =
            if self.has_answers { "no, show, or the number of an answer" } else { "no, or show" };
        message!["yes, ", write, rest]
    }

    /// Returns what the question means.
    pub(super) fn explanation(&self) -> Message {
        let help = message!["Type ", self.answers(), "."];
        if self.can_publish { message![PUBLISHING, " ", help] } else { help }
    }

    /// Returns what an answer agrees to; none if it is another answer.
    pub(super) fn parse(&self, typed: &str) -> Option<Agreement> {
        let agreed = if self.can_publish { Agreement::Publish } else { Agreement::Write };
        if typed.is_empty() {
            return Some(agreed);
        }
        if is_only_writing(typed) {
            return Some(Agreement::Write);
        }
        yes_or_no(typed).map(|is_yes| if is_yes { agreed } else { Agreement::Stop })
    }
}

/// Returns `true` for `write`, `only write it` and such.
fn is_only_writing(typed: &str) -> bool {
    let words = || typed.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let is_one_of = |word: &str, list: &[&str]| list.iter().any(|it| word.eq_ignore_ascii_case(it));
    words().any(|word| is_one_of(word, &["write"]))
        && words().all(|word| is_one_of(word, &["only", "just", "write", "it", "please"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_writes_publishes_or_stops() {
        let question = AgreementQuestion { can_publish: true, has_answers: true };
        for (typed, expected) in [
            ("", Some(Agreement::Publish)),
            ("yes please", Some(Agreement::Publish)),
            ("Write", Some(Agreement::Write)),
            ("only write it", Some(Agreement::Write)),
            ("no", Some(Agreement::Stop)),
            ("do not write", None),
            ("it", None),
            ("7", None),
        ] {
            assert_eq!(question.parse(typed), expected, "{typed}");
        }
        let question = AgreementQuestion { can_publish: false, has_answers: true };
        assert_eq!(question.parse("yes"), Some(Agreement::Write));
        assert_eq!(question.parse("write"), Some(Agreement::Write));
    }
}
