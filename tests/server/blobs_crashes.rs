//! Files of blobs after a crash: what nobody writes any more is removed, and nothing else.

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use dibber_server::protocol::blobs::{BlobLimits, Blobs, Swept};
use dibber_server::store::sqlite::SqliteStore;
use dibber_skill::contract::skills_protocol::{BlobMode, CreateBlob, ReadBlob, RpcReason};
use tempfile::TempDir;
use tokio::time::sleep;

use super::blobs::{TestBlobs, owner, refusal};
use crate::support::faulty_store::{Fault, FaultyStore};
use crate::support::wire::TestServer;

/// The most turns of waiting, of 10 milliseconds each.
const WAITS_MAX: usize = 6_000;

fn large() -> String {
    "a".repeat(100_000)
}

fn read(id: &str) -> ReadBlob {
    ReadBlob { blob_id: id.to_owned(), mode: Some(BlobMode::Full), max_bytes: None, offset: None }
}

async fn sweep(blobs: &Blobs) -> Swept {
    blobs.remove_expired().await.expect("a sweep")
}

/// The directory with the files of a test.
fn directory(test: &TestBlobs) -> PathBuf {
    let stores = fs::read_dir(test.data.path().join("blobs")).expect("a directory");
    let paths: Vec<_> = stores.map(|entry| entry.expect("an entry").path()).collect();
    assert_eq!(paths.len(), 1);
    paths.into_iter().next().expect("a store")
}

#[tokio::test]
async fn a_file_without_a_blob_is_removed_unless_it_is_being_written() {
    let test = TestBlobs::new();
    let id = test.create(&large()).await.expect("a blob");
    let directory = directory(&test);
    // As after a crash between the two steps, and as between them.
    let (left, held) = (directory.join("0".repeat(32)), directory.join("1".repeat(32)));
    let foreign = directory.join("notes.txt");
    for path in [&left, &held, &foreign] {
        fs::write(path, "content").expect("a file");
    }
    let writer = File::open(&held).expect("a file");
    writer.lock().expect("a lock");
    let incoming = directory.join("incoming");
    let (dead, alive) = (incoming.join(".dibber-dead.tmp"), incoming.join(".dibber-alive.tmp"));
    fs::write(&dead, "conte").expect("a file");
    fs::write(&alive, "conte").expect("a file");
    let writer_of_alive = File::open(&alive).expect("a file");
    writer_of_alive.lock().expect("a lock");
    assert_eq!(sweep(&test.blobs).await, Swept { files: 1, ..Swept::default() });
    assert!(!left.exists() && !dead.exists());
    assert!(held.exists() && alive.exists() && foreign.exists());
    drop((writer, writer_of_alive));
    assert_eq!(sweep(&test.blobs).await, Swept { files: 1, ..Swept::default() });
    assert!(!held.exists() && !alive.exists() && foreign.exists());
    test.blobs.read(&owner(1), &read(&id)).await.expect("the blob");
}

#[tokio::test]
async fn a_sweep_between_the_file_and_its_blob_removes_nothing() {
    let store = FaultyStore::temporary();
    let test_server = TestServer::with_families_in(Arc::clone(&store) as Arc<_>);
    let test = TestBlobs::over(test_server, BlobLimits::default());
    store.set(Fault::Held);
    let blobs = test.blobs.clone();
    let call = CreateBlob { content: large(), mime: "text/plain".to_owned(), encoding: None };
    let creating = tokio::spawn(async move { blobs.create(&owner(1), call).await });
    for _ in 0..WAITS_MAX {
        if store.holds_change() {
            break;
        }
        sleep(Duration::from_millis(10)).await;
    }
    assert!(store.holds_change());
    assert_eq!(test.files().len(), 1, "the file is in its place");
    // Another process over the same data.
    let other = Blobs::open(&test.test_server.server, test.data.path(), BlobLimits::default());
    assert_eq!(sweep(&other.expect("blobs")).await, Swept::default());
    store.set(Fault::None);
    let id = creating.await.expect("no panic").expect("a blob").blob_id;
    let content = test.blobs.read(&owner(1), &read(&id)).await.expect("the blob").content;
    assert_eq!(content, large());
}

#[tokio::test]
async fn a_blob_that_cannot_be_recorded_leaves_no_file() {
    let store = FaultyStore::temporary();
    let test_server = TestServer::with_families_in(Arc::clone(&store) as Arc<_>);
    let test = TestBlobs::over(test_server, BlobLimits::default());
    store.set(Fault::Undone);
    assert_eq!(refusal(test.create(&large()).await).0, RpcReason::Internal);
    assert_eq!(test.files(), Vec::<PathBuf>::new());
    store.set(Fault::None);
    let id = test.create(&large()).await.expect("a blob");
    store.set(Fault::Undone);
    test.test_server.move_clock(600);
    test.blobs.read(&owner(1), &read(&id)).await.expect("it is read although nothing is written");
}

#[tokio::test]
async fn a_sweep_with_nothing_to_remove_writes_nothing() {
    let store = FaultyStore::temporary();
    let test_server = TestServer::with_families_in(Arc::clone(&store) as Arc<_>);
    let test = TestBlobs::over(test_server, BlobLimits::default());
    test.create(&large()).await.expect("a blob");
    store.take_writes();
    assert_eq!(sweep(&test.blobs).await, Swept::default());
    assert_eq!(store.writes(), 0);
}

#[tokio::test]
async fn a_blob_without_its_file_is_removed() {
    let test = TestBlobs::new();
    let id = test.create(&large()).await.expect("a blob");
    let other = test.create(&large()).await.expect("a blob");
    let name = id.strip_prefix("blob:").expect("the prefix");
    fs::remove_file(directory(&test).join(name)).expect("a file");
    assert_eq!(refusal(test.blobs.read(&owner(1), &read(&id)).await).0, RpcReason::BlobNotFound);
    let mounted = test.blobs.mount(&owner(1), std::slice::from_ref(&id)).await;
    assert_eq!(refusal(mounted).0, RpcReason::BlobNotFound);
    let expected = Swept { blobs_without_file: 1, ..Swept::default() };
    assert_eq!(sweep(&test.blobs).await, expected);
    test.blobs.read(&owner(1), &read(&other)).await.expect("the blob");
}

#[tokio::test]
async fn blobs_stay_while_their_disk_is_missing() {
    let test = TestBlobs::new();
    let id = test.create(&large()).await.expect("a blob");
    let (directory, away) = (directory(&test), test.data.path().join("away"));
    fs::rename(&directory, &away).expect("a rename");
    assert_eq!(sweep(&test.blobs).await, Swept::default());
    fs::create_dir(&directory).expect("a directory");
    assert_eq!(sweep(&test.blobs).await, Swept::default(), "an empty mount point");
    fs::remove_dir(&directory).expect("a directory");
    fs::rename(&away, &directory).expect("a rename");
    test.blobs.read(&owner(1), &read(&id)).await.expect("the blob");
}

/// Servers on two machines with one database: each has its own files, and leaves those of the other
/// alone.
#[tokio::test]
async fn each_server_of_a_database_has_its_own_files() {
    let store = Arc::new(SqliteStore::temporary().expect("a database"));
    let test = TestBlobs::over(TestServer::with_families_in(store), BlobLimits::default());
    let elsewhere = TempDir::new().expect("a directory");
    let other = Blobs::open(&test.test_server.server, elsewhere.path(), BlobLimits::default());
    let other = other.expect("blobs");
    let id = test.create(&large()).await.expect("a blob");
    let small = test.create("small").await.expect("a blob");
    assert_eq!(sweep(&other).await, Swept::default());
    other.read(&owner(1), &read(&small)).await.expect("it is in the database");
    assert_eq!(refusal(other.read(&owner(1), &read(&id)).await).0, RpcReason::BlobNotFound);
    // The other one removes the row, and its own server the file.
    test.test_server.move_clock(25 * 60 * 60);
    assert_eq!(sweep(&other).await, Swept { blobs: 2, ..Swept::default() });
    assert_eq!(test.files().len(), 1);
    assert_eq!(sweep(&test.blobs).await, Swept { files: 1, ..Swept::default() });
    assert_eq!(test.files(), Vec::<PathBuf>::new());
}
