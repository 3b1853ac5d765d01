//! Sessions: the streams on which clients of the first revisions of MCP hear of what they watch.

use dibber_server::http::Limits;
use dibber_server::store::FamilyId;
use dibber_skill::contract::{Scope, WireEnum};
use serde_json::{Value, json};

use super::subscriptions::{ACTIVITY, Served, Stream, change};
use crate::support::stores::issue_token;
use crate::support::wire::HOME;

const INBOX: &str = "sprout://family/inbox";

/// The most sessions of a token.
const SESSIONS_MAX: usize = 256;

/// Checks that a request was refused because its session is not known.
async fn assert_unknown(mut answer: Stream) {
    let head = answer.head().await;
    assert!(head.starts_with("http/1.1 404"), "{head}");
    let body = answer.read_to("}}").await.expect("a body") + "}}";
    let error = serde_json::from_str::<Value>(&body).expect("JSON")["error"].clone();
    assert_eq!(
        (&error["code"], &error["reason"]),
        (&json!("DOMAIN_NOT_FOUND"), &json!("NO_SUCH_SESSION"))
    );
}

/// What clients of other makes do: they open a stream, and subscribe at the same time.
#[tokio::test]
async fn a_client_with_a_session_hears_of_its_subscriptions_on_its_stream() {
    let served = Served::new(Limits::default()).await;
    let (first, second) = (served.begin_session().await, served.begin_session().await);
    let (mut early, mut stream) = (
        served.send_in(&first, "resources/subscribe", ACTIVITY).await,
        served.stream(&first).await,
    );
    assert!(stream.head().await.contains("content-type: text/event-stream"));
    assert!(early.head().await.contains("content-type: application/json"));
    let mut other = served.stream(&second).await;
    other.head().await;
    let mut subscribed = served.send_in(&second, "resources/subscribe", INBOX).await;
    assert!(subscribed.head().await.contains("content-type: application/json"));
    change(&served.test_server, ACTIVITY);
    assert_eq!(stream.news().await, ACTIVITY);
    let mut ended = served.send_in(&first, "resources/unsubscribe", ACTIVITY).await;
    assert!(ended.head().await.starts_with("http/1.1 200"));
    let mut again = served.send_in(&first, "resources/subscribe", INBOX).await;
    assert!(again.head().await.starts_with("http/1.1 200"));
    change(&served.test_server, ACTIVITY);
    served.test_server.change(|store| {
        let family = FamilyId::from(HOME.to_owned());
        store.record_change(&family, dibber_server::store::Resource::Inbox).expect("a change");
    });
    assert_eq!([stream.news().await, other.news().await], [INBOX, INBOX]);
    drop(stream);
    served.stop().await;
    assert_eq!(other.message().await, None);
}

/// A client begins a new session when the answer is that the server does not know its own.
#[tokio::test]
async fn a_stream_of_a_session_that_the_server_has_not_issued_is_not_found() {
    let mut served = Served::new(Limits::default()).await;
    assert_unknown(served.stream("8c1f").await).await;
    let session = served.begin_session().await;
    let (family, user) = (FamilyId::from(HOME.to_owned()), format!("us_{HOME}").into());
    let other = issue_token(&served.test_server.server, &family, &user, &Scope::all());
    served.token = other.expect("a token");
    assert_unknown(served.stream(&session).await).await;
    served.stop().await;
}

/// What changes while a stream is interrupted is reported on the next one.
#[tokio::test]
async fn a_session_goes_on_when_its_stream_is_opened_again() {
    let served = Served::new(Limits::default()).await;
    let session = served.begin_session().await;
    let mut stream = served.stream(&session).await;
    stream.head().await;
    served.send_in(&session, "resources/subscribe", ACTIVITY).await.head().await;
    drop(stream);
    change(&served.test_server, ACTIVITY);
    let mut stream = served.stream(&session).await;
    assert_eq!(stream.news().await, ACTIVITY);
    change(&served.test_server, ACTIVITY);
    assert_eq!(stream.news().await, ACTIVITY);
    // The newer stream of a session replaces the older one.
    let mut newer = served.stream(&session).await;
    assert_eq!(newer.news().await, ACTIVITY);
    assert_eq!(stream.message().await, None);
    served.stop().await;
}

#[tokio::test]
async fn a_client_ends_its_session() {
    let served = Served::new(Limits::default()).await;
    let session = served.begin_session().await;
    let mut stream = served.stream(&session).await;
    stream.head().await;
    let head = served.send_without_body("DELETE", &session).await.head().await;
    assert!(head.starts_with("http/1.1 204"), "{head}");
    assert_eq!(stream.message().await, None);
    for method in ["GET", "DELETE"] {
        assert_unknown(served.send_without_body(method, &session).await).await;
    }
    served.stop().await;
}

/// The sessions of a token are limited; those that are not in use make room.
#[tokio::test]
async fn sessions_without_a_stream_make_room_for_new_ones() {
    let served = Served::new(Limits::default()).await;
    let (with_stream, without) = (served.begin_session().await, served.begin_session().await);
    let mut stream = served.stream(&with_stream).await;
    stream.head().await;
    let mut newest = String::new();
    for _ in 1..SESSIONS_MAX {
        newest = served.begin_session().await;
    }
    assert_unknown(served.stream(&without).await).await;
    let head = served.stream(&newest).await.head().await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    served.send_in(&with_stream, "resources/subscribe", ACTIVITY).await.head().await;
    change(&served.test_server, ACTIVITY);
    assert_eq!(stream.news().await, ACTIVITY);
    served.stop().await;
}

/// A client that has a session and opens no stream hears of its subscriptions in the answers to them.
#[tokio::test]
async fn a_subscription_without_a_stream_ends_with_its_own_session() {
    let served = Served::new(Limits::default()).await;
    let (first, second) = (served.begin_session().await, served.begin_session().await);
    let mut stream = served.send_in(&first, "resources/subscribe", ACTIVITY).await;
    assert!(stream.message().await.is_some());
    // That another client of the same token unsubscribes does not end it.
    for (session, uri) in [(&second, ACTIVITY), (&first, INBOX)] {
        served.send_in(session, "resources/unsubscribe", uri).await.head().await;
    }
    change(&served.test_server, ACTIVITY);
    assert_eq!(stream.news().await, ACTIVITY);
    // That a stream is opened meanwhile does not keep it.
    served.stream(&first).await.head().await;
    served.send_in(&first, "resources/unsubscribe", ACTIVITY).await.head().await;
    assert_eq!(stream.message().await, None);
    served.stop().await;
}

/// Deleting a session ends its subscriptions wherever their news comes, and no others.
#[tokio::test]
async fn a_client_that_ends_its_session_ends_the_answers_that_stay_open() {
    let served = Served::new(Limits::default()).await;
    let (first, second) = (served.begin_session().await, served.begin_session().await);
    let mut own = served.send_in(&first, "resources/subscribe", ACTIVITY).await;
    let mut other = served.send_in(&second, "resources/subscribe", ACTIVITY).await;
    assert!(own.message().await.is_some());
    assert!(other.message().await.is_some());
    let head = served.send_without_body("DELETE", &first).await.head().await;
    assert!(head.starts_with("http/1.1 204"), "{head}");
    assert_eq!(own.message().await, None);
    change(&served.test_server, ACTIVITY);
    assert_eq!(other.news().await, ACTIVITY);
    served.stop().await;
}

/// A client that does not hear that its stream is gone learns it from its next subscription.
#[tokio::test]
async fn a_subscription_in_a_session_that_is_gone_is_refused() {
    let served = Served::new(Limits::default()).await;
    // Another server may have begun it.
    let foreign = "5d2c6ba2-0000-4000-8000-000000000000";
    assert_unknown(served.send_in(foreign, "resources/subscribe", ACTIVITY).await).await;
    let mut other = served.send_in(foreign, "resources/unsubscribe", ACTIVITY).await;
    assert!(other.head().await.starts_with("http/1.1 200"));
    let session = served.begin_session().await;
    served.send_without_body("DELETE", &session).await.head().await;
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        assert_unknown(served.send_in(&session, method, ACTIVITY).await).await;
    }
    served.stop().await;
}

/// An id that no server gives is not the same as none.
#[tokio::test]
async fn an_overlong_id_of_a_session_is_not_found() {
    let served = Served::new(Limits::default()).await;
    let mut stream = served.subscribe(ACTIVITY).await;
    assert!(stream.message().await.is_some());
    let id = "x".repeat(65);
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        assert_unknown(served.send_in(&id, method, ACTIVITY).await).await;
    }
    for method in ["GET", "DELETE"] {
        assert_unknown(served.send_without_body(method, &id).await).await;
    }
    change(&served.test_server, ACTIVITY);
    assert_eq!(stream.news().await, ACTIVITY);
    served.stop().await;
}

#[tokio::test]
async fn an_initialize_that_is_refused_begins_no_session() {
    let served = Served::new(Limits::default()).await;
    let mut refused = served.send("2025-11-25", "initialize", json!({})).await;
    let head = refused.head().await;
    assert!(!head.contains("mcp-session-id"), "{head}");
    assert!(refused.read_to("\"error\"").await.is_some());
    served.stop().await;
}
