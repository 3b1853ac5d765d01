//! Tar files that are refused, each for its reason.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{EntryType, Header};

use super::{SKILL, expect_refused, problems};

/// A tar file with names that a library does not write.
#[derive(Default)]
struct Forged(Vec<u8>);

impl Forged {
    fn with_skill() -> Self {
        Self::default().entry(b"SKILL.md", EntryType::Regular, SKILL.as_bytes())
    }

    fn entry(self, name: &[u8], kind: EntryType, data: &[u8]) -> Self {
        self.sized(name, kind, data, data.len() as u64)
    }

    fn sized(mut self, name: &[u8], kind: EntryType, data: &[u8], size: u64) -> Self {
        let mut header = Header::new_gnu();
        header.as_mut_bytes()[..name.len().min(100)].copy_from_slice(&name[..name.len().min(100)]);
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_size(size);
        header.set_cksum();
        self.0.extend(header.as_bytes());
        self.0.extend(data);
        self.0.resize(self.0.len().next_multiple_of(512), 0);
        self
    }

    fn tar(mut self) -> Vec<u8> {
        self.0.extend([0; 1024]);
        self.0
    }

    fn bytes(self) -> Vec<u8> {
        gzip(&self.tar())
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn with(name: &[u8], kind: EntryType, data: &[u8]) -> Vec<u8> {
    Forged::with_skill().entry(name, kind, data).bytes()
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    for name in ["../a", "/a", "a/../../b", "a\\b", "a//b", "a/./b", "a\nb"] {
        expect_refused(&with(name.as_bytes(), EntryType::Regular, b"x"), "is refused: the path");
    }
    expect_refused(&with(b"\xff", EntryType::Regular, b"x"), "not UTF-8");
    let long = Forged::with_skill()
        .entry(b"././@LongLink", EntryType::GNULongName, b"../../long\0")
        .entry(b"a", EntryType::Regular, b"x");
    expect_refused(&long.bytes(), "leads out of the skill");
    let pax = Forged::with_skill().entry(b"x", EntryType::XHeader, b"16 path=../long\n").entry(
        b"a",
        EntryType::Regular,
        b"x",
    );
    expect_refused(&pax.bytes(), "leads out of the skill");
}

#[test]
fn only_files_and_directories_are_accepted() {
    for (kind, words) in [
        (EntryType::Symlink, "is a link"),
        (EntryType::Link, "is a link"),
        (EntryType::Char, "is not a file"),
        (EntryType::Block, "is not a file"),
        (EntryType::Fifo, "is not a file"),
        (EntryType::new(b'Z'), "is not a file"),
    ] {
        expect_refused(&with(b"a", kind, b""), words);
    }
    let sparse = Forged::with_skill()
        .entry(b"x", EntryType::XHeader, b"22 GNU.sparse.major=1\n")
        .entry(b"a", EntryType::Regular, b"1\n0\n1\n");
    expect_refused(&sparse.bytes(), "is not a file");
    assert!(problems(&with(b"pax_global_header", EntryType::XGlobalHeader, b"")).is_empty());
    assert!(problems(&with(b"a/", EntryType::Directory, b"")).is_empty());
    assert!(problems(&with(b"./", EntryType::Directory, b"")).is_empty());
}

#[test]
fn no_two_entries_are_one_file() {
    for (first, second, words) in [
        ("a", "a", "more than once"),
        ("a", "./a", "more than once"),
        ("a", "A", "the same file as"),
        ("caf\u{e9}", "cafe\u{301}", "the same file as"),
        ("a/b", "a", "the same file as"),
    ] {
        let forged = Forged::with_skill().entry(first.as_bytes(), EntryType::Regular, b"1").entry(
            second.as_bytes(),
            EntryType::Regular,
            b"2",
        );
        expect_refused(&forged.bytes(), words);
    }
}

#[test]
fn the_end_is_the_end() {
    let whole = || Forged::with_skill().bytes();
    assert!(problems(&whole()).is_empty());
    expect_refused(&[whole(), b"hidden".to_vec()].concat(), "data after its end");
    // Another member of gzip, which some programs read on to.
    expect_refused(&[whole(), whole()].concat(), "data after its end");
    let hidden = [Forged::with_skill().tar(), Forged::with_skill().tar()].concat();
    expect_refused(&gzip(&hidden), "data after its end");
    let mut checksum = whole();
    let last = checksum.len() - 5;
    checksum[last] ^= 1;
    expect_refused(&checksum, "is damaged");
    let short = Forged::with_skill().sized(b"a", EntryType::Regular, b"x", 5000);
    expect_refused(&gzip(&short.0), "ends within a file");
}

#[test]
fn every_truncation_and_every_changed_byte_is_survived() {
    let bytes = with(b"docs/a", EntryType::Regular, b"hello");
    for end in 2..bytes.len() {
        assert!(!problems(&bytes[..end]).is_empty(), "{end}");
    }
    for at in 2..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0xff;
        problems(&changed);
    }
}

#[test]
fn too_much_is_refused_before_it_is_unpacked() {
    let many = |kind: EntryType, count: usize| {
        (0..count).fold(Forged::with_skill(), |forged, at| {
            forged.entry(format!("f{at}/").as_bytes(), kind, b"")
        })
    };
    expect_refused(&many(EntryType::Directory, 100_000).bytes(), "more than 20000 entries");
    let files = many(EntryType::Regular, 0);
    let files = (0..10_010).fold(files, |forged, at| {
        forged.entry(format!("f{at}").as_bytes(), EntryType::Regular, b"")
    });
    assert_eq!(problems(&files.bytes()), ["the archive has more than 10000 files"]);
    expect_refused(&with(b"a", EntryType::Regular, &vec![0; 40 << 20]), "times its size");
    let claimed = Forged::with_skill().sized(b"a", EntryType::Regular, b"x", 1 << 40);
    expect_refused(&gzip(&claimed.0), "more than 64 MiB");
}
