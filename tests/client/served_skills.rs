//! Skills of servers whose files are resources: what is read is what was listed.

use std::fs;
use std::path::Path;

use dibber_catalog::{Catalog, ContentsLimits, Digest};
use dibber_client::skills_extension::{ServedFiles, ServedSkillError};
use dibber_client::{Client, ClientError, Endpoint, Options};
use dibber_server::skills_extension::FolderSkills;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::support::fake_server::{Fake, Reply};
use crate::support::wire::{HOME, TestServer};

const SKILL: &str = "skill://x/ferns/SKILL.md";
const TEXT: &str = "---\nname: ferns\ndescription: Waters ferns.\nversion: 1.10\n---\n\n# A\n";

fn write(directory: &Path, path: &str, content: impl AsRef<[u8]>) {
    let path = directory.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(path, content).expect("a file");
}

#[tokio::test]
async fn what_is_read_is_the_skill_in_the_folder() {
    let directory = tempfile::tempdir().expect("a directory");
    let folder = directory.path().join("skills");
    write(&folder, "ferns/SKILL.md", TEXT);
    write(&folder, "ferns/a b/é.bin", [0, 1, 0xff]);
    write(&folder, "ferns/windows.txt", "\u{feff}a\r\nb\r\n");
    write(&folder, "ferns/deep/SKILL.md", TEXT.replace("name: ferns", "name: deep"));
    let catalog = Catalog::read(std::slice::from_ref(&folder));
    let mut test_server = TestServer::new();
    let skills = FolderSkills::open(vec![folder], |problem| panic!("{problem:?}"));
    test_server.server = test_server.server.clone().with_folder_skills(skills);
    let client = test_server.client(HOME);
    let served = client.served_skills().await.expect("skills");
    assert_eq!((served.skills.len(), served.problems), (2, Vec::new()));
    for (of_folder, listed) in catalog.skills.iter().rev().zip(&served.skills) {
        assert_eq!(listed.name, of_folder.description.name);
        let got = client.served_skill(&listed.uri).await.expect("a skill");
        assert_eq!(got, *listed);
        let read = client.read_served_skill(&got, ContentsLimits::MCP).await.expect("contents");
        assert_eq!(read.digest(), of_folder.digest);
        assert_eq!(read.list(), of_folder.files);
    }
    let none = client.served_skill("skill://skills/none/SKILL.md").await;
    assert!(matches!(none, Err(ServedSkillError::Client(ClientError::Rejected(_)))), "{none:?}");
}

/// Returns a client of a server that lists this skill and has these resources.
fn client(skill: Value, resources: Value) -> (Client, Fake) {
    let capabilities = json!({
        "resources": {},
        "extensions": {"io.modelcontextprotocol/skills": {"directoryRead": true}},
    });
    let server = Fake::new(move |request| {
        let complete = |mut result: Value| {
            for (key, value) in [("resultType", "complete"), ("cacheScope", "private")] {
                result[key] = value.into();
            }
            result["ttlMs"] = 0.into();
            request.result(&result)
        };
        let uri = request.message["params"]["uri"].as_str().unwrap_or_default();
        let resource = &resources[uri];
        Some(match request.method() {
            "skills/list" => complete(json!({"skills": [skill]})),
            "skills/get" => complete(json!({"skill": skill})),
            "resources/directory/read" => complete(json!({"resources": resource})),
            "resources/read" if resource.is_null() => request.error(-32602, "not found"),
            "resources/read" => {
                let mut contents = resource.clone();
                contents["uri"] = uri.into();
                complete(json!({"contents": [contents]}))
            }
            _ => request.usual_with(&capabilities, &json!([]), &Value::Null),
        })
    });
    (connect(&server), server)
}

fn connect(server: &Fake) -> Client {
    let url = format!("http://{}/mcp", server.address).parse().expect("an address");
    let options = Options::new(Timestamp::now);
    Client::new(
        Endpoint::Http { url, token: None, sign_in: None, headers: Vec::new(), authority: None },
        options,
    )
}

fn file(name: &str, text: &str) -> Value {
    let digest = Digest::of(text).to_string();
    json!({"uri": format!("skill://x/ferns/{name}"), "digest": digest, "size": text.len()})
}

fn frontmatter() -> Value {
    // As a reader of YAML has it that knows numbers.
    json!({"name": "ferns", "description": "Waters ferns.", "version": 1.1})
}

/// Returns what reading a skill of that form ends with.
async fn outcome(frontmatter: Value, files: Value, resources: Value) -> String {
    let skill = json!({"uri": SKILL, "frontmatter": frontmatter, "resources": files});
    let (client, _server) = client(skill, resources);
    let served = client.served_skills().await.expect("skills");
    let Some(skill) = served.skills.first() else {
        return format!("problem: {}", served.problems[0].message.shown(&()));
    };
    match client.read_served_skill(skill, ContentsLimits::MCP).await {
        Ok(contents) => contents.files().map(|(path, _)| format!("{path} ")).collect(),
        Err(error) => error.message().shown(&()).to_string(),
    }
}

#[tokio::test]
async fn what_differs_from_the_list_is_refused() {
    let listed = json!([file("SKILL.md", TEXT), file("a.md", "aa")]);
    let read = |a: Value| json!({SKILL: {"text": TEXT}, "skill://x/ferns/a.md": a});
    for (frontmatter, files, resources, expected) in [
        (frontmatter(), listed.clone(), read(json!({"text": "aa"})), "SKILL.md a.md "),
        (frontmatter(), listed.clone(), read(json!({"blob": "YWE="})), "SKILL.md a.md "),
        (
            frontmatter(),
            listed.clone(),
            read(json!({"text": "aaa"})),
            "`a.md` has 3 bytes, and the server lists 2",
        ),
        (
            frontmatter(),
            listed.clone(),
            read(json!({"text": "ab"})),
            "`a.md` does not have the digest that is listed",
        ),
        (frontmatter(), listed.clone(), read(json!({"blob": "%"})), "`a.md` is not base64"),
        (frontmatter(), listed.clone(), read(json!({})), "`a.md` has no content"),
        (
            json!({"name": "ferns", "description": "Waters mosses.", "version": 1.1}),
            listed.clone(),
            read(json!({"text": "aa"})),
            "`SKILL.md` has another `description` than the server lists",
        ),
        (
            json!({"name": "ferns", "description": "Waters ferns."}),
            listed.clone(),
            read(json!({"text": "aa"})),
            "`SKILL.md` has another `version` than the server lists",
        ),
    ] {
        let shown = resources.to_string();
        assert_eq!(outcome(frontmatter, files, resources).await, expected, "{shown}");
    }
}

#[tokio::test]
async fn nothing_else_is_read_if_the_skill_file_is_another_one() {
    let files: Vec<_> = (0..9).map(|number| file(&number.to_string(), "")).collect();
    let files: Vec<_> = files.into_iter().chain([file("SKILL.md", TEXT)]).collect();
    let skill = json!({"uri": SKILL, "frontmatter": frontmatter(), "resources": files});
    for text in [TEXT.replace("# A", "# B"), TEXT.replace("ferns.", "")] {
        let (client, server) = client(skill.clone(), json!({SKILL: {"text": text}}));
        let listed = client.served_skills().await.expect("skills");
        assert!(read_uris(&server).is_empty(), "listing reads nothing");
        let read = client.read_served_skill(&listed.skills[0], ContentsLimits::MCP).await;
        assert!(matches!(read, Err(ServedSkillError::Refused { .. })), "{read:?}");
        assert_eq!(read_uris(&server), [SKILL]);
    }
}

fn read_uris(server: &Fake) -> Vec<String> {
    let requests = server.seen();
    let reads = requests.iter().filter(|request| request.method() == "resources/read");
    let uris = reads.map(|read| read.message["params"]["uri"].as_str().unwrap_or_default());
    uris.map(str::to_owned).collect()
}

#[tokio::test]
async fn lists_that_violate_the_extension_are_problems() {
    let own = file("SKILL.md", TEXT);
    let with = |other: Value| json!([own, other]);
    let large = json!({"uri": "skill://x/ferns/a", "digest": own["digest"], "size": 16 << 20});
    let many: Vec<_> = (0..512).map(|number| file(&number.to_string(), "")).collect();
    let many: Vec<_> = many.into_iter().chain([own.clone()]).collect();
    for (files, expected) in [
        (json!([file("a.md", "")]), "problem: it does not list its `SKILL.md`"),
        (with(own.clone()), "problem: it lists `SKILL.md` twice"),
        (
            with(file("../a", "")),
            "problem: its file `skill://x/ferns/../a` is not in its directory",
        ),
        (
            with(file("%2e%2e/a", "")),
            "problem: its file `skill://x/ferns/%2e%2e/a` is not in its directory",
        ),
        (with(json!({"uri": "skill://x/ferns/a", "size": 1})), "problem: `a` has no digest"),
        (with(large), "it has more than 16 MiB"),
        (json!(many), "it has more than 512 files"),
        (with(file("skill.MD", "")), "`SKILL.md` and `skill.MD` are the same file on some systems"),
        (json!("static"), "problem: it does not list its files"),
    ] {
        let shown = files.to_string();
        let outcome = outcome(frontmatter(), files, json!({})).await;
        assert_eq!(outcome, expected, "{}", &shown[..shown.len().min(200)]);
    }
}

#[tokio::test]
async fn dynamic_files_are_those_that_the_directories_have_now() {
    let directory = "skill://x/ferns";
    let entries = |entries: &[(&str, &str)]| -> Value {
        let entry = |(path, kind): &(&str, &str)| json!({"uri": format!("{directory}/{path}"), "name": "n", "mimeType": kind});
        entries.iter().map(entry).collect()
    };
    let resources = json!({
        directory: entries(&[("SKILL.md", "text/markdown"), ("a", "inode/directory")]),
        format!("{directory}/a"): entries(&[("a/b.txt", "text/plain")]),
        format!("{directory}/a/b.txt"): {"text": "b"},
        SKILL: {"text": TEXT},
    });
    let read = outcome(frontmatter(), json!("dynamic"), resources.clone()).await;
    assert_eq!(read, "SKILL.md a/b.txt ");
    let mut outside = resources;
    outside[format!("{directory}/a")] = entries(&[("b.txt", "text/plain")]);
    let read = outcome(frontmatter(), json!("dynamic"), outside).await;
    assert_eq!(read, "its file `skill://x/ferns/b.txt` is not in its directory");
    let skill = json!({"uri": SKILL, "frontmatter": frontmatter(), "resources": "dynamic"});
    let (client, _server) = client(skill, json!({}));
    let got = client.served_skill(SKILL).await.expect("a skill");
    assert_eq!(got.files, ServedFiles::Dynamic);
}

#[tokio::test]
async fn a_server_without_the_extension_is_not_asked() {
    let server = Fake::new(|request| match request.method() {
        "skills/list" => Some(Reply::json(500, "")),
        _ => Some(request.usual(&json!([]), &Value::Null)),
    });
    let skills = connect(&server).served_skills().await;
    assert!(matches!(skills, Err(ClientError::UnknownMethod(_))), "{skills:?}");
}
