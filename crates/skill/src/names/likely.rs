//! Words that are probably the name of a child in what a parent types, so that a question can be
//! asked before they are written into a skill. A wrong guess costs one question.

use dibber_text::Span;

/// The most names of one text: more capitalized words are rather a title.
const NAMES_MAX: usize = 4;
/// The fewest letters of a name.
const LETTERS_MIN: usize = 2;

/// Words before a name.
const BEFORE_NAMES: &str = "
    about and ask call called cheer encourage for from give greet help let like named praise quiz
    read remind send show surprise teach tell test to told wake with
";
/// Relatives, before whose name anything may be a name, even the word for a month.
const RELATIVES: &str = "
    baby boy boys brother brothers child children cousin daughter daughters girl girls godchild
    goddaughter godson grandchild granddaughter grandson kid kids nephew niece sister sisters son sons
    stepdaughter stepson toddler twins
";
/// Capitalized words for persons that are no names, and others with which an answer begins.
const PERSONS: &str = "
    all anybody anyone aunt auntie boys child children dad daddy everybody everyone family friends
    girls god grandma grandpa granny he here how i it jesus kids let mama me mom mommy mother mr mrs
    ms mum mummy my nana nanny nobody our papa parents santa she students teens that the there they
    toddlers today tomorrow us we what when where who
";
/// Capitalized words for other things than persons.
const THINGS: &str = "
    africa african alexa america american android apple april arabic asia august australia barbie
    berlin bible britain british canada catholic chatgpt china chinese christian christmas claude
    danish december disney diwali dutch earth easter eid england english europe european excel
    february finnish france french friday gemini german germany google greek halloween hanukkah hebrew
    hindi india indian instagram ireland irish italian italy january japan japanese java july june
    korean latin lego london mandarin march mars mathe maths may mexican mexico minecraft monday moon
    muslim netflix norwegian november october paris passover pokemon pokémon poland polish portuguese
    python ramadan roblox rome russian saturday science scottish scratch september siri spain spanish
    spotify sprout sunday swedish thai thanksgiving thursday tuesday turkish ukrainian valentine
    vietnamese wednesday welsh whatsapp wikipedia york youtube zoom
";
/// What may be between a name and an age.
const BEFORE_AGES: &str = "age aged is now turning turns who";
/// The ages of children in words.
const AGES: &str = "
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen
";

/// One word, without what surrounds it.
struct Word<'a> {
    text: &'a str,
    start: usize,
    /// What is between it and the word before.
    gap: &'a str,
    is_genitive: bool,
}

/// Returns the words of an answer that are probably the name of a child: after `for`, `tell` or `my
/// daughter`, before an age, or in the genitive.
pub fn likely_names(text: &str) -> Vec<Span> {
    let words = words(text);
    let mut found: Vec<Span> = Vec::new();
    let mut next = 0;
    while let Some(word) = words.get(next) {
        let at = next;
        next += 1;
        if !is_name_at(&words, at, found.last().copied()) {
            continue;
        }
        // A surname follows the name.
        let mut last = word;
        while let Some(surname) = words.get(next).filter(|it| it.gap == " " && !last.is_genitive) {
            if !is_name(surname.text) || is_one_of(surname.text, THINGS) {
                break;
            }
            last = surname;
            next += 1;
        }
        found.push(Span::new(word.start, last.start + last.text.len()));
    }
    found.truncate(NAMES_MAX);
    found
}

/// Returns `true` if a word is written as the name of a person: capitalized, and none of the words
/// that mean a person.
pub fn is_name(word: &str) -> bool {
    let is_part = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-');
    word.starts_with(char::is_uppercase)
        && word.chars().all(is_part)
        && word.chars().nth(LETTERS_MIN - 1).is_some()
        && !is_one_of(word, PERSONS)
}

/// Returns `true` for a word that means a person without being a name, in any case: `kids`, `son`.
pub fn is_person_word(word: &str) -> bool {
    is_one_of(word, PERSONS) || is_one_of(word, RELATIVES)
}

fn is_name_at(words: &[Word<'_>], at: usize, last_found: Option<Span>) -> bool {
    let word = &words[at];
    // Words such as `NASA` are abbreviations.
    if !is_name(word.text) || !word.text.contains(char::is_lowercase) {
        return false;
    }
    let is_person = word.is_genitive || is_before_age(&words[at + 1..]);
    let Some(before) = at.checked_sub(1).map(|before| &words[before]) else {
        return is_person && !is_one_of(word.text, THINGS);
    };
    let is_joined = word.gap == " " && !before.is_genitive;
    if is_joined && is_one_of(before.text, RELATIVES) {
        return true;
    }
    // `Mia and Jay`, `Mia, Jay`.
    let is_listed = last_found.is_some_and(|last| {
        let after_and = before.text == "and" && at >= 2 && ends_at(&words[at - 2], last);
        after_and || matches!(word.gap, ", " | " & ") && ends_at(before, last)
    });
    let follows = is_joined && before.text != "and" && is_one_of(before.text, BEFORE_NAMES);
    (is_person || is_listed || follows) && !is_one_of(word.text, THINGS)
}

fn ends_at(word: &Word<'_>, span: Span) -> bool {
    word.start + word.text.len() == span.end
}

/// Returns `true` if words begin with an age: `, six years old`, `(6)`, `is 6`.
fn is_before_age(words: &[Word<'_>]) -> bool {
    let skipped = words.iter().take(2).take_while(|word| is_one_of(word.text, BEFORE_AGES)).count();
    let Some(age) = words.get(skipped) else { return false };
    let is_apart = skipped > 0 || age.gap.contains([',', '(']);
    let number = age.text.split('-').next().unwrap_or_default();
    let is_number = number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_apart && (is_number && !number.is_empty() || is_one_of(number, AGES))
}

fn is_one_of(word: &str, list: &str) -> bool {
    let word = word.to_lowercase();
    list.split_ascii_whitespace().any(|other| other == word)
}

fn words(text: &str) -> Vec<Word<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-');
    let mut words = Vec::new();
    let mut end = 0;
    while let Some(offset) = text[end..].find(|c: char| c.is_alphanumeric()) {
        let start = end + offset;
        let length = text[start..].find(|c| !is_part(c)).unwrap_or(text.len() - start);
        let whole = text[start..start + length].trim_end_matches(['\'', '’', '-']);
        let base = ["'s", "’s"].iter().find_map(|suffix| whole.strip_suffix(suffix));
        words.push(Word {
            text: base.unwrap_or(whole),
            start,
            gap: &text[end..start],
            is_genitive: base.is_some(),
        });
        end = start + whole.len();
    }
    words
}
