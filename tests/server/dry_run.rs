//! An offline dry-run and that of the server agree on every fixture and every template.

use dibber_client::Client;
use dibber_server::store::FamilyId;
use dibber_skill::discover::{self, FoundSkill};
use dibber_skill::draft::Draft;
use dibber_skill::privacy::Privacy;
use dibber_skill::spec_hash::canonical_json;
use dibber_text::Mask;
use serde_json::{Value, json};

use crate::support::command::Dibber;
use crate::support::wire::{HOME, TestServer, canvas, ok, with};
use crate::support::{TEST_NAMES, Tree, package, test_roster};

/// The fields that have the same bytes in both.
const COMPARED: [&str; 4] = ["previewSkill", "policyDecision", "specHash", "nextStep"];

/// The canvas that a fixture links.
const FIXTURE_CANVAS: &str = "6fa459ea-ee8a-3ca4-894e-db77e160355e";

/// Two skills with a child's name in them, and one that is not of ASCII.
const MORE: &str = "\
-- named/SKILL.md --
---
name: named
description: Reads to Ottilie in the evening. Use it after supper.
---

# Reading to Ottilie

Ask ottilie, then {{input.Zoë}}, and {{input.book}}.
-- named-tools/SKILL.md --
---
name: named-tools
description: Reads to a child in the evening. Use it after supper.
allowed-tools: Anna Lena
---

Read a book.
-- other-letters/SKILL.md --
---
name: other-letters
description: Übt Lesen mit 漢字 und 🎈. Use it on Sundays.
---

# Übung 🎈 \u{1F468}\u{200D}\u{1F469}

Lies {{input.book}}\u{2028}laut vor, \\\"Zitat\\\" & <b>.
";

fn found(directory: &std::path::Path) -> Vec<FoundSkill> {
    let (skills, errors) = discover::find(&[directory.to_owned()]);
    assert!(errors.is_empty(), "{errors:?}");
    skills
}

/// The drafts of the command for each skill of a directory, in the order of [`found`].
fn offline(directory: &std::path::Path, names: &Tree) -> Vec<Value> {
    let names = names.path().join("names");
    let ended = Dibber::new(["dry-run", "--json"])
        .arguments(&[&directory.to_string_lossy()])
        .env("DIBBER_NAMES", &names.to_string_lossy())
        .run();
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    report["items"].as_array().expect("drafts").clone()
}

async fn online(client: &Client, skill: &FoundSkill) -> Value {
    let skill = discover::load_published(skill).expect("a skill");
    let arguments = serde_json::to_value(Draft::new(&skill).best_effort()).expect("an object");
    ok(client, "skill_write", with(arguments, json!({"dryRun": true}))).await
}

fn names() -> Tree {
    let tree = Tree::new();
    tree.write("names", TEST_NAMES.as_bytes());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let private = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(tree.path().join("names"), private).expect("a file of one's own");
    }
    tree
}

fn test_server() -> TestServer {
    let test_server = TestServer::new();
    test_server.change(|store| {
        let canvas = canvas(FIXTURE_CANVAS, "Quiz board", Some("6-9"));
        store.add_canvas(&FamilyId::from(HOME.to_owned()), &canvas).expect("a canvas");
    });
    test_server
}

#[tokio::test]
async fn every_fixture_and_template_is_judged_alike() {
    let (test_server, names) = (test_server(), names());
    let client = test_server.client(HOME);
    let mut decisions = Vec::new();
    for directory in ["fixtures/skills", "fixtures/drafts", "crates/skill/templates"] {
        let directory = package().join(directory);
        let (skills, drafts) = (found(&directory), offline(&directory, &names));
        assert_eq!(skills.len(), drafts.len());
        for (skill, offline) in skills.iter().zip(drafts) {
            if offline["specHash"].is_null() {
                // Its files have faults, so what would be sent is unknown.
                assert!(!offline["faults"].as_array().expect("faults").is_empty());
                continue;
            }
            if offline["policyDecision"].to_string().contains("UNPUBLISHED_FILE") {
                // The server sees no files.
                continue;
            }
            let (mut online, mut offline) = (online(&client, skill).await, offline);
            for draft in [&mut online, &mut offline] {
                let reasons = draft["policyDecision"]["reasons"].as_array_mut().expect("reasons");
                // Only the server knows that its canvases have no ids of another form.
                reasons.retain(|reason| reason["reason"] != "INVALID_CANVAS_ID");
            }
            for field in COMPARED {
                let path = &offline["path"];
                assert_eq!(
                    canonical_json(&online[field]),
                    canonical_json(&offline[field]),
                    "{path}"
                );
            }
            decisions.push(online["policyDecision"]["decision"].clone());
        }
    }
    for decision in ["allow", "review", "refuse"] {
        assert!(decisions.contains(&json!(decision)), "no fixture has the decision {decision}");
    }
}

/// The command masks what it shows of a child's name; the server shows its caller what they sent.
#[tokio::test]
async fn a_name_is_judged_alike_and_masked_by_the_command_alone() {
    let (test_server, names) = (test_server(), names());
    let client = test_server.client(HOME);
    let tree = Tree::from_archive(MORE, false);
    let roster = test_roster();
    let mut masked = 0;
    for (skill, offline) in found(tree.path()).iter().zip(offline(tree.path(), &names)) {
        let online = online(&client, skill).await;
        for field in &COMPARED[1..] {
            assert_eq!(canonical_json(&online[field]), canonical_json(&offline[field]));
        }
        let preview = canonical_json(&online["previewSkill"]);
        let shown = canonical_json(&offline["previewSkill"]);
        masked += usize::from(preview != shown);
        if online["previewSkill"]["handsReferenced"] == json!(["Anna", "Lena"]) {
            assert_eq!(online["policyDecision"]["decision"], "refuse");
            assert_eq!(offline["previewSkill"]["handsReferenced"], json!(["****", "****"]));
        }
        for field in ["name", "description", "prompt"] {
            let text = online["previewSkill"][field].as_str().expect("a string");
            assert_eq!(
                offline["previewSkill"][field],
                Privacy { roster: &roster }.mask(text).as_ref()
            );
        }
    }
    assert_eq!(masked, 2);
}
