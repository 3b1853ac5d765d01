//! The settings of `[lint]` of a project.

use std::path::Path;

use super::setting::{Origin, Setting};
use dibber_skill::config::{Config, LevelEntry};

/// Adds what the configuration of a project says about linting.
pub(super) fn push(config: &Config, path: &Path, settings: &mut Vec<Setting>) {
    let origin = |span| Origin::in_file(path, &config.source, span);
    for pattern in &config.exclude {
        let value = format!("{:?}", pattern.text);
        settings.push(Setting::new("lint.exclude", value, origin(pattern.span)));
    }
    let mut push_levels = |prefix: &str, levels: &[LevelEntry]| {
        settings.extend(levels.iter().map(|entry| {
            let name = format!("{prefix}.{}", entry.key);
            Setting::new(name, entry.level.name().to_owned(), origin(entry.key_span))
        }));
    };
    push_levels("lint.levels", &config.levels);
    for entry in &config.overrides {
        let paths: Vec<_> = entry.paths.iter().map(|pattern| pattern.text.as_str()).collect();
        push_levels(&format!("lint.overrides[{}]", paths.join(", ")), &entry.levels);
    }
    if !config.waivers.is_empty() {
        let path = path.to_owned();
        let value = config.waivers.len().to_string();
        settings.push(Setting::new("lint.waivers", value, Origin::File { path, line: None }));
    }
}
