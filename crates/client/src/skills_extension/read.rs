//! Reading the files of a skill, and checking them.

use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde_json::Value;

use dibber_catalog::{
    ContentsBuilder, ContentsError, ContentsLimits, Digest, FileContents, SkillContents, SkillPath,
    path_in_skill, skill_directory,
};
use dibber_text::{message, quote};

use super::error::ServedSkillError;
use super::frontmatter::first_difference;
use super::served::{ServedFile, ServedFiles, ServedSkill};
use crate::client::Client;
use crate::content::Content;

/// The media type of a directory.
const DIRECTORY: &str = "inode/directory";

/// How many files are read at a time.
const READ_AT_ONCE: usize = 4;

/// The most directories of a skill whose files are not listed.
const DIRECTORIES_MAX: usize = 1_000;

impl Client {
    /// Reads a file of a skill. What is returned has the size and the digest that are listed.
    pub async fn read_served_file(&self, file: &ServedFile) -> Result<Vec<u8>, ServedSkillError> {
        let bytes = self.served_bytes(&file.uri, &file.path).await?;
        let size = bytes.len() as u64;
        if size != file.size {
            let message = message!["has ", size, " bytes, and the server lists ", file.size];
            return Err(ServedSkillError::file(&file.path, message));
        }
        if Digest::of(&bytes) != file.digest {
            return Err(ServedSkillError::file(
                &file.path,
                "does not have the digest that is listed",
            ));
        }
        Ok(bytes)
    }

    /// Reads all files of a skill, within some limits, and checks them: `SKILL.md` first, and nothing else if
    /// that is not the one that is listed. Of a skill whose files are not listed with digests
    /// ([`ServedFiles::Dynamic`]), those are read that the server has in its directories now.
    pub async fn read_served_skill(
        &self,
        skill: &ServedSkill,
        limits: ContentsLimits,
    ) -> Result<SkillContents, ServedSkillError> {
        let mut builder = ContentsBuilder::new(limits);
        match &skill.files {
            ServedFiles::Listed(files) => {
                check_list(files, limits)?;
                self.read_listed(skill, files, &mut builder).await?;
            }
            ServedFiles::Dynamic => self.read_dynamic(skill, &mut builder).await?,
        }
        Ok(builder.finish()?)
    }

    async fn read_listed(
        &self,
        skill: &ServedSkill,
        files: &[ServedFile],
        builder: &mut ContentsBuilder,
    ) -> Result<(), ServedSkillError> {
        let (own, others): (Vec<_>, Vec<_>) = files.iter().partition(|file| file.uri == skill.uri);
        for file in own {
            let bytes = self.read_served_file(file).await?;
            check_frontmatter(skill, &file.path, &bytes)?;
            builder.insert(file.path.clone(), contents(bytes))?;
        }
        let read = |file: &ServedFile| {
            let file = file.clone();
            async move {
                let bytes = self.read_served_file(&file).await?;
                Ok::<_, ServedSkillError>((file.path, bytes))
            }
        };
        let mut read = stream::iter(others).map(read).buffered(READ_AT_ONCE);
        while let Some((path, bytes)) = read.try_next().await? {
            builder.insert(path, contents(bytes))?;
        }
        Ok(())
    }

    async fn read_dynamic(
        &self,
        skill: &ServedSkill,
        builder: &mut ContentsBuilder,
    ) -> Result<(), ServedSkillError> {
        let own = path_in_skill(&skill.uri, &skill.uri)
            .ok_or_else(|| ServedSkillError::skill("its URI is not one of a `SKILL.md`"))?;
        let bytes = self.served_bytes(&skill.uri, &own).await?;
        check_frontmatter(skill, &own, &bytes)?;
        builder.insert(own, contents(bytes))?;
        let top = skill_directory(&skill.uri).unwrap_or_default().trim_end_matches('/');
        let mut directories = vec![top.to_owned()];
        let mut count = 0;
        while let Some(directory) = directories.pop() {
            count += 1;
            if count > DIRECTORIES_MAX {
                let message = message!["it has more than ", DIRECTORIES_MAX, " directories"];
                return Err(ServedSkillError::skill(message));
            }
            for entry in self.served_directory(&directory).await? {
                match Entry::parse(skill, &directory, &entry)? {
                    Entry::Directory(uri) => directories.push(uri),
                    Entry::File(uri, _) if uri == skill.uri => {}
                    Entry::File(uri, path) => {
                        let bytes = self.served_bytes(&uri, &path).await?;
                        builder.insert(path, contents(bytes))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads a resource that has one content.
    async fn served_bytes(&self, uri: &str, path: &SkillPath) -> Result<Vec<u8>, ServedSkillError> {
        let read = self.resource(uri).await?;
        let mut contents = read.content();
        let (content, None) = (contents.next(), contents.next()) else {
            return Err(ServedSkillError::file(path, "has several contents"));
        };
        match content {
            Some(Content::ResourceText { text, .. }) => Ok(text.as_bytes().to_vec()),
            Some(Content::Blob(blob)) => {
                blob.decode().map_err(|_| ServedSkillError::file(path, "is not base64"))
            }
            _ => Err(ServedSkillError::file(path, "has no content")),
        }
    }
}

/// Something in a directory of a skill.
enum Entry {
    Directory(String),
    File(String, SkillPath),
}

impl Entry {
    fn parse(
        skill: &ServedSkill,
        directory: &str,
        entry: &Value,
    ) -> Result<Self, ServedSkillError> {
        let field = |name| entry.get(name).and_then(Value::as_str);
        let uri = field("uri").unwrap_or_default();
        let is_below = uri.strip_prefix(directory).is_some_and(|below| below.starts_with('/'));
        let path = path_in_skill(&skill.uri, uri).filter(|_| is_below).ok_or_else(|| {
            let message = message!["its file `", quote(uri), "` is not in its directory"];
            ServedSkillError::skill(message)
        })?;
        Ok(if field("mimeType") == Some(DIRECTORY) {
            Self::Directory(uri.to_owned())
        } else {
            Self::File(uri.to_owned(), path)
        })
    }
}

/// Checks the list of a skill's files before any of them is asked for.
fn check_list(files: &[ServedFile], limits: ContentsLimits) -> Result<(), ServedSkillError> {
    let size = files.iter().fold(0_u64, |size, file| size.saturating_add(file.size));
    if size > limits.bytes_max {
        return Err(ContentsError::TooLarge(limits.bytes_max).into());
    }
    let mut paths = ContentsBuilder::new(limits);
    for file in files {
        paths.insert(file.path.clone(), contents(Vec::new()))?;
    }
    Ok(())
}

/// Compares the frontmatter field by field: what a user agreed to is what the file says.
fn check_frontmatter(
    skill: &ServedSkill,
    path: &SkillPath,
    bytes: &[u8],
) -> Result<(), ServedSkillError> {
    let mut alone = ContentsBuilder::new(ContentsLimits::ACCEPTED);
    alone.insert(path.clone(), contents(bytes.to_vec()))?;
    let Some(description) = alone.finish()?.describe().description else {
        return Err(ServedSkillError::file(path, "has no name or no description"));
    };
    match first_difference(&skill.frontmatter, &description.frontmatter) {
        None => Ok(()),
        Some(field) => {
            let message = message!["has another `", quote(field), "` than the server lists"];
            Err(ServedSkillError::file(path, message))
        }
    }
}

/// Returns a file that cannot be executed: the extension does not say which ones can.
fn contents(bytes: Vec<u8>) -> FileContents {
    FileContents { bytes, is_executable: false }
}
