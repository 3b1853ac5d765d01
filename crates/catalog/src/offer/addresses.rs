//! Which URI each skill of a folder has.
//!
//! A skill has the URI of its place: the name of the folder, then the directories. The last directory of
//! the URI has to be the name of the skill, so that the name is added if its directory has another one.
//! The place of a skill in the directory of another one is one in that skill. So URIs stay as they are
//! when other skills are added, also if they have the same name.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::skill_uri::{SCHEME, escape_path};

/// The most characters of the name of a folder.
const LABEL_CHARACTERS_MAX: usize = 64;

/// The name of a folder whose own name has no letter that a URI can have.
const LABEL_DEFAULT: &str = "skills";

/// The URIs of directories.
pub(super) struct Addresses {
    /// Each folder with the beginning of its URIs.
    roots: Vec<(PathBuf, String)>,
    /// The skills so far, by directory.
    skills: HashMap<PathBuf, String>,
    taken: HashSet<String>,
}

impl Addresses {
    /// Names the folders; no name is one of `reserved`.
    pub(super) fn new(folders: &[PathBuf], reserved: &[&str]) -> Self {
        let mut labels: HashSet<String> =
            reserved.iter().map(|label| (*label).to_owned()).collect();
        let mut roots = Vec::new();
        for folder in folders {
            let label = label(folder);
            let mut unique = label.clone();
            let mut number = 1;
            while !labels.insert(unique.clone()) {
                number += 1;
                unique = format!("{label}-{number}");
            }
            roots.push((folder.clone(), unique));
        }
        Self { roots, skills: HashMap::new(), taken: HashSet::new() }
    }

    /// Returns the URI of the directory of a skill, with `/` at its end. Skills come in the order of their
    /// directories.
    pub(super) fn add(&mut self, directory: &Path, name: &str) -> String {
        let (above, prefix) = self.nearest(directory);
        let below = directory.strip_prefix(above).unwrap_or(directory);
        let mut address = prefix.to_owned();
        for component in below.components() {
            address.push('/');
            address.push_str(&escape_path(&component.as_os_str().to_string_lossy()));
        }
        let parent =
            address.strip_suffix(name).filter(|parent| parent.is_empty() || parent.ends_with('/'));
        let mut parent = parent.map_or_else(|| format!("{address}/"), str::to_owned);
        let mut number = 1;
        while !self.taken.insert(format!("{parent}{name}")) {
            number += 1;
            parent = format!("{address}~{number}/");
        }
        let address = format!("{parent}{name}");
        self.skills.insert(directory.to_owned(), address.clone());
        format!("{SCHEME}{address}/")
    }

    /// Returns the nearest directory above with a URI: that of a skill, or a folder.
    fn nearest<'a>(&'a self, directory: &'a Path) -> (&'a Path, &'a str) {
        let mut above = directory.ancestors().skip(1);
        if let Some(found) = above.find_map(|above| Some((above, self.skills.get(above)?))) {
            return (found.0, found.1);
        }
        let root = self.roots.iter().find(|(folder, _)| directory.starts_with(folder));
        root.map_or((Path::new(""), LABEL_DEFAULT), |(folder, label)| (folder, label))
    }
}

/// Returns the name of a folder in lowercase letters, digits and hyphens: programs may change the case of
/// what comes first in a URI.
fn label(folder: &Path) -> String {
    let real = folder.canonicalize();
    let name = real.as_deref().unwrap_or(folder).file_name().unwrap_or_default();
    let name = name.to_string_lossy().to_ascii_lowercase();
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let label: String = words.join("-").chars().take(LABEL_CHARACTERS_MAX).collect();
    if label.is_empty() { LABEL_DEFAULT.to_owned() } else { label }
}
