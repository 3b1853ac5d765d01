//! Reading a zip file.

use std::io::Read;

use dibber_text::{Message, message, quote_display};
use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::bounded::Bounds;
use super::collector::{Collected, Collector};
use super::problem::{ArchiveLimits, ArchiveProblem};
use super::zip_directory;
use super::zip_entry::ZipEntry;
use crate::contents::FileContents;

/// Reads the files of an archive into memory.
///
/// The entries and the directory fill the archive without a gap and without an overlap: bytes that no
/// entry has may be another archive to another program, and bytes that several entries have may unpack to
/// a multiple of what limits count.
pub(super) fn read_zip(archive: &[u8], limits: ArchiveLimits) -> Collected {
    let mut collector = Collector::new(limits);
    match zip_directory::entries(archive, limits) {
        Ok((entries, directory)) => {
            read_entries(archive, &entries, directory, limits, &mut collector);
        }
        Err(message) => collector.report(ArchiveProblem::of_archive(message)),
    }
    collector.finish()
}

fn read_entries(
    archive: &[u8],
    entries: &[ZipEntry],
    directory: usize,
    limits: ArchiveLimits,
    collector: &mut Collector,
) {
    let size = entries.iter().map(|entry| u64::from(entry.size)).sum();
    if let Some(message) = Bounds::new(limits, archive.len()).check(size, 0) {
        collector.report(ArchiveProblem::of_archive(message));
        return;
    }
    let mut places = Vec::with_capacity(entries.len());
    for entry in entries {
        match entry.data(archive) {
            Ok((data, end)) => {
                places.push((entry.offset, end));
                read_entry(entry, data, collector);
            }
            Err(message) => collector.refuse(entry.name, message),
        }
    }
    places.sort_unstable();
    let mut next = 0;
    let is_filled = places.iter().all(|(start, end)| std::mem::replace(&mut next, *end) == *start);
    if places.len() == entries.len() && !(is_filled && next == directory) {
        collector.report(ArchiveProblem::of_archive("has gaps or overlaps between its entries"));
    }
}

fn read_entry(entry: &ZipEntry, data: &[u8], collector: &mut Collector) {
    if let Some(problem) = entry.problem() {
        collector.refuse(entry.name, problem);
        return;
    }
    let Some(path) = collector.begin(entry.name, entry.kind) else { return };
    let bytes = if entry.is_deflated { inflate(entry, data) } else { Ok(data.to_vec()) };
    match bytes.and_then(|bytes| check(entry, bytes)) {
        Ok(bytes) => {
            collector.insert(path, FileContents { bytes, is_executable: entry.is_executable });
        }
        Err(message) => collector.refuse(entry.name, message),
    }
}

/// Inflates as many bytes as the entry says, and one more to notice that there are more.
fn inflate(entry: &ZipEntry, data: &[u8]) -> Result<Vec<u8>, Message> {
    let mut bytes = Vec::new();
    let mut decoder = DeflateDecoder::new(data);
    let read = (&mut decoder).take(u64::from(entry.size) + 1).read_to_end(&mut bytes);
    read.map_err(|error| message!["is damaged: ", quote_display(error)])?;
    if decoder.total_in() != data.len() as u64 {
        return Err("has another size than it says".into());
    }
    Ok(bytes)
}

fn check(entry: &ZipEntry, bytes: Vec<u8>) -> Result<Vec<u8>, Message> {
    if bytes.len() as u64 != u64::from(entry.size) {
        return Err("has another size than it says".into());
    }
    let mut crc = Crc::new();
    crc.update(&bytes);
    if crc.sum() == entry.crc { Ok(bytes) } else { Err("has another checksum than it says".into()) }
}
