//! Skills with their files as resources of MCP.

use std::fs;
use std::path::Path;
use std::time::Duration;

use dibber_catalog::Digest;
use dibber_server::Caller;
use dibber_server::skills_extension::FolderSkills;
use dibber_skill::contract::Scope;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::wire::{HOME, OTHER, RawConnection, TestServer, parent, write_sample};

const FERNS: &str = "skill://skills/ferns/SKILL.md";

fn write(directory: &Path, path: &str, content: impl AsRef<[u8]>) {
    let path = directory.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(path, content).expect("a file");
}

fn skill(name: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: Waters {name}.\nlicense: MIT\nversion: 2\n---\n\n# A\n"
    )
}

/// A server with two skills, one of them in the other.
fn server() -> (TestServer, TempDir) {
    let directory = tempfile::tempdir().expect("a directory");
    let folder = directory.path().join("skills");
    write(&folder, "ferns/SKILL.md", skill("ferns"));
    write(&folder, "ferns/assets/a b.png", [0x89, 0xff]);
    write(&folder, "ferns/deep/SKILL.md", skill("deep"));
    let skills = FolderSkills::open(vec![folder], |problem| panic!("{problem:?}"));
    let mut test_server = TestServer::new();
    test_server.server =
        test_server.server.clone().with_folder_skills(skills.with_interval(Duration::ZERO));
    (test_server, directory)
}

async fn result(pipe: &mut RawConnection, method: &str, params: Value) -> Value {
    let answer = pipe.ask(method, params).await;
    assert_eq!(answer.get("error"), None, "{answer}");
    answer["result"].clone()
}

fn bytes_of(read: &Value) -> Vec<u8> {
    use base64::Engine as _;
    let contents = &read["contents"][0];
    match contents["text"].as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => base64::engine::general_purpose::STANDARD
            .decode(contents["blob"].as_str().expect("a blob"))
            .expect("base64"),
    }
}

#[tokio::test]
async fn skills_of_directories_are_listed_with_every_file() {
    let (test_server, _directory) = server();
    let mut pipe = test_server.connect(HOME).await;
    let listed = result(&mut pipe, "skills/list", json!({})).await;
    let skills = listed["skills"].as_array().expect("skills");
    let uris: Vec<_> = skills.iter().map(|skill| &skill["uri"]).collect();
    assert_eq!(uris, [FERNS, "skill://skills/ferns/deep/SKILL.md"]);
    assert_eq!(
        skills[0]["frontmatter"],
        json!({"name": "ferns", "description": "Waters ferns.", "license": "MIT", "version": 2})
    );
    let files = skills[0]["resources"].as_array().expect("resources");
    assert_eq!(files.len(), 3, "{files:?}");
    for file in files {
        let read = result(&mut pipe, "resources/read", json!({"uri": file["uri"]})).await;
        let bytes = bytes_of(&read);
        assert_eq!(read["contents"][0]["uri"], file["uri"]);
        assert_eq!(Digest::of(&bytes).to_string(), file["digest"]);
        assert_eq!(bytes.len() as u64, file["size"]);
    }
    assert_eq!(result(&mut pipe, "skills/get", json!({"uri": FERNS})).await["skill"], skills[0]);
    for (uri, media_type) in
        [(FERNS, "text/markdown"), ("skill://skills/ferns/assets/a b.png", "image/png")]
    {
        let read = result(&mut pipe, "resources/read", json!({"uri": uri})).await;
        assert_eq!(read["contents"][0]["mimeType"], media_type);
    }
}

#[tokio::test]
async fn directories_are_read_and_skills_are_resources() {
    let (test_server, _directory) = server();
    let mut pipe = test_server.connect(HOME).await;
    let read = |uri: &str| json!({"uri": uri});
    let method = "resources/directory/read";
    let listed = result(&mut pipe, method, read("skill://skills/ferns")).await;
    let listed = listed["resources"].as_array().expect("resources");
    let entries: Vec<_> = listed.iter().map(|it| (&it["uri"], &it["mimeType"])).collect();
    assert_eq!(
        json!(entries),
        json!([
            [FERNS, "text/markdown"],
            ["skill://skills/ferns/assets", "inode/directory"],
            ["skill://skills/ferns/deep", "inode/directory"],
        ])
    );
    let resources = result(&mut pipe, "resources/list", json!({})).await;
    assert!(resources["resources"].as_array().expect("resources").contains(&listed[0]));
    assert_eq!(listed[0]["name"], "ferns");
    assert_eq!(listed[0]["description"], "Waters ferns.");
    assert_eq!(listed[0]["_meta"]["io.modelcontextprotocol.skills/license"], "MIT");
    for (method, uri) in [
        (method, FERNS),
        (method, "skill://skills/mosses"),
        ("skills/get", "skill://skills/mosses/SKILL.md"),
        ("skills/get", "skill://skills/ferns/assets/a%20b.png"),
        ("resources/read", "skill://skills/ferns/none.md"),
        ("resources/read", "skill://skills/ferns/../../secret"),
    ] {
        let answer = pipe.ask(method, json!({"uri": uri})).await;
        assert_eq!(answer["error"]["code"], -32602, "{method} {uri}: {answer}");
    }
    let answer = pipe.ask("skills/list", json!({"cursor": "x"})).await;
    assert_eq!(answer["error"]["code"], -32602);
}

#[tokio::test]
async fn changes_of_the_files_count_at_once() {
    let (test_server, directory) = server();
    let mut pipe = test_server.connect(HOME).await;
    let folder = directory.path().join("skills");
    let changed = skill("ferns").replace("# A", "# B");
    write(&folder, "ferns/SKILL.md", &changed);
    let read = result(&mut pipe, "resources/read", json!({"uri": FERNS})).await;
    assert_eq!(bytes_of(&read), changed.as_bytes());
    let got = result(&mut pipe, "skills/get", json!({"uri": FERNS})).await;
    let digest = Digest::of(&changed).to_string();
    assert_eq!(got["skill"]["resources"][0]["digest"], digest);
    write(&folder, "mosses/SKILL.md", skill("mosses"));
    fs::remove_dir_all(folder.join("ferns/deep")).expect("removed");
    let listed = result(&mut pipe, "skills/list", json!({})).await;
    let uris: Vec<_> = listed["skills"].as_array().expect("skills").iter().collect();
    let uris: Vec<_> = uris.iter().map(|skill| &skill["uri"]).collect();
    assert_eq!(uris, [FERNS, "skill://skills/mosses/SKILL.md"]);
}

#[tokio::test]
async fn published_skills_are_offered_to_tokens_that_may_read_them() {
    let (test_server, _directory) = server();
    let client = test_server.client(HOME);
    let id = write_sample(
        &client,
        json!({
            "description": "Says: \"good\u{2028}night\" \\ to #all",
            "prompt": "Read {{input.book}}.\n",
            "inputVariables": [{"name": "book", "type": "string", "description": "Which\none"}],
        }),
    )
    .await;
    let mut pipe = test_server.connect(HOME).await;
    let listed = result(&mut pipe, "skills/list", json!({})).await;
    let skill = listed["skills"].as_array().expect("skills").last().expect("a skill").clone();
    let uri = skill["uri"].as_str().expect("a URI");
    assert!(uri.starts_with(&format!("skill://family/{id}/")), "{uri}");
    assert_eq!(skill["frontmatter"]["description"], "Says: \"good\u{2028}night\" \\ to #all");
    let read = result(&mut pipe, "resources/read", json!({"uri": uri})).await;
    let bytes = bytes_of(&read);
    assert_eq!(Digest::of(&bytes).to_string(), skill["resources"][0]["digest"]);
    let text = String::from_utf8(bytes).expect("text");
    assert!(text.contains("\n---\n\nRead {{input.book}}.\n\n## Inputs\n"), "{text}");
    assert!(text.ends_with("\n- `{{input.book}}` (string): Which one\n"), "{text}");
    let directory = uri.strip_suffix("/SKILL.md").expect("a directory");
    let listed = result(&mut pipe, "resources/directory/read", json!({"uri": directory})).await;
    assert_eq!(listed["resources"][0]["uri"], uri);

    let mut other = test_server.connect(OTHER).await;
    let caller = Caller { scopes: vec![Scope::HeartbeatWrite], ..parent(HOME) };
    let mut without = test_server.connect_as(caller).await;
    for method in ["skills/get", "resources/read"] {
        let answer = other.ask(method, json!({"uri": uri})).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let refused = without.ask(method, json!({"uri": FERNS})).await;
        assert!(refused["error"].is_object(), "{refused}");
    }
    let listed = result(&mut without, "resources/list", json!({})).await;
    assert!(!listed.to_string().contains("skill://skills"), "{listed}");
}

#[tokio::test]
async fn many_skills_come_in_pages() {
    let (mut test_server, directory) = server();
    let folder = directory.path().join("skills");
    for number in 0..150 {
        write(&folder, &format!("s{number:03}/SKILL.md"), skill(&format!("s{number:03}")));
    }
    let skills = FolderSkills::open(vec![folder], |problem| panic!("{problem:?}"));
    test_server.server = test_server.server.clone().with_folder_skills(skills);
    let client = test_server.client(HOME);
    for number in 0..55 {
        write_sample(&client, json!({"name": format!("Night {number}")})).await;
    }
    let mut pipe = test_server.connect(HOME).await;
    for method in ["skills/list", "resources/list"] {
        let (mut uris, mut cursor, mut pages) = (Vec::new(), Value::Null, 0);
        loop {
            let params = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
            let page = result(&mut pipe, method, params).await;
            let items = page["skills"].as_array().or(page["resources"].as_array());
            let items = items.expect("items").iter();
            uris.extend(items.filter_map(|item| item["uri"].as_str()).map(str::to_owned));
            pages += 1;
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        uris.retain(|uri| uri.starts_with("skill://"));
        assert_eq!((pages, uris.len()), (3, 152 + 55), "{method}");
        uris.sort();
        uris.dedup();
        assert_eq!(uris.len(), 152 + 55);
    }
}
