//! No circle of files: a file that imports another is not imported by it, `mod.rs` included.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

use crate::support::package;

/// The path of a module inside its crate, without `crate`.
type ModulePath = Vec<String>;

/// The files of a crate by the modules that they define.
struct Crate {
    files: BTreeMap<ModulePath, PathBuf>,
}

impl Crate {
    /// Finds the files of the crate whose sources are in `directory`.
    fn find(directory: &Path) -> Self {
        fn collect(directory: &Path, path: &ModulePath, files: &mut BTreeMap<ModulePath, PathBuf>) {
            for entry in fs::read_dir(directory).expect("a directory") {
                let file = entry.expect("an entry").path();
                let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
                let is_root = matches!(stem.as_str(), "lib" | "mod");
                let inside = |name: String| path.iter().cloned().chain([name]).collect();
                if file.is_dir() {
                    collect(&file, &inside(stem), files);
                } else if file.extension().is_some_and(|extension| extension == "rs") {
                    files.insert(if is_root { path.clone() } else { inside(stem) }, file);
                }
            }
        }
        let mut files = BTreeMap::new();
        collect(directory, &Vec::new(), &mut files);
        Self { files }
    }

    /// Returns the file that defines what `path` names when it is written in `module`, if it is a
    /// file of this crate.
    fn resolve(&self, module: &ModulePath, path: &[String]) -> Option<&PathBuf> {
        let mut base = module.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => (base, rest) = (Vec::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|word| word == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            child => {
                let inside: ModulePath = base.iter().cloned().chain([child.to_owned()]).collect();
                self.files.get(&inside)?;
            }
        }
        for word in rest {
            base.push(word.clone());
            if !self.files.contains_key(&base) {
                base.pop();
                break;
            }
        }
        self.files.get(&base)
    }

    /// Returns, for each file, the other files of the crate that it names.
    fn imports(&self) -> BTreeMap<&PathBuf, BTreeSet<&PathBuf>> {
        let of_file = |(module, file): (&ModulePath, &'_ PathBuf)| {
            let text = fs::read_to_string(file).expect("a source file");
            let mut paths = Paths::default();
            paths.visit_file(&syn::parse_file(&text).expect("Rust"));
            let named = paths.found.iter().filter_map(|path| self.resolve(module, path));
            named.filter(|other| *other != file).collect::<BTreeSet<_>>()
        };
        self.files.iter().map(|entry| (entry.1, of_file(entry))).collect()
    }
}

/// Every path that a file names in its code and its `use` declarations.
#[derive(Default)]
struct Paths {
    found: Vec<Vec<String>>,
}

impl Paths {
    fn add_tree(&mut self, mut prefix: Vec<String>, tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.add_tree(prefix, &path.tree);
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_tree(prefix.clone(), tree));
            }
            syn::UseTree::Name(syn::UseName { ident })
            | syn::UseTree::Rename(syn::UseRename { ident, .. }) => {
                prefix.push(ident.to_string());
                self.found.push(prefix);
            }
            syn::UseTree::Glob(_) => self.found.push(prefix),
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        // Unit tests may import everything of their file.
        if !module.attrs.iter().any(|attribute| attribute.path().is_ident("cfg")) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {
        // `pub(in crate::…)` restricts who may import; it imports nothing.
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_tree(Vec::new(), &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.found.push(path.segments.iter().map(|part| part.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

/// Returns the files that can be reached from `start`, itself only if a circle leads back.
fn reachable<'a>(
    imports: &BTreeMap<&'a PathBuf, BTreeSet<&'a PathBuf>>,
    start: &'a PathBuf,
) -> BTreeSet<&'a PathBuf> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<_> = imports[start].iter().copied().collect();
    while let Some(file) = open.pop() {
        if seen.insert(file) {
            open.extend(&imports[file]);
        }
    }
    seen
}

/// Returns the sets of files of a crate that import one another in a circle, as paths from the
/// root of the package.
fn circles(sources: &Path) -> BTreeSet<Vec<String>> {
    let found = Crate::find(sources);
    let imports = found.imports();
    let reachable: BTreeMap<_, _> =
        imports.keys().map(|file| (*file, reachable(&imports, file))).collect();
    let shown = |file: &PathBuf| {
        let inside = file.strip_prefix(package()).expect("a file of the package");
        inside.to_string_lossy().replace('\\', "/")
    };
    let circle_of = |file: &PathBuf| {
        let circle = reachable[file].iter().filter(|other| reachable[**other].contains(file));
        circle.map(|other| shown(other)).collect::<Vec<_>>()
    };
    imports.keys().map(|file| circle_of(file)).filter(|circle| circle.len() > 1).collect()
}

#[test]
fn no_files_import_one_another_in_a_circle() {
    let mut sources = vec![package().join("src")];
    for entry in fs::read_dir(package().join("crates")).expect("crates") {
        sources.push(entry.expect("an entry").path().join("src"));
    }
    let found: BTreeSet<Vec<String>> = sources.iter().flat_map(|path| circles(path)).collect();
    assert!(found.is_empty(), "files import one another in a circle: {found:#?}");
}
