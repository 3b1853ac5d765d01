//! Writing an archive with the same bytes on every system.

use std::io;

use flate2::{Compression, GzBuilder};

use super::format::{ArchiveFormat, ArchiveLayout};
use super::packed::Packed;
use super::write_zip::write_zip;
use crate::contents::{FileContents, SkillContents};
use crate::path::SkillPath;

/// What the header of gzip says of a system that is not known (RFC 1952, section 2.3.1).
const SYSTEM_UNKNOWN: u8 = 255;

/// The mode of a file, and that of one that can be executed.
const MODES: [u32; 2] = [0o644, 0o755];

/// Writes a skill as an archive.
///
/// The bytes depend on the files alone: these are sorted by path, have no times (those of zip are its first
/// day, 1980-01-01), no owners, and the mode 644, or 755 for what can be executed. That is what its
/// system says, or what begins with `#!`, since not every system records it.
///
/// # Errors
/// If the name of a wrapper is not one of a directory, or a number does not fit into the format.
pub fn write_archive(
    skill: &SkillContents,
    format: ArchiveFormat,
    layout: ArchiveLayout<'_>,
) -> io::Result<Vec<u8>> {
    let files = skill.files().map(|(path, file)| packed(path, file, layout));
    let files: Vec<Packed> = files.collect::<io::Result<_>>()?;
    match format {
        ArchiveFormat::Zip => write_zip(&files),
        ArchiveFormat::TarGz => write_tar_gz(&files),
    }
}

fn packed<'a>(
    path: &SkillPath,
    file: &'a FileContents,
    layout: ArchiveLayout<'_>,
) -> io::Result<Packed<'a>> {
    let name = match layout {
        ArchiveLayout::Root => path.as_str().to_owned(),
        ArchiveLayout::Wrapper(wrapper) if !wrapper.contains('/') => {
            let name = format!("{wrapper}/{path}");
            SkillPath::new(name.as_str()).map_err(|_| io::ErrorKind::InvalidFilename)?;
            name
        }
        ArchiveLayout::Wrapper(_) => return Err(io::ErrorKind::InvalidFilename.into()),
    };
    let is_executable = file.is_executable || file.bytes.starts_with(b"#!");
    Ok(Packed { name, mode: MODES[usize::from(is_executable)], bytes: &file.bytes })
}

fn write_tar_gz(files: &[Packed]) -> io::Result<Vec<u8>> {
    let gzip = GzBuilder::new().mtime(0).operating_system(SYSTEM_UNKNOWN);
    let mut tar = tar::Builder::new(gzip.write(Vec::new(), Compression::best()));
    for file in files {
        let mut header = tar::Header::new_gnu();
        header.set_mode(file.mode);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_size(file.bytes.len() as u64);
        tar.append_data(&mut header, &file.name, file.bytes)?;
    }
    tar.into_inner()?.finish()
}
