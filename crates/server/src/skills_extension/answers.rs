//! The answers to the requests of the extension, and to requests for resources that are files of skills.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rmcp::ErrorData;
use rmcp::model::{
    CacheScope, GetSkillResult, ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult,
    ReadResourceDirectoryResult, ReadResourceResult, ResourceContents,
};

use super::folders::{FolderSkills, NotRead};
use super::model;
use super::page::{self, Page, Start};
use super::published;
use super::site::ServedSiteFile;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::listed_resources::{listed_resources, listed_templates};
use crate::listed_tools::LIST_TTL_MILLISECONDS;
use crate::server::Server;
use crate::store::{Reader, StoreExt};
use dibber_catalog::Offer;
use dibber_skill::contract::Scope;

/// What the URIs of the files of skills begin with.
const SCHEME: &str = "skill://";

/// How long a client may keep what it has got, in milliseconds (5 seconds): files and skills change.
const TTL_MILLISECONDS: u64 = 5_000;

/// The most entries of a page of a directory.
const ENTRIES_MAX: usize = 500;

impl Server {
    /// Offers the skills of directories, too.
    #[must_use]
    pub fn with_folder_skills(self, skills: FolderSkills) -> Self {
        Self { folder_skills: Some(Arc::new(skills)), ..self }
    }

    /// Lets everyone read the skills of directories at `/.well-known/agent-skills`, without a token.
    #[must_use]
    pub fn with_public_skills(self) -> Self {
        Self { has_public_skills: true, ..self }
    }

    /// Returns the file at a path of the site with the skills of directories.
    pub(crate) async fn site_file(&self, path: String) -> Option<Arc<ServedSiteFile>> {
        let folders = Arc::clone(self.folder_skills.as_ref()?);
        blocking(move || folders.site_file(&path)).await.ok()?
    }

    /// Answers `skills/list`.
    pub(crate) async fn list_skills(
        &self,
        caller: &Caller,
        cursor: Option<&str>,
    ) -> Result<ListSkillsResult, ErrorData> {
        check_scope(caller)?;
        let page = self.page_of_skills(caller, cursor).await?;
        let mut result =
            ListSkillsResult::with_all_items(page.skills().map(model::skill).collect())
                .with_ttl_ms(TTL_MILLISECONDS)
                .with_cache_scope(CacheScope::Private);
        result.next_cursor = page.next.and_then(|next| next.cursor());
        Ok(result)
    }

    /// Answers `resources/list`: with the resources that every family has, and the `SKILL.md` of the skills
    /// that the caller may read.
    pub(crate) async fn list_resources(
        &self,
        caller: &Caller,
        cursor: Option<&str>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut resources = if cursor.is_none() { listed_resources() } else { Vec::new() };
        let mut next = None;
        if may_read_skills(caller) {
            let page = self.page_of_skills(caller, cursor).await?;
            resources.extend(page.skills().filter_map(model::skill_resource));
            next = page.next.and_then(|next| next.cursor());
        }
        let mut result = ListResourcesResult::with_all_items(resources)
            .with_ttl_ms(TTL_MILLISECONDS)
            .with_cache_scope(CacheScope::Private);
        result.next_cursor = next;
        Ok(result)
    }

    /// Answers `skills/get`.
    pub(crate) async fn get_skill(
        &self,
        caller: &Caller,
        uri: &str,
    ) -> Result<GetSkillResult, ErrorData> {
        check_scope(caller)?;
        let offer = self.offer_with(caller, uri).await?;
        let skill = offer.skill(uri).ok_or_else(not_found)?;
        Ok(GetSkillResult::new(model::skill(skill))
            .with_ttl_ms(TTL_MILLISECONDS)
            .with_cache_scope(CacheScope::Private))
    }

    /// Answers `resources/directory/read`.
    pub(crate) async fn read_skill_directory(
        &self,
        caller: &Caller,
        uri: &str,
        cursor: Option<&str>,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        check_scope(caller)?;
        let offer = self.offer_with(caller, uri).await?;
        let entries = offer.directory(uri);
        if entries.is_empty() {
            return Err(ErrorData::invalid_params("there is no such directory of skills", None));
        }
        let begin = match cursor {
            None => 0,
            Some(cursor) => {
                let after = decode(cursor).ok_or_else(invalid_cursor)?;
                entries.partition_point(|entry| entry.uri() <= after.as_str())
            }
        };
        let rest = entries.get(begin..).unwrap_or_default();
        let page = &rest[..rest.len().min(ENTRIES_MAX)];
        let resources = page.iter().filter_map(|entry| model::entry_resource(&offer, *entry));
        let mut result = ReadResourceDirectoryResult::with_all_items(resources.collect())
            .with_ttl_ms(TTL_MILLISECONDS)
            .with_cache_scope(CacheScope::Private);
        let last = page.last().filter(|_| rest.len() > page.len()).map(|last| (*last).uri());
        result.next_cursor = last.map(|last| URL_SAFE_NO_PAD.encode(last));
        Ok(result)
    }

    /// Answers `resources/read` if the resource is a file of a skill. What is read has the digest that the
    /// newest list has of it.
    pub(crate) async fn read_skill_file(
        &self,
        caller: &Caller,
        uri: &str,
    ) -> Option<Result<ReadResourceResult, ErrorData>> {
        if !uri.starts_with(SCHEME) {
            return None;
        }
        Some(self.skill_file(caller, uri).await)
    }

    async fn skill_file(
        &self,
        caller: &Caller,
        uri: &str,
    ) -> Result<ReadResourceResult, ErrorData> {
        check_scope(caller)?;
        let wanted = uri.to_owned();
        let contents = match &self.folder_skills {
            Some(folders) if published::id_of(uri).is_none() => {
                let folders = Arc::clone(folders);
                let read = move || {
                    let read = folders.read_file(&wanted, |skill, file, bytes| {
                        model::contents(&wanted, skill, file, bytes)
                    });
                    match read {
                        Err(NotRead::NotFound) => {
                            manifest(&folders.offer(), &wanted).ok_or(NotRead::NotFound)
                        }
                        read => read,
                    }
                };
                blocking(read).await?.map_err(|error| not_read(&error))?
            }
            _ => {
                let offer = self.offer_with(caller, uri).await?;
                let found = offer.file(uri).and_then(|(skill, file)| {
                    Some(model::contents(uri, skill, file, skill.read(file).ok()?))
                });
                found.or_else(|| manifest(&offer, uri)).ok_or_else(not_found)?
            }
        };
        Ok(ReadResourceResult::new(vec![contents])
            .with_ttl_ms(TTL_MILLISECONDS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn page_of_skills(
        &self,
        caller: &Caller,
        cursor: Option<&str>,
    ) -> Result<Page, ErrorData> {
        let start = Start::parse(cursor).ok_or_else(invalid_cursor)?;
        let mut page = Page::of_folders(self.folder_offer().await?, &start);
        if let Some((limit, after)) = page.room() {
            let family = caller.family.clone();
            let read = move |store: &dyn Reader| page::read(store, &family, limit, after);
            let skills = self.store.read(read).await.map_err(internal)?;
            page.add(&skills, limit);
        }
        Ok(page)
    }

    /// Returns the skills of directories.
    async fn folder_offer(&self) -> Result<Arc<Offer>, ErrorData> {
        let Some(folders) = &self.folder_skills else { return Ok(Arc::default()) };
        let folders = Arc::clone(folders);
        blocking(move || folders.offer()).await
    }

    /// Returns the skills among which one with that URI is, if there is one.
    async fn offer_with(&self, caller: &Caller, uri: &str) -> Result<Arc<Offer>, ErrorData> {
        let Some(id) = published::id_of(uri) else { return self.folder_offer().await };
        let family = caller.family.clone();
        let read = move |store: &dyn Reader| Ok::<_, Failure>(store.skill(&family, &id)?);
        let skill = self.store.read(read).await.map_err(internal)?;
        let skill = skill.filter(|skill| !skill.is_archived);
        Ok(skill.map(|skill| Arc::new(published::offer(&skill))).unwrap_or_default())
    }
}

/// Answers `resources/templates/list`.
pub(crate) fn list_templates(caller: &Caller) -> ListResourceTemplatesResult {
    let mut templates = listed_templates();
    templates.extend(may_read_skills(caller).then(model::skill_template));
    ListResourceTemplatesResult::with_all_items(templates)
        .with_ttl_ms(LIST_TTL_MILLISECONDS)
        // What is listed depends on what the token permits.
        .with_cache_scope(CacheScope::Private)
}

/// Returns `true` if a caller may see skills.
pub(crate) fn may_read_skills(caller: &Caller) -> bool {
    caller.may_call(Some(Scope::SkillRead))
}

fn check_scope(caller: &Caller) -> Result<(), ErrorData> {
    caller.needs(Scope::SkillRead).map_err(|failure| {
        let error = failure.into_tool_error();
        ErrorData::invalid_params(format!("{}; {}", error.message, error.fix), None)
    })
}

/// Returns the list of a skill's files, if that is what a URI names.
fn manifest(offer: &Offer, uri: &str) -> Option<ResourceContents> {
    let directory = uri.strip_suffix(model::MANIFEST)?;
    let skill = offer.skill(&format!("{directory}SKILL.md"))?;
    Some(model::manifest(uri, skill))
}

/// Runs what waits for the disk.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ErrorData> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "a request for skills failed");
        ErrorData::internal_error("internal server error", None)
    })
}

fn decode(cursor: &str) -> Option<String> {
    String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()
}

fn internal(failure: Failure) -> ErrorData {
    ErrorData::internal_error(failure.into_tool_error().message, None)
}

fn not_read(error: &NotRead) -> ErrorData {
    match error {
        NotRead::NotFound => not_found(),
        NotRead::Changing => ErrorData::internal_error(
            "the file changes while it is read; list the skill again in a moment",
            None,
        ),
        NotRead::Failed => ErrorData::internal_error("the file cannot be read", None),
    }
}

fn not_found() -> ErrorData {
    let message = "there is no such skill, or no such file in it; skills/list lists the skills";
    ErrorData::invalid_params(message, None)
}

fn invalid_cursor() -> ErrorData {
    let message = "the cursor does not belong to this list; list from the beginning, without one";
    ErrorData::invalid_params(message, None)
}
