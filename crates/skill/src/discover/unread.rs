//! Searching the files of a skill that are not read as text, piece by piece.

use std::fs::File;
use std::io::{self, Read};

use dibber_text::file;

use super::found::FoundSkill;
use super::overlays::Overlays;
use crate::scan::secrets;
use crate::skill::{Bundle, FileKind, Resource, UnreadFile, UnreadSecret};

/// The most bytes of one skill that are searched and not read as text (16 MiB): as many as a skill
/// may have for every host.
const SEARCHED_BYTES_MAX: u64 = 16 << 20;
/// The bytes that are read at once (1 MiB).
const PIECE_BYTES: u64 = 1 << 20;
/// The bytes of a piece that are searched again with what follows them (64 KiB): more than the
/// longest secret has, in encoded form.
const AHEAD_BYTES: usize = 64 << 10;
/// The bytes that are kept of what was searched (1 KiB), since what is before a secret counts.
const BEFORE_BYTES: usize = 1 << 10;

/// Searches the regular files of a skill that are not among those that were read.
pub(super) fn search(
    found: &FoundSkill,
    bundle: &Bundle,
    read: &[Resource],
    overlays: &Overlays,
) -> Vec<UnreadFile> {
    let nested = bundle.nested_skills();
    let is_read = |path: &str| {
        path == found.skill_file
            || read.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok()
    };
    let is_unread = |path: &str| !is_read(path) && !nested.own(path);
    let mut left = SEARCHED_BYTES_MAX;
    let mut unread = Vec::new();
    for file in bundle.files.iter().filter(|file| is_unread(&file.path)) {
        let FileKind::Regular(1..) = file.kind else { continue };
        let searched = match overlays.get(&found.shown_file(&file.path)) {
            Some(bytes) => search_pieces(bytes, &mut left),
            None => open(found, &file.path).and_then(|file| search_pieces(file, &mut left)),
        };
        let (secrets, is_searched) = searched.unwrap_or_default();
        unread.push(UnreadFile { path: file.path.clone(), secrets, is_searched });
    }
    unread
}

fn open(found: &FoundSkill, path: &str) -> io::Result<File> {
    file::open_listed(&found.directory.join(path)).map_err(io::Error::from)
}

/// Returns the secrets in the next bytes, at most those that are `left`, and whether these are all.
fn search_pieces(mut bytes: impl Read, left: &mut u64) -> io::Result<(Vec<UnreadSecret>, bool)> {
    let mut found = Vec::new();
    let mut buffer = Vec::new();
    // What is before this byte of the buffer was searched; its line.
    let (mut searched, mut line) = (0, 1);
    loop {
        let wanted = PIECE_BYTES.min(*left);
        let read = bytes.by_ref().take(wanted).read_to_end(&mut buffer)? as u64;
        *left -= read;
        let is_last = read < PIECE_BYTES;
        let end = if is_last { buffer.len() } else { buffer.len() - AHEAD_BYTES };
        let text = to_text(&buffer);
        for secret in secrets::find(&text) {
            let start = secret.span.start;
            if (searched..end).contains(&start) {
                let line = line + lines_in(&buffer[searched..start]);
                found.push(UnreadSecret { kind: secret.kind, line });
            }
        }
        if is_last {
            let is_end = read < wanted || bytes.read(&mut [0])? == 0;
            return Ok((found, is_end));
        }
        line += lines_in(&buffer[searched..end]);
        searched = end.min(BEFORE_BYTES);
        buffer.drain(..end - searched);
    }
}

/// Returns bytes as text in which every byte has its place.
fn to_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        text.extend(chunk.invalid().iter().map(|_| '\0'));
    }
    text
}

fn lines_in(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of the token are joined at run time, so that scanners do not report this file.
    fn token() -> String {
        ["ghp", "_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat()
    }

    #[test]
    fn a_secret_is_found_once_wherever_pieces_end() {
        let piece = usize::try_from(PIECE_BYTES).expect("a small number");
        let ends = [0, piece - AHEAD_BYTES, piece, 2 * piece - AHEAD_BYTES, 2 * piece];
        for end in ends {
            for before in [0, 1, 10, 39, 40, 41] {
                let mut bytes = vec![b'\n'; (end + 3).saturating_sub(before)];
                let line = bytes.len() + 1;
                bytes.extend(token().bytes());
                bytes.extend([b'\n', 0xFF, 0]);
                bytes.resize(bytes.len() + piece, b' ');
                let mut left = SEARCHED_BYTES_MAX;
                let (secrets, is_searched) =
                    search_pieces(&bytes[..], &mut left).expect("bytes in memory");
                assert!(is_searched);
                assert_eq!(left, SEARCHED_BYTES_MAX - bytes.len() as u64);
                let lines: Vec<usize> = secrets.iter().map(|secret| secret.line).collect();
                assert_eq!(lines, [line], "{before} bytes before {end}");
            }
        }
    }

    #[test]
    fn no_more_is_searched_than_is_left() {
        for (left, is_searched) in [(99, false), (100, true), (101, true)] {
            let searched = search_pieces(&[b' '; 100][..], &mut { left });
            assert_eq!(searched.expect("bytes in memory"), (Vec::new(), is_searched), "{left}");
        }
    }
}
