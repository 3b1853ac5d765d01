//! The files whose draft is a stored skill.

use dibber_skill::contract::{SKILL_WRITE, SkillWrite, StoredSkill};
use dibber_skill::draft::{Draft, IncludedFile, join_included, split_included};
use dibber_skill::manifest::{self, MANIFEST_FILE_NAME};
use dibber_skill::skill::yaml_scalar::{as_any_scalar, as_folded, as_scalar_like};
use dibber_skill::skill::{Bundle, BundleFile, FileKind, Resource, SKILL_FILE_NAME, Skill};
use dibber_skill::spec_hash::SpecHash;
use dibber_text::Source;

use super::manifest_text::{HEADER, list, optional_inputs, with_block, with_stored};
use super::skill_patch::SkillPatch;

/// The most characters of a description in Agent Skills; only `sprout.yaml` contains a longer one
/// in full.
const DESCRIPTION_CHARACTERS_MAX: usize = 1_024;

/// The authored files of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthoredFiles {
    /// The text of `SKILL.md`.
    pub skill: String,
    /// The text of `sprout.yaml`, if the skill needs one.
    pub manifest: Option<String>,
    /// The text of each file that `sprout.yaml` includes, by its path.
    pub included: Vec<(String, String)>,
    /// The spec-hash of their draft, unless they have errors.
    pub spec_hash: Option<SpecHash>,
    /// Whether their draft is the stored skill. Some strings cannot be written to files: those with
    /// white space at their ends, or with Windows line endings.
    pub is_exact: bool,
    /// Whether the `sprout.yaml` before had heartbeats, and this one has none.
    pub loses_heartbeats: bool,
}

impl AuthoredFiles {
    /// Returns the files of a stored skill in a new directory with this name. The files with the
    /// paths `include` are separated from its prompt, if it consists of them.
    pub fn of_stored(stored: &StoredSkill, name: &str, include: &[String]) -> Self {
        Self::new_files(stored, name, include, &[])
    }

    /// Returns the files of a stored skill in a new directory. These inputs are optional.
    fn new_files(stored: &StoredSkill, name: &str, include: &[String], optional: &[&str]) -> Self {
        let description = stored.description.replace("\r\n", "\n");
        let description = shortened(description.trim());
        let frontmatter = format!(
            "---\nname: {name}\ndescription: {}\n---\n",
            as_folded("description", &description)
        );
        let bundle = Bundle::of_text(name, Some(name.to_owned()));
        let paths: Vec<&str> = include.iter().map(String::as_str).collect();
        let separate = split_included(&stored.prompt, &paths).filter(|(body, files)| {
            !files.is_empty()
                && join_included(body, files).is_some_and(|it| it.prompt == stored.prompt)
        });
        let Some((body, files)) = separate else {
            let text = format!("{frontmatter}{}", stored.prompt);
            let base = ManifestBase::New { include: &[], optional };
            return compose(&bundle, &text, base, Vec::new(), stored);
        };
        let files = files.iter().map(|file| (file.path.to_owned(), file.text.to_owned()));
        let text = format!("{frontmatter}{body}");
        let base = ManifestBase::New { include, optional };
        compose(&bundle, &text, base, files.collect(), stored)
    }

    /// Returns the files of a skill with the fewest changes that make them those of the stored skill:
    /// values that mean the same keep their bytes, and the frontmatter and the heartbeats remain,
    /// except those of a `sprout.yaml` that cannot be edited.
    pub fn update(skill: &Skill, stored: &StoredSkill) -> Self {
        let files = Self::updated(skill, stored);
        let before = skill.resource(MANIFEST_FILE_NAME).map(|file| file.source.text());
        let had_heartbeats = before.is_some_and(has_heartbeats);
        let loses_heartbeats =
            had_heartbeats && !files.manifest.as_deref().is_some_and(has_heartbeats);
        Self { loses_heartbeats, ..files }
    }

    fn updated(skill: &Skill, stored: &StoredSkill) -> Self {
        let manifest = skill.resource(MANIFEST_FILE_NAME).map(|file| file.source.text());
        let name = skill.bundle.name.as_deref().unwrap_or_default();
        let draft = Draft::new(skill);
        let include = included_paths(&draft);
        let is_stored = |name: &&str| stored.input_variables.iter().any(|it| it.name == *name);
        let optional: Vec<_> = draft.optional_inputs().filter(is_stored).collect();
        if !skill.faults.is_empty() || !skill.is_whole_text() {
            return Self::new_files(stored, name, &include, &optional);
        }
        let paths: Vec<&str> = include.iter().map(String::as_str).collect();
        let updated = if let Some((body, files)) = split_included(&stored.prompt, &paths) {
            let files = files.iter().map(|file| updated_file(skill, *file)).collect();
            let text = with_description(skill, &draft, stored, with_body(skill, body));
            compose(&skill.bundle, &text, ManifestBase::Edited(manifest), files, stored)
        } else {
            // The stored prompt no longer consists of these files: it is all in `SKILL.md`.
            let manifest = with_block(manifest.unwrap_or_default(), "include", "");
            let text = with_body(skill, &stored.prompt);
            let text = with_description(skill, &draft, stored, text);
            compose(&skill.bundle, &text, ManifestBase::Edited(Some(&manifest)), Vec::new(), stored)
        };
        if updated.is_exact || manifest.is_none() {
            return updated;
        }
        // The text of some `sprout.yaml`, such as one line of flow style, cannot be edited: it is
        // replaced by a new one, if that is exact.
        let text = with_body(skill, &stored.prompt);
        let base = ManifestBase::New { include: &[], optional: &optional };
        let replaced = compose(&skill.bundle, &text, base, Vec::new(), stored);
        if replaced.is_exact { replaced } else { updated }
    }
}

/// Returns the paths of the files that a draft includes.
pub fn included_paths(draft: &Draft) -> Vec<String> {
    let include = draft.manifest.iter().flat_map(|manifest| &manifest.include);
    include.map(|path| path.value.clone()).collect()
}

/// Returns the text of `SKILL.md` with another body, which keeps its bytes if it means the same.
fn with_body(skill: &Skill, body: &str) -> String {
    let text = skill.source.text();
    if skill.body_text().replace("\r\n", "\n") == body {
        return text.to_owned();
    }
    let mut head = text[..skill.body.start].to_owned();
    let has_returns = head.contains("\r\n");
    if !head.is_empty() && !head.ends_with('\n') {
        head.push('\n');
    }
    if has_returns { head + &body.replace('\n', "\r\n") } else { head + body }
}

/// Returns the text of `SKILL.md` with the description of the stored skill, if the skill is published
/// with that of `SKILL.md`; or `text` itself, if it cannot contain the description, such as one that
/// is too long. The frontmatter of `text` is that of `skill`.
fn with_description(skill: &Skill, draft: &Draft, stored: &StoredSkill, text: String) -> String {
    let description = stored.description.as_str();
    let has_summary = draft.manifest.as_ref().is_some_and(|manifest| manifest.summary.is_some());
    let is_same = draft.best_effort().description == description;
    if has_summary || is_same || description != shortened(description.trim()) {
        return text;
    }
    let Some(entry) = skill.field("description") else { return text };
    let (key, value) = (&entry.key.span, &entry.value.span);
    let gap = if value.start == key.end + 1 { " " } else { "" };
    let has_returns = text.contains("\r\n");
    let replaced = |scalar: String| {
        let mut replaced = text.clone();
        let scalar = if has_returns { scalar.replace('\n', "\r\n") } else { scalar };
        replaced.replace_range(value.range(), &format!("{gap}{scalar}"));
        let parsed = read(&skill.bundle, &replaced, None, &[]);
        let is_read = parsed.string_field("description").is_some_and(|(it, _)| it == description);
        (is_read && parsed.faults.is_empty()).then_some(replaced)
    };
    // A comment after the value needs a scalar on one line, and an alias cannot be replaced.
    let before = text.get(value.range()).unwrap_or_default();
    let quoted = before.starts_with(['\'', '"']).then(|| as_scalar_like(before, description));
    let plain = [as_folded("description", description), as_any_scalar(description)];
    quoted.into_iter().chain(plain).find_map(replaced).unwrap_or(text)
}

/// Returns the path and the text of an included file, which keeps its bytes if it means the same.
fn updated_file(skill: &Skill, file: IncludedFile<'_>) -> (String, String) {
    let before = skill.resource(file.path).map(|resource| resource.source.text());
    let text = match before {
        Some(before) if before.replace("\r\n", "\n") == file.text => before.to_owned(),
        Some(before) if before.contains("\r\n") => file.text.replace('\n', "\r\n"),
        _ => file.text.to_owned(),
    };
    (file.path.to_owned(), text)
}

/// What a `sprout.yaml` is made from.
#[derive(Clone, Copy)]
enum ManifestBase<'a> {
    /// What a server does not store.
    New {
        /// The paths of the files that it includes.
        include: &'a [String],
        /// The names of the inputs that are optional.
        optional: &'a [&'a str],
    },
    /// The text that there is, if there is one.
    Edited(Option<&'a str>),
}

/// Writes to `sprout.yaml` what `SKILL.md` does not contain, or contains in another form.
fn compose(
    bundle: &Bundle,
    text: &str,
    manifest: ManifestBase<'_>,
    included: Vec<(String, String)>,
    stored: &StoredSkill,
) -> AuthoredFiles {
    let is_new = matches!(manifest, ManifestBase::New { .. });
    let manifest = match manifest {
        ManifestBase::New { include, optional } => {
            Some(format!("{HEADER}{}{}", list("include", include), optional_inputs(optional)))
        }
        ManifestBase::Edited(text) => text.map(str::to_owned),
    };
    let manifest = manifest.as_deref();
    let before = read(bundle, text, manifest, &included);
    let draft = Draft::new(&before);
    let manifest = with_stored(manifest.unwrap_or_default(), &before, &draft, stored, is_new);
    let manifest = (!manifest.is_empty()).then_some(manifest);
    let after = read(bundle, text, manifest.as_deref(), &included);
    let draft = Draft::new(&after);
    let certain = draft.certain().ok();
    let is_exact = certain
        .is_some_and(|arguments| SkillPatch::between(stored, arguments) == SkillPatch::Nothing);
    let spec_hash = certain.and_then(spec_hash);
    let skill = text.to_owned();
    AuthoredFiles { skill, manifest, included, spec_hash, is_exact, loses_heartbeats: false }
}

/// Returns the spec-hash of the call that writes a skill.
pub(super) fn spec_hash(arguments: &SkillWrite) -> Option<SpecHash> {
    match serde_json::to_value(arguments) {
        Ok(serde_json::Value::Object(arguments)) => SpecHash::compute(SKILL_WRITE, &arguments).ok(),
        _ => None,
    }
}

/// Parses the skill that the files will contain.
fn read(
    bundle: &Bundle,
    text: &str,
    manifest: Option<&str>,
    included: &[(String, String)],
) -> Skill {
    let mut bundle = bundle.clone();
    bundle.skill_file_bytes = text.len() as u64;
    bundle.files.retain(|file| file.path != MANIFEST_FILE_NAME);
    let mut resources = Vec::new();
    if let Some(manifest) = manifest {
        let kind = FileKind::Regular(manifest.len() as u64);
        bundle.files.push(BundleFile { path: MANIFEST_FILE_NAME.to_owned(), kind });
        bundle.files.sort_by(|a, b| a.path.cmp(&b.path));
        let source = Source::new(bundle.path_of(MANIFEST_FILE_NAME), manifest);
        resources.push(Resource::new(MANIFEST_FILE_NAME, source));
    }
    for (path, text) in included {
        let source = Source::new(bundle.path_of(path), text.as_str());
        resources.push(Resource::new(path.as_str(), source));
    }
    resources.sort_by(|a, b| a.path.cmp(&b.path));
    let source = Source::new(bundle.path_of(SKILL_FILE_NAME), text);
    Skill::parse(bundle, source, resources)
}

/// Returns `true` if the text of a `sprout.yaml` has heartbeats.
fn has_heartbeats(text: &str) -> bool {
    let (manifest, _) = manifest::parse(&Source::new(MANIFEST_FILE_NAME, text));
    !manifest.heartbeats.is_empty()
}

fn shortened(description: &str) -> String {
    if description.chars().count() <= DESCRIPTION_CHARACTERS_MAX {
        return description.to_owned();
    }
    let cut: String = description.chars().take(DESCRIPTION_CHARACTERS_MAX - 1).collect();
    format!("{}…", cut.trim_end())
}
