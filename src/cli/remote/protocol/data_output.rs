//! Where the bytes of a file or a blob go: as they are to a file or another program, and as text to a
//! terminal.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::error::CommandError;
use crate::cli::mask::mask;
use crate::cli::output::STANDARD_STREAM;
use crate::cli::term::ui::Ui;
use crate::cli::write;
use dibber_skill::contract::WireEnum;
use dibber_skill::contract::skills_protocol::{EncodedContent, Encoding};
use dibber_skill::names::Roster;
use dibber_text::{escape, message, quote_path};

/// Where bytes go.
#[derive(Args, Clone)]
pub(super) struct DataOutput {
    /// Write it to this new file, which only you may read; `-` is standard output, the default
    #[arg(long, short, value_name = "FILE", conflicts_with = "json")]
    output: Option<PathBuf>,

    /// Replace the file of `--output` if there is one
    #[arg(long, requires = "output")]
    force: bool,
}

impl DataOutput {
    /// Returns the path of the file; none for standard output.
    pub(super) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| path.as_os_str() != STANDARD_STREAM)
    }

    /// Returns an error if a file is in the way, before anything is asked for.
    pub(super) fn check(&self) -> Result<(), CommandError> {
        match self.file() {
            Some(path) if !self.force && fs::symlink_metadata(path).is_ok() => {
                Err(CommandError::new(message![quote_path(path), " exists"])
                    .help("`--force` replaces it; or name another file"))
            }
            _ => Ok(()),
        }
    }

    /// Writes the bytes.
    pub(super) fn write(
        &self,
        bytes: &[u8],
        ui: &mut Ui,
        roster: &Roster,
    ) -> Result<(), CommandError> {
        if let Some(path) = self.file() {
            self.check()?;
            return write::replace_private(path, bytes);
        }
        if !ui.has_live_stdout() {
            return ui.print(bytes);
        }
        let Some(text) = text(bytes) else {
            return Err(CommandError::new("it is not text, and is not printed to a terminal")
                .help("`--output FILE` saves it"));
        };
        let line_end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
        ui.print(format!("{}{line_end}", escape(&mask(text, roster))).as_bytes())
    }
}

/// Returns bytes as text; none if they are those of another kind of file.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// Returns the content and its encoding for a JSON document; text is masked.
pub(super) fn content_json(bytes: Vec<u8>, roster: &Roster) -> (String, &'static str) {
    let EncodedContent { content, encoding } = EncodedContent::from_bytes(bytes);
    let content = if encoding == Encoding::Utf8 { mask(&content, roster) } else { content };
    (content, encoding.name())
}
