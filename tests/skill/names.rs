//! Children's names: what counts as one, where it is found, and what is left when it is masked.

use dibber_skill::names::{Case, List, Name, Roster, Scope};
use dibber_skill::privacy::Privacy;
use dibber_text::{Mask, Span};
use proptest::prelude::*;

/// The names of a list, ready to be looked for.
fn roster(names: &[&str]) -> Roster {
    let (list, faults) = List::parse(&names.join("\n"));
    assert_eq!(faults, []);
    list.roster()
}

/// What is found in a string, as the text of each place and the number of the name.
fn found<'a>(roster: &Roster, text: &'a str, scope: Scope) -> Vec<(&'a str, usize)> {
    let hits = roster.find(text, scope).into_iter();
    hits.map(|hit| (&text[hit.span.range()], hit.entry)).collect()
}

/// Returns a string as it is shown.
fn masked(roster: &Roster, text: &str) -> String {
    Privacy { roster }.mask(text).into_owned()
}

/// Returns a part of a string without secrets as it is shown.
fn masked_part(roster: &Roster, text: &str, part: Span) -> String {
    Privacy { roster }.mask_part(text, part, &[])
}

/// Checks what one name finds in sentences.
fn finds(name: &str, text: &str, expected: &[&str]) {
    let roster = roster(&[name]);
    let found: Vec<&str> = found(&roster, text, Scope::Prose).iter().map(|(at, _)| *at).collect();
    assert_eq!(found, expected, "{name} in {text:?}");
    assert_masked(&roster, text);
}

/// Checks that whatever is found is masked, and that nothing else of the text moves.
fn assert_masked(roster: &Roster, text: &str) {
    let masked: Vec<char> = masked(roster, text).chars().collect();
    assert_eq!(masked.len(), text.chars().count(), "{text:?}");
    let hits = roster.find(text, Scope::Prose).into_iter();
    let hits: Vec<_> = hits.chain(roster.find(text, Scope::FileName)).collect();
    for ((at, c), shown) in text.char_indices().zip(masked) {
        let is_name = hits.iter().any(|hit| hit.span.contains(at)) && !c.is_whitespace();
        assert!(shown == c && !is_name || shown == '*', "{text:?} at {at}: {shown}");
    }
}

/// Checks what one name finds in the name of a file.
fn finds_in_file_name(name: &str, text: &str, expected: &[&str]) {
    let roster = roster(&[name]);
    let found: Vec<&str> =
        found(&roster, text, Scope::FileName).iter().map(|(at, _)| *at).collect();
    assert_eq!(found, expected, "{name} in {text:?}");
}

#[test]
fn whole_words_in_any_case() {
    for name in ["Emma", "emma", "EMMA", "~Emma"] {
        finds(
            name,
            "Emma, emma and EMMA. Emmaus? EmmA eMMA gemma",
            &["Emma", "emma", "EMMA", "EmmA", "eMMA"],
        );
    }
    finds("Emma", "Emma2 2Emma Emma_2", &["Emma", "Emma", "Emma"]);
    finds("Emma", "emma2019 2019EMMA emmas2019 gemma2 2emmaus", &["emma", "EMMA", "emma"]);
    finds("DeShawn", "DeShawn deshawn DeshawN xdeshawn", &["DeShawn", "deshawn", "DeshawN"]);
    finds("Emma", "say(\"hi\\nEmma\") x\\temma anEmma", &["Emma", "emma", "Emma"]);
    finds("Emma", "emma@example.org and EMMA_RETRIES", &["emma", "EMMA"]);
}

/// What is masked in an identifier is also reported there.
#[test]
fn names_that_are_joined_to_other_words() {
    let text = "EmmaPlan myEmmaPlan EMMAPlan planEMMA myEmma2 emmaAndZoe emmasPlan Emmaplan myemma";
    finds("Emma", text, &["Emma", "Emma", "EMMA", "EMMA", "Emma", "emma", "emma"]);
    let both = roster(&["Emma", "Zoë"]);
    let expected = [("Emma", 1), ("Zoë", 2), ("Zoe", 2), ("emma", 1)];
    assert_eq!(found(&both, "EmmaZoë myZoePlan emmaPlan", Scope::Prose), expected);
    finds("DeShawn", "myDeShawnPlan deShawn", &["DeShawn", "deShawn"]);
    finds("Anna Lena", "myAnnaLenaPlan myAnnalenaPlan", &["AnnaLena", "Annalena"]);
    finds("Max", "MaxRetries myMaxPlan", &[]);
}

/// In lowercase, a name that is also a common word is read as the word.
#[test]
fn common_words_with_a_capital_or_nothing_else() {
    finds("Max", "Max, max and MAX. Maximum? maX mAX", &["Max", "MAX"]);
    finds("max", "Max max MAX", &["Max", "MAX"]);
    finds("~Max", "Max max MAX mAx", &["Max", "max", "MAX", "mAx"]);
    finds("Max", "Max2 2Max MAX2 i32Max", &[]);
    finds("~Max", "Max2 2max", &["Max", "max"]);
    finds("Max", "MAX_RETRIES RETRY_MAX MAX Max_plan.md _MAX_", &["MAX", "Max", "MAX"]);
    finds("Will", "Will they? will they? Wills", &["Will"]);
    finds("Íris", "Iris and iris and íris", &["Iris"]);
    finds("Al", "Al and al and AL", &["Al", "AL"]);
    finds("Rose May", "Rose May, rose may", &["Rose May"]);
}

#[test]
fn suffixes_and_punctuation_after_a_name() {
    finds(
        "Emma",
        "Emma's Emma\u{2019}s EMMA'S Emmas' emmas Emmass",
        &["Emma", "Emma", "EMMA", "Emma", "emma"],
    );
    finds("James", "James' and James's and l'James", &["James", "James", "James"]);
    finds("Emma", "Emma-Marie, Emma's-plan, Emma_plan.md", &["Emma", "Emma", "Emma"]);
    finds("Emma", "_Emma_ **Emma** `Emma` (Emma) \u{201C}Emma\u{201D}", &["Emma"; 5]);
    finds("Don", "Don't do that. DON'T. Don said: Don'ts", &["Don", "Don"]);
}

#[test]
fn names_of_several_words() {
    finds(
        "Anna Lena",
        "Anna Lena, Anna-Lena, Anna\n  Lena, ANNA LENA, Anna\u{2011}Lena",
        &["Anna Lena", "Anna-Lena", "Anna\n  Lena", "ANNA LENA", "Anna\u{2011}Lena"],
    );
    finds(
        "Anna Lena",
        "**Anna** Lena, Anna _Lena_, ~~Anna~~-Lena, <b>Anna</b> <i>Lena</i>, `Anna` `Lena`, Anna:Lena",
        &[
            "Anna** Lena",
            "Anna _Lena",
            "Anna~~-Lena",
            "Anna</b> <i>Lena",
            "Anna` `Lena",
            "Anna:Lena",
        ],
    );
    finds(
        "Anna Lena",
        "> Anna\n> Lena, Anna\r\n> > Lena, Anna<!-- x --> Lena",
        &["Anna\n> Lena", "Anna\r\n> > Lena", "Anna<!-- x --> Lena"],
    );
    finds(
        "Anna Lena",
        "Anna > Lena, Anna: Lena, Anna<br> <br> <br> <br> <br> Lena, Anna < Lena",
        &[],
    );
    finds("Anna Lena", "Anna. Lena. Anna\n\nLena Anna, Lena anna lena", &["anna lena"]);
    let text = "Read with Anna. Lena reads, too.";
    assert_eq!(masked(&roster(&["Anna Lena"]), text), text, "two sentences");
    finds(
        "O'Brien",
        "O'Brien O\u{2019}Brien O\u{2BC}BRIEN Brien",
        &["O'Brien", "O\u{2019}Brien", "O\u{2BC}BRIEN"],
    );
    finds(
        "Maria de la Cruz",
        "Maria de la Cruz's MARIA DE LA CRUZ Maria De La cruz",
        &["Maria de la Cruz", "MARIA DE LA CRUZ", "Maria De La cruz"],
    );
    let both = roster(&["Anna", "Anna Lena", "Lena"]);
    let text = "Anna Lena and Lena and Anna";
    assert_eq!(found(&both, text, Scope::Prose), [("Anna Lena", 2), ("Lena", 3), ("Anna", 1)]);
}

#[test]
fn the_words_of_a_name_may_be_joined() {
    for text in [
        "AnnaLena",
        "Annalena",
        "annaLena",
        "ANNALena",
        "Anna.Lena",
        "Anna+Lena",
        "anna/lena",
        "anna_lena",
        "Anna%20Lena",
        "Anna%2BLena",
        "Anna%2520Lena",
        "Anna&#32;Lena",
        "Anna&amp;nbsp;Lena",
        "%2541nnaLena",
        "&amp;#65;nna.&amp;#x4C;ena",
        r"\u0041nna\u005fLena",
        r"Anna\\u005fLena",
        r"Anna\\nLena",
        r"\\\\u0041nna\\\\u0020Lena",
        r"Anna\u005cu0020Lena",
    ] {
        finds("Anna Lena", text, &[text]);
        finds("Anna Lena", &format!("Look at <https://a.b/?q={text}&x=%26>."), &[text]);
        finds("Anna Lena", &format!("{text}'s {text}"), &[text, text]);
        finds_in_file_name("Anna Lena", text, &[text]);
    }
    let unlike = ["Anna / Lena", "Anna++Lena", "AnnaLenax", "%252541nnalena"];
    finds("Anna Lena", &unlike.join(" "), &[]);
    finds("O'Brien", "OBrien obrien Obrien", &["OBrien", "obrien", "Obrien"]);
    finds(
        "Anna Lena",
        "annalena ANNALENA annalena2 AnnaLena2019 annalenas xannalena",
        &["annalena", "ANNALENA", "annalena", "AnnaLena", "annalena"],
    );
    finds_in_file_name("Anna Lena", "annalena-plan.md", &["annalena"]);
    finds("Rose May", "RoseMay roseMay rosemay", &["RoseMay"]);
    finds("~Rose Mary", "rosemary RoseMary", &["RoseMary"]);
    let both = roster(&["Anna", "Anna Lena"]);
    assert_eq!(found(&both, "AnnaLena AnnaPlan", Scope::Prose), [("AnnaLena", 2), ("Anna", 1)]);
}

#[test]
fn names_in_every_language() {
    for name in ["Zo\u{EB}", "Zoe\u{308}", "Zoe"] {
        let text = "Zo\u{EB} Zoe\u{308} ZO\u{CB} Zoe zo\u{EB}";
        finds(name, text, &["Zo\u{EB}", "Zoe\u{308}", "ZO\u{CB}", "Zoe", "zo\u{EB}"]);
    }
    finds("Ægir", "Ægir ÆGIR ægir Aegir xægir", &["Ægir", "ÆGIR", "ægir", "Aegir"]);
    finds("İpek", "İpek İPEK Ipek IPEK ipek", &["İpek", "İPEK", "Ipek", "IPEK", "ipek"]);
    finds("Işık", "Işık IŞIK ışık", &["Işık", "IŞIK", "ışık"]);
    finds("Łukasz", "Łukasz ŁUKASZ Lukasz", &["Łukasz", "ŁUKASZ", "Lukasz"]);
    finds("Großmann", "Großmann GROSSMANN", &["Großmann", "GROSSMANN"]);
    finds("Νίκος", "Νίκος ΝΊΚΟΣ νίκος Νικος", &["Νίκος", "ΝΊΚΟΣ", "νίκος", "Νικος"]);
    finds("Юля", "Юля ЮЛЯ юля Юляша", &["Юля", "ЮЛЯ", "юля"]);
    finds("Артём", "артём АРТЕМ Артемида", &["артём", "АРТЕМ"]);
    finds("小明", "今天小明去学校。小 明", &["小明"]);
    finds("민준", "민준이가 간다", &["민준"]);
    finds("さくら", "これはさくらです", &["さくら"]);
    finds("محمد", "قال محمد شيئا ومحمد", &["محمد"]);
    finds("नेहा", "आज नेहा आई", &["नेहा"]);
    finds("Kaʻiulani", "Ka'iulani Kaʻiulani", &["Ka'iulani", "Kaʻiulani"]);
    finds("Emma", "Ｅｍｍａ 𝐄𝐦𝐦𝐚", &["Ｅｍｍａ", "𝐄𝐦𝐦𝐚"]);
}

#[test]
fn nothing_invisible_hides_a_name() {
    finds("Emma", "E\u{200B}mm\u{AD}a", &["E\u{200B}mm\u{AD}a"]);
    finds("Emma", "x\u{200B}Emma\u{FE0F} and\u{2028}Emma", &["Emma", "Emma"]);
    finds("Zoë", "Zoe\u{200D}\u{308}", &["Zoe\u{200D}\u{308}"]);
    finds("Emma", "\u{FEFF}Emma", &["Emma"]);
    finds("Emma", "…Emma… — Emma—Emma \u{301}Emma", &["Emma"; 4]);
}

/// What looks like a name to a reader is one, however it is written.
#[test]
fn lookalikes_and_markup_hide_no_name() {
    for text in [
        "Zebediah",
        "zEbEdIaH",
        "Zébédiah",
        "Zebedi\u{430}h",
        "\u{396}eb\u{435}diah",
        "Z\u{336}ebediah",
        "**Zebe**diah",
        "Zebe*d*iah",
        "~~Zebe~~`diah`",
        "Zebe**_d_**iah",
        "<b>Zebe</b>diah",
        "Zebe<!-- -->diah",
        "Z%E9bediah",
        "\u{1B}[01;31m\u{1B}[Kzebe\u{1B}[mdiah",
        r"\u001b[31mzebe\x1b[0mdiah",
        "&#90;ebediah",
        "&#x005A;ebedi&#97;h",
        "Z&eacute;bediah",
        "Zebe&shy;diah",
        "Zebe**&#100;**iah",
        "Z%65bediah",
        "Z%C3%A9bediah",
        "%20Zebediah%20",
        r"Z\x65bediah",
        r"\u005a\U00000065b\u{65}diah",
        "Zebe\\\n   diah",
        r"Z&#101;b%65**d**\x69ah",
        r"\ud835\udd6bebediah",
    ] {
        let roster = roster(&["Zebediah"]);
        let text = format!("For {text}, at 8.");
        let found = found(&roster, &text, Scope::Prose);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_masked(&roster, &text);
    }
    for text in [
        "Zebe diah",
        "Zebe_diah",
        "Zebe* diah",
        "Zebe & diah",
        "Zebe<diah>",
        "&#0;",
        "&#;",
        "Zebe%20diah",
        r"Zebe\tdiah",
    ] {
        let names = roster(&["Zebediah"]);
        assert_eq!(found(&names, text, Scope::Prose), [], "{text}");
    }
}

#[test]
fn encoded_spaces_separate_the_words_of_a_name() {
    for text in
        ["Mary Jane", "Mary%20Jane", r"Mary\x20Jane", r"Mary\_Jane", r"Mary\-Jane", r"Mary\tJane"]
    {
        finds("Mary Jane", &format!("[plan]({text}.md)"), &[text]);
    }
}

#[test]
fn names_in_braces_do_not_count() {
    let text = "{{Emma}} {{ input.Emma }} {{Emma} Emma {{\nEmma}}";
    finds_only_outside(text, 3);
    finds_only_outside(&format!("{{{{{}Emma}}}}", " ".repeat(300)), 1);
}

fn finds_only_outside(text: &str, count: usize) {
    let roster = roster(&["Emma"]);
    assert_eq!(roster.find(text, Scope::Prose).len(), count, "{text}");
    assert!(!masked(&roster, text).contains("Emma"));
}

#[test]
fn names_of_files() {
    for text in ["emma-checkin", "my_emma.md", "EMMA.md", "emmaPlan", "MyEmmaPlan", "emma2.md"] {
        let roster = roster(&["Emma"]);
        let found = found(&roster, text, Scope::FileName);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].0.eq_ignore_ascii_case("emma"));
    }
    finds_in_file_name("Emma", "gemma-emmaus.md", &[]);
    finds_in_file_name(
        "Anna Lena",
        "anna-lena/annaLena/anna_lena.x/anna.lena",
        &["anna-lena", "annaLena", "anna_lena", "anna.lena"],
    );
    finds_in_file_name("Will", "will-plan.md/max-will.md", &[]);
    finds_in_file_name("~Will", "will-plan.md", &["will"]);
    finds_in_file_name("Will", "Will-plan.md/WillPlan", &["Will", "Will"]);
    finds_in_file_name("McKay", "mckay-plan/McKay", &["mckay", "McKay"]);
    finds_in_file_name("小明", "小明的计划.md", &["小明"]);
}

#[test]
fn masking_keeps_lines_and_characters() {
    let roster = roster(&["Emma", "Anna Lena", "Zoë", "小明", "Will"]);
    let text = "Emma's EMMA_PLAN emma {{Emma}}\nAnna\n lena zoe\u{308}Plan 小明 will Will";
    assert_eq!(
        masked(&roster, text),
        "****'s ****_PLAN **** {{****}}\n****\n **** ****Plan ** will ****",
    );
    assert_eq!(masked(&roster, "nothing here"), "nothing here");
    assert_eq!(masked(&Roster::default(), text), text);
}

#[test]
fn a_part_is_masked_as_in_its_text_and_keeps_its_bytes() {
    let roster = roster(&["Ottilie", "Zoë"]);
    let text = "for Ottilie and Zoë";
    assert_eq!(masked_part(&roster, text, Span::new(0, 8)), "for ****");
    assert_eq!(masked_part(&roster, text, Span::new(7, text.len())), "**** and **\u{B7}");
}

#[test]
fn nothing_shows_a_name_by_accident() {
    let name = Name::parse("Ottilie Marie").expect("a name");
    let (list, _) = List::parse("Ottilie Marie\n");
    let shown = format!("{name:?} {list:?} {:?}", list.roster());
    assert_eq!(shown, "Name O. M. (Uppercase) List of 1 Roster of 1");
}

#[test]
fn lists_are_read_and_written() {
    let text = "# ours\r\n\nOttilie  # the eldest\n~ Max\n  Anna   Lena\n";
    let (mut list, faults) = List::parse(text);
    assert_eq!(faults, []);
    let names: Vec<_> = list.names().map(|name| (name.initials(), name.case())).collect();
    let expected = [("O.", Case::Uppercase), ("M.", Case::Any), ("A. L.", Case::Uppercase)];
    assert_eq!(names, expected.map(|(initials, case)| (initials.to_owned(), case)));
    assert_eq!(list.number(&Name::parse("ANNA LENA").expect("a name")), Some(3));
    list.remove(&[2].into());
    assert_eq!(list.render(), "# ours\n\nOttilie  # the eldest\n  Anna   Lena\n");
}

#[test]
fn lines_that_are_no_names() {
    let long = "a".repeat(101);
    let text = format!("Ok\nx\n123\nEmma, Anna\n{long}\na\u{200B}\n🎉\n<b>Emma</b>\n");
    let (list, faults) = List::parse(&text);
    assert_eq!(list.len(), 1);
    let shown: Vec<String> = faults.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn a_list_has_an_end() {
    let text: String = (0..10_002).map(|_| "Ottilie\n").collect();
    let (list, faults) = List::parse(&text);
    assert_eq!(list.len(), 10_000);
    assert_eq!(faults[0].to_string(), "line 10001: more than 10000 names");
    assert_eq!(faults.len(), 1);
}

/// The obvious way to look for names: at every place, every name, every way to write it.
mod reference {
    /// One name: its words as they are written, and whether any case counts.
    pub(super) struct Plain<'a> {
        pub(super) words: &'a [&'a str],
        pub(super) any_case: bool,
    }

    /// The most bytes of a placeholder, braces included.
    const BRACES_BYTES_MAX: usize = 200;

    fn is_letter(c: Option<&char>) -> bool {
        c.is_some_and(|c| c.is_alphanumeric())
    }

    fn is_separator(c: char) -> bool {
        c.is_whitespace() || matches!(c, '-' | '\'' | '_')
    }

    fn is_joint(text: &[char], at: usize) -> bool {
        let [before, c] = text[at - 1..=at] else { return false };
        c.is_uppercase()
            && (!before.is_uppercase() || text.get(at + 1).is_some_and(|next| next.is_lowercase()))
    }

    fn is_written(word: &str, found: &str, any_case: bool, is_first: bool) -> bool {
        let title: String = word
            .chars()
            .enumerate()
            .flat_map(|(at, c)| match at {
                0 => c.to_uppercase().collect::<Vec<_>>(),
                _ => c.to_lowercase().collect(),
            })
            .collect();
        let is_plain = found == word && (!is_first || word.starts_with(char::is_uppercase));
        is_plain
            || found == title
            || found == word.to_uppercase()
            || any_case && found.to_lowercase() == word.to_lowercase()
    }

    /// The ends of a name that starts at a character.
    fn ends(text: &[char], start: usize, name: &Plain<'_>) -> Vec<usize> {
        let mut ends = vec![start];
        for (index, word) in name.words.iter().enumerate() {
            let length = word.chars().count();
            let mut next = Vec::new();
            for end in ends {
                let gaps = if index == 0 { 0..=0 } else { 0..=16 };
                for gap in gaps {
                    let from = end + gap;
                    let Some(between) = text.get(end..from) else { break };
                    let Some(found) = text.get(from..from + length) else { break };
                    let lines = between.iter().filter(|c| **c == '\n').count();
                    let found: String = found.iter().collect();
                    let is_initial = index > 0 && name.words[index - 1].chars().count() == 1;
                    let separates = |c: &char| is_separator(*c) || is_initial && *c == '.';
                    let is_separated = match between {
                        [] => index == 0 || is_joint(text, end) || index > 1 && ignores_case(name),
                        ['.' | '+' | '/' | ':'] => true,
                        _ => between.iter().all(separates),
                    };
                    if is_separated
                        && lines < 2
                        && is_written(word, &found, ignores_case(name), index == 0)
                    {
                        next.push(from + length);
                    }
                }
            }
            ends = next;
        }
        ends
    }

    /// Whether a name matches in any case, and in the plural: short ones are common words.
    fn ignores_case(name: &Plain<'_>) -> bool {
        name.any_case || name.words.iter().any(|word| word.chars().count() > 2)
    }

    /// Whether an end of a word may touch a character of another word.
    fn is_digit_beside(c: Option<&char>, name: &Plain<'_>) -> bool {
        ignores_case(name) && c.is_some_and(|c| c.is_numeric())
    }

    /// Whether a name may begin or end inside a word, at this character.
    fn is_joined(text: &[char], at: usize, name: &Plain<'_>) -> bool {
        ignores_case(name) && (1..text.len()).contains(&at) && is_joint(text, at)
    }

    fn is_whole(text: &[char], start: usize, end: usize, name: &Plain<'_>) -> bool {
        let before = start.checked_sub(1).and_then(|at| text.get(at));
        let escape = start.checked_sub(2).and_then(|at| text.get(at)) == Some(&'\\')
            && matches!(before, Some('n' | 'r' | 't'));
        let genitive = matches!(text.get(end), Some('s' | 'S')) && text.get(end + 1) == Some(&'\'');
        let plural = ignores_case(name)
            && matches!(text.get(end), Some('s' | 'S'))
            && (!is_letter(text.get(end + 1))
                || is_digit_beside(text.get(end + 1), name)
                || is_joined(text, end + 1, name));
        let contraction = text.get(end) == Some(&'\'')
            && matches!(text.get(end + 1), Some('t' | 'T'))
            && !is_letter(text.get(end + 2));
        let found: String = text[start..end].iter().collect();
        let constant = !ignores_case(name)
            && found == found.to_uppercase()
            && (text.get(end) == Some(&'_') && is_letter(text.get(end + 1))
                || before == Some(&'_')
                    && is_letter(start.checked_sub(2).and_then(|at| text.get(at))));
        (!is_letter(before)
            || escape
            || is_digit_beside(before, name)
            || is_joined(text, start, name))
            && (!is_letter(text.get(end))
                || is_joined(text, end, name)
                || is_digit_beside(text.get(end), name)
                || genitive
                || plural)
            && !contraction
            && !constant
    }

    fn is_in_braces(text: &[char], start: usize, end: usize) -> bool {
        let text: String = text.iter().collect::<String>();
        let byte = |at: usize| text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte);
        let (start, end) = (byte(start), byte(end));
        let mut from = 0;
        while let Some(at) = text[from..].find("{{").map(|at| from + at) {
            let limit = text.floor_char_boundary((at + BRACES_BYTES_MAX).min(text.len()));
            let line = text[at..limit].split(['\n', '\r']).next().unwrap_or_default();
            from = match line.find("}}").map(|length| at + length + 2) {
                Some(closed) if at <= start && end <= closed => return true,
                Some(closed) => closed,
                None => at + 1,
            };
        }
        false
    }

    /// The characters with the escapes decoded that occur here, each with its place.
    fn decoded(text: &[char]) -> Vec<(char, usize, usize)> {
        let (mut decoded, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let length = match text[at..] {
                ['\\', 'n' | 'r' | 't' | '_' | ' ', ..] => {
                    decoded.push((' ', at, at + 2));
                    2
                }
                ['%', '4', '1', ..] => {
                    decoded.push(('A', at, at + 3));
                    3
                }
                ['\\', 'x', '6', '2', ..] => {
                    decoded.push(('b', at, at + 4));
                    4
                }
                ['\\', '\n', ref rest @ ..] => 2 + blanks(rest),
                ['\\', '\r', '\n', ref rest @ ..] => 3 + blanks(rest),
                [c, ..] => {
                    decoded.push((c, at, at + 1));
                    1
                }
                [] => 1,
            };
            at += length;
        }
        decoded
    }

    fn blanks(text: &[char]) -> usize {
        text.iter().take(20).take_while(|c| **c == ' ').count()
    }

    /// The names in sentences: their first and last characters, and their numbers. An escape hides
    /// none.
    pub(super) fn find(text: &str, names: &[Plain<'_>]) -> Vec<(usize, usize, usize)> {
        let text: Vec<char> = text.chars().collect();
        let mut found = find_as_written(&text, names);
        let decoded = decoded(&text);
        let characters: Vec<char> = decoded.iter().map(|(c, ..)| *c).collect();
        let decoded_hits = find_as_written(&characters, names).into_iter();
        found.extend(
            decoded_hits.map(|(start, end, name)| (decoded[start].1, decoded[end - 1].2, name)),
        );
        found.sort_by_key(|(start, end, name)| (*start, std::cmp::Reverse(*end), *name));
        let mut free = 0;
        found.retain(|(start, end, _)| {
            let is_free = *start >= free;
            free = if is_free { *end } else { free };
            is_free
        });
        found.retain(|(start, end, _)| !is_in_braces(&text, *start, *end));
        found
    }

    /// The end of a name whose words are joined to one, in any case.
    fn joined_end(text: &[char], start: usize, name: &Plain<'_>) -> Option<usize> {
        let joined = name.words.concat();
        let end = start + joined.chars().count();
        let found: String = text.get(start..end)?.iter().collect();
        let is_joined = name.words.len() > 1 && ignores_case(name);
        let is_it = found.to_lowercase() == joined.to_lowercase();
        (is_joined && is_it).then_some(end)
    }

    fn find_as_written(text: &[char], names: &[Plain<'_>]) -> Vec<(usize, usize, usize)> {
        let (mut found, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let all = names.iter().enumerate().flat_map(|(index, name)| {
                let ends = ends(text, at, name).into_iter().chain(joined_end(text, at, name));
                ends.filter(|end| is_whole(text, at, *end, name)).map(move |end| (end, index))
            });
            let best = all
                .collect::<Vec<_>>()
                .into_iter()
                .max_by_key(|(end, index)| (*end, std::cmp::Reverse(*index)));
            match best {
                Some((end, index)) => {
                    found.push((at, end, index + 1));
                    at = end;
                }
                None => at += 1,
            }
        }
        found
    }
}

/// The list of names to search for, and the same for the reference.
const LIST: [&str; 7] = ["Ab", "Ab Sa", "~Ba", "Éb", "McAb", "Sa de Ba", "~É-Sa"];
const WORDS: [&[&str]; 7] =
    [&["Ab"], &["Ab", "Sa"], &["Ba"], &["Éb"], &["McAb"], &["Sa", "de", "Ba"], &["É", "Sa"]];

#[test]
fn a_name_that_nothing_could_match_is_rejected() {
    // Apostrophes, points of Hebrew, and a single letter beside an apostrophe.
    for name in ["\u{2BC}\u{2BC}", "\u{5B0}\u{5B1}", "\u{2BC}a"] {
        assert!(Name::parse(name).is_err(), "{name:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1_024, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn finds_what_the_reference_search_finds(text in names_and_their_surroundings()) {
        let plain: Vec<_> = WORDS.iter().zip(LIST).map(|(words, line)| reference::Plain {
            words,
            any_case: line.starts_with('~'),
        }).collect();
        let character = |byte: usize| text[..byte].chars().count();
        let hits = roster(&LIST).find(&text, Scope::Prose).into_iter();
        let hits: Vec<_> =
            hits.map(|hit| (character(hit.span.start), character(hit.span.end), hit.entry)).collect();
        prop_assert_eq!(hits, reference::find(&text, &plain), "{:?}", text);
    }

    #[test]
    fn every_name_that_is_accepted_can_be_searched_for(name in "[\\p{L}\\p{M}'\u{2BC}. -]{1,6}") {
        if let Ok(name) = Name::parse(&name) {
            let roster = Roster::new([&name]);
            assert_masked(&roster, &format!("for {} today", name.normal_form()));
        }
    }

    #[test]
    fn masks_whatever_any_scope_finds(text in anything()) {
        let roster = roster(&["Abo", "~Ba", "Éba", "小明", "Abo Sa", "Will"]);
        assert_masked(&roster, &text);
        let shown = masked(&roster, &text);
        prop_assert_eq!(shown.lines().count(), text.lines().count());
        // The characters that replace a name may end markup in the name before it.
        if !text.contains(['*', '`', '&', '<', '~']) {
            prop_assert_eq!(masked(&roster, &shown), shown);
        }
    }

    #[test]
    fn a_part_is_masked_like_the_whole(text in anything(), start in 0..60_usize, end in 0..60_usize) {
        let roster = roster(&["Abo", "~Ba", "Éba", "小明", "Abo Sa"]);
        let start = text.floor_char_boundary(start.min(text.len()));
        let end = text.floor_char_boundary(end.min(text.len())).max(start);
        let whole = masked_part(&roster, &text, Span::new(0, text.len()));
        prop_assert_eq!(whole.len(), text.len());
        prop_assert_eq!(masked_part(&roster, &text, Span::new(start, end)), &whole[start..end]);
    }
}

fn names_and_their_surroundings() -> impl Strategy<Value = String> {
    const PIECES: [&str; 48] = [
        "+",
        "/",
        "Ab",
        "AB",
        "ab",
        "Sa",
        "SA",
        "sa",
        "Ba",
        "ba",
        "BA",
        "bA",
        "Éb",
        "ÉB",
        "éb",
        "McAb",
        "MCAB",
        "Mcab",
        "de",
        "É",
        "é",
        "s",
        "S",
        "t",
        "n",
        "x",
        "X",
        "2",
        "'",
        "-",
        "_",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\\",
        "\\n",
        ".",
        "{{",
        "}}",
        "{",
        "—",
        "%41",
        "\\x62",
        ", ",
        ":",
        "\n\n",
        // Longer than what is between two passages that are searched as one.
        ", a sentence in which there is nobody, and that is neither short nor of interest, ",
    ];
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24).prop_map(|all| all.concat())
}

fn anything() -> impl Strategy<Value = String> {
    const PIECES: [&str; 32] = [
        "Abo",
        "abo",
        "ABO",
        "\u{410}b\u{43E}",
        "A**b**o",
        "&#65;bo",
        "&shy;",
        "**",
        "`",
        "&",
        "é",
        "Ba",
        "Éba",
        "E\u{301}ba",
        "小明",
        "小",
        "Will",
        "will",
        "\u{200B}",
        "\u{FE0F}",
        "\u{301}",
        "…",
        "ﬁ",
        " ",
        "\n",
        "_",
        "'s",
        "s'",
        "2",
        "\u{2028}",
        "가",
        "\u{FEFF}",
    ];
    let piece = prop_oneof![
        8 => prop::sample::select(&PIECES[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|all| all.concat())
}
