//! No text in a file can break a report, or do anything to a terminal.

use dibber_lint::report::{Color, FORMATS, Problem, Style};
use dibber_skill::diagnostic::{Applicability, Diagnostic, Excerpt, Range};
use dibber_text::{Source, Span, is_invisible, is_terminal_control};
use proptest::prelude::*;

use crate::lint::reports::{PLAIN, diagnostic, fix, parse, report};

/// Characters that break something somewhere, and all others.
fn text() -> impl Strategy<Value = String> {
    let special = "\n\r\t\0\u{1B}\u{7F}\u{9B}%:,;<>&\"'[](){}\\#`~\u{200B}\u{202E}\u{2028}\
         \u{E0041}\u{FFFE}\u{FFFF}\u{FEFF}漢é\u{301}👩\u{200D} ab";
    let special: Vec<char> = special.chars().collect();
    let c = prop_oneof![3 => prop::sample::select(special), 1 => any::<char>()];
    prop::collection::vec(c, 0..80).prop_map(|chars| chars.into_iter().collect())
}

/// A finding with any strings and any spans, valid or not.
fn any_finding() -> impl Strategy<Value = Diagnostic> {
    let offsets = prop::collection::vec((0..200_usize, 0..90_usize), 3);
    let texts = prop::collection::vec(text(), 5);
    (texts, offsets, 0..3_usize, 1..900_usize).prop_map(|(texts, offsets, repeat, column)| {
        let [path, message, note, label, excerpt] = &texts[..] else { panic!("five texts") };
        let excerpt = excerpt.repeat(1 << (repeat * 3));
        let mut finding = diagnostic(path, &excerpt, message);
        let source = Source::new("", excerpt.clone());
        let range = |(start, length): (usize, usize)| {
            let start = excerpt.floor_char_boundary(start.min(excerpt.len()));
            let end = excerpt.floor_char_boundary((start + length).min(excerpt.len()));
            Range::new(&source, Span::new(start, end))
        };
        finding.range = Some(range(offsets[0]));
        finding.labels =
            vec![(range(offsets[1]), label.clone()), (range(offsets[2]), String::new())];
        finding.note = Some(note.clone());
        finding.help = Some(label.clone());
        finding.excerpt = Some(Excerpt { text: excerpt, line: 1, column, offset: 0 });
        finding.fix = Some(fix(Applicability::Safe, note, Span::new(0, 1), label));
        finding
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_a_format(finding in any_finding(), width in 0..200_usize) {
        let problem = Problem { path: finding.path.clone(), message: finding.message.clone() };
        let findings = [finding.clone(), finding];
        let problems = [problem];
        for format in FORMATS {
            let style = Style { color: Color::Never, width };
            let report = report(format.name, style, &findings, &problems);
            let is_control = |c: char| c != '\n' && is_terminal_control(c);
            prop_assert!(!report.contains(is_control), "{}: {:?}", format.name, report);
            prop_assert!(!report.contains(is_invisible), "{}", format.name);
        }
        for format in ["json", "sarif", "gitlab"] {
            parse(&report(format, PLAIN, &findings, &problems));
        }
        check_xml(&report("junit", PLAIN, &findings, &problems));
        let lines = report("github", PLAIN, &findings, &problems);
        prop_assert_eq!(lines.lines().count(), 3);
        prop_assert!(lines.lines().all(|line| line.starts_with("::")));
        prop_assert_eq!(report("concise", PLAIN, &findings, &problems).lines().count(), 2);
        let colored = report("human", Style { color: Color::Always, width }, &findings, &problems);
        check_colors(&colored);
        let plain = report("human", Style { color: Color::Never, width }, &findings, &problems);
        prop_assert_eq!(without_colors(&colored), plain);
    }
}

/// Checks that the only escape codes are those for colour.
fn check_colors(report: &str) {
    for code in report.split('\u{1B}').skip(1) {
        let (numbers, _) = code.split_once('m').expect("the end of a code");
        let numbers = numbers.strip_prefix('[').expect("the start of a code");
        assert!(numbers.chars().all(|c| c.is_ascii_digit() || c == ';'), "{numbers}");
    }
}

fn without_colors(report: &str) -> String {
    let mut parts = report.split('\u{1B}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain += part.split_once('m').expect("the end of a code").1;
    }
    plain
}

/// Checks that tags are balanced, attributes quoted, and characters allowed (XML 1.0, `Char`).
pub(crate) fn check_xml(xml: &str) {
    let allowed = |c: char| matches!(c, '\n' | ' '..='\u{7E}' | '\u{A0}'..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}');
    assert_eq!(xml.chars().find(|c| !allowed(*c)), None, "{xml}");
    let mut rest = xml.split_once("?>").expect("a declaration").1;
    let mut open = Vec::new();
    while let Some((text, after)) = rest.split_once('<') {
        check_text(text);
        let (tag, after) = after.split_once('>').expect("a closed tag");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{xml}");
            continue;
        }
        let quotes = tag.split('"').collect::<Vec<_>>();
        assert_eq!(quotes.len() % 2, 1, "{tag}");
        quotes.iter().skip(1).step_by(2).for_each(|value| check_text(value));
        let name = tag.split([' ', '/']).next().expect("a name");
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert_eq!(rest, "\n");
}

fn check_text(text: &str) {
    assert!(!text.contains(['<', '>', '\'']), "{text}");
    for (at, _) in text.match_indices('&') {
        let name = text[at + 1..].split(';').next().expect("a name");
        assert!(["lt", "gt", "amp", "quot", "apos"].contains(&name), "{text}");
    }
}
