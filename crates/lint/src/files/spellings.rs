//! Suggestions for a path that does not exist in the skill.

use std::collections::HashMap;

use dibber_skill::skill::{Bundle, SKILL_FILE_NAME};
use dibber_text::{Message, message, quote};

/// The files of a skill by lowercase path and name, to find the one that a wrong path means.
pub(crate) struct Spellings<'s> {
    paths: HashMap<String, &'s str>,
    /// By name alone; `None` if several files have it.
    names: HashMap<String, Option<&'s str>>,
}

impl<'s> Spellings<'s> {
    /// Indexes the files of a bundle.
    pub(crate) fn new(bundle: &'s Bundle) -> Self {
        let (mut paths, mut names) = (HashMap::new(), HashMap::new());
        for file in &bundle.files {
            let path = file.path.as_str();
            let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
            paths.insert(path.to_lowercase(), path);
            let mark_ambiguous = |found: &mut Option<&str>| *found = None;
            names.entry(name.to_lowercase()).and_modify(mark_ambiguous).or_insert(Some(path));
        }
        Self { paths, names }
    }

    /// Returns the help for `path`, which does not exist.
    pub(crate) fn help(&self, path: &str) -> Message {
        let path = path.to_lowercase();
        if let Some(spelling) = self.paths.get(&path) {
            let spelling = quote(spelling);
            return message![
                "write it as `",
                spelling,
                "`: file names are case-sensitive on most systems"
            ];
        }
        let name = path.rsplit_once('/').map_or(path.as_str(), |(_, name)| name);
        match self.names.get(name) {
            Some(Some(found)) if !found.eq_ignore_ascii_case(SKILL_FILE_NAME) => {
                message!["correct the path: a file with that name is at `", quote(found), "`"]
            }
            _ => message!["correct the path, or add the file"],
        }
    }
}
