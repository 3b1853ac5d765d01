//! How the files of a skill are spelled, for whoever wrote a path that leads nowhere.

use std::collections::HashMap;

use dibber_skill::skill::{Bundle, SKILL_FILE_NAME};
use dibber_text::ellipsize;

/// The files of a skill by their names, to find the one that a wrong path means.
pub(crate) struct Spellings<'s> {
    paths: HashMap<String, &'s str>,
    /// By name alone; none when several files bear it.
    names: HashMap<String, Option<&'s str>>,
}

impl<'s> Spellings<'s> {
    /// Gathers them.
    pub(crate) fn of(bundle: &'s Bundle) -> Self {
        let (mut paths, mut names) = (HashMap::new(), HashMap::new());
        for file in &bundle.files {
            let path = file.path.as_str();
            let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
            paths.insert(path.to_lowercase(), path);
            let only = |found: &mut Option<&str>| *found = None;
            names.entry(name.to_lowercase()).and_modify(only).or_insert(Some(path));
        }
        Self { paths, names }
    }

    /// The way out for whoever wrote `path`, which does not exist.
    pub(crate) fn help(&self, path: &str) -> String {
        let path = path.to_lowercase();
        if let Some(spelling) = self.paths.get(&path) {
            let spelling = ellipsize(spelling);
            return format!(
                "write it as `{spelling}`: most systems tell capital letters from small ones"
            );
        }
        let name = path.rsplit_once('/').map_or(path.as_str(), |(_, name)| name);
        match self.names.get(name) {
            Some(Some(found)) if !found.eq_ignore_ascii_case(SKILL_FILE_NAME) => {
                format!("a file of that name is at `{}`; correct the path", ellipsize(found))
            }
            _ => "correct the path, or add the file".to_owned(),
        }
    }
}
