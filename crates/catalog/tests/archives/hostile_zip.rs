//! Zip files that are refused, each for its reason.

use std::time::{Duration, Instant};

use super::forged_zip::{Entry, Forged};
use super::{SKILL, expect_refused, problems};

fn with(entry: Entry) -> Vec<u8> {
    Forged::of([Entry::new("SKILL.md", SKILL), entry]).bytes()
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    for name in ["../a", "/a", "a/../../b", "C:\\a", "a\\b", "a//b", "./a", "a\0b", "a\nb", ""] {
        expect_refused(&with(Entry::new(name, "x")), "is refused: the path");
    }
    expect_refused(&with(Entry::new(b"\xff", "x")), "not UTF-8");
    let deep = "d/".repeat(33) + "f";
    expect_refused(&with(Entry::new(deep, "x")), "directories deep");
    let long = "n".repeat(1025);
    expect_refused(&with(Entry::new(long, "x")), "longer than 1024 bytes");
}

#[test]
fn only_files_and_directories_are_accepted() {
    for (mode, words) in [
        (0o120_777, "is a link"),
        (0o020_666, "is not a file"),
        (0o060_666, "is not a file"),
        (0o010_666, "is not a file"),
        (0o140_666, "is not a file"),
        (0o040_755, "is not a file"),
    ] {
        expect_refused(
            &with(Entry::new("a", "/etc/passwd").with(|header| header.mode = mode)),
            words,
        );
    }
    let directory = |header: &mut super::forged_zip::Header| header.mode = 0o040_755;
    expect_refused(&with(Entry::new("a/", "content").with(directory)), "directory with content");
    assert!(problems(&with(Entry::new("a/", "").with(directory))).is_empty());
    let both =
        [Entry::new("SKILL.md", SKILL), Entry::new("a", ""), Entry::new("A/", "").with(directory)];
    expect_refused(&Forged::of(both).bytes(), "is a directory and a file");
}

#[test]
fn no_two_entries_are_one_file() {
    for (first, second, words) in [
        ("a", "a", "more than once"),
        ("a", "A", "the same file as"),
        ("caf\u{e9}", "cafe\u{301}", "the same file as"),
        ("a", "a/b", "the same file as"),
        ("SKILL.md", "b", "more than once"),
    ] {
        let entries = [("SKILL.md", SKILL), (first, "1"), (second, "2")];
        let entries = entries.map(|(name, data)| Entry::new(name, data));
        expect_refused(&Forged::of(entries).bytes(), words);
    }
}

#[test]
fn what_cannot_be_read_is_refused() {
    for flags in [1, 1 << 6, 1 << 13] {
        expect_refused(
            &with(Entry::new("a", "x").with(|header| header.flags |= flags)),
            "encrypted",
        );
    }
    for method in [1, 9, 12, 14, 93, 95, 99] {
        let entry = Entry::new("a", "x").with(|header| header.method = method);
        expect_refused(&with(entry), "in another way than deflate");
    }
    let mut damaged = Entry::new("a", "hello, hello, hello").deflated();
    damaged.data[0] = 0xff;
    expect_refused(&with(damaged), "is damaged");
}

#[test]
fn sizes_and_checksums_are_those_of_what_comes_out() {
    const SIZE: &str = "another size than it says";
    let text = "hello, hello, hello";
    for size in [0, 1, 18, 20, 1 << 20] {
        let entry = || Entry::new("a", text).with(|header| header.size = size);
        expect_refused(&with(entry()), SIZE);
        expect_refused(
            &with(Entry::new("a", text).deflated().with(|header| header.size = size)),
            SIZE,
        );
    }
    let crc = Entry::new("a", text).with(|header| header.crc ^= 1);
    expect_refused(&with(crc), "another checksum");
    let mut longer = Entry::new("a", text).deflated();
    longer.data.push(0);
    expect_refused(&with(longer.with(|header| header.packed += 1)), SIZE);
    expect_refused(
        &with(Entry::new("a", text).with(|header| header.packed = u32::MAX)),
        "after the archive",
    );
}

#[test]
fn both_headers_say_the_same() {
    let changes: [fn(&mut super::forged_zip::Header); 6] = [
        |header| header.name = b"b".to_vec(),
        |header| header.crc ^= 1,
        |header| header.size = 0,
        |header| header.packed = 0,
        |header| header.method = 8,
        |header| header.flags = 1,
    ];
    for change in changes {
        let mut entry = Entry::new("a", "x");
        change(&mut entry.local);
        expect_refused(&with(entry), "two headers that differ");
    }
    // Version 1, a checksum, and another name.
    let extra = [&[0x75, 0x70, 6, 0, 1, 0, 0, 0, 0][..], b"b"].concat();
    expect_refused(
        &with(Entry::new("a", "x").with(|header| header.extra.clone_from(&extra))),
        "second name",
    );
}

#[test]
fn sizes_may_come_after_the_data() {
    let late = |name: &str, descriptor: &[u8], text: &str| {
        let mut entry = Entry::new(name, text).with(|header| header.flags = 8);
        entry.descriptor = descriptor.to_vec();
        for number in [entry.central.crc, entry.central.packed, entry.central.size] {
            entry.descriptor.extend(number.to_le_bytes());
        }
        (entry.local.crc, entry.local.packed, entry.local.size) = (0, 0, 0);
        entry
    };
    assert!(problems(&with(late("a", b"PK\x07\x08", "x"))).is_empty());
    assert!(problems(&with(late("a", b"", "x"))).is_empty());
    let mut differs = late("a", b"", "x");
    differs.descriptor[4] ^= 1;
    expect_refused(&with(differs), "two headers that differ");
}

#[test]
fn nothing_is_beside_or_between_entries() {
    let plain = Forged::of([Entry::new("SKILL.md", SKILL), Entry::new("a", "x")]);
    assert!(problems(&plain.bytes()).is_empty());
    let mut between = plain.clone();
    between.entries[0].descriptor = b"hidden".to_vec();
    expect_refused(&between.bytes(), "gaps or overlaps");
    expect_refused(
        &Forged { before_directory: b"hidden".to_vec(), ..plain.clone() }.bytes(),
        "gaps or overlaps",
    );
    expect_refused(
        &Forged { after: b"hidden".to_vec(), ..plain.clone() }.bytes(),
        "no directory at its end",
    );
    for count in [1, 3] {
        let bytes = Forged { count: Some(count), ..plain.clone() }.bytes();
        expect_refused(&bytes, "directory");
    }
    expect_refused(&Forged { count: Some(u16::MAX), ..plain.clone() }.bytes(), "zip64");
    // The same data for two entries: the second header is where the first one is.
    let mut overlap = plain.bytes();
    let directory = overlap.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").expect("an entry");
    overlap[directory + 42..directory + 46].fill(0);
    expect_refused(&overlap, "two headers that differ");
}

#[test]
fn every_truncation_and_every_changed_byte_is_survived() {
    let bytes = with(Entry::new("docs/a", "hello, hello, hello").deflated());
    for end in 4..bytes.len() {
        assert!(!problems(&bytes[..end]).is_empty(), "{end}");
    }
    for at in 4..bytes.len() {
        for value in [0, 0xff, bytes[at] ^ 0x80] {
            let mut changed = bytes.clone();
            changed[at] = value;
            problems(&changed);
        }
    }
}

#[test]
fn too_much_is_refused_before_it_is_unpacked() {
    let begun = Instant::now();
    let many = (0..65_000).map(|at| Entry::new(format!("f{at}"), ""));
    expect_refused(&Forged::of(many).bytes(), "more than 20000 entries");
    let zeros = vec![0; 5 << 20];
    expect_refused(&with(Entry::new("a", &zeros).deflated()), "times its size");
    let claimed = Entry::new("a", "x").with(|header| header.size = u32::MAX - 1);
    expect_refused(&with(claimed), "more than 64 MiB");
    let files = (0..10_001).map(|at| Entry::new(format!("f{at}"), ""));
    expect_refused(&Forged::of(files).bytes(), "more than 10000 files");
    assert!(begun.elapsed() < Duration::from_secs(20));
}
