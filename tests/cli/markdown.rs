//! Markdown that is shown in a terminal.

use dibber::cli::term::{columns, render_markdown};
use dibber_lint::report::{Color, Style};
use dibber_text::is_terminal_control;
use proptest::prelude::*;

/// Every kind of element that a guide contains.
const GUIDE: &str = "# A guide\n\nFirst **read** it, then *write* what you `mean_by` it; see \
    [the rules](https://example.com/rules) and [below](#below), or <https://example.com>.\nThe \
    same paragraph.\n\n## Below\n\n1. One, which is told in so many words that they take more than \
    a line of a narrow terminal.\n2. Two\n   - two and a bit\n   - `code` in it\n\n   More of two.\n\
    3. Three:\n\n   ```json\n   {\"name\": \"a\",\n\n    \"b\": 1}\n   ```\n\n### Deeper\n\n> A word \
    of advice, which is moved in.\n\n- [ ] a\n- b\n\n| field | what it is |\n|---|---|\n| `name` | \
    The label under which the family finds the skill, told at length so that it goes on in a \
    second line |\n| x | **short** |\n\n```\nleft as it is, however long the line of code may be, \
    since it is there to be copied as a whole\n```\n\n---\n\n<b>not</b> HTML<br>\n\nhard  \nbreak\n";

#[test]
fn a_guide() {
    let style = Style { color: Color::Never, width: 80 };
    insta::assert_snapshot!("markdown", render_markdown(GUIDE, style));
}

#[test]
fn a_guide_in_a_narrow_terminal() {
    let style = Style { color: Color::Never, width: 40 };
    insta::assert_snapshot!("markdown-narrow", render_markdown(GUIDE, style));
}

#[test]
fn a_guide_in_colour() {
    let text = "# A *guide*\n\nOne `code` **word** in a line that is broken in the **midst of \
                what is bold**, so.\n";
    let shown = render_markdown(text, Style { color: Color::Always, width: 60 });
    insta::assert_snapshot!("markdown-in-color", shown.escape_debug());
}

#[test]
fn nothing_of_it_reaches_the_terminal() {
    let text = "# \u{1B}[31mred\n\n`\u{1B}]0;title\u{7}` &#27;[2J [x](http://a\u{202E}b)\n\n```\n\
                \u{1B}[1A\u{9B}2J\r\n```\n\n|\u{1B}c|\n|-|\n|\u{200B}|\n";
    let shown = render_markdown(text, Style { color: Color::Never, width: 80 });
    insta::assert_snapshot!("markdown-hostile", shown);
}

#[test]
fn deep_nesting_ends() {
    for text in ["> ".repeat(20_000), "- ".repeat(20_000), "[".repeat(50_000), "*a ".repeat(50_000)]
    {
        let shown = render_markdown(&(text + "end"), Style { color: Color::Never, width: 80 });
        assert!(shown.contains("end"));
    }
}

proptest! {
    #[test]
    fn any_text_is_shown(
        text in r"([a-z `*_>#|\[\]()1.\n-]|\t|\x1B|é|漢|\u{202E}){0,200}",
        width in 40_usize..120,
    ) {
        let shown = render_markdown(&text, Style { color: Color::Never, width });
        prop_assert!(!shown.chars().any(|c| is_terminal_control(c) && c != '\n' && c != '\t'));
        // What can be broken is broken: only code and long words pass the width.
        for line in shown.lines().filter(|line| columns(line) > width) {
            let longest = line.split(' ').map(columns).max().unwrap_or_default();
            prop_assert!(longest > width / 3 || line.starts_with("      "), "{line}");
        }
    }

    #[test]
    fn every_word_is_there(words in prop::collection::vec("[a-z]{1,12}", 1..60)) {
        let shown = render_markdown(&words.join(" "), Style { color: Color::Never, width: 40 });
        prop_assert_eq!(shown.split_whitespace().collect::<Vec<_>>(), words);
    }
}
