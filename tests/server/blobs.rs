//! Blobs of the Skills Protocol: what is stored is read again, by its owner alone, within limits.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dibber_server::protocol::blobs::{
    BlobLimits, BlobOwner, Blobs, MOUNTED_BLOBS_MAX, ROW_BYTES_MAX,
};
use dibber_server::protocol::{SweptRuns, sweep_runs};
use dibber_server::store::{SkillRun, SkillRunList, UNFINISHED};
use dibber_skill::contract::FamilyId;
use dibber_skill::contract::skills_protocol::{
    BlobContent, BlobMode, CreateBlob, Encoding, ReadBlob, RpcError, RpcReason, RunStatus,
};
use tempfile::TempDir;

use super::store_skill_runs::skill_run;
use crate::support::wire::{HOME, OTHER, TestServer};

/// The seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// A server with blobs.
pub(super) struct TestBlobs {
    pub(super) test_server: TestServer,
    pub(super) data: TempDir,
    pub(super) blobs: Blobs,
}

impl TestBlobs {
    pub(super) fn new() -> Self {
        Self::with_limits(BlobLimits::default())
    }

    pub(super) fn with_limits(limits: BlobLimits) -> Self {
        Self::over(TestServer::new(), limits)
    }

    pub(super) fn over(test_server: TestServer, limits: BlobLimits) -> Self {
        let data = TempDir::new().expect("a directory");
        let blobs = Blobs::open(&test_server.server, data.path(), limits).expect("blobs");
        Self { test_server, data, blobs }
    }

    pub(super) async fn create(&self, content: &str) -> Result<String, RpcError> {
        Ok(self.blobs.create(&owner(1), text(content)).await?.blob_id)
    }

    async fn read(&self, id: &str) -> Result<BlobContent, RpcError> {
        self.blobs.read(&owner(1), &part(id, None, None)).await
    }

    /// The files of blobs, those that are being written, and the file with the id.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        collect_files(&self.data.path().join("blobs"), &mut files);
        files.retain(|path| !path.ends_with("id"));
        files
    }
}

fn collect_files(directory: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { collect_files(&path, into) } else { into.push(path) }
    }
}

/// One of the owners in the family [`HOME`].
pub(super) fn owner(number: u8) -> BlobOwner {
    BlobOwner::token(FamilyId::from(HOME), &[number; 32])
}

fn text(content: &str) -> CreateBlob {
    CreateBlob { content: content.to_owned(), mime: "text/plain".to_owned(), encoding: None }
}

fn encoded(bytes: &[u8], mime: &str) -> CreateBlob {
    let encoding = Some(Encoding::Base64);
    CreateBlob { content: STANDARD.encode(bytes), mime: mime.to_owned(), encoding }
}

fn part(id: &str, mode: Option<BlobMode>, max_bytes: Option<u64>) -> ReadBlob {
    ReadBlob { blob_id: id.to_owned(), mode, max_bytes, offset: None }
}

/// Returns the reason and the text of a refusal.
pub(super) fn refusal<T: std::fmt::Debug>(result: Result<T, RpcError>) -> (RpcReason, String) {
    let error = result.expect_err("a refusal");
    let data = error.data.expect("data");
    assert!(!data.help.is_empty());
    (data.reason, format!("{}; {}", error.message, data.help))
}

#[tokio::test]
async fn a_blob_is_read_as_it_was_stored() {
    let test = TestBlobs::new();
    let large = "é🌱\n".repeat(20_000);
    for content in ["", "a\u{0}é🌱", &large] {
        let created = test.blobs.create(&owner(1), text(content)).await.expect("a blob");
        assert_eq!(created.size_bytes, Some(content.len() as u64));
        assert!(created.blob_id.starts_with("blob:"), "{}", created.blob_id);
        let full = part(&created.blob_id, Some(BlobMode::Full), None);
        let read = test.blobs.read(&owner(1), &full).await.expect("the blob");
        assert_eq!(read.content, content);
        let preview = (content.len() <= 64 << 10).then_some(content);
        assert_eq!(read.preview.as_deref(), preview);
        assert_eq!(read.mime.as_deref(), Some("text/plain"));
        assert_eq!(read.mode, Some(BlobMode::Full));
        assert_eq!(read.encoding, Encoding::Utf8);
        assert_eq!(read.size_bytes, Some(content.len() as u64));
        assert!(!read.truncated);
        // What follows the prefix is the name of the file in a run.
        let name = created.blob_id.strip_prefix("blob:").expect("the prefix");
        assert_eq!(test.read(name).await.expect("the blob").blob_id, created.blob_id);
    }
    assert_eq!(test.files().len(), 1, "only the large one is a file");
}

#[tokio::test]
async fn text_in_base64_is_text_and_everything_else_is_not() {
    let test = TestBlobs::new();
    let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    for (content, mime, encoding) in [
        ("héllo".as_bytes(), "text/csv", Encoding::Utf8),
        ("{}".as_bytes(), "application/vnd.api+json", Encoding::Utf8),
        ("héllo".as_bytes(), "application/octet-stream", Encoding::Base64),
        ("hello".as_bytes(), "text/csv; charset=utf-16", Encoding::Base64),
        (&[0xff, 0xfe], "text/csv", Encoding::Base64),
        (&bytes, "image/png", Encoding::Base64),
    ] {
        let created = test.blobs.create(&owner(1), encoded(content, mime)).await.expect("a blob");
        assert_eq!(created.size_bytes, Some(content.len() as u64));
        let full = part(&created.blob_id, Some(BlobMode::Full), None);
        let read = test.blobs.read(&owner(1), &full).await.expect("the blob");
        assert_eq!((read.encoding, read.mime.as_deref()), (encoding, Some(mime)));
        let written = match encoding {
            Encoding::Utf8 => String::from_utf8(content.to_vec()).expect("a text"),
            Encoding::Base64 => STANDARD.encode(content),
        };
        assert_eq!(read.content, written);
        let tail = part(&created.blob_id, Some(BlobMode::SampleTail), Some(3));
        let tail = test.blobs.read(&owner(1), &tail).await.expect("the blob");
        if encoding == Encoding::Base64 {
            let last = &content[content.len().saturating_sub(3)..];
            assert_eq!(tail.content, STANDARD.encode(last));
        }
        assert_eq!(tail.truncated, content.len() > 3);
    }
}

#[tokio::test]
async fn samples_are_cut_between_characters() {
    let limits = BlobLimits { answer_bytes: 5000, ..BlobLimits::default() };
    let test = TestBlobs::with_limits(limits);
    let content = "aé🌱".repeat(20_000);
    let id = test.create(&content).await.expect("a blob");
    let read = async |mode, max_bytes| {
        let read = test.blobs.read(&owner(1), &part(&id, mode, max_bytes)).await.expect("a part");
        assert!(read.truncated);
        assert_eq!(read.size_bytes, Some(content.len() as u64));
        read.content
    };
    let head = read(None, None).await;
    assert!(content.starts_with(&head) && (1997..=2000).contains(&head.len()), "{}", head.len());
    let tail = read(Some(BlobMode::SampleTail), None).await;
    assert!(content.ends_with(&tail) && (1997..=2000).contains(&tail.len()), "{}", tail.len());
    for (max_bytes, head, tail) in [(0, "", ""), (1, "a", ""), (2, "a", ""), (3, "aé", "")] {
        assert_eq!(read(None, Some(max_bytes)).await, head);
        assert_eq!(read(Some(BlobMode::SampleTail), Some(max_bytes)).await, tail);
        assert_eq!(read(Some(BlobMode::Full), Some(max_bytes)).await, head);
    }
    assert_eq!(read(Some(BlobMode::SampleTail), Some(6)).await, "é🌱");
    for mode in [BlobMode::SampleHead, BlobMode::SampleTail, BlobMode::Full] {
        let capped = read(Some(mode), Some(u64::MAX)).await;
        assert!((4997..=5000).contains(&capped.len()), "{mode:?}: {}", capped.len());
    }
}

#[tokio::test]
async fn a_blob_is_found_by_its_owner_alone() {
    let test = TestBlobs::new();
    let id = test.create("mine").await.expect("a blob");
    let others = [
        owner(2),
        BlobOwner::token(FamilyId::from(OTHER), &[1; 32]),
        BlobOwner::user(FamilyId::from(HOME), &"usr_1".into()),
    ];
    let unknown = format!("blob:{}", "0".repeat(32));
    let missing = refusal(test.read(&unknown).await);
    assert_eq!(missing.0, RpcReason::BlobNotFound);
    for other in others {
        let refused = refusal(test.blobs.read(&other, &part(&id, None, None)).await);
        assert_eq!(refused.1, missing.1.replace(&unknown, &id));
        let refused = refusal(test.blobs.mount(&other, std::slice::from_ref(&id)).await);
        assert_eq!(refused.0, RpcReason::BlobNotFound);
    }
    for invalid in ["", "blob:", "blob:../id", "../id", "blob:Zebediah", &id.to_uppercase()] {
        let (reason, message) = refusal(test.read(invalid).await);
        assert_eq!(reason, RpcReason::BlobNotFound);
        assert!(!message.contains("Zebediah"), "{message}");
    }
}

#[tokio::test]
async fn invalid_contents_are_refused_and_leave_nothing() {
    let test = TestBlobs::new();
    let create = async |call| test.blobs.create(&owner(1), call).await;
    for mime in ["", "text", "text/pl\u{1b}ain", "text/plain\n", &format!("a/{}", "b".repeat(254))]
    {
        let call = CreateBlob { mime: mime.to_owned(), ..text("a") };
        let error = create(call).await.expect_err("a refusal");
        let data = error.data.expect("data");
        assert_eq!(
            (data.reason, data.issues[0].path.as_str()),
            (RpcReason::InvalidParams, "/kind")
        );
    }
    let long = "A".repeat(200_000) + "A";
    for content in ["YQ=a", "a b", "ä", "YWJj\n", &long] {
        let encoding = Some(Encoding::Base64);
        let call = CreateBlob { encoding, ..text(content) };
        let error = create(call).await.expect_err("a refusal");
        let data = error.data.expect("data");
        assert_eq!(data.issues[0].path, "/content");
    }
    assert_eq!(test.files(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn an_owner_has_only_so_much() {
    let limits = BlobLimits {
        row_bytes: 10,
        blob_bytes: 60,
        owner_bytes: 100,
        owner_blobs: 3,
        ..BlobLimits::default()
    };
    let test = TestBlobs::with_limits(limits);
    let large = refusal(test.create(&"a".repeat(61)).await);
    insta::assert_snapshot!(large.1, @"the content is larger than 60 bytes; split it, and create a blob of each part");
    assert_eq!(large.0, RpcReason::BlobTooLarge);
    let first = test.create(&"a".repeat(60)).await.expect("a blob");
    let much = refusal(test.create(&"a".repeat(41)).await);
    insta::assert_snapshot!(much.1, @"the blobs of this token would be larger than 100 bytes together; a blob is gone 24 hours after it was last used; reuse one, or wait");
    assert_eq!(much.0, RpcReason::QuotaExceeded);
    test.create(&"a".repeat(40)).await.expect("as much as it may");
    test.create("").await.expect("another one");
    let many = refusal(test.create("").await);
    insta::assert_snapshot!(many.1, @"there are 3 blobs of this token already, as many as it may have; a blob is gone 24 hours after it was last used; reuse one, or wait");
    assert_eq!(many.0, RpcReason::QuotaExceeded);
    assert_eq!(test.files().len(), 2);
    test.blobs.create(&owner(2), text("a")).await.expect("of another token");
    // What is not used any more takes no place, even before it is removed.
    test.test_server.move_clock(DAY - 1);
    test.read(&first).await.expect("the blob");
    test.test_server.move_clock(2);
    test.create(&"a".repeat(40)).await.expect("room again");
}

#[tokio::test]
async fn blobs_created_at_once_stay_within_the_limit() {
    let limits = BlobLimits { row_bytes: 10, owner_blobs: 4, ..BlobLimits::default() };
    let test = TestBlobs::with_limits(limits);
    let creations = (0..12).map(|number| {
        let content = "a".repeat(number + 5);
        let blobs = test.blobs.clone();
        tokio::spawn(async move { blobs.create(&owner(1), text(&content)).await.is_ok() })
    });
    let creations: Vec<_> = creations.collect();
    let mut created = 0;
    for creation in creations {
        created += usize::from(creation.await.expect("no panic"));
    }
    assert_eq!(created, 4);
}

#[tokio::test]
async fn a_blob_is_gone_a_day_after_its_last_use() {
    let test = TestBlobs::new();
    let small = test.create("small").await.expect("a blob");
    let large = test.create(&"a".repeat(100_000)).await.expect("a blob");
    for _ in 0..3 {
        test.test_server.move_clock(DAY - 60);
        test.read(&small).await.expect("the blob");
        let mounted = test.blobs.mount(&owner(1), std::slice::from_ref(&large)).await;
        drop(mounted.expect("the blob"));
        let swept = test.blobs.remove_expired().await.expect("a sweep");
        assert_eq!(swept.blobs, 0);
    }
    test.test_server.move_clock(DAY - 30);
    test.read(&small).await.expect("the blob");
    test.test_server.move_clock(31);
    assert_eq!(refusal(test.read(&large).await).0, RpcReason::BlobNotFound);
    assert_eq!(test.files().len(), 1);
    let swept = test.blobs.remove_expired().await.expect("a sweep");
    assert_eq!((swept.blobs, swept.files), (1, 0));
    assert_eq!(test.files(), Vec::<PathBuf>::new());
    assert_eq!(refusal(test.read(&large).await).0, RpcReason::BlobNotFound);
    test.read(&small).await.expect("the blob");
}

#[tokio::test]
async fn blobs_are_mounted_as_files() {
    let test = TestBlobs::new();
    let small = test.create("é").await.expect("a blob");
    let binary = test.blobs.create(&owner(1), encoded(&[0xff, 0], "image/png")).await;
    let binary = binary.expect("a blob").blob_id;
    let large = test.create(&"a".repeat(100_000)).await.expect("a blob");
    let ids = [small.clone(), binary, large, small];
    let mounted = test.blobs.mount(&owner(1), &ids).await.expect("blobs");
    let contents = mounted.blobs.iter().map(|blob| fs::read(&blob.file).expect("a file"));
    let expected = ["é".as_bytes().to_vec(), vec![0xff, 0], vec![b'a'; 100_000]];
    assert_eq!(contents.collect::<Vec<_>>(), expected);
    for (blob, id) in mounted.blobs.iter().zip(&ids) {
        assert_eq!(format!("blob:{}", blob.id), *id);
    }
    let swept = test.blobs.remove_expired().await.expect("a sweep");
    assert_eq!(swept.files, 0);
    assert!(mounted.blobs.iter().all(|blob| blob.file.exists()), "a sweep leaves them alone");
    drop(mounted);
    assert_eq!(test.files().len(), 1);
    let many: Vec<_> = std::iter::repeat_n(ids[0].clone(), MOUNTED_BLOBS_MAX + 1).collect();
    let refused = refusal(test.blobs.mount(&owner(1), &many).await);
    assert_eq!(refused.0, RpcReason::InvalidParams);
}

#[tokio::test]
async fn an_output_is_a_blob() {
    let test = TestBlobs::new();
    let content = "[1]".to_owned();
    let id = test.blobs.store_output(&owner(1), "application/json", content).await.expect("a blob");
    let read = test.read(&id).await.expect("the blob");
    assert_eq!((read.content.as_str(), read.mime.as_deref()), ("[1]", Some("application/json")));
}

#[tokio::test]
async fn a_blob_is_written_and_read_in_parts() {
    let test = TestBlobs::new();
    let bytes: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
    let content = STANDARD.encode(&bytes);
    let blobs = test.blobs.clone();
    let create = move || {
        let mut blob = blobs.begin(owner(1), "image/png", Encoding::Base64).expect("a blob");
        for part in content.as_bytes().chunks(7919) {
            blob.write(part).expect("a part");
        }
        blob.finish().expect("the end").blob_id
    };
    let id = tokio::task::spawn_blocking(create).await.expect("no panic");
    let mut opened = test.blobs.open_blob(&owner(1), &id).await.expect("the blob");
    assert_eq!(opened.size_bytes, bytes.len() as u64);
    let mut read = Vec::new();
    opened.reader.read_to_end(&mut read).expect("the content");
    assert!(read == bytes);
    // A blob that is not finished leaves nothing.
    let blobs = test.blobs.clone();
    let begin = move || {
        let mut blob = blobs.begin(owner(1), "text/plain", Encoding::Utf8).expect("a blob");
        blob.write(&vec![b'a'; 2 * usize::try_from(ROW_BYTES_MAX).expect("bytes")])
            .expect("a part");
        blob.write(&[0xff]).expect("a part");
        refusal(blob.finish())
    };
    let (reason, _) = tokio::task::spawn_blocking(begin).await.expect("no panic");
    assert_eq!(reason, RpcReason::InvalidParams);
    assert_eq!(test.files().len(), 1);
}

#[cfg(unix)]
#[tokio::test]
async fn the_files_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let test = TestBlobs::new();
    test.create(&"a".repeat(100_000)).await.expect("a blob");
    let mounted = test.create("small").await.expect("a blob");
    let _mounted = test.blobs.mount(&owner(1), &[mounted]).await.expect("a blob");
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let files = test.files();
    // The third is the lock of the mounted ones.
    assert_eq!(files.len(), 3);
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
        assert_eq!(mode(file.parent().expect("a directory")), 0o700);
    }
}

#[tokio::test]
async fn old_runs_are_removed_and_those_without_an_end_were_interrupted() {
    let test = TestBlobs::new();
    let now = test.test_server.now().as_millisecond();
    test.test_server.change(move |store| {
        let user = store.users(&FamilyId::from(HOME)).expect("users").rows[0].id.clone();
        for (id, started_at) in [("run_1", 0), ("run_2", now - 700_000), ("run_3", now)] {
            let run = skill_run(id, "ours");
            let run = SkillRun {
                user_id: user.clone(),
                started_at,
                status: RunStatus::Failed,
                error_type: Some(UNFINISHED.to_owned()),
                ..run
            };
            store.add_skill_run(&FamilyId::from(HOME), &run).expect("a run");
        }
    });
    let sweep = async || sweep_runs(&test.test_server.server).await.expect("a sweep");
    assert_eq!(sweep().await, SweptRuns { removed: 1, interrupted: 1 });
    assert_eq!(sweep().await, SweptRuns::default());
    test.test_server.change(|store| {
        let list = SkillRunList { limit: 9, ..SkillRunList::default() };
        let runs = store.skill_runs(&FamilyId::from(HOME), &list).expect("runs").rows;
        let runs: Vec<_> =
            runs.iter().map(|run| (run.id.as_str(), run.error_type.as_deref())).collect();
        assert_eq!(runs, [("run_3", Some("Unfinished")), ("run_2", Some("Interrupted"))]);
    });
}

#[tokio::test]
async fn a_large_blob_is_read_in_parts_that_make_the_whole() {
    let limits = BlobLimits { row_bytes: 8, answer_bytes: 5, ..BlobLimits::default() };
    let test = TestBlobs::with_limits(limits);
    for content in ["aé€🌱bcdé", "aé€🌱bcdé🌱🌱"] {
        let id = test.create(content).await.expect("a blob");
        let (mut whole, mut is_truncated) = (String::new(), true);
        while is_truncated {
            let offset = Some(whole.len() as u64);
            let call = ReadBlob { offset, ..part(&id, Some(BlobMode::Full), None) };
            let read = test.blobs.read(&owner(1), &call).await.expect("a part");
            assert!(!read.content.is_empty(), "{whole}");
            whole.push_str(&read.content);
            is_truncated = read.truncated;
        }
        assert_eq!(whole, content);
        let at = async |mode, offset| {
            let call = ReadBlob { offset: Some(offset), ..part(&id, Some(mode), None) };
            test.blobs.read(&owner(1), &call).await
        };
        let end = at(BlobMode::SampleHead, content.len() as u64).await.expect("nothing");
        assert_eq!((end.content.as_str(), end.truncated), ("", false));
        for (mode, offset) in
            [(BlobMode::Full, 2), (BlobMode::Full, 1000), (BlobMode::SampleTail, 0)]
        {
            let (reason, _) = refusal(at(mode, offset).await);
            assert_eq!(reason, RpcReason::InvalidParams);
        }
    }
}
