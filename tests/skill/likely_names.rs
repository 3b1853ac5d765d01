//! Words that are probably names of children in what a parent types.

use dibber_skill::names::{LikelyName, likely_names, likely_names_for_whom};

fn found(text: &str) -> Vec<&str> {
    likely_names(text).into_iter().map(|name| &text[name.span.range()]).collect()
}

fn found_for_whom(text: &str) -> Vec<&str> {
    likely_names_for_whom(text).into_iter().map(|name| &text[name.span.range()]).collect()
}

#[test]
fn names_after_words_that_are_before_names() {
    for (text, expected) in [
        ("a bedtime story for Jay", &["Jay"][..]),
        ("a bedtime story for Jay, about owls", &["Jay"]),
        ("for my daughter Mia", &["Mia"]),
        ("my twins Mia and Jay", &["Mia", "Jay"]),
        ("for Jay, Mia & Zoë", &["Jay", "Mia", "Zoë"]),
        ("tell Jay a story", &["Jay"]),
        ("a story in which Jay flies", &["Jay"]),
        ("Tell Jay's favourite story", &["Jay"]),
        ("Help Mia with homework", &["Mia"]),
        ("Practise reading with Anna-Lena McKay", &["Anna-Lena McKay"]),
        ("A story. It is for Jay.", &["Jay"]),
        ("for my son August", &["August"]),
        ("a boy called Max", &["Max"]),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn names_before_ages_and_in_the_genitive() {
    for (text, expected) in [
        ("Jay, six years old", &["Jay"][..]),
        ("Jay (6)", &["Jay"]),
        ("Jay is 6", &["Jay"]),
        ("Mia, who is seven", &["Mia"]),
        ("Mia, 6-year-old", &["Mia"]),
        ("Jay’s bedtime", &["Jay"]),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn words_that_are_no_names() {
    for text in [
        "",
        "Bedtime story",
        "for kids",
        "a story for Kids",
        "with Grandma and Grandpa",
        "for Christmas, for Monday and for English",
        "Help with Maths",
        "Mother's Day",
        "Valentine's day",
        "Today's plan. Let's go. What's new?",
        "to NASA",
        "Ten minutes, six times",
        "for 5 minutes",
        "Practise German, 10 minutes a day",
        "my son's Science project",
        "A story and Nothing else",
        "gives hints for it. Use it when homework is due",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}

#[test]
fn a_long_list_has_an_end() {
    assert_eq!(found(&"for Jay. ".repeat(50)).len(), 4);
}

/// The capitalized words before a name belong to it, also at the beginning of an answer.
#[test]
fn whole_names() {
    for (text, expected) in [
        ("Ava Smith, 6", &["Ava Smith"][..]),
        ("Noor O’Brien (6)", &["Noor O’Brien"]),
        ("Kai O'Brien, who is six", &["Kai O'Brien"]),
        ("Lia O'Brien's story", &["Lia O'Brien"]),
        ("April Jones, 6, and Mia van Dyck, 7", &["April Jones", "Mia van Dyck"]),
        ("Tell Lia O'Brien's story", &["Lia O'Brien"]),
        ("Practise Mia's words", &["Mia"]),
        ("Tells Jay's favourite story. Use it when Jay is in bed.", &["Jay", "Jay"]),
        ("My Lia's story", &["Lia"]),
        ("on Monday Mia's turn", &["Mia"]),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

/// Where a sentence begins, any word is capitalized; the part that is a name is known as well.
#[test]
fn names_with_unclear_limits() {
    let parts = |names: Vec<LikelyName>, text: &'static str| -> Vec<_> {
        let part = |name: &LikelyName| Some(&text[name.part?.range()]);
        names.iter().map(part).collect()
    };
    let general = |text| parts(likely_names(text), text);
    assert_eq!(general("Recite Mia's poem"), [Some("Mia")]);
    assert_eq!(general("a poem, then Ava Smith, 6"), [None]);
    assert_eq!(general("for Ava Smith"), [None]);
    let for_whom = |text| parts(likely_names_for_whom(text), text);
    assert_eq!(for_whom("mia o'brien"), [Some("mia")]);
    assert_eq!(for_whom("Ava Smith, 6"), [None]);
}

#[test]
fn names_after_words_that_address_them() {
    for (text, name) in [
        ("our Bea", "Bea"),
        ("a story for my Lia", "Lia"),
        ("our Zoë", "Zoë"),
        ("little Finn", "Finn"),
        ("our little Tess", "Tess"),
        ("dear Ada", "Ada"),
        ("sweet Ida", "Ida"),
        ("Our Bea learns to read", "Bea"),
    ] {
        assert_eq!(found(text), [name], "{text}");
        assert_eq!(found_for_whom(text), [name], "{text}");
    }
    assert_eq!(found("Our Weekly Plan"), [""; 0]);
}

#[test]
fn names_in_the_answer_for_whom() {
    for (text, expected) in [
        ("for jay, who is 6", &["jay"][..]),
        ("a story for emma, who is 6", &["emma"]),
        ("a story for emma", &["emma"]),
        ("my daughter emma", &["emma"]),
        ("my daughter, emma", &["emma"]),
        ("my son d'arcy", &["d'arcy"]),
        ("emma and jay", &["emma", "jay"]),
        ("emma & jay, 4 and 6", &["emma", "jay"]),
        ("my wife and jay", &["jay"]),
        ("my kid jay o'brien", &["jay o'brien"]),
        ("mia o'brien", &["mia o'brien"]),
        ("jay, 6", &["jay"]),
        ("emma sleeps badly", &["emma"]),
        ("a girl called zoe", &["zoe"]),
        ("my kids, jay and mia", &["jay", "mia"]),
        ("emma, mia, tom, lea, ida and ben", &["emma", "mia", "tom", "lea", "ida", "ben"]),
        ("Ava Smith, 6", &["Ava Smith"]),
        ("Ava loves horses", &["Ava"]),
        ("My boy Will", &["Will"]),
        ("my daughter (Mia)", &["Mia"]),
        ("our son Otto", &["Otto"]),
        ("June, who is 6", &["June"]),
        ("Little Finn and big Tom", &["Finn", "Tom"]),
        ("JAY and his friends", &["JAY"]),
    ] {
        assert_eq!(found_for_whom(text), expected, "{text}");
    }
}

/// A question about a word that is no name is a nuisance.
#[test]
fn ordinary_answers_for_whom() {
    for text in [
        "my two kids",
        "My kids, who are 4 and 6",
        "a class of ten-year-olds",
        "children who love dinosaurs",
        "my six year old",
        "my six-year-old daughter",
        "kids aged 4 to 6",
        "the whole family",
        "me",
        "our dog",
        "second graders",
        "Second Graders",
        "beginners in maths",
        "Beginners",
        "everyone",
        "everyone in the house",
        "my son and his friends",
        "my daughter, who is six",
        "my daughter's class",
        "my son's football team",
        "the twins",
        "toddlers",
        "preschoolers, 4-5",
        "pre-schoolers",
        "grown-ups",
        "all of us",
        "both of my children",
        "just me",
        "it's for my wife",
        "for the parents",
        "the children of the family",
        "a shy 8 year old",
        "my oldest",
        "my youngest child",
        "kids who don't like to read",
        "curious kids",
        "bilingual children",
        "dinosaur fans",
        "a group of scouts",
        "students in third grade",
        "my husband and me",
        "families with small children",
        "someone who can't sleep",
        "boys and girls",
        "my daughter loves horses",
        "my son needs help with homework",
        "teenagers learning German",
        "first graders and their parents",
        "grandma and grandpa",
        "anyone who wants to play",
        "A child at Christmas",
        "us",
        "the little ones",
        "my little girl",
        "my nephews",
        "kids with ADHD",
        "early readers",
        "a five-year-old who is afraid of the dark",
        "children between 5 and 8 years",
    ] {
        assert_eq!(found_for_whom(text), [""; 0], "{text}");
    }
}
