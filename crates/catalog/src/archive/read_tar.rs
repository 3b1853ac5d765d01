//! Reading a tar file that is compressed with gzip.

use std::io::{self, Read};

use dibber_text::{Message, message, quote_display};
use flate2::bufread::GzDecoder;
use tar::EntryType;

use super::bounded::{Bounded, Bounds};
use super::collector::{Collected, Collector, EntryKind};
use super::problem::{ArchiveLimits, ArchiveProblem};
use crate::contents::FileContents;

/// How many bytes after the end are read at a time.
const REST_BYTES: usize = 8 << 10;

/// Reads the files of an archive into memory.
pub(super) fn read_tar_gz(bytes: &[u8], limits: ArchiveLimits) -> Collected {
    let mut collector = Collector::new(limits);
    let mut unpacked = Bounded::new(GzDecoder::new(bytes), Bounds::new(limits, bytes.len()));
    let read = read_entries(&mut unpacked, limits, &mut collector);
    let read = read.and_then(|()| Ok(expect_zeros(&mut unpacked)?));
    if let Some(message) = unpacked.exceeded() {
        collector.report(ArchiveProblem::of_archive(message.clone()));
    } else if let Err(error) = read {
        collector.report(ArchiveProblem::of_archive(error.message));
    } else if !unpacked.into_inner().into_inner().is_empty() {
        collector.report(ArchiveProblem::of_archive("has data after its end"));
    }
    collector.finish()
}

/// Why an archive cannot be read on.
struct Broken {
    message: Message,
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Self { message: message!["is damaged: ", quote_display(error)] }
    }
}

impl From<&'static str> for Broken {
    fn from(message: &'static str) -> Self {
        Self { message: message.into() }
    }
}

fn read_entries(
    unpacked: impl Read,
    limits: ArchiveLimits,
    collector: &mut Collector,
) -> Result<(), Broken> {
    let mut archive = tar::Archive::new(unpacked);
    for (at, entry) in archive.entries()?.enumerate() {
        if at == limits.entries_max {
            let message = message!["has more than ", limits.entries_max, " entries"];
            return Err(Broken { message });
        }
        let mut entry = entry?;
        if entry.header().entry_type() == EntryType::XGlobalHeader {
            continue;
        }
        let kind = kind_of(&mut entry)?;
        let name = without_dots(&entry.path_bytes()).to_vec();
        // The directory that was packed.
        if name.is_empty() && kind == EntryKind::Directory {
            continue;
        }
        let Some(path) = collector.begin(&name, kind) else { continue };
        let mut bytes = Vec::new();
        let size = entry.size();
        if size > collector.bytes_left() {
            return Err(Broken {
                message: message!["unpacks to more than ", limits.contents.bytes_max >> 20, " MiB"],
            });
        }
        entry.read_to_end(&mut bytes)?;
        if bytes.len() as u64 != size {
            return Err("ends within a file".into());
        }
        let is_executable = entry.header().mode()? & 0o111 != 0;
        collector.insert(path, FileContents { bytes, is_executable });
    }
    Ok(())
}

fn kind_of<R: Read>(entry: &mut tar::Entry<R>) -> io::Result<EntryKind> {
    let kind = match entry.header().entry_type() {
        EntryType::Regular | EntryType::Continuous => EntryKind::File,
        EntryType::Directory => return Ok(EntryKind::Directory),
        EntryType::Symlink | EntryType::Link => return Ok(EntryKind::Link),
        _ => return Ok(EntryKind::Special),
    };
    // What follows is a map of the file with its holes left out, and not its content.
    let Some(extensions) = entry.pax_extensions()? else { return Ok(kind) };
    for extension in extensions {
        if extension?.key_bytes().starts_with(b"GNU.sparse") {
            return Ok(EntryKind::Special);
        }
    }
    Ok(kind)
}

/// Returns a name without the `./` that `tar -C DIRECTORY .` begins each with.
fn without_dots(name: &[u8]) -> &[u8] {
    let mut name = name;
    while let Some(rest) = name.strip_prefix(b"./") {
        name = rest;
    }
    if name == b"." { b"" } else { name }
}

/// Reads to the end, so that the checksum of gzip is verified.
fn expect_zeros(mut unpacked: impl Read) -> io::Result<()> {
    let mut buffer = [0; REST_BYTES];
    loop {
        match unpacked.read(&mut buffer)? {
            0 => return Ok(()),
            read if buffer[..read].iter().any(|byte| *byte != 0) => {
                return Err(io::Error::other("there is data after its end"));
            }
            _ => {}
        }
    }
}
