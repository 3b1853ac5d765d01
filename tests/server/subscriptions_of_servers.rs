//! Subscriptions to what other servers change in the same database.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use dibber_server::store::Store;
use dibber_server::store::postgres::PostgresStore;
use serde_json::json;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::Notify;

use super::subscriptions::{ACTIVITY, change, news};
use crate::support::postgres::{TestDatabase, address};
use crate::support::stores::open;
use crate::support::wire::{HOME, TestServer, ok};

/// Changes that another server makes are noticed, and the versions are those of the database.
async fn servers_report_the_changes_of_one_another(stores: [Arc<dyn Store>; 2]) {
    let [first, second] = stores;
    let (first, second) = (TestServer::with_families_in(first), TestServer::over(second));
    let mut pipe = first.connect(HOME).await;
    pipe.ask("resources/subscribe", json!({"uri": ACTIVITY})).await;
    for _ in 0..3 {
        change(&second, ACTIVITY);
        assert_eq!(news(&mut pipe).await, ACTIVITY);
    }
    let known = async |test_server: &TestServer| {
        let wait = json!({"resources": [{"uri": ACTIVITY}], "timeoutMs": 0});
        let answer = ok(&test_server.client(HOME), "resource_wait", wait).await;
        answer["resources"][0]["version"].clone()
    };
    let version = known(&second).await;
    assert_eq!(known(&first).await, version);
    let waiting = {
        let client = first.client(HOME);
        let wait = json!({"resources": [{"uri": ACTIVITY, "sinceVersion": version}]});
        tokio::spawn(async move { ok(&client, "resource_wait", wait).await })
    };
    tokio::time::sleep(Duration::from_millis(300)).await;
    change(&second, ACTIVITY);
    assert_eq!(waiting.await.expect("an answer")["resources"][0]["changed"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_over_one_sqlite_database_report_changes() {
    let directory = tempfile::TempDir::new().expect("a directory");
    let path = directory.path().join("dibber.db");
    let store = || Arc::new(open(&path));
    servers_report_the_changes_of_one_another([store(), store()]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_over_one_postgresql_database_report_changes() {
    let open = || {
        let database = TestDatabase::create()?;
        let stores: [Arc<dyn Store>; 2] = [Arc::new(database.open()), Arc::new(database.open())];
        Some((stores, database))
    };
    let opened = tokio::task::spawn_blocking(open).await.expect("no panic");
    let Some((stores, database)) = opened else { return };
    servers_report_the_changes_of_one_another(stores).await;
    tokio::task::spawn_blocking(move || drop(database)).await.expect("no panic");
}

/// A network that was cut closes no connection. It is noticed all the same, and what was changed meanwhile
/// is reported.
#[test]
fn changes_are_reported_after_the_network_was_cut() {
    let Some(database) = TestDatabase::create() else { return };
    let url = database.url();
    let (user, rest) = url.rsplit_once('@').expect("a user");
    let (server, name) = rest.split_once('/').expect("a name");
    let (runtime, cut) = (Runtime::new().expect("a runtime"), Arc::<Notify>::default());
    let proxy = runtime.block_on(cuttable_proxy(server.to_owned(), Arc::clone(&cut)));
    let over_proxy = address(&format!("{user}@{proxy}/{name}"));
    let first = PostgresStore::open(&over_proxy).unwrap_or_else(|error| panic!("{error}"));
    let second = database.open();
    runtime.block_on(async {
        let first = TestServer::with_families_in(Arc::new(first));
        let second = TestServer::over(Arc::new(second));
        let mut pipe = first.connect(HOME).await;
        pipe.ask("resources/subscribe", json!({"uri": ACTIVITY})).await;
        change(&second, ACTIVITY);
        assert_eq!(news(&mut pipe).await, ACTIVITY);
        cut.notify_waiters();
        change(&second, ACTIVITY);
        assert_eq!(news(&mut pipe).await, ACTIVITY);
    });
}

/// Starts a proxy before a server; returns its address. When `cut` is notified, nothing passes any more on
/// the connections that are open, and they stay open.
async fn cuttable_proxy(server: String, cut: Arc<Notify>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let (server, cut) = (server.clone(), Arc::clone(&cut));
            tokio::spawn(async move {
                let mut server = TcpStream::connect(server).await.expect("it listens");
                tokio::select! {
                    _ = copy_bidirectional(&mut client, &mut server) => {}
                    () = cut.notified() => std::future::pending().await,
                }
            });
        }
    });
    address
}
