//! `dibber serve`: who is let in, what is answered, and how it stops.

use std::fs;
use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::time::Duration;

use dibber_server::guides::guides;
use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::server_process::{Answer, MODERN, Serving, answer, serve};

/// The revisions that are opened with `initialize`.
const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

fn whoami() -> Value {
    json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
           "params": {"name": "mcp_whoami", "arguments": {}}})
}

fn user_of(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{answer:?}");
    let user = &answer.json()["result"]["structuredContent"]["userId"];
    user.as_str().unwrap_or_else(|| panic!("no user in {answer:?}")).to_owned()
}

#[test]
fn every_request_needs_the_token() {
    let server = Serving::start();
    let (address, token) = (&server.address, server.token());
    let body = whoami().to_string();
    let length = body.len();
    let with = |authorization: &str| {
        server.raw(
            format!(
                "POST /mcp HTTP/1.1\r\nHost: {address}\r\n{authorization}Content-Type: \
                 application/json\r\nAccept: application/json, text/event-stream\r\n\
                 Content-Length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    };
    for (authorization, reason) in [
        (String::new(), "TOKEN_MISSING"),
        ("Authorization: Bearer\r\n".to_owned(), "TOKEN_MISSING"),
        (format!("Authorization: Basic {token}\r\n"), "TOKEN_MISSING"),
        (format!("Authorization: {token}\r\n"), "TOKEN_MISSING"),
        (format!("Authorization: Bearer {token}\r\n").repeat(2), "TOKEN_MISSING"),
        (format!("Authorization: Bearer {}\r\n", "x".repeat(5_000)), "TOKEN_MISSING"),
        (format!("Authorization: Bearer {token}x\r\n"), "TOKEN_UNKNOWN"),
        (format!("Authorization: Bearer {}\r\n", &token[1..]), "TOKEN_UNKNOWN"),
        (format!("Authorization: Bearer {}\r\n", token.to_uppercase()), "TOKEN_UNKNOWN"),
    ] {
        let refused = with(&authorization);
        assert_eq!((refused.status, refused.reason().as_str()), (401, reason), "{authorization}");
        assert!(refused.head.contains("www-authenticate: bearer"), "{}", refused.head);
        assert!(refused.body.contains("the file `token`"), "{}", refused.body);
    }
    user_of(&with(&format!("Authorization: Bearer {token}\r\n")));
    user_of(&with(&format!("authorization: bearer  {token}\r\n")));
}

#[test]
fn a_request_for_another_host_or_from_a_page_is_refused() {
    let server = Serving::start();
    let body = whoami().to_string();
    let rest = server.head().split_once("Authorization").expect("a header").1.to_owned();
    let to = |hosts: &str| {
        let head = format!("POST /mcp HTTP/1.1\r\n{hosts}Authorization{rest}");
        server.raw(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
    };
    for host in [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:7340",
        "127.0.0.1:7340.evil.example",
        "127.0.0.1:65536",
        "evil@127.0.0.1",
        "",
        "@",
    ] {
        let refused = to(&format!("Host: {host}\r\n"));
        assert_eq!(
            (refused.status, refused.reason().as_str()),
            (403, "HOST_NOT_ALLOWED"),
            "{host}"
        );
    }
    // A target in absolute form counts more than the header.
    let target = |target: &str| {
        let head = server.head().replacen("/mcp", target, 1);
        server.raw(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
    };
    for target_elsewhere in ["http://evil.example/mcp", "http://evil.example:80/mcp"] {
        let refused = target(target_elsewhere);
        assert_eq!((refused.status, refused.reason().as_str()), (403, "HOST_NOT_ALLOWED"));
    }
    user_of(&target("http://localhost:7340/mcp"));
    assert_eq!(to("").reason(), "HOST_NOT_ALLOWED");
    assert_eq!(to("Host: localhost\r\nHost: localhost\r\n").reason(), "HOST_NOT_ALLOWED");
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:", "[::1]:7340"] {
        user_of(&to(&format!("Host: {host}\r\n")));
    }
    for origin in ["http://localhost:3000", "http://127.0.0.1", "https://[::1]:1"] {
        user_of(&server.post(&format!("Origin: {origin}\r\n"), body.as_bytes()));
    }
    for origin in ["https://evil.example", "http://localhost.evil.example", "null", "localhost", ""]
    {
        let refused = server.post(&format!("Origin: {origin}\r\n"), body.as_bytes());
        assert_eq!((refused.status, refused.reason().as_str()), (403, "ORIGIN_NOT_ALLOWED"));
    }
}

#[test]
fn a_request_that_is_no_message_is_answered_with_an_error_of_json_rpc() {
    let server = Serving::start();
    let body = whoami().to_string();
    let head = server.head();
    let send = |head: &str| {
        server.raw(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
    };
    let without = |name: &str| {
        let lines = head.split_inclusive("\r\n").filter(|line| !line.starts_with(name));
        lines.collect::<String>()
    };
    let answers = [
        send(&head.replacen("POST", "GET", 1)),
        send(&without("Accept")),
        send(&without("Content-Type")),
    ];
    let shown = answers.map(|answer| {
        let kind = answer.header("content-type").expect("a type").to_owned();
        let allow = answer.header("allow").unwrap_or("-").to_owned();
        format!("{} {kind}, allow: {allow}\n{}\n", answer.status, answer.body)
    });
    insta::assert_snapshot!(shown.concat());
    let guides = send(&head.replacen("/mcp", "/guides", 1));
    assert_eq!((guides.status, guides.reason().as_str()), (405, "METHOD_NOT_ALLOWED"));
    assert_eq!(guides.header("allow"), Some("get,head"));
}

/// A browser asks before it sends a token, without one, and hides an answer that does not name the
/// page.
#[test]
fn a_page_of_this_machine_can_use_the_server() {
    let server = Serving::start();
    let preflight = |origin: &str| {
        let head = format!(
            "OPTIONS /mcp HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\n\
             Access-Control-Request-Method: POST\r\n\
             Access-Control-Request-Headers: authorization,content-type\r\n\r\n",
            server.address
        );
        server.raw(head.as_bytes())
    };
    let page = "http://localhost:3000";
    let allowed = preflight(page);
    assert_eq!(allowed.status, 204);
    assert_eq!(allowed.header("access-control-allow-origin"), Some(page));
    for name in ["authorization", "content-type", "mcp-protocol-version", "idempotency-key"] {
        let headers = allowed.header("access-control-allow-headers").expect("headers");
        assert!(headers.split(", ").any(|header| header == name), "{name}: {headers}");
    }
    assert_eq!(preflight("https://evil.example").status, 403);
    let answer = server.post(&format!("Origin: {page}\r\n"), whoami().to_string().as_bytes());
    assert_eq!(answer.header("access-control-allow-origin"), Some(page));
    let no_page = server.post("", whoami().to_string().as_bytes());
    assert_eq!(no_page.header("access-control-allow-origin"), None);
}

#[test]
fn a_server_that_listens_everywhere_answers_to_addresses_but_not_to_names() {
    let directory = Tree::new();
    let data = directory.path().join("data");
    let mut server = Serving::of(serve(&data, &["--listen", "0.0.0.0:0"]), &data);
    server.address = server.address.replace("0.0.0.0", "127.0.0.1");
    let (head, body) = (server.head(), whoami().to_string());
    let to = |host: &str| {
        let head = head.replace(&format!("Host: {}", server.address), &format!("Host: {host}"));
        server.raw(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
    };
    user_of(&to("192.0.2.7:7340"));
    user_of(&to("[2001:db8::1]"));
    assert_eq!(to("evil.example").reason(), "HOST_NOT_ALLOWED");
}

#[test]
fn every_revision_with_a_handshake_is_spoken() {
    let server = Serving::start();
    for version in LEGACY {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {},
            "clientInfo": {"name": "tests", "version": "1"}}});
        let opened = server.post("", message.to_string().as_bytes());
        assert_eq!(opened.json()["result"]["protocolVersion"], version);
        // It names the stream of a client, and nothing else.
        assert!(opened.header("mcp-session-id").is_some_and(|id| id.len() == 36));
        let header = format!("MCP-Protocol-Version: {version}\r\n");
        let message = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        assert_eq!(server.post(&header, message).status, 202);
        user_of(&server.post(&header, whoami().to_string().as_bytes()));
        let message = br#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#;
        let listed = server.post(&header, message).json();
        assert!(listed["result"]["tools"].as_array().is_some_and(|tools| !tools.is_empty()));
    }
}

#[test]
fn the_revision_without_a_handshake_is_spoken() {
    let server = Serving::start();
    let found = server.modern("server/discover", json!({}), "").json();
    let versions = found["result"]["supportedVersions"].as_array().expect("versions");
    assert!(versions.contains(&json!(MODERN)) && versions.len() == 1 + LEGACY.len());
    user_of(&server.call("mcp_whoami", &json!({})));
    user_of(&server.call("mcp.whoami", &json!({})));
    let other = server.modern("tools/call", json!({"name": "mcp_whoami"}), "Mcp-Name: other\r\n");
    assert_eq!((other.status, other.json()["error"]["code"].clone()), (400, json!(-32020)));
    assert!(other.body.contains("`Mcp-Name`") && !other.body.contains("other"), "{}", other.body);
}

#[test]
fn a_session_id_grants_no_rights() {
    let server = Serving::start();
    let ours = server.post("Mcp-Session-Id: made-up\r\n", whoami().to_string().as_bytes());
    user_of(&ours);
    let head = server.head().replace(&server.token(), "another");
    let body = whoami().to_string();
    let theirs = server.raw(
        format!("{head}Mcp-Session-Id: made-up\r\nContent-Length: {}\r\n\r\n{body}", body.len())
            .as_bytes(),
    );
    assert_eq!((theirs.status, theirs.reason().as_str()), (401, "TOKEN_UNKNOWN"));
}

/// However few files a server may open, the connections of one client leave some for the others, and for
/// the database.
#[cfg(unix)]
#[test]
fn many_connections_to_a_server_with_few_files_do_not_stop_it() {
    let directory = Tree::new();
    let data = directory.path().join("data");
    let unlimited = serve(&data, &["--listen", "127.0.0.1:0"]);
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -n 96 && exec \"$@\"", "sh"]).arg(unlimited.get_program());
    limited.args(unlimited.get_args());
    for (name, value) in unlimited.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    limited.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let server = Serving::of(limited, &data);
    let body = whoami().to_string();
    let request = format!("{}Content-Length: {}\r\n\r\n{body}", server.head(), body.len());
    let crowd = (0..200).map(|_| {
        let mut connection = server.connect();
        connection.set_read_timeout(Some(Duration::from_secs(2))).expect("a timeout");
        // It may be closed for another one.
        let _ = connection.write_all(request.as_bytes());
        let _ = connection.read(&mut [0]);
        connection
    });
    let crowd: Vec<_> = crowd.collect();
    user_of(&server.post("", body.as_bytes()));
    drop(crowd);
    server.signal("TERM");
    let (_, log) = server.ended();
    assert!(log.contains("raise its hard limit to 640"), "{log}");
}

#[test]
fn an_invalid_message_is_answered_with_its_error() {
    let server = Serving::start();
    let code = |answer: &Answer| (answer.status, answer.json()["error"]["code"].clone());
    let parse_error = (400, json!(-32700));
    let invalid = (400, json!(-32600));
    assert_eq!(
        code(&server.post("", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xFF\"}")),
        parse_error
    );
    assert_eq!(code(&server.post("", b"\xFE\xFF")), parse_error);
    assert_eq!(code(&server.post("", b"{\"jsonrpc\":")), parse_error);
    assert_eq!(code(&server.post("", b"")), parse_error);
    assert_eq!(code(&server.post("", "[".repeat(100_000).as_bytes())), parse_error);
    assert_eq!(code(&server.post("", b"{}")), invalid);
    assert_eq!(code(&server.post("", b"[]")), invalid);
    assert_eq!(code(&server.post("", b"7")), invalid);
    let batch = server.post("", br#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]"#);
    assert_eq!(code(&batch), invalid);
    assert!(batch.body.contains("batches are not supported"), "{}", batch.body);
    let unknown = server.post("", br#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"#);
    assert_eq!(unknown.json()["error"]["code"], -32601);

    let typed = |name: &str| {
        let head = server.head().replace("application/json\r\n", &format!("{name}\r\n"));
        server.raw(format!("{head}Content-Length: 2\r\n\r\n{{}}").as_bytes())
    };
    assert_eq!(typed("text/plain").status, 415);
    assert_eq!(typed("").status, 415);
    let unaccepting = server.head().replace(", text/event-stream", "");
    assert_eq!(
        server.raw(format!("{unaccepting}Content-Length: 2\r\n\r\n{{}}").as_bytes()).status,
        406
    );
    let version =
        server.post("MCP-Protocol-Version: 1999-01-01\r\n", whoami().to_string().as_bytes());
    assert_eq!(version.status, 400);
    assert!(version.body.contains("`MCP-Protocol-Version`"), "{}", version.body);
    assert!(!version.body.contains("1999-01-01"), "{}", version.body);
    assert_eq!(
        server
            .raw(
                server
                    .head()
                    .replace("POST", "GET")
                    .as_bytes()
                    .iter()
                    .copied()
                    .chain(*b"\r\n")
                    .collect::<Vec<_>>()
                    .as_slice()
            )
            .status,
        405
    );
    let lost = server.head().replace("/mcp", "/nowhere");
    assert_eq!(server.raw(format!("{lost}\r\n").as_bytes()).reason(), "NO_SUCH_PATH");
    user_of(&server.call("mcp_whoami", &json!({})));
}

#[test]
fn a_body_that_is_too_large_gets_its_answer() {
    let server = Serving::start();
    let prompt = "x".repeat(10_000_000);
    let large = server.call("skill_write", &json!({"prompt": prompt}));
    assert_eq!((large.status, large.reason().as_str()), (413, "BODY_TOO_LARGE"));
    // In pieces, without a length in front.
    let mut bytes = server.head().into_bytes();
    bytes.extend(b"Transfer-Encoding: chunked\r\n\r\n");
    for _ in 0..100 {
        bytes.extend(b"186A0\r\n");
        bytes.extend(prompt[..100_000].bytes());
        bytes.extend(b"\r\n");
    }
    bytes.extend(b"0\r\n\r\n");
    assert_eq!(server.raw(&bytes).reason(), "BODY_TOO_LARGE");
    // A request that fits is answered by the tool.
    let inputs = vec![json!({"name": "a"}); 100_000];
    let many = server.call("skill_write", &json!({"inputVariables": inputs})).json();
    assert_eq!(many["result"]["structuredContent"]["error"]["code"], "BAD_INPUT");
}

#[test]
fn a_slow_sender_is_disconnected_while_others_are_answered() {
    let server = Serving::start();
    let mut silent = server.connect();
    let mut slow = server.connect();
    slow.write_all(b"POST /mcp HTTP/1.1\r\nHost: local").expect("it reads");
    let mut closed = vec![0; 1];
    let others = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            // Both end, whatever is sent before.
            let _ = silent.read_to_end(&mut closed);
            let mut rest = String::new();
            let _ = slow.read_to_string(&mut rest);
        });
        let mut answered = 0;
        while !waiting.is_finished() {
            user_of(&server.call("mcp_whoami", &json!({})));
            answered += 1;
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        answered
    });
    assert!(others > 0);
    user_of(&server.call("mcp_whoami", &json!({})));
}

#[test]
fn a_request_in_flight_is_answered_before_it_stops() {
    for signal in ["TERM", "INT"] {
        let server = Serving::start();
        let body = whoami().to_string();
        let mut stream = server.connect();
        let head = format!("{}Content-Length: {}\r\n\r\n", server.head(), body.len());
        stream.write_all(head.as_bytes()).expect("it reads");
        stream.write_all(&body.as_bytes()[..10]).expect("it reads");
        // So that the head is read before the signal comes.
        user_of(&server.call("mcp_whoami", &json!({})));
        server.signal(signal);
        while TcpStream::connect(&server.address).is_ok() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        stream.write_all(&body.as_bytes()[10..]).expect("it reads");
        user_of(&answer(&mut BufReader::new(stream)));
        let data = server.data.clone();
        let log = data.join("dibber.db-wal");
        let (code, stderr) = server.ended();
        assert_eq!(code, 0, "{stderr}");
        assert!(!log.exists(), "the database was not closed");
    }
}

#[test]
fn a_second_signal_does_not_wait() {
    let server = Serving::start();
    let mut stream = server.connect();
    let head = format!("{}Content-Length: 100\r\n\r\n", server.head());
    stream.write_all(head.as_bytes()).expect("it reads");
    user_of(&server.call("mcp_whoami", &json!({})));
    server.signal("INT");
    while TcpStream::connect(&server.address).is_ok() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    server.signal("INT");
    assert_eq!(server.ended().0, 130);
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(rest.is_empty(), "nothing was answered");
}

#[test]
fn the_log_holds_no_token_no_argument_and_no_name() {
    for format in ["human", "json"] {
        let directory = Tree::new();
        let data = directory.path().join("data");
        let mut command = serve(&data, &["--listen", "127.0.0.1:0", "--log", format]);
        command.env("DIBBER_LOG", "trace");
        let server = Serving::of(command, &data);
        let token = server.token();
        let skill =
            json!({"name": "Zoraquim", "description": "For Zoraquim", "prompt": "Hi Zoraquim"});
        assert_eq!(server.call("skill_write", &skill).status, 200);
        server.call("Zoraquim", &json!({"Zoraquim": 1}));
        server.modern("Zoraquim", json!({"Zoraquim": 1}), "");
        server.post("Origin: http://Zoraquim\r\n", b"Zoraquim");
        server.post("Mcp-Session-Id: Zoraquim\r\nIdempotency-Key: Zoraquim\r\n", b"Zoraquim");
        server.post("MCP-Protocol-Version: Zoraquim\r\n", whoami().to_string().as_bytes());
        server.raw(b"GET /Zoraquim HTTP/1.1\r\nHost: Zoraquim\r\n\r\n");
        server.raw(b"ZORAQUIM / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let mut broken = server.connect();
        broken.write_all(b"Zoraquim\r\n\r\n").expect("it reads");
        let _ = broken.read_to_end(&mut Vec::new());
        server.signal("TERM");
        let (_, log) = server.ended();
        assert!(!log.to_lowercase().contains("zoraquim"), "{log}");
        assert!(!log.contains(&token), "{log}");
        let line = log.lines().find(|line| line.contains("skill_write")).expect("a line for it");
        for part in ["tools/call", "usr_", "200", "BAD_INPUT\"", "ms"] {
            let has = line.contains(part) || part == "BAD_INPUT\"" && line.contains("OK");
            assert!(has, "{part} in {line}");
        }
        if format == "json" {
            for line in log.lines() {
                serde_json::from_str::<Value>(line).unwrap_or_else(|_| panic!("{line}"));
            }
        }
    }
}

#[test]
fn the_log_has_the_level_that_is_set() {
    let quiet = Tree::new();
    let mut command = serve(quiet.path(), &["--listen", "127.0.0.1:0"]);
    command.env("DIBBER_LOG", "warn");
    let server = Serving::of(command, quiet.path());
    user_of(&server.call("mcp_whoami", &json!({})));
    server.signal("TERM");
    assert_eq!(
        server.ended().1.lines().count(),
        3,
        "where it listens, and where the token and the pages are"
    );
    let ended = Dibber::new(["serve", "--data"]).arguments(&["x"]).env("DIBBER_LOG", "loud").run();
    insta::assert_snapshot!(ended.show());
}

#[test]
fn a_second_start_keeps_the_token() {
    let directory = Tree::new();
    let data = directory.path().join("data");
    let first = Serving::start_in(&data);
    let token = first.token();
    let user = user_of(&first.call("mcp_whoami", &json!({})));
    first.signal("TERM");
    let (_, stderr) = first.ended();
    assert!(stderr.contains("/data/token") && !stderr.contains(&token), "{stderr}");
    let second = Serving::start_in(&data);
    assert_eq!(second.token(), token);
    assert_eq!(user_of(&second.call("mcp_whoami", &json!({}))), user);
    // Two servers may serve one database.
    let third = Serving::start_in(&data);
    assert_eq!(user_of(&third.call("mcp_whoami", &json!({}))), user);
}

/// Runs a server that is expected to end by itself.
fn refused(data: &Path, listen: &str) -> String {
    let shown = data.to_string_lossy();
    let ended = Dibber::new(["serve", "--listen", listen, "--data", &shown]).run();
    ended.show().replace(&*shown, "DATA")
}

#[cfg(unix)]
#[test]
fn a_token_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Tree::new();
    let first = Serving::start_in(directory.path());
    let path = directory.path().join("token");
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    drop(first);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("permissions");
    insta::assert_snapshot!(refused(directory.path(), "127.0.0.1:0"));
}

#[cfg(unix)]
#[test]
fn a_token_of_another_database_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Tree::new();
    directory.write("token", b"somebody-elses\n");
    let path = directory.path().join("token");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("permissions");
    insta::assert_snapshot!(refused(directory.path(), "127.0.0.1:0"));
}

#[test]
fn an_address_that_cannot_be_had_is_explained() {
    let directory = Tree::new();
    let server = Serving::start();
    let taken = refused(directory.path(), &server.address);
    insta::assert_snapshot!("taken", taken.replace(&server.address, "ADDRESS"));
    insta::assert_snapshot!("another_machine", refused(directory.path(), "192.0.2.1:7340"));
    for (name, address) in [
        ("no_port", "127.0.0.1"),
        ("large_port", "127.0.0.1:70000"),
        ("no_host", ":7340"),
        ("url", "http://localhost:7340"),
        ("without_brackets", "::1:7340"),
    ] {
        insta::assert_snapshot!(name, refused(directory.path(), address));
    }
}

#[test]
fn a_data_directory_that_cannot_be_created_is_explained() {
    let directory = Tree::new();
    directory.write("file", b"");
    let shown = refused(&directory.path().join("file/data"), "127.0.0.1:0");
    assert!(shown.contains("error: ") && shown.contains("help: "), "{shown}");
    assert!(shown.contains("Not a directory"), "{shown}");
}

#[cfg(unix)]
#[test]
fn a_read_only_data_directory_is_explained() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Tree::new();
    drop(Serving::start_in(directory.path()));
    let locked = |mode| {
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(mode))
            .expect("permissions");
    };
    locked(0o555);
    let may_write = fs::write(directory.path().join("probe"), b"").is_ok();
    let shown = if may_write { String::new() } else { refused(directory.path(), "127.0.0.1:0") };
    locked(0o755);
    // Root may write everywhere, so there is no refusal to show.
    assert!(may_write || shown.contains("help: "), "{shown}");
}

#[test]
fn standard_input_needs_no_token() {
    let directory = Tree::new();
    let lines = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"tests","version":"1"}}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        whoami().to_string(),
    ];
    let shown = directory.path().to_string_lossy();
    let ended = Dibber::new(["serve", "--stdio", "--data", &*shown])
        .input(lines.join("\n") + "\n\u{FF}\n")
        .run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    let answers: Vec<Value> =
        ended.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 2, "{}", ended.show());
    assert!(answers[1]["result"]["structuredContent"]["userId"].is_string());
    assert!(ended.stderr.contains("mcp_whoami"), "the log: {}", ended.stderr);
    assert!(!directory.path().join("token").exists());
}

#[test]
fn a_session_over_standard_input_continues_after_an_invalid_message() {
    let directory = Tree::new();
    let mut child = serve(directory.path(), &["--stdio"]).spawn().expect("the binary starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut ask = |bytes: &[u8]| {
        input.write_all(bytes).expect("it reads");
        input.write_all(b"\n").expect("it reads");
    };
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
    });
    let discover =
        json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}});
    let mut call = whoami();
    call["params"]["_meta"] = meta;
    let mut line = String::new();
    let mut answered = || {
        line.clear();
        std::io::BufRead::read_line(&mut output, &mut line).expect("text");
        serde_json::from_str::<Value>(&line).expect("JSON")
    };
    ask(discover.to_string().as_bytes());
    assert_eq!(answered()["id"], 1);
    ask(b"\xFF\xFE{");
    ask(b"{\"jsonrpc\":");
    ask(call.to_string().as_bytes());
    assert!(answered()["result"]["structuredContent"]["userId"].is_string());
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").arg(id).status().expect("kill").success());
    assert!(child.wait().expect("a process").success(), "it stops at once, with success");
}

#[test]
fn a_client_that_leaves_before_it_is_answered_is_no_error() {
    let directory = Tree::new();
    let mut child = serve(directory.path(), &["--stdio"]).spawn().expect("the binary starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": LEGACY[3], "capabilities": {},
        "clientInfo": {"name": "tests", "version": "1"},
    }});
    writeln!(input, "{initialize}").expect("it reads");
    std::io::BufRead::read_line(&mut output, &mut String::new()).expect("an answer");
    drop(output);
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    writeln!(input, "{initialized}\n{}", whoami()).expect("it reads");
    drop(input);
    let ended = child.wait_with_output().expect("a process");
    let log = String::from_utf8_lossy(&ended.stderr);
    assert!(log.contains("mcp_whoami") && !log.contains("ERROR"), "{log}");
}

/// Prints the configuration of a client; `/data` is where the server keeps its database.
fn client_config(client: &str, options: &[&str]) -> Ended {
    let arguments = ["serve", "--data", "/data", "--print-config", client];
    Dibber::new(arguments.iter().chain(options)).run()
}

#[test]
fn the_configuration_of_every_client_is_printed() {
    let program = serde_json::to_string(env!("CARGO_BIN_EXE_dibber")).expect("JSON");
    for client in ["claude-code", "claude-desktop", "vscode", "cursor", "codex", "gemini"] {
        let transports: [(&str, &[&str]); 2] =
            [("http", &["--listen", "[::1]:7341"]), ("stdio", &["--stdio"])];
        for (transport, options) in transports {
            let ended = client_config(client, options);
            if client == "codex" {
                toml::from_str::<toml::Table>(&ended.stdout).expect("TOML");
            } else if ended.code == 0 {
                serde_json::from_str::<Value>(&ended.stdout).expect("JSON");
            }
            let shown = ended.show().replace(&program, "\"PROGRAM\"");
            insta::assert_snapshot!(format!("config_{client}_{transport}"), shown);
        }
    }
    let any_port = client_config("cursor", &["--listen", "127.0.0.1:0"]);
    insta::assert_snapshot!("config_any_port", any_port.show());
}

#[test]
fn the_printed_configuration_starts_a_server() {
    let directory = Tree::new();
    let data = directory.path().to_string_lossy();
    let printed =
        Dibber::new(["serve", "--stdio", "--print-config", "claude-desktop", "--data", &*data]);
    let printed: Value = serde_json::from_str(&printed.run().stdout).expect("JSON");
    let server = &printed["mcpServers"]["dibber"];
    let arguments: Vec<String> = serde_json::from_value(server["args"].clone()).expect("strings");
    let program = server["command"].as_str().expect("a string");
    let ask = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"tests","version":"1"}}}"#;
    let ended = Dibber::program(program, arguments).input(format!("{ask}\n")).run();
    let answer: Value = serde_json::from_str(ended.stdout.trim_end()).expect("JSON");
    assert_eq!(answer["result"]["serverInfo"]["name"], "dibber", "{}", ended.show());
    assert!(directory.path().join("dibber.db").exists());
}

#[test]
fn every_scope_can_read_the_guides_and_each_is_sent_once() {
    let server = Serving::start();
    let get = |path: &str, headers: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", server.address);
        server.raw(head.as_bytes())
    };
    let index = get("/guides", "");
    assert_eq!(index.status, 200);
    let paths: Vec<_> = guides().iter().map(|guide| guide.path).collect();
    for guide in guides() {
        let path = format!("/guides/{}", guide.path);
        assert!(index.body.contains(&path), "{path} in {}", index.body);
        let page = get(&path, "");
        assert_eq!((page.status, page.body.as_str()), (200, guide.text()));
        assert!(page.head.contains("content-type: text/markdown; charset=utf-8"), "{}", page.head);
        let tag = page.head.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag");
        for known in [tag.to_owned(), format!("W/{tag}"), format!("\"a\", {tag}"), "*".to_owned()] {
            let again = get(&path, &format!("If-None-Match: {known}\r\n"));
            assert_eq!((again.status, again.body.as_str()), (304, ""), "{known}");
        }
        assert_eq!(get(&path, "If-None-Match: \"a\"\r\n").status, 200);
        let elsewhere = format!("GET {path} HTTP/1.1\r\nHost: evil.example\r\n\r\n");
        assert_eq!(server.raw(elsewhere.as_bytes()).reason(), "HOST_NOT_ALLOWED");
    }
    assert_eq!(paths.len(), 3);
    for path in ["/guides/", "/guides/skill", "/guides/../token", "/guides/skill/%2e%2e/token"] {
        assert_eq!(get(path, "").status, 404, "{path}");
    }
}

/// Each would issue a token if it saw no file, and all but one would be lost but valid.
#[test]
fn servers_that_start_at_once_share_one_token() {
    let directory = Tree::new();
    let data = directory.path().join("data");
    let servers: Vec<Serving> = std::thread::scope(|scope| {
        let start = || Serving::start_in(&data);
        let started: Vec<_> = (0..6).map(|_| scope.spawn(start)).collect();
        started.into_iter().map(|started| started.join().expect("a server")).collect()
    });
    for server in &servers {
        user_of(&server.call("mcp_whoami", &json!({})));
    }
    let listed = Dibber::new(["family", "token", "--list"]).data(&data).run();
    assert_eq!(listed.stdout.matches("tok_").count(), 1, "{}", listed.show());
}

#[test]
fn a_warning_is_shown_if_other_machines_can_connect() {
    let directory = Tree::new();
    let data = directory.path().join("data");
    for (address, is_public) in [("0.0.0.0:0", true), ("127.0.0.1:0", false)] {
        let server = Serving::of(serve(&data, &["--listen", address]), &data);
        server.signal("TERM");
        let (_, log) = server.ended();
        assert_eq!(log.contains("warning: other machines can connect"), is_public, "{log}");
    }
}

/// The most clients that ask and do not read; their answers have more bytes than there is room for.
const SILENT_CLIENTS_MAX: usize = 40;

#[test]
fn answers_that_nobody_reads_have_a_limited_size_together() {
    let server = Serving::start();
    let skill = json!({
        "name": "Repeat", "description": "Repeats a word.", "prompt": "{{input.word}}".repeat(4),
        "inputVariables": [{"name": "word"}],
    });
    let written = server.call("skill_write", &skill).json();
    let id = written["result"]["structuredContent"]["skillId"].clone();
    let invoke = |bytes: usize| json!({"skillId": id, "input": {"word": "x".repeat(bytes)}});
    let params = json!({"name": "skill_invoke", "arguments": invoke(900 << 10)});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let body = body.to_string();
    let request = format!("{}Content-Length: {}\r\n\r\n{body}", server.head(), body.len());
    let mut silent = Vec::new();
    let is_refused = (0..SILENT_CLIENTS_MAX).any(|_| {
        let mut stream = server.connect();
        stream.write_all(request.as_bytes()).expect("a request");
        // The status arrives as soon as there is an answer, though nothing else is read.
        let mut status = [0; 12];
        stream.read_exact(&mut status).expect("a status");
        silent.push(stream);
        &status == b"HTTP/1.1 503"
    });
    assert!(is_refused);
    assert_eq!(server.call("skill_invoke", &invoke(1)).status, 200, "a small answer needs no room");
    drop(silent);
    let is_answered = |_| server.call("skill_invoke", &invoke(900 << 10)).status == 200;
    assert!((0..1_000).any(is_answered), "there is room again");
}

/// The client of dibber checks the certificate, so it connects only if it knows the authority.
#[cfg(target_os = "linux")]
#[test]
fn connections_are_encrypted_with_a_certificate() {
    let directory = Tree::new();
    let data = directory.path().join("data");
    let file = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    let (certificate, key) = (file("certificate.pem"), file("key.pem"));
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-nodes",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
        ])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .args(["-days", "36500", "-keyout", &key, "-out", &certificate])
        .output()
        .expect("openssl");
    assert!(made.status.success(), "{made:?}");
    let options = ["--listen", "localhost:0", "--tls-cert", &certificate, "--tls-key", &key];
    let server = Serving::of(serve(&data, &options), &data);
    let url = format!("https://{}/mcp", server.address);
    let token = file("data/token");
    let status = ["status", "--server", &url, "--token-file", &token, "--timeout", "5"];
    let ended = Dibber::new(status).env("SSL_CERT_FILE", &certificate).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    let ended = Dibber::new(status).env("SSL_CERT_FILE", &key).run();
    assert_eq!(ended.code, 6, "{}", ended.show());
    let shown = ended.show();
    assert!(shown.contains("the certificate of the server is not trusted: "), "{shown}");
    assert!(shown.contains("SSL_CERT_FILE") && !shown.contains("tried"), "{shown}");
    let named = |ca_file: &str| {
        let config = format!("[servers.home]\nurl = \"{url}\"\nca-file = \"{ca_file}\"\n");
        directory.write("config/dibber/dibber.toml", config.as_bytes());
        let named = Dibber::new(["tools", "--server", "home", "--token-file", &token]);
        let named = named.env("XDG_CONFIG_HOME", &file("config"));
        named.arguments(&["--timeout", "5"]).run()
    };
    std::fs::create_dir_all(file("config/dibber")).expect("a directory");
    std::fs::copy(&certificate, file("config/dibber/authority.pem")).expect("a copy");
    assert_eq!(named("authority.pem").code, 0, "{}", named("authority.pem").show());
    for (ca_file, cause) in [
        ("missing.pem", "`ca-file` cannot be used: it cannot be read: "),
        ("dibber.toml", "`ca-file` cannot be used: it contains no certificate"),
        ("/dev/null", "`ca-file` cannot be used: it is a pipe, a socket or a device"),
    ] {
        let ended = named(ca_file);
        assert_eq!(ended.code, 2, "{}", ended.show());
        assert!(ended.stderr.contains(cause), "{}", ended.show());
    }
    let plain = url.replace("https", "http");
    let plain = Dibber::new(["tools", "--server", &plain, "--timeout", "5"]).run();
    assert_eq!(plain.code, 6, "{}", plain.show());
    assert!(plain.stderr.contains("write `https://` instead of `http://`"), "{}", plain.show());
    // What is not encrypted gets no answer.
    let mut stream = server.connect();
    stream.write_all(b"GET /guides HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it reads");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
}

#[test]
fn certificates_that_cannot_be_used_are_explained() {
    let directory = Tree::new();
    directory.write("empty.pem", b"");
    directory.write("broken.pem", b"-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n");
    let shown = |certificate: &str, key: &str| {
        let options =
            ["serve", "--listen", "127.0.0.1:0", "--tls-cert", certificate, "--tls-key", key];
        Dibber::new(options).in_directory(directory.path()).run().show()
    };
    let output = [
        shown("empty.pem", "empty.pem"),
        shown("broken.pem", "empty.pem"),
        shown("missing.pem", "empty.pem"),
        Dibber::new(["serve", "--tls-cert", "empty.pem"]).run().show(),
    ];
    insta::assert_snapshot!(output.join("\n"));
}
