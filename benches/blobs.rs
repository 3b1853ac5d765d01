//! How fast large blobs of the Skills Protocol are stored and read, part by part, and the memory that it
//! takes.
//!
//! `cargo bench --bench blobs` stores and reads 100 MB in a temporary directory. With `-- --test`,
//! everything runs once in a small size.
#![expect(clippy::print_stdout, reason = "the figures are what it is for")]

use std::io::Read as _;
use std::sync::Arc;
use std::time::Instant;

use dibber_server::Server;
use dibber_server::protocol::blobs::{BlobLimits, BlobOwner, Blobs};
use dibber_server::store::sqlite::SqliteStore;
use dibber_skill::contract::skills_protocol::Encoding;
use jiff::Timestamp;
use tempfile::TempDir;

/// The bytes of a part.
const PART: usize = 64 << 10;

/// The bytes of a blob.
const SIZE: usize = 100_000_000;
const SIZE_SMALL: usize = 1_000_000;

/// How often each blob is stored.
const ROUNDS: usize = 3;

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let size = if is_test { SIZE_SMALL } else { SIZE };
    let data = TempDir::new().expect("a directory");
    let store = SqliteStore::temporary().expect("a store");
    let server = Server::new(Arc::new(store), Arc::new(Timestamp::now));
    let home = server.home("UTC").expect("a family");
    let owner = BlobOwner::token(home.id, &[1; 32]);
    let blobs = Blobs::open(&server, data.path(), BlobLimits::default()).expect("blobs");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    println!("before: {} of memory", peak_memory());
    for (what, mime, encoding, part) in [
        ("text", "text/plain", Encoding::Utf8, "é🌱 text\n".repeat(PART / 12)),
        ("base64", "image/png", Encoding::Base64, "iVBORw0K".repeat(PART / 8)),
    ] {
        for _ in 0..ROUNDS {
            let begin = Instant::now();
            let mut blob = blobs.begin(owner.clone(), mime, encoding).expect("a blob");
            for _ in 0..size / part.len() {
                blob.write(part.as_bytes()).expect("a part");
            }
            let created = blob.finish().expect("a blob");
            let stored = megabytes_per_second(created.size_bytes.unwrap_or_default(), begin);
            let begin = Instant::now();
            let mut opened =
                runtime.block_on(blobs.open_blob(&owner, &created.blob_id)).expect("the blob");
            let (mut buffer, mut bytes) = (vec![0; PART], 0);
            loop {
                match opened.reader.read(&mut buffer).expect("a part") {
                    0 => break,
                    count => bytes += count as u64,
                }
            }
            assert_eq!(Some(bytes), created.size_bytes);
            let read = megabytes_per_second(bytes, begin);
            println!("{what}: {stored:>5.0} MB/s stored, {read:>5.0} MB/s read, {}", peak_memory());
        }
    }
    server.store().close();
}

#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn megabytes_per_second(bytes: u64, begin: Instant) -> f64 {
    bytes as f64 / 1e6 / begin.elapsed().as_secs_f64()
}

/// Returns the most memory that the process has used.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or_else(|| "unknown".to_owned(), |peak| format!("{} at most", peak.trim()))
}
