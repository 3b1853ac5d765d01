//! Addresses that a browser may be sent back to, and the tricks that others try.

use dibber_authorization::{RedirectUri, RedirectUriError};
use proptest::prelude::*;

fn parse(text: &str) -> Result<RedirectUri, RedirectUriError> {
    RedirectUri::parse(text)
}

fn may_answer(requested: &str, registered: &str) -> bool {
    match (parse(requested), parse(registered)) {
        (Ok(requested), Ok(registered)) => requested.is(&registered),
        _ => false,
    }
}

#[test]
fn addresses_of_sites_and_programs_are_accepted() {
    for text in [
        "https://planner.example/back",
        "https://planner.example:8443/back?a=1&b=2",
        "http://127.0.0.1/back",
        "http://127.0.0.1:49152/",
        "http://[::1]:8080/back",
        "http://localhost:3000/oauth/callback",
        "com.example.planner:/back",
        "cursor://anysphere.cursor-mcp/oauth/callback",
    ] {
        assert!(parse(text).is_ok(), "{text}");
    }
}

#[test]
fn others_are_refused() {
    use RedirectUriError::{Fragment, NotEncrypted, Scheme, Syntax, User};
    for (text, expected) in [
        ("https://planner.example/back#x", Fragment),
        ("https://planner.example@evil.example/back", User),
        ("http://127.0.0.1:80@evil.example/", User),
        ("http://planner.example/back", NotEncrypted),
        ("http://localhost.evil.example/back", NotEncrypted),
        ("http://127.0.0.1.evil.example/back", NotEncrypted),
        ("http://127.1/back", NotEncrypted),
        ("http://0x7f000001/back", NotEncrypted),
        ("http://[::1].evil.example/", NotEncrypted),
        ("http://127.0.0.1:x/", NotEncrypted),
        ("http://127.0.0.1:99999/", NotEncrypted),
        ("http:/127.0.0.1/", Syntax),
        ("https:back", Syntax),
        ("https:///back", Syntax),
        ("https://planner.example;script-src/back", Syntax),
        ("https://planner.example\\@evil.example/", Syntax),
        ("https://planner.example/a b", Syntax),
        ("https://pl\u{e4}nner.example/", Syntax),
        ("HTTPS://planner.example/", Syntax),
        ("/back", Syntax),
        ("javascript:alert(1)", Scheme),
        ("data:text/html,x", Scheme),
        ("file:///etc/passwd", Scheme),
        ("urn:ietf:wg:oauth:2.0:oob", Scheme),
    ] {
        assert_eq!(parse(text), Err(expected), "{text}");
    }
    let long = format!("https://planner.example/{}", "a".repeat(3000));
    assert_eq!(parse(&long), Err(RedirectUriError::Length));
}

#[test]
fn only_the_port_of_a_loopback_address_may_be_another_one() {
    for (requested, registered, expected) in [
        ("http://127.0.0.1:5000/back", "http://127.0.0.1/back", true),
        ("http://127.0.0.1:5000/back", "http://127.0.0.1:6000/back", true),
        ("http://[::1]:5000/back", "http://[::1]/back", true),
        ("http://localhost:5000/back?x=1", "http://localhost/back?x=1", true),
        ("http://127.0.0.1:5000/other", "http://127.0.0.1:5000/back", false),
        ("http://127.0.0.1:5000/back?x=1", "http://127.0.0.1:5000/back", false),
        ("http://localhost:5000/back", "http://127.0.0.1/back", false),
        ("https://planner.example:444/back", "https://planner.example/back", false),
        ("https://planner.example/back/", "https://planner.example/back", false),
        ("https://planner.example/back/..", "https://planner.example/back", false),
        ("https://Planner.example/back", "https://planner.example/back", false),
        ("https://planner.example/b%61ck", "https://planner.example/back", false),
        ("com.example.planner:/back", "com.example.planner:/back", true),
    ] {
        assert_eq!(may_answer(requested, registered), expected, "{requested} for {registered}");
    }
}

#[test]
fn the_answer_is_added_to_the_query() {
    let added = |text| parse(text).expect(text).with_parameters(&[("code", "a&b=c")]);
    assert_eq!(added("https://a.example/"), "https://a.example/?code=a%26b%3Dc");
    assert_eq!(added("https://a.example/?x=1"), "https://a.example/?x=1&code=a%26b%3Dc");
    assert_eq!(added("https://a.example/?"), "https://a.example/?code=a%26b%3Dc");
}

proptest! {
    /// Whatever is requested, an address of a site is answered only if it is the registered one.
    #[test]
    fn a_site_is_compared_character_by_character(path in "[ -~]{0,12}") {
        let requested = format!("https://planner.example/{path}");
        let is_same = path == "back";
        prop_assert_eq!(may_answer(&requested, "https://planner.example/back"), is_same);
    }

    /// What is accepted for `http` has a loopback host for every reader of the URL.
    #[test]
    fn http_is_this_computer(rest in "[a-z0-9.:@/\\[\\]%-]{1,24}") {
        if let Ok(accepted) = parse(&format!("http://{rest}")) {
            prop_assert!(["127.0.0.1", "[::1]", "localhost"].contains(&accepted.host()));
            let after = &accepted.as_str()["http://".len() + accepted.host().len()..];
            prop_assert!(after.is_empty() || after.starts_with([':', '/', '?']));
        }
    }
}
