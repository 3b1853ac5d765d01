//! Words that are probably names of children in what a parent types.

use dibber_skill::names::likely_names;

fn found(text: &str) -> Vec<&str> {
    likely_names(text).into_iter().map(|span| &text[span.range()]).collect()
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
