//! The index of a site: writing one, reading those of others, and what is on disk.

mod on_disk;
mod others;
mod own;

use std::path::Path;

use dibber_catalog::well_known::{Site, plan_site};
use dibber_catalog::{Catalog, ContentsLimits};

fn write(directory: &Path, path: &str, text: &str) {
    let path = directory.join(path);
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    std::fs::write(path, text).expect("a file");
}

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Waters plants. Use for dry soil.\n---\n\n# Plants\n")
}

fn site_of(directory: &Path) -> Site {
    plan_site(&Catalog::read(&[directory.to_owned()]), ContentsLimits::ACCEPTED)
}

fn shown(message: &dibber_text::Message) -> String {
    message.shown(&()).to_string()
}
