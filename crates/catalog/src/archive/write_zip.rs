//! Writing a zip file: no extra fields, no descriptors, no comment.

use std::io::{self, Write};

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use super::packed::Packed;
use super::zip_entry::{CENTRAL_SIGNATURE, LOCAL_SIGNATURE};

const END_SIGNATURE: u32 = 0x0605_4b50;
/// Version 2.0, which has deflate.
const VERSION: u16 = 20;
/// Version 2.0 of a Unix, which has modes.
const MADE_BY: u16 = 3 << 8 | VERSION;
/// Names are UTF-8 (bit 11).
const FLAGS: u16 = 1 << 11;
/// 1980-01-01, the first day that there is.
const DATE: u16 = 1 << 5 | 1;
/// A regular file, in the mode of Unix.
const REGULAR: u32 = 0o100_000;

/// Writes these files in their order.
pub(super) fn write_zip(files: &[Packed]) -> io::Result<Vec<u8>> {
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    for file in files {
        let offset = number(zip.len())?;
        let header = header(file, &mut |header, data| {
            zip.extend_from_slice(&LOCAL_SIGNATURE.to_le_bytes());
            zip.extend_from_slice(header);
            zip.extend_from_slice(file.name.as_bytes());
            zip.extend_from_slice(data);
        })?;
        directory.extend_from_slice(&CENTRAL_SIGNATURE.to_le_bytes());
        directory.extend_from_slice(&MADE_BY.to_le_bytes());
        directory.extend_from_slice(&header);
        // No comment, the first disk, no attributes of DOS.
        directory.extend_from_slice(&[0; 6]);
        directory.extend_from_slice(&((REGULAR | file.mode) << 16).to_le_bytes());
        directory.extend_from_slice(&offset.to_le_bytes());
        directory.extend_from_slice(file.name.as_bytes());
    }
    let (offset, size) = (number(zip.len())?, number(directory.len())?);
    let entries = u16::try_from(files.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
    zip.extend_from_slice(&directory);
    zip.extend_from_slice(&END_SIGNATURE.to_le_bytes());
    zip.extend_from_slice(&[0; 4]);
    zip.extend_from_slice(&entries.to_le_bytes());
    zip.extend_from_slice(&entries.to_le_bytes());
    zip.extend_from_slice(&size.to_le_bytes());
    zip.extend_from_slice(&offset.to_le_bytes());
    zip.extend_from_slice(&[0; 2]);
    Ok(zip)
}

/// Returns what both headers of a file have in common, after handing it on with the data.
fn header(file: &Packed, write: &mut dyn FnMut(&[u8], &[u8])) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(file.bytes)?;
    let deflated = encoder.finish()?;
    let is_smaller = deflated.len() < file.bytes.len();
    let (method, data) = if is_smaller { (8_u16, &deflated[..]) } else { (0, file.bytes) };
    let mut crc = Crc::new();
    crc.update(file.bytes);
    let name_bytes = u16::try_from(file.name.len()).map_err(|_| io::ErrorKind::InvalidFilename)?;
    let mut header = Vec::new();
    for short in [VERSION, FLAGS, method, 0, DATE] {
        header.extend_from_slice(&short.to_le_bytes());
    }
    for long in [crc.sum(), number(data.len())?, number(file.bytes.len())?] {
        header.extend_from_slice(&long.to_le_bytes());
    }
    header.extend_from_slice(&name_bytes.to_le_bytes());
    header.extend_from_slice(&[0; 2]);
    write(&header, data);
    Ok(header)
}

fn number(size: usize) -> io::Result<u32> {
    u32::try_from(size).map_err(|_| io::ErrorKind::FileTooLarge.into())
}
