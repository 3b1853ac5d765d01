//! From a stored skill to the files of which it is the draft.

use dibber_skill::contract::{SKILL_WRITE, SkillWrite, StoredSkill};
use dibber_skill::draft::Draft;
use dibber_skill::manifest::MANIFEST_FILE_NAME;
use dibber_skill::skill::yaml_scalar::as_folded;
use dibber_skill::skill::{Bundle, BundleFile, FileKind, Resource, SKILL_FILE_NAME, Skill, name};
use dibber_skill::spec_hash::SpecHash;
use dibber_text::Source;

use super::change::{Change, change_of};
use super::manifest_text::{HEADER, with_stored};

/// The most characters of a description that Agent Skills allow; a longer one is whole in
/// `sprout.yaml` alone.
const DESCRIPTION_CHARACTERS_MAX: usize = 1_024;
/// The most characters of the name of a folder.
const FOLDER_CHARACTERS_MAX: usize = name::CHARACTERS_MAX;
/// Names that are devices on Windows, where no folder can have them.
const DEVICES: [&str; 4] = ["aux", "con", "nul", "prn"];
/// The same, with a digit behind them.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// The two authored files of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The text of `SKILL.md`.
    pub skill: String,
    /// The text of `sprout.yaml`; none when the skill takes none.
    pub manifest: Option<String>,
    /// The spec-hash of their draft; none when they have faults.
    pub spec_hash: Option<SpecHash>,
    /// Whether their draft is the stored skill. Some texts cannot be written in files: those with
    /// white space at their ends, or with the line ends of Windows.
    pub is_exact: bool,
}

/// The files of a stored skill in a new folder of that name.
pub fn files_of(stored: &StoredSkill, folder: &str) -> Files {
    let description = stored.description.replace("\r\n", "\n");
    let description = shortened(description.trim());
    let frontmatter = format!(
        "---\nname: {folder}\ndescription: {}\n---\n",
        as_folded("description", &description)
    );
    let bundle = Bundle::of_text(folder, Some(folder.to_owned()));
    compose(&bundle, &format!("{frontmatter}{}", stored.prompt), Some(HEADER), stored)
}

/// The files of a folder with as few changes as make the stored skill of them: what means the
/// same keeps its bytes, and the frontmatter and the heartbeats stay.
pub fn updated(skill: &Skill, stored: &StoredSkill) -> Files {
    let text = skill.source.text();
    let manifest = skill.resource(MANIFEST_FILE_NAME).map(|file| file.source.text());
    let folder = skill.bundle.name.as_deref().unwrap_or_default();
    if !skill.faults.is_empty() || !skill.is_whole_text() {
        return files_of(stored, folder);
    }
    let draft = Draft::new(skill);
    let text = if draft.best_effort().prompt == stored.prompt {
        text.to_owned()
    } else {
        let mut head = text[..skill.body.start].to_owned();
        let has_returns = head.contains("\r\n");
        if !head.is_empty() && !head.ends_with('\n') {
            head.push('\n');
        }
        let prompt =
            if has_returns { stored.prompt.replace('\n', "\r\n") } else { stored.prompt.clone() };
        head + &prompt
    };
    let kept = compose(&skill.bundle, &text, manifest, stored);
    if kept.is_exact || manifest.is_none() {
        return kept;
    }
    // Nothing can be kept of a `sprout.yaml` that is written in a way of its own.
    let anew = compose(&skill.bundle, &text, Some(HEADER), stored);
    if anew.is_exact { anew } else { kept }
}

/// Puts into `sprout.yaml` what `SKILL.md` does not say, or says in another way.
fn compose(bundle: &Bundle, text: &str, manifest: Option<&str>, stored: &StoredSkill) -> Files {
    let before = read(bundle, text, manifest);
    let is_new = manifest == Some(HEADER);
    let draft = Draft::new(&before);
    let manifest = with_stored(manifest.unwrap_or_default(), &before, &draft, stored, is_new);
    let manifest = (!manifest.is_empty()).then_some(manifest);
    let after = read(bundle, text, manifest.as_deref());
    let draft = Draft::new(&after);
    let certain = draft.certain().ok();
    let is_exact = certain.is_some_and(|arguments| change_of(stored, arguments) == Change::Nothing);
    let spec_hash = certain.and_then(hash_of);
    Files { skill: text.to_owned(), manifest, spec_hash, is_exact }
}

fn hash_of(arguments: &SkillWrite) -> Option<SpecHash> {
    match serde_json::to_value(arguments) {
        Ok(serde_json::Value::Object(arguments)) => SpecHash::of_call(SKILL_WRITE, &arguments).ok(),
        _ => None,
    }
}

/// The skill as it will be read once it is written.
fn read(bundle: &Bundle, text: &str, manifest: Option<&str>) -> Skill {
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
    let source = Source::new(bundle.path_of(SKILL_FILE_NAME), text);
    Skill::parse(bundle, source, resources)
}

fn shortened(description: &str) -> String {
    if description.chars().count() <= DESCRIPTION_CHARACTERS_MAX {
        return description.to_owned();
    }
    let cut: String = description.chars().take(DESCRIPTION_CHARACTERS_MAX - 1).collect();
    format!("{}…", cut.trim_end())
}

/// A name for the folder of a stored skill: its label in the letters that a name may have, else
/// its id.
pub fn folder_name(stored: &StoredSkill) -> String {
    name_of_label(&stored.name).unwrap_or_else(|| {
        let letters = stored.skill_id.chars().filter(char::is_ascii_alphanumeric);
        let letters: String = letters.map(|c| c.to_ascii_lowercase()).take(32).collect();
        format!("skill-{letters}").trim_end_matches('-').to_owned()
    })
}

/// A label in the letters that a name may have; none when it has none of them.
pub fn name_of_label(label: &str) -> Option<String> {
    let label: String = label.trim().chars().take(FOLDER_CHARACTERS_MAX).collect();
    let made = name::corrected(&label, None);
    // Accents can go; letters of other scripts cannot.
    let ascii = name::corrected_to_ascii(&label);
    let length = |name: &Option<String>| name.as_ref().map(|name| name.chars().count());
    let name = if length(&ascii) == length(&made) { ascii } else { made }?;
    Some(if is_device(&name) { format!("skill-{name}") } else { name })
}

fn is_device(name: &str) -> bool {
    let numbered = name.strip_suffix(|c: char| c.is_ascii_digit());
    DEVICES.contains(&name) || numbered.is_some_and(|stem| NUMBERED_DEVICES.contains(&stem))
}
