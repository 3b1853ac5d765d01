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

    /// Reads all files of a skill, within some limits, and checks them. Of a skill whose files are not
    /// listed with digests ([`ServedFiles::Dynamic`]), those are read that the server has in its directories
    /// now.
    pub async fn read_served_skill(
        &self,
        skill: &ServedSkill,
        limits: ContentsLimits,
    ) -> Result<SkillContents, ServedSkillError> {
        let contents = match &skill.files {
            ServedFiles::Listed(files) => self.read_listed(files, limits).await?,
            ServedFiles::Dynamic => self.read_dynamic(skill, limits).await?,
        };
        check_frontmatter(skill, &contents)?;
        Ok(contents)
    }

    async fn read_listed(
        &self,
        files: &[ServedFile],
        limits: ContentsLimits,
    ) -> Result<SkillContents, ServedSkillError> {
        if files.len() > limits.files_max {
            return Err(ContentsError::TooManyFiles(limits.files_max).into());
        }
        let size = files.iter().fold(0_u64, |size, file| size.saturating_add(file.size));
        if size > limits.bytes_max {
            return Err(ContentsError::TooLarge(limits.bytes_max).into());
        }
        // Nothing is asked for if the paths cannot be those of a skill.
        let mut paths = ContentsBuilder::new(limits);
        for file in files {
            paths.insert(
                file.path.clone(),
                FileContents { bytes: Vec::new(), is_executable: false },
            )?;
        }
        let read = |file| async move {
            let bytes = self.read_served_file(file).await?;
            Ok::<_, ServedSkillError>((file.path.clone(), bytes))
        };
        let mut builder = ContentsBuilder::new(limits);
        let mut files = stream::iter(files).map(read).buffered(READ_AT_ONCE);
        while let Some((path, bytes)) = files.try_next().await? {
            builder.insert(path, FileContents { bytes, is_executable: false })?;
        }
        Ok(builder.finish()?)
    }

    async fn read_dynamic(
        &self,
        skill: &ServedSkill,
        limits: ContentsLimits,
    ) -> Result<SkillContents, ServedSkillError> {
        let mut builder = ContentsBuilder::new(limits);
        let top = skill_directory(&skill.uri).unwrap_or_default().trim_end_matches('/');
        let mut directories = vec![top.to_owned()];
        let mut read = 0;
        while let Some(directory) = directories.pop() {
            read += 1;
            if read > DIRECTORIES_MAX {
                let message = message!["it has more than ", DIRECTORIES_MAX, " directories"];
                return Err(ServedSkillError::skill(message));
            }
            for entry in self.served_directory(&directory).await? {
                let field = |name| entry.get(name).and_then(Value::as_str);
                let uri = field("uri").unwrap_or_default();
                let path = path_in_skill(&skill.uri, uri)
                    .filter(|_| uri.starts_with(&format!("{directory}/")))
                    .ok_or_else(|| {
                        let message =
                            message!["its file `", quote(uri), "` is not in its directory"];
                        ServedSkillError::skill(message)
                    })?;
                if field("mimeType") == Some(DIRECTORY) {
                    directories.push(uri.to_owned());
                    continue;
                }
                let bytes = self.served_bytes(uri, &path).await?;
                builder.insert(path, FileContents { bytes, is_executable: false })?;
            }
        }
        Ok(builder.finish()?)
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

/// Compares the frontmatter field by field: what a user agreed to is what the file says.
fn check_frontmatter(
    skill: &ServedSkill,
    contents: &SkillContents,
) -> Result<(), ServedSkillError> {
    let path = contents.skill_file().0;
    let Some(description) = contents.describe().description else {
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
