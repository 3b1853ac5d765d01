//! Secrets in encoded form.

use dibber_skill::scan::secrets::{self, Secret};
use dibber_text::{DecodedText, Span};
use proptest::prelude::*;

/// The pieces of a text: those of secrets, joined at run time, so that scanners do not report this
/// file; encoded characters; and what is between them.
fn piece() -> impl Strategy<Value = String> {
    let token = ["ghp", "_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat();
    let key = ["AKIA", "Q4PX7MNZB2LD6WTV"].concat();
    let escaped = token.replace('_', "%5F");
    let halves = [token.split_at(20), key.split_at(9), escaped.split_at(25)];
    let halves = halves.into_iter().flat_map(|(first, second)| {
        [first.to_owned(), second.to_owned(), format!("{first}{second}")]
    });
    let encoded = ["%41", "\\u0041", "\\x5f", "\\n", "\\/", "%20", "\\t", "\\\n", "%", "\\"];
    let invisible = ["&#95;", "&amp;#95;", "%255f", "\u{200B}", "\u{AD}", "&shy;", "\u{FE0F}", "&"];
    let others = ["a", "_", "-", " ", "\n", ".", "é", "ghp", "AK", "IA", "eyJ"];
    // Longer than any anchor, so that what surrounds one escape does not meet the next.
    let far = ["words that are longer than twice the longest anchor of a format"];
    let short = encoded.into_iter().chain(invisible).chain(others).chain(far).map(str::to_owned);
    prop::sample::select(halves.chain(short).collect::<Vec<_>>())
}

/// Replaces what encoded and invisible characters begin with, byte for byte.
fn as_written(text: &str) -> String {
    let text = text.replace(['%', '\\', '&'], "|");
    text.replace(['\u{200B}', '\u{FE0F}'], "|||").replace('\u{AD}', "||")
}

#[test]
fn secrets_with_references_or_invisible_characters_inside() {
    let token = ["ghp", "_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat();
    let (start, end) = token.split_at(17);
    let written = [
        token.replace('_', "&#95;"),
        token.replace('_', "&lowbar;"),
        token.replace('_', "&amp;#x5f;"),
        token.replace('_', "%255f"),
        token.replace('h', "h\u{200B}"),
        token.replace("gh", "g&#104;"),
        format!("{start}\u{200B}{end}"),
        format!("{start}\u{AD}\u{2060}{end}"),
        format!("{start}&shy;{end}"),
        format!("{start}&#8203;{end}"),
        token.chars().flat_map(|c| [c, '\u{AD}']).collect(),
    ];
    for text in written {
        let text = format!("Use {text} here.");
        let found = secrets::find(&text);
        assert_eq!(found.len(), 1, "{text}");
        let masked = secrets::mask(&text, 0, &found);
        assert!(!masked.contains("17") && masked.ends_with(" here."), "{masked}");
        assert_eq!(masked.chars().count(), text.chars().count());
    }
}

/// What is beside a token, and what a terminal or an editor puts into it, does not hide it.
#[test]
fn the_secret_half_of_an_aws_key_is_found_after_the_name_of_its_setting() {
    let secret = ["7VIrxaR7kQfWv52u", "vEgoqiXnLAC1lIAYJRfza0hW"].concat();
    for before in [
        "export AWS_SECRET_ACCESS_KEY=",
        "aws_secret_access_key = \"",
        "\"SecretAccessKey\": \"",
        "set `AWS_SECRET_ACCESS_KEY` to `AWS_SECRET_ACCESS_KEY=",
    ] {
        let text = format!("{before}{secret}\" here.");
        let found = secrets::find(&text);
        assert_eq!(found.len(), 1, "{text}");
        let masked = secrets::mask(&text, 0, &found);
        assert_eq!(masked, format!("{before}{}\" here.", "*".repeat(secret.len())));
    }
    let example = ["wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY"].concat();
    for text in [
        format!("AWS_SECRET_ACCESS_KEY={example}"),
        format!("AWS_SECRET_ACCESS_KEY={secret}1"),
        format!("AWS_SECRET_ACCESS_KEY={}", &secret[1..]),
        format!("AWS_SECRET_ACCESS_KEY_{secret}"),
        format!("AWS_SECRET_ACCESS_KEY=${{{{ secrets.KEY }}}} {secret}"),
        format!("the commit {secret}"),
    ] {
        assert_eq!(secrets::find(&text), [], "{text}");
    }
}

/// A sequence in DER of the right length; its second line begins as a comment does.
const KEY_LINES: [&str; 3] = [
    "MHaCtw7ufxpQOb7wfsI0fwZu0I9dx1EkR+NAQwACa25UVZSgZWhdZMSYC7jUVEqH",
    "///+IamaAa0hnrWc9qFe9vFaHYMLt84J1rvABOcXXGQ8feywtYDsN7yXEt0uaq65",
    "S66NL5+inFooTJ73UhgpzxB5sIDp10oc",
];

#[test]
fn private_keys_in_quotes_and_comments() {
    let (begin, end) = (["-----BEGIN ", "PRIVATE KEY-----"].concat(), "-----END PRIVATE KEY-----");
    for prefix in ["", "> ", ">", "> > ", "# ", "// ", "//", " * ", "    ", "-- ", "- ", "+", "| "]
    {
        for blank in ["", prefix] {
            let lines = KEY_LINES.join(&format!("\n{prefix}"));
            let text = format!(
                "a\n{prefix}{begin}\n{blank}\n{prefix}{lines}\n{prefix}\n{prefix}{end}\n{prefix}b"
            );
            let found = secrets::find(&text);
            assert_eq!(found.len(), 1, "{text}");
            let masked = secrets::mask(&text, 0, &found);
            assert!(KEY_LINES.iter().all(|line| !masked.contains(&line[..8])), "{masked}");
            assert!(masked.starts_with("a\n") && masked.ends_with('b'), "{masked}");
            // What is not whole is no key.
            let part = text.replace(KEY_LINES[1], &KEY_LINES[1][3..]);
            assert_eq!(secrets::find(&part), [], "{part}");
        }
    }
    let escaped = format!("{{\"key\": \"{begin}\\n{}\\n{end}\\n\"}}", KEY_LINES.join("\\n"));
    assert_eq!(secrets::find(&escaped).len(), 1, "{escaped}");
}

#[test]
fn the_tokens_of_dibber() {
    let digits = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    let text = format!("export DIBBER_TOKEN=dib_{digits}");
    let found = secrets::find(&text);
    let masked = secrets::mask(&text, 0, &found);
    assert_eq!(masked, format!("export DIBBER_TOKEN=dib_{}", "*".repeat(64)));
}

#[test]
fn secrets_in_coloured_and_escaped_text() {
    let token = ["ghp", "_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat();
    let key = ["AKIA", "Q4PX7MNZB2LD6WTV"].concat();
    let full_width = |c: char| char::from_u32(u32::from(c) + 0xFEE0).expect("a character");
    for secret in [&token, &key] {
        let (start, end) = secret.split_at(4);
        let written = [
            format!("\u{1B}[31m{secret}\u{1B}[0m"),
            format!("INFO\u{1B}[1;31m{secret}"),
            format!("\\u001b[31m{secret}\\u001b[39m"),
            format!("\\x1b[38;5;196m{secret}"),
            format!("^[[31m{secret}"),
            format!("\u{1B}[01;31m\u{1B}[K{start}\u{1B}[m\u{1B}[K{end}"),
            format!("\\u001b[1m{start}\\u001b[0m{end}"),
            secret.replace('_', "\\_"),
            secret.chars().map(full_width).collect(),
            format!("{secret}and"),
            format!("{secret}Q7"),
            format!("{secret}_x"),
        ];
        for text in written {
            let text = format!("Use {text} here.");
            let found = secrets::find(&text);
            assert_eq!(found.len(), 1, "{text:?}");
            let masked = secrets::mask(&text, 0, &found);
            assert!(!masked.contains(&end[8..]) && masked.ends_with(" here."), "{masked:?}");
            assert_eq!(masked.len(), text.len());
        }
    }
    let (start, _) = key.split_at(19);
    for text in [start.to_owned(), format!("x{key}"), format!("[3am{key}"), format!("m{key}")] {
        assert_eq!(secrets::find(&text), [], "{text}");
    }
}

fn masked_bytes(text: &str, spans: impl Iterator<Item = Span>) -> Vec<bool> {
    let mut masked = vec![false; text.len()];
    spans.for_each(|span| masked[span.range()].fill(true));
    masked
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 512, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// The search decodes only what may matter. It finds what is found in the text in which nothing
    /// is encoded, and in the decoded text.
    #[test]
    fn finds_what_is_in_the_whole_decoded_text(
        pieces in prop::collection::vec(piece(), 0..16),
    ) {
        let text = pieces.concat();
        let plain = as_written(&text);
        let mut expected: Vec<Span> = secrets::find(&plain).iter().map(|found| found.masked).collect();
        if let Some(decoded) = DecodedText::decode(&text) {
            // What is left may look encoded, and is not decoded again.
            let plain = as_written(decoded.text());
            let place = |found: &Secret| decoded.original(found.masked);
            expected.extend(secrets::find(&plain).iter().map(place));
        }
        let found = secrets::find(&text);
        prop_assert_eq!(
            masked_bytes(&text, found.iter().map(|secret| secret.masked)),
            masked_bytes(&text, expected.into_iter()),
            "{:?}", text
        );
    }
}
