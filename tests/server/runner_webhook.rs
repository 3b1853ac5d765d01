//! Runs that are sent to a webhook, on loopback.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use dibber_server::firing::{
    Execute, Job, Outcome, Retry, WebhookOptions, WebhookRunner, WebhookUrlError,
};
use dibber_server::store::FamilyId;
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use crate::support::wire::{HOME, NOW, TestServer, object};

/// The second attempt of a run.
pub(super) fn job() -> Job {
    Job {
        family: FamilyId::from(HOME.to_owned()),
        run_id: "run_1".into(),
        attempt: 2,
        heartbeat_id: "hb_1".into(),
        name: "Plants".to_owned(),
        skill_id: "sk_1".into(),
        child_id: None,
        planned_at: "2026-05-23T09:00:00-04:00".to_owned(),
        time_zone: "America/New_York".to_owned(),
        may_have_repeated: false,
        prompt_hash: "h_1".to_owned(),
        response_model: Some(object(json!({"type": "object"}))),
        prompt: "Water the fern.".to_owned(),
    }
}

fn options(url: String) -> WebhookOptions {
    let timeout = Duration::from_secs(20);
    WebhookOptions { url, secret: None, timeout, output_bytes: 1_000 }
}

/// Reads a request with a declared length: its head in lowercase, and its body.
async fn read_request(stream: &mut TcpStream) -> (String, String) {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.expect("a length").parse().expect("a length");
            if body.len() == length {
                return (head, body.to_owned());
            }
        }
        let read = stream.read(&mut buffer).await.expect("a request");
        assert!(read > 0, "the request ended: {text}");
        request.extend(&buffer[..read]);
    }
}

/// A receiver that answers each request so; returns its URL, and the requests.
async fn receiver(answer: String) -> (String, Arc<Mutex<Vec<(String, String)>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/runs?key=hunter2", listener.local_addr().expect("an address"));
    let requests: Arc<Mutex<Vec<_>>> = Arc::default();
    let received = Arc::clone(&requests);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let request = read_request(&mut stream).await;
            received.lock().expect("no panic").push(request);
            // One that has read enough leaves.
            drop(stream.write_all(answer.as_bytes()).await);
        }
    });
    (url, requests)
}

fn answer(status: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}")
}

async fn send(options: WebhookOptions) -> Outcome {
    let runner = WebhookRunner::new(TestServer::new().server, options).expect("a URL");
    runner.execute(job()).await
}

/// The result, or the reason and whether it is worth another attempt.
async fn outcome_of(answer: String) -> Result<Value, (String, Retry)> {
    let (url, requests) = receiver(answer).await;
    let outcome = send(options(url)).await;
    assert_eq!(requests.lock().expect("no panic").len(), 1, "nothing is sent again at once");
    match outcome {
        Outcome::Completed(result) => Ok(Value::Object(result.into_map())),
        Outcome::Failed { reason, retry } => {
            assert!(!reason.contains("hunter2") && !reason.contains("127.0.0.1"), "{reason}");
            Err((reason, retry))
        }
    }
}

#[tokio::test]
async fn a_run_is_sent_with_its_key_and_a_signature() {
    let (url, requests) = receiver(answer("200 OK", "{\"summary\": \"Watered.\"}")).await;
    let secret = Some(b"Jefe".to_vec());
    let outcome = send(WebhookOptions { secret, ..options(url) }).await;
    let Outcome::Completed(result) = outcome else { panic!("{outcome:?}") };
    assert_eq!(Value::Object(result.into_map()), json!({"summary": "Watered."}));
    let (head, body) = requests.lock().expect("no panic").remove(0);
    assert!(head.starts_with("post /runs?key=hunter2 http/1.1"), "{head}");
    let header = |name: &str| {
        let start = format!("{name}: ");
        let found = head.lines().find_map(|line| line.strip_prefix(&start));
        found.unwrap_or_else(|| panic!("{name}: {head}")).to_owned()
    };
    assert_eq!(header("idempotency-key"), "run_1");
    assert_eq!(header("content-type"), "application/json");
    let sent: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(sent["prompt"], "Water the fern.");
    assert_eq!((&sent["runId"], &sent["attempt"]), (&json!("run_1"), &json!(2)));
    assert_eq!(sent["plannedAt"], "2026-05-23T09:00:00-04:00");
    let time = NOW.parse::<Timestamp>().expect("a time").as_second();
    let signed = format!("{time}.{body}");
    assert_eq!(header("dibber-signature"), format!("t={time},v1={}", hmac(b"Jefe", &signed)));
}

/// HMAC with SHA-256 by the words of RFC 2104, for a key that is no longer than a block.
fn hmac(key: &[u8], text: &str) -> String {
    use sha2::{Digest, Sha256};
    let padded = |pad: u8| {
        let mut block = [pad; 64];
        block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        block
    };
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(text).finalize();
    dibber_text::hex(Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize())
}

#[tokio::test]
async fn an_answer_without_a_summary_is_a_delivery() {
    let delivered = json!({"summary": "Delivered."});
    for answer in [
        "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".to_owned(),
        answer("202 Accepted", ""),
        answer("200 OK", "ok"),
        answer("200 OK", "{\"ok\": true}"),
    ] {
        assert_eq!(outcome_of(answer.clone()).await, Ok(delivered.clone()), "{answer}");
    }
}

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    for (status, retry) in [
        ("429 Slow", Retry::Later),
        ("500 Oops", Retry::MayRepeat),
        ("504 Late", Retry::MayRepeat),
        ("408 Late", Retry::MayRepeat),
    ] {
        let failed = outcome_of(answer(status, "")).await.expect_err("a failure");
        assert_eq!(failed, (format!("the webhook answered {}", &status[..3]), retry));
    }
    for cut in ["", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"] {
        let (reason, retry) = outcome_of(cut.to_owned()).await.expect_err("no answer");
        assert!(reason.starts_with("the webhook has not answered: "), "{reason}");
        assert_eq!(retry, Retry::MayRepeat, "{cut}");
    }
}

#[tokio::test]
async fn what_stays_is_not_tried_again() {
    for status in ["400 No", "401 No", "404 No", "410 No"] {
        let failed = outcome_of(answer(status, "")).await.expect_err("a failure");
        assert_eq!(failed, (format!("the webhook answered {}", &status[..3]), Retry::Never));
    }
    let redirect = "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nConnection: close\r\n\
                    Content-Length: 0\r\n\r\n";
    let (reason, retry) = outcome_of(redirect.to_owned()).await.expect_err("a failure");
    assert_eq!(reason, "the webhook answered 302, a redirect, which is not followed");
    assert_eq!(retry, Retry::Never);
    let huge = answer("200 OK", &"x".repeat(1 << 20));
    let (reason, retry) = outcome_of(huge).await.expect_err("a failure");
    assert_eq!(reason, "the answer has more than 1000 bytes");
    assert_eq!(retry, Retry::Never);
}

#[tokio::test]
async fn one_that_never_answers_is_tried_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    let timeout = Duration::from_millis(300);
    let outcome = send(WebhookOptions { timeout, ..options(url.clone()) }).await;
    let reason = "the webhook has not answered in time".to_owned();
    assert_eq!(outcome, Outcome::Failed { reason, retry: Retry::MayRepeat });
}

#[tokio::test]
async fn one_that_is_not_running_is_tried_again() {
    // A socket that is bound and does not listen refuses connections, and keeps its port from
    // the servers of other tests.
    let closed = TcpSocket::new_v4().expect("a socket");
    closed.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
    let url = format!("http://{}/", closed.local_addr().expect("an address"));
    let Outcome::Failed { reason, retry } = send(options(url)).await else { panic!("a result") };
    assert!(reason.starts_with("the webhook cannot be reached: "), "{reason}");
    assert_eq!(retry, Retry::Later);
}

#[test]
fn a_prompt_leaves_this_computer_only_encrypted() {
    let check = |url: &str| -> Result<(), WebhookUrlError> {
        WebhookRunner::new(TestServer::new().server, options(url.to_owned())).map(drop)
    };
    for url in ["https://example.org/runs?key=a", "http://localhost:80/", "http://[::1]/"] {
        assert_eq!(check(url), Ok(()), "{url}");
    }
    for (url, part) in [
        ("http://example.org/", "without encryption"),
        ("http://127.0.0.1.example.org/", "without encryption"),
        ("ftp://example.org/", "`https://`"),
        ("example", "not a URL"),
        ("https://a:b@example.org/", "a password"),
        ("https://example.org/#a", "`#`"),
    ] {
        let error = check(url).expect_err(url).to_string();
        assert!(error.contains(part), "{url}: {error}");
    }
}
