//! The packages that a skill names, which are never installed.

use dibber_text::Span;

/// The files that name packages.
pub const REQUIREMENTS_FILES: [&str; 2] = ["code/requirements.txt", "requirements.txt"];

/// Returns the bytes of the first package that a file names: the first line that is not blank, and not a
/// comment.
pub fn first_package(text: &[u8]) -> Option<Span> {
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let package = line.trim_ascii();
        if !matches!(package, [] | [b'#', ..]) {
            let at = start + line.len() - line.trim_ascii_start().len();
            return Some(Span::new(at, at + package.len()));
        }
        start += line.len();
    }
    None
}
