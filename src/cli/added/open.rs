//! Opening a source of skills.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
#[cfg(feature = "remote")]
use crate::cli::remote::skill_sources;
use crate::cli::term::ui::Ui;
use dibber_catalog::added::InstallRoot;
use dibber_catalog::sources::{
    ArchiveSource, FolderSource, GitSource, OpenSource, SkillSource, SourceError, SourceErrorKind,
};
use dibber_text::file::read_argument;
use dibber_text::message;

/// The most bytes of an archive (128 MiB).
const ARCHIVE_BYTES_MAX: u64 = 128 << 20;

/// Sources, each of which is opened once, however many skills come from it. So all of them are of the same
/// state of the source.
pub(super) struct Sources<'a> {
    root: &'a InstallRoot,
    opened: HashMap<(String, Option<String>), Rc<dyn OpenSource>>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(root: &'a InstallRoot) -> Self {
        Self { root, opened: HashMap::new() }
    }

    /// Opens a source as it was typed in a directory, at the recorded revision if there is one.
    pub(super) fn open(
        &mut self,
        text: &str,
        directory: &Path,
        recorded: Option<&str>,
        ui: &mut Ui,
    ) -> Result<Rc<dyn OpenSource>, CommandError> {
        let key = (text.to_owned(), recorded.map(str::to_owned));
        if let Some(opened) = self.opened.get(&key) {
            return Ok(Rc::clone(opened));
        }
        let opened: Rc<dyn OpenSource> = open(text, directory, recorded, self.root, ui)?.into();
        self.opened.insert(key, Rc::clone(&opened));
        Ok(opened)
    }
}

fn open(
    text: &str,
    directory: &Path,
    recorded: Option<&str>,
    root: &InstallRoot,
    ui: &mut Ui,
) -> Result<Box<dyn OpenSource>, CommandError> {
    let source = SkillSource::parse(text, directory)
        .map_err(|error| CommandError::new(error.message).help(error.help))?;
    let opened: Result<Box<dyn OpenSource>, SourceError> = match source {
        SkillSource::Folder(folder) => {
            let address = address(&folder, root)?;
            FolderSource::open(&folder, address).map(|it| Box::new(it) as _)
        }
        SkillSource::Git(address) => GitSource::open(address, recorded).map(|it| Box::new(it) as _),
        SkillSource::Archive(file) => {
            let bytes = read_argument(&file, ARCHIVE_BYTES_MAX)
                .map_err(|error| CommandError::read(&file, error))?;
            let address = address(&file, root)?;
            ArchiveSource::open(&bytes, address, recorded).map(|it| Box::new(it) as _)
        }
        #[cfg(feature = "remote")]
        SkillSource::Site(url) => return skill_sources::open_site(&url, recorded),
        #[cfg(feature = "remote")]
        SkillSource::Server(server) => return skill_sources::open_server(&server, ui),
        #[cfg(not(feature = "remote"))]
        SkillSource::Site(_) | SkillSource::Server(_) => {
            let _ = ui;
            return Err(CommandError::new("this dibber is built without access to servers"));
        }
    };
    opened.map_err(|error| source_error(&error))
}

/// Returns the error of a source.
pub(super) fn source_error(error: &SourceError) -> CommandError {
    let exit = match error.kind {
        SourceErrorKind::NotFound => Exit::NotFound,
        SourceErrorKind::Refused => Exit::BadInput,
        SourceErrorKind::Failed => Exit::Failed,
    };
    CommandError::new(error.message.clone()).exit(exit)
}

/// Returns a path as it is recorded: from the root, so that it is the same on another machine.
fn address(path: &Path, root: &InstallRoot) -> Result<String, CommandError> {
    let real = path.canonicalize().map_err(|error| {
        let exit =
            if error.kind() == std::io::ErrorKind::NotFound { Exit::NotFound } else { Exit::Usage };
        CommandError::io(message!["cannot open ", dibber_text::quote_path(path)], error).exit(exit)
    })?;
    let relative = relative(&real, root.directory());
    let names = relative.components().map(|part| match part {
        Component::ParentDir => Some(".."),
        part => part.as_os_str().to_str(),
    });
    let names: Option<Vec<_>> = names.collect();
    let names = names.ok_or_else(|| CommandError::new("the path of the source is not UTF-8"))?;
    let joined = names.join("/");
    Ok(match names.first() {
        None => ".".to_owned(),
        Some(&"..") => joined,
        Some(_) => format!("./{joined}"),
    })
}

/// Returns the path from a directory to another one; both are absolute and without links.
fn relative(to: &Path, from: &Path) -> PathBuf {
    let common = from.ancestors().find(|ancestor| to.starts_with(ancestor));
    let common = common.unwrap_or(Path::new(""));
    let up = from.strip_prefix(common).map_or(0, |below| below.components().count());
    let down = to.strip_prefix(common).unwrap_or(to);
    std::iter::repeat_n(Path::new(".."), up).collect::<PathBuf>().join(down)
}
