//! `description-without-trigger`: the `description` does not say when to use the skill.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::placeholder_text;
use crate::fields::StringField;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::scan::word_finder::{Case, finder};
use dibber_skill::skill::{BundleKind, Skill};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "description-without-trigger",
        group: Group::Writing,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the `description` does not say when to use the skill",
        docs: include_str!("description_without_trigger.md"),
    },
    check: Check::Skill(check),
};

/// Phrases that say when to use a skill, separated by `|`; `*` at the end matches any ending.
const TRIGGERS: &str = "\
    use|uses|used|using|useful|usage|user asks|reuse|when|whenever|while work*|if|trigger*|\
    invok*|activat*|ask|asks|asked|asking|request for|requests for|requested|requesting|\
    on request|upon|needs|need to|need a|needed|needing|wants|want to|wanting|mention*|\
    keyword*|suitable|ideal for|perfect for|great for|best for|good for|designed for|\
    intended for|meant for|required for|relevant for|appropriate*|applicable|applies to|\
    helps with|help with|questions about|involving|involves|scenario*|before |\
    after |during|in response to|anytime|every time";

/// The triggers and their automaton; its last pattern is the word "for".
static TRIGGER_WORDS: LazyLock<(Vec<&str>, AhoCorasick)> = LazyLock::new(|| {
    let triggers: Vec<&str> = TRIGGERS.split('|').collect();
    let words = triggers.iter().map(|trigger| trigger.trim_end_matches('*'));
    let finder = finder(words.chain(["for"]), Case::Insensitive);
    (triggers, finder)
});

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(StringField { text, value, .. }) = StringField::find(skill, "description") else {
        return;
    };
    let is_exempt = has_trigger(text)
        || skill.bundle.kind == BundleKind::SkillsProtocol
        || skill.field("when_to_use").is_some()
        || skill.field("disable-model-invocation").and_then(|entry| entry.value.as_str())
            == Some("true")
        || placeholder_text::is_placeholder(text)
        || !is_english(text);
    if !is_exempt {
        let message = "the `description` does not say when to use the skill";
        let help = "add a sentence such as \"Use when someone asks …\", with the words that \
                    people would ask with";
        findings.push(Finding::new(&RULE.meta, value.span, message).help(help));
    }
}

fn has_trigger(text: &str) -> bool {
    let (triggers, finder) = &*TRIGGER_WORDS;
    finder.find_iter(text).any(|hit| {
        let (before, rest) = (&text[..hit.start()], &text[hit.end()..]);
        if before.ends_with(char::is_alphanumeric) {
            return false;
        }
        let ends_word = !rest.starts_with(char::is_alphanumeric);
        match triggers.get(hit.pattern().as_usize()) {
            Some(trigger) if trigger.ends_with(['*', ' ']) => true,
            Some(_) => ends_word,
            None => ends_word && begins_clause(before),
        }
    })
}

/// Returns `true` if "for" begins a clause after `before`, as in "…, for planning trips".
fn begins_clause(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with([',', '.', ';', ':', '(', '-', '–', '—'])
}

/// The maximum length in bytes of a word in the lists below.
const LITTLE_WORD_BYTES_MAX: usize = 4;
/// Function words of English, sorted.
const ENGLISH: [&str; 21] = [
    "an", "and", "are", "as", "at", "by", "for", "from", "in", "into", "is", "it", "of", "on",
    "or", "over", "that", "the", "this", "to", "with",
];
/// Function words of other languages in Latin script, sorted.
const NOT_ENGLISH: [&str; 60] = [
    "af", "alle", "als", "au", "aus", "avec", "bei", "bir", "cu", "da", "dan", "das", "de", "del",
    "dem", "den", "der", "des", "di", "do", "dos", "du", "e", "een", "ein", "eine", "el", "em",
    "en", "est", "et", "för", "für", "het", "i", "il", "ja", "jest", "la", "las", "le", "les",
    "los", "med", "mit", "na", "och", "og", "para", "per", "pour", "que", "se", "un", "una", "und",
    "van", "ve", "von", "y",
];

/// Returns `true` if `text` seems to be English: Latin script only, and more function words of
/// English than of other languages.
fn is_english(text: &str) -> bool {
    let (mut letters, mut foreign, mut accented) = (0, 0, 0);
    if !text.is_ascii() {
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            letters += 1;
            foreign += usize::from(c >= '\u{250}');
            accented += usize::from(('\u{80}'..'\u{250}').contains(&c));
        }
    }
    let (mut english, mut other) = (0, 0);
    let words = text.split(|c: char| !c.is_alphanumeric());
    for word in words.filter(|word| (1..=LITTLE_WORD_BYTES_MAX).contains(&word.len())) {
        let word = word.to_ascii_lowercase();
        english += usize::from(ENGLISH.binary_search(&word.as_str()).is_ok());
        other += usize::from(NOT_ENGLISH.binary_search(&word.as_str()).is_ok());
    }
    let is_in_its_letters = foreign * 8 <= letters && (accented <= 3 || accented * 40 < letters);
    is_in_its_letters && other <= english && (english > 0 || accented == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_words_are_sorted() {
        assert!(ENGLISH.is_sorted() && NOT_ENGLISH.is_sorted());
    }

    #[test]
    fn other_languages_are_not_checked() {
        for text in [
            "Plant einen Ausflug und schreibt die Packliste.",
            "Advogado especialista em direito de familia, criminal e civil.",
            "サーバーの設定を検査します。",
            "Проверяет настройки сервера.",
            "Použite, keď používateľ požiada o vytvorenie alebo úpravu",
            "Pythonic uygulamalar için en iyi teknikler ve öneriler",
        ] {
            assert!(!is_english(text), "{text}");
        }
        assert!(is_english("Manages notes") && is_english("Plans trips to a café in Montréal"));
    }
}
