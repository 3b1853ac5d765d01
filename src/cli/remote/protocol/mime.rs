//! The MIME types of files, by their names.

use std::path::Path;

/// The type of text that nothing else is known of.
const TEXT: &str = "text/plain";
/// The type of any other bytes.
const BYTES: &str = "application/octet-stream";

/// The types of the extensions that are known.
const TYPES: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("csv", "text/csv"),
    ("gif", "image/gif"),
    ("gz", "application/gzip"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("ics", "text/calendar"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("json", "application/json"),
    ("md", "text/markdown"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("py", "text/x-python"),
    ("svg", "image/svg+xml"),
    ("toml", "application/toml"),
    ("tsv", "text/tab-separated-values"),
    ("txt", TEXT),
    ("wav", "audio/wav"),
    ("webp", "image/webp"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("zip", "application/zip"),
];

/// Returns the MIME type of a file by its extension, and otherwise by whether it is text.
pub(super) fn of_file(path: Option<&Path>, is_text: bool) -> &'static str {
    let extension = path.and_then(Path::extension).map(|it| it.to_string_lossy().to_lowercase());
    let known = TYPES.iter().find(|(known, _)| Some(*known) == extension.as_deref());
    match known {
        Some((_, mime)) => mime,
        None if is_text => TEXT,
        None => BYTES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_in_any_case_decides() {
        assert_eq!(of_file(Some(Path::new("a/b.PNG")), true), "image/png");
        assert_eq!(of_file(Some(Path::new("notes")), true), TEXT);
        assert_eq!(of_file(None, false), BYTES);
    }
}
