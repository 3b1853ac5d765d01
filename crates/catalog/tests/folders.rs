//! Folders as they are: skills in skills, links, pipes, files that git ignores, broken frontmatter.

use std::fs;
use std::path::Path;

use dibber_catalog::{Catalog, ContentsLimits, read_folder};
use tempfile::TempDir;

fn skill(root: &Path, directory: &str, name: &str) {
    let text = format!("---\nname: {name}\ndescription: Waters plants.\n---\n\n# {name}\n");
    file(root, &format!("{directory}/SKILL.md"), &text);
}

fn file(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(path, text).expect("a file");
}

fn read(root: &TempDir) -> Catalog {
    Catalog::read(&[root.path().to_owned()])
}

fn paths(catalog: &Catalog, name: &str) -> Vec<String> {
    let skill =
        catalog.skills.iter().find(|skill| skill.description.name == name).expect("a skill");
    skill.files.iter().map(|file| file.path.to_string()).collect()
}

#[test]
fn files_of_nested_skills_are_files_of_the_outer_one() {
    let root = tempfile::tempdir().expect("a directory");
    skill(root.path(), "outer", "outer");
    file(root.path(), "outer/a.txt", "a");
    skill(root.path(), "outer/more/inner", "inner");
    file(root.path(), "outer/more/inner/b.txt", "b");
    skill(root.path(), "outer-two", "outer-two");
    let catalog = read(&root);
    assert!(catalog.problems.is_empty(), "{:?}", catalog.problems);
    assert_eq!(
        paths(&catalog, "outer"),
        ["SKILL.md", "a.txt", "more/inner/SKILL.md", "more/inner/b.txt"]
    );
    assert_eq!(paths(&catalog, "inner"), ["SKILL.md", "b.txt"]);
    let nested: Vec<_> =
        catalog.skills.iter().map(|skill| (&*skill.description.name, skill.is_nested)).collect();
    assert_eq!(nested, [("inner", true), ("outer", false), ("outer-two", false)]);
}

#[test]
fn what_git_ignores_is_left_out_unless_every_file_is_read() {
    let root = tempfile::tempdir().expect("a directory");
    skill(root.path(), "good", "good");
    file(root.path(), ".gitignore", "*.log\n");
    fs::create_dir(root.path().join(".git")).expect("a directory");
    file(root.path(), "good/secret.log", "x");
    let catalog = read(&root);
    assert_eq!(paths(&catalog, "good"), ["SKILL.md"]);
    let (contents, _) = read_folder(&root.path().join("good"), ContentsLimits::ACCEPTED);
    assert_eq!(contents.expect("a skill").files().len(), 2);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_problems_and_the_rest_is_read() {
    let root = tempfile::tempdir().expect("a directory");
    skill(root.path(), "good", "good");
    std::os::unix::fs::symlink("/etc/passwd", root.path().join("good/link")).expect("a link");
    std::os::unix::fs::symlink("..", root.path().join("good/circle")).expect("a link");
    let pipe = root.path().join("good/pipe");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().expect("mkfifo").success());
    let catalog = read(&root);
    assert_eq!(paths(&catalog, "good"), ["SKILL.md"]);
    let messages: Vec<_> =
        catalog.problems.iter().map(|problem| problem.message.shown(&()).to_string()).collect();
    assert_eq!(
        messages,
        [
            "`circle` is a symbolic link, which is not followed; it is left out",
            "`link` is a symbolic link, which is not followed; it is left out",
            "`pipe` is a pipe, a socket or a device; it is left out",
        ]
    );
    let (contents, problems) = read_folder(&root.path().join("good"), ContentsLimits::ACCEPTED);
    assert_eq!((contents.expect("a skill").files().len(), problems.len()), (1, 3));
}

#[test]
fn problems_of_the_frontmatter_have_their_place() {
    let root = tempfile::tempdir().expect("a directory");
    file(
        root.path(),
        "odd/SKILL.md",
        "---\nname: Odd_Name\ndescription: Waters.\nlicense: [MIT]\nmetadata:\n  version: 1.0\n\
         allowed-tools: Bash(git add:*, git commit:*) Read\nuser-invocable: false\n---\n",
    );
    file(root.path(), "none/SKILL.md", "---\nname: none\n---\n");
    file(root.path(), "text/SKILL.md", "# No frontmatter\n");
    let catalog = read(&root);
    let description = &catalog.skills[0].description;
    assert_eq!(description.allowed_tools, ["Bash(git add:*, git commit:*)", "Read"]);
    assert_eq!(description.metadata["version"], "1.0");
    assert!(description.flags.model_invocable && !description.flags.user_invocable);
    let found: Vec<_> = catalog
        .problems
        .iter()
        .map(|problem| {
            let name = problem.path.rsplit('/').nth(1).expect("a directory");
            (name, problem.position, problem.is_left_out)
        })
        .collect();
    assert_eq!(
        found,
        [
            ("none", Some((1, 1)), true),
            ("odd", Some((2, 7)), false),
            ("odd", Some((4, 10)), false),
            ("odd", Some((6, 12)), false),
            ("text", Some((1, 1)), true),
        ]
    );
}
