//! `dibber serve --skills`: the index of a site, and what it leads to.

use std::io::{Read as _, Write as _};

use dibber_catalog::Digest;
use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::skill_server::SkillServer;

const INDEX: &str = "/.well-known/agent-skills/index.json";

fn server(options: &[&str]) -> SkillServer {
    let tree = Tree::new();
    tree.write(
        "skills/ferns/SKILL.md",
        b"---\nname: ferns\ndescription: Waters ferns.\n---\n# A\n",
    );
    let mosses = b"---\nname: mosses\ndescription: Waters mosses.\n---\n";
    tree.write("skills/mosses/SKILL.md", mosses);
    tree.write("skills/mosses/a.bin", &[0xff, 0]);
    SkillServer::over(tree, options)
}

/// Sends a request, and returns the head of the answer in lower case, and its body.
fn ask(server: &SkillServer, method: &str, path: &str, headers: &str) -> (String, Vec<u8>) {
    let mut stream = server.serving.connect();
    let host = &server.serving.address;
    let request =
        format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head") + 4;
    let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
    (head, answer[end..].to_vec())
}

fn has(head: &str, line: &str) -> bool {
    head.lines().any(|found| found == line)
}

#[test]
fn everyone_reads_the_skills_that_are_public() {
    let server = server(&["--public-skills"]);
    // A page of another machine may, too.
    let (head, body) = ask(&server, "GET", INDEX, "Origin: https://example.org\r\n");
    assert!(head.starts_with("http/1.1 200 ok\r\n"), "{head}");
    assert!(has(&head, "content-type: application/json"), "{head}");
    assert!(has(&head, "access-control-allow-origin: *"), "{head}");
    let index: Value = serde_json::from_slice(&body).expect("JSON");
    let skills = index["skills"].as_array().expect("skills");
    let listed: Vec<_> = skills.iter().map(|skill| json!([skill["name"], skill["type"]])).collect();
    assert_eq!(listed, [json!(["ferns", "skill-md"]), json!(["mosses", "archive"])]);
    for skill in skills {
        let url = skill["url"].as_str().expect("a URL");
        let (head, body) = ask(&server, "GET", url, "");
        assert_eq!(json!(Digest::of(&body)), skill["digest"], "{head}");
        let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag");
        let (known, none) = ask(&server, "GET", url, &format!("If-None-Match: {tag}\r\n"));
        assert!(known.starts_with("http/1.1 304 ") && none.is_empty(), "{known}");
        let (alone, none) = ask(&server, "HEAD", url, "");
        assert!(alone.starts_with("http/1.1 200 ") && none.is_empty(), "{alone}");
        assert!(has(&alone, &format!("content-length: {}", body.len())), "{alone}");
    }
    // Changes of the files count.
    let text = b"---\nname: ferns\ndescription: Waters large ferns.\n---\n# A\n";
    server.tree.write("skills/ferns/SKILL.md", text);
    let is_new = || {
        let (_, body) = ask(&server, "GET", INDEX, "");
        String::from_utf8_lossy(&body).contains("Waters large ferns.")
    };
    // They are looked at once in a second.
    let pause = || std::thread::sleep(std::time::Duration::from_millis(50));
    assert!((0..400).any(|_| is_new() || {
        pause();
        false
    }));
    for (method, path, status) in [
        ("GET", "/.well-known/agent-skills/none.md", 404),
        ("GET", "/.well-known/agent-skills/../../skills/ferns/SKILL.md", 404),
        ("POST", INDEX, 405),
        ("POST", "/mcp", 401),
    ] {
        let (head, _) = ask(&server, method, path, "");
        assert!(head.starts_with(&format!("http/1.1 {status} ")), "{method} {path}: {head}");
    }
}

#[test]
fn a_token_is_needed_unless_they_are_public() {
    let server = server(&[]);
    let (head, _) = ask(&server, "GET", INDEX, "");
    assert!(head.starts_with("http/1.1 401 "), "{head}");
    let with = |token: &str| format!("Authorization: Bearer {token}\r\n");
    let (head, _) = ask(&server, "GET", INDEX, &with(&server.serving.token()));
    assert!(head.starts_with("http/1.1 200 "), "{head}");
    let data = server.serving.data.to_str().expect("a path");
    let issued = Dibber::new(["family", "token", "--scope", "heartbeat:read", "--data", data])
        .arguments(&["--output", "-"])
        .run();
    assert_eq!(issued.code, 0, "{}", issued.show());
    let (head, body) = ask(&server, "GET", INDEX, &with(issued.stdout.trim()));
    assert!(head.starts_with("http/1.1 403 "), "{head}");
    assert!(String::from_utf8_lossy(&body).contains("SCOPE_MISSING"));
}
