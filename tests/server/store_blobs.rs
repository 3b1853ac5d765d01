//! What every store does with blobs: each belongs to its owner, and is gone when it is not used.

use dibber_server::store::{Blob, BlobPlace, BlobUsage, Reader, RemovedBlob, Store};
use dibber_skill::contract::BlobId;
use dibber_skill::contract::skills_protocol::Encoding;

use super::store_conformance::{Check, Data};
use crate::support::stores::{change, family, look, two_families};

pub(super) const CHECKS: [Check; 4] = [
    ("blobs_are_read_by_their_owner_alone", blobs_are_read_by_their_owner_alone),
    ("the_usage_of_an_owner_is_counted", the_usage_of_an_owner_is_counted),
    ("blobs_that_are_not_used_are_removed", blobs_that_are_not_used_are_removed),
    ("blobs_with_files_are_listed_by_directory", blobs_with_files_are_listed_by_directory),
];

pub(super) fn text_blob(id: &str, content: &str) -> Blob {
    Blob {
        id: id.into(),
        owner: "token:1".to_owned(),
        mime: "text/plain; charset=\"utf-8\"".to_owned(),
        encoding: Encoding::Utf8,
        size_bytes: content.len() as u64,
        place: BlobPlace::Row(content.to_owned()),
        created_at: 10,
        used_at: 20,
    }
}

pub(super) fn file_blob(id: &str, directory: &str) -> Blob {
    Blob {
        encoding: Encoding::Base64,
        size_bytes: 1 << 40,
        place: BlobPlace::Directory(directory.to_owned()),
        ..text_blob(id, "")
    }
}

fn add(store: &dyn Store, name: &'static str, blob: Blob) {
    change(store, move |writer| Ok(writer.add_blob(&family(name), &blob)?)).expect("a blob");
}

fn blobs_are_read_by_their_owner_alone(data: &Data) {
    let store = data.store();
    two_families(store);
    let (text, file) = (text_blob("blob:1", "a\u{0}\u{1a}é"), file_blob("blob:2", "blobs_1"));
    add(store, "ours", text.clone());
    add(store, "ours", file.clone());
    look(store, move |reader| {
        let find = |name: &str, owner: &str, id: &str| {
            reader.blob(&family(name), owner, &BlobId::from(id))
        };
        assert_eq!(find("ours", "token:1", "blob:1")?, Some(text));
        assert_eq!(find("ours", "token:1", "blob:2")?, Some(file));
        assert_eq!(find("ours", "token:2", "blob:1")?, None);
        assert_eq!(find("theirs", "token:1", "blob:1")?, None);
        assert_eq!(find("ours", "token:1", "blob:3")?, None);
        Ok(())
    });
    let again =
        change(store, |w| Ok(w.add_blob(&family("theirs"), &text_blob("blob:1", "other"))?));
    assert!(again.is_err(), "an id of another family");
    let foreign = change(store, |w| Ok(w.add_blob(&family("nobody"), &text_blob("blob:4", ""))?));
    assert!(foreign.is_err(), "no such family");
}

fn usage(reader: &dyn Reader, owner: &str, since: i64) -> BlobUsage {
    reader.blob_usage(&family("ours"), owner, since).expect("a usage")
}

fn the_usage_of_an_owner_is_counted(data: &Data) {
    let store = data.store();
    two_families(store);
    add(store, "ours", text_blob("blob:1", "abc"));
    add(store, "ours", Blob { used_at: 30, ..file_blob("blob:2", "blobs_1") });
    add(store, "ours", Blob { owner: "token:2".to_owned(), ..text_blob("blob:3", "abcd") });
    add(store, "theirs", text_blob("blob:4", "abcde"));
    look(store, |reader| {
        let all = BlobUsage { count: 2, bytes: 3 + (1 << 40) };
        assert_eq!(usage(reader, "token:1", 20), all);
        assert_eq!(usage(reader, "token:1", 21), BlobUsage { count: 1, bytes: 1 << 40 });
        assert_eq!(usage(reader, "token:2", 0), BlobUsage { count: 1, bytes: 4 });
        assert_eq!(usage(reader, "token:3", 0), BlobUsage::default());
        Ok(())
    });
}

fn blobs_that_are_not_used_are_removed(data: &Data) {
    let store = data.store();
    two_families(store);
    for (number, name) in [(1, "ours"), (2, "theirs"), (3, "ours")] {
        let blob = Blob { used_at: number, ..text_blob(&format!("blob:{number}"), "abc") };
        add(store, name, blob);
    }
    add(store, "ours", Blob { used_at: 4, ..file_blob("blob:4", "blobs_1") });
    change(store, |writer| {
        let (ours, theirs) = (family("ours"), family("theirs"));
        assert!(writer.record_blob_use(&ours, &"blob:1".into(), 9)?);
        assert!(writer.record_blob_use(&ours, &"blob:1".into(), 8)?, "an earlier use");
        assert!(!writer.record_blob_use(&theirs, &"blob:3".into(), 9)?, "another family");
        assert!(!writer.record_blob_use(&ours, &"blob:5".into(), 9)?, "none");
        Ok(())
    })
    .expect("uses");
    let removed = change(store, |writer| {
        assert!(!writer.has_blobs_unused_since(2)?);
        assert!(writer.has_blobs_unused_since(3)?);
        let first = writer.remove_blobs_unused_since(9, 2)?;
        Ok([
            first,
            writer.remove_blobs_unused_since(9, 2)?,
            writer.remove_blobs_unused_since(9, 2)?,
        ])
    });
    let ids = |removed: &[RemovedBlob]| {
        let mut ids: Vec<_> = removed.iter().map(|blob| blob.id.to_string()).collect();
        ids.sort();
        ids
    };
    let [first, second, third] = removed.expect("a change");
    assert_eq!(ids(&first), ["blob:2", "blob:3"], "the oldest ones");
    let file = RemovedBlob { id: "blob:4".into(), directory: Some("blobs_1".to_owned()) };
    assert_eq!((second, third), (vec![file], Vec::new()));
    look(store, |reader| {
        let left = reader.blob(&family("ours"), "token:1", &"blob:1".into())?;
        assert_eq!(left.map(|blob| blob.used_at), Some(9));
        Ok(())
    });
}

fn blobs_with_files_are_listed_by_directory(data: &Data) {
    let store = data.store();
    two_families(store);
    for (id, name) in [("blob:b", "ours"), ("blob:a", "theirs"), ("blob:c", "ours")] {
        add(store, name, file_blob(id, "blobs_1"));
    }
    add(store, "ours", file_blob("blob:d", "blobs_2"));
    add(store, "ours", text_blob("blob:e", ""));
    change(store, |writer| {
        let files = |after: Option<&str>, limit| {
            let after = after.map(BlobId::from);
            let ids = writer.blob_files("blobs_1", after.as_ref(), limit)?;
            Ok::<_, dibber_server::Failure>(ids.into_iter().map(String::from).collect::<Vec<_>>())
        };
        assert_eq!(files(None, 2)?, ["blob:a", "blob:b"]);
        assert_eq!(files(Some("blob:b"), 2)?, ["blob:c"]);
        assert!(writer.has_blob_file("blobs_1", &"blob:a".into())?);
        assert!(!writer.has_blob_file("blobs_2", &"blob:a".into())?);
        writer.remove_blob_file("blobs_2", &"blob:a".into())?;
        writer.remove_blob_file("blobs_1", &"blob:b".into())?;
        assert_eq!(files(None, 9)?, ["blob:a", "blob:c"]);
        Ok(())
    })
    .expect("a change");
}
