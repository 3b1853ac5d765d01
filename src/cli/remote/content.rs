//! The content that a server sends, as text for people: text as it is, and a line for everything
//! else. Bytes are saved as files if there is a directory for them.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::error::CommandError;
use crate::cli::mask::mask;
use crate::cli::output::STANDARD_STREAM;
use crate::cli::term::ui::Ui;
use dibber_client::{Blob, BlobKind, Content, ResourceLink};
use dibber_skill::names::Roster;
use dibber_text::{Shown, escape, escape_hidden, message, quote_path};

/// The most files of one kind in a directory, beyond which no free name is looked for.
const FILES_MAX: usize = 10_000;

/// The extensions of the MIME types that servers send most. Every other file is `.bin`.
const EXTENSIONS: &[(&str, &str)] = &[
    ("application/gzip", "gz"),
    ("application/json", "json"),
    ("application/pdf", "pdf"),
    ("application/zip", "zip"),
    ("audio/flac", "flac"),
    ("audio/mpeg", "mp3"),
    ("audio/ogg", "ogg"),
    ("audio/wav", "wav"),
    ("audio/webm", "webm"),
    ("audio/x-wav", "wav"),
    ("image/avif", "avif"),
    ("image/bmp", "bmp"),
    ("image/gif", "gif"),
    ("image/jpeg", "jpg"),
    ("image/png", "png"),
    ("image/svg+xml", "svg"),
    ("image/tiff", "tiff"),
    ("image/webp", "webp"),
    ("text/csv", "csv"),
    ("text/html", "html"),
    ("text/markdown", "md"),
    ("text/plain", "txt"),
    ("video/mp4", "mp4"),
];

/// Where the bytes of content go.
pub(super) struct ContentPage {
    roster: Arc<Roster>,
    directory: Option<PathBuf>,
    text: String,
    blocks: usize,
    error: Option<CommandError>,
}

impl ContentPage {
    /// Creates an empty page. Creates the directory, if there is one, before anything is asked for.
    pub(super) fn new(directory: Option<&Path>, ui: &Ui) -> Result<Self, CommandError> {
        let roster = ui.names()?;
        if directory == Some(Path::new(STANDARD_STREAM)) {
            return Err(CommandError::new("`--output -` is not a directory")
                .help("name a directory, or print everything with `--json`"));
        }
        if let Some(directory) = directory {
            fs::create_dir_all(directory).map_err(|error| {
                CommandError::io(message!["cannot create ", quote_path(directory)], error)
            })?;
        }
        let directory = directory.map(Path::to_owned);
        Ok(Self { roster, directory, text: String::new(), blocks: 0, error: None })
    }

    /// Adds a block of content.
    pub(super) fn push(&mut self, content: Content<'_>) {
        self.blocks += 1;
        match content {
            Content::Text(text) => self.push_text(text),
            Content::ResourceText { uri, text } => {
                self.push_line(&format!("[resource {}]", self.in_full(uri)));
                self.push_text(text);
            }
            Content::Blob(blob) => self.push_blob(blob),
            Content::Link(link) => self.push_line(&self.link_line(link)),
            Content::Unknown(block) => {
                let kind = block.get("type").and_then(|kind| kind.as_str()).unwrap_or("no type");
                let kind = self.shown(kind);
                self.push_line(&format!("[unknown content ({kind}); `--json` prints it]"));
            }
        }
    }

    /// Adds text as it is, with a line break at its end.
    pub(super) fn push_text(&mut self, text: &str) {
        self.text.push_str(text);
        if !text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn push_line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn push_blob(&mut self, blob: Blob<'_>) {
        let mime_type = blob.mime_type.unwrap_or("unknown type");
        let mut what = self.shown(mime_type);
        if let Some(uri) = blob.uri {
            what = format!("resource {}, {what}", self.in_full(uri));
        }
        let Ok(bytes) = blob.decode() else {
            self.push_line(&format!("[{what}: its data is not base64; `--json` prints it]"));
            return;
        };
        let what = format!("{what}, {}", size(bytes.len()));
        let Some(directory) = self.directory.clone() else {
            self.push_line(&format!("[{what}; `--output DIR` saves it]"));
            return;
        };
        match save(&directory, blob, self.blocks, &bytes) {
            Ok(path) => {
                self.push_line(&format!("[{what}; saved as {}]", quote_path(&path).shown(&())));
            }
            Err(error) => {
                self.push_line(&format!("[{what}; not saved]"));
                let doing = message!["cannot save a file in ", quote_path(&directory)];
                self.error.get_or_insert(CommandError::io(doing, error));
            }
        }
    }

    fn link_line(&self, link: ResourceLink<'_>) -> String {
        let mut shown = format!("[link to {}", self.in_full(link.uri));
        for detail in [link.name, link.description, link.mime_type].into_iter().flatten() {
            shown += &format!("; {}", self.shown(detail));
        }
        shown + "]"
    }

    /// Returns the beginning of a string, masked and escaped.
    fn shown(&self, text: &str) -> String {
        Shown::new(&mask(text, &self.roster), &()).to_string()
    }

    fn in_full(&self, text: &str) -> String {
        Shown::new(&mask(text, &self.roster), &()).in_full().to_string()
    }

    /// Prints the page. What is hidden is escaped, at a terminal even the joiners of emoji.
    pub(super) fn print(self, ui: &mut Ui) -> Result<(), CommandError> {
        let masked = ui.masked(&self.text).into_owned();
        let text = if ui.has_live_stdout() { escape(&masked) } else { escape_hidden(&masked) };
        ui.print(text.as_bytes())?;
        self.error.map_or(Ok(()), Err)
    }
}

/// Saves bytes as a new file. Its name consists of what the bytes are, the number of the block and
/// an extension; nothing of it comes from the server as it is.
fn save(directory: &Path, blob: Blob<'_>, number: usize, bytes: &[u8]) -> io::Result<PathBuf> {
    let stem = match blob.kind {
        BlobKind::Image => "image",
        BlobKind::Audio => "audio",
        BlobKind::Resource => "resource",
    };
    let mime_type = blob.mime_type.unwrap_or_default();
    let mime_type = mime_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let extension = EXTENSIONS.iter().find(|(known, _)| *known == mime_type);
    let extension = extension.map_or("bin", |(_, extension)| extension);
    for number in number..number + FILES_MAX {
        let path = directory.join(format!("{stem}-{number}.{extension}"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                if let Err(error) = file.write_all(bytes).and_then(|()| file.sync_all()) {
                    // The error of the writing is what matters.
                    let _ = fs::remove_file(&path);
                    return Err(error);
                }
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many files have this name"))
}

fn size(bytes: usize) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        0..1_024 => format!("{bytes} bytes"),
        1_024..1_048_576 => format!("{}.{} KiB", bytes / 1_024, bytes % 1_024 * 10 / 1_024),
        _ => format!("{}.{} MiB", bytes >> 20, ((bytes & 0xF_FFFF) * 10) >> 20),
    }
}
