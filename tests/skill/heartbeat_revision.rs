//! Heartbeats that are added to a `sprout.yaml`.

use dibber_skill::contract::MissedFires;
use dibber_skill::manifest::{self, MANIFEST_FILE_NAME};
use dibber_skill::revision::{HeartbeatRevision, NewHeartbeat, revise_heartbeat};
use dibber_text::Source;
use serde_json::{Value, json};

/// What is written is what is read, or nothing is written.
#[test]
fn a_value_of_an_input_is_read_as_it_was() {
    let values = [
        json!("Ada"),
        json!("yes"),
        json!("0x1F"),
        json!("a: b # c"),
        json!("two\nlines"),
        json!("\u{7f}\u{85}\u{2028}\u{feff}"),
        json!(5),
        json!(-0.5),
        json!(1e300),
        json!(u64::MAX),
        json!(true),
        json!(null),
        json!([1, "two", {"three": [null, "no"]}]),
        json!({"a: b": "c # d", "": "\u{7f}\u{85}\u{2028}"}),
        json!({"1": 1, "true": "true", "~": "~"}),
        nested(100),
    ];
    let mut written = 0;
    for value in values {
        for posts_result in [false, true] {
            let input = json!({"who": value}).as_object().expect("an object").clone();
            let new = NewHeartbeat {
                name: "Weekly".to_owned(),
                cron: "0 17 * * 5".to_owned(),
                time_zone: "Europe/Berlin".to_owned(),
                input: input.clone(),
                posts_result,
                missed_fires: if posts_result { MissedFires::All } else { MissedFires::Once },
            };
            let text = "# Mine\nlabel: Plan\n";
            let Ok(text) = revise_heartbeat(text, &HeartbeatRevision::Add(new)) else { continue };
            let (manifest, _) = manifest::parse(&Source::new(MANIFEST_FILE_NAME, text.as_str()));
            let [heartbeat] = &manifest.heartbeats[..] else { panic!("{text}") };
            assert_eq!(heartbeat.input_values(), input, "{text}");
            let posts = heartbeat.post_result_notify.as_ref().is_some_and(|posts| posts.value);
            assert_eq!(posts, posts_result, "{text}");
            let missed = heartbeat.missed_fires.as_ref().map(|missed| missed.value);
            assert_eq!(missed, posts_result.then_some(MissedFires::All), "{text}");
            written += 1;
        }
    }
    assert!(written >= 24, "{written}");
}

fn nested(depth: usize) -> Value {
    (0..depth).fold(json!("x"), |inner, _| json!([inner]))
}
