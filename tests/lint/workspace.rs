//! The run of the linter in the library: unsaved files, planned fixes, and the order of events.

use dibber_lint::workspace::{Event, Input, RunOptions, SkillChange, SkillFixes};
use dibber_lint::{Settings, Workspace};
use dibber_skill::diagnostic::Applicability;

use crate::support::{Tree, lint_in};

const FINE: &str = "---\nname: garden\ndescription: Plans the beds of a garden. Use when it is spring and seeds are to be sown.\n---\n\n\
                    See [the soil](references/soil.md).\n";
const WITHOUT_DESCRIPTION: &str = "---\nname: garden\n---\n\nSee [it](references/soil.md).\n";

fn garden() -> Tree {
    let tree = Tree::new();
    tree.write("garden/SKILL.md", FINE.as_bytes());
    tree.write("garden/references/soil.md", b"Clay.\n");
    tree
}

fn rules(workspace: &Workspace, tree: &Tree) -> Vec<&'static str> {
    let diagnostics = lint_in(workspace, tree.path()).diagnostics;
    diagnostics.iter().map(|diagnostic| diagnostic.rule.id).collect()
}

#[test]
fn an_overlay_replaces_what_is_on_disk() {
    let tree = garden();
    let mut workspace = Workspace::new(Settings::default());
    assert!(rules(&workspace, &tree).is_empty());
    let file = tree.path().join("garden/SKILL.md");
    workspace.overlays_mut().insert(&file, WITHOUT_DESCRIPTION.into());
    assert_eq!(rules(&workspace, &tree), ["missing-description"]);
    workspace.overlays_mut().remove(&file);
    assert!(rules(&workspace, &tree).is_empty());
    let resource = tree.path().join("garden/references/soil.md");
    workspace.overlays_mut().insert(&resource, b"[no](gone.md)\n".to_vec());
    assert_eq!(rules(&workspace, &tree), ["broken-link"]);
    assert_eq!(tree.read("garden/SKILL.md"), FINE);
}

#[test]
fn fixes_of_an_overlay_are_planned_and_not_written() {
    let tree = garden();
    let mut workspace = Workspace::new(Settings::default());
    let unsaved = FINE.replace("name: garden", "name: Garden");
    let file = tree.path().join("garden/SKILL.md");
    workspace.overlays_mut().insert(&file, unsaved.clone().into());
    let input = Input::Paths(vec![tree.path().to_owned()]);
    let options = RunOptions {
        change: Some(SkillChange::Fix(Applicability::Unsafe)),
        ..RunOptions::default()
    };
    let mut plans: Vec<SkillFixes> = Vec::new();
    let summary = workspace.run(&input, options, |event| {
        if let Event::Checked(report) = event {
            assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
            plans.extend(report.fixes);
        }
        Ok::<(), ()>(())
    });
    assert_eq!(summary.expect("a summary").fixed, 1);
    let [plan] = plans.as_slice() else { panic!("{plans:?}") };
    assert_eq!(plan.path.as_deref(), Some(file.as_path()));
    assert_eq!((plan.before.as_str(), plan.after.as_str()), (unsaved.as_str(), FINE));
    assert_eq!(tree.read("garden/SKILL.md"), FINE);
}

#[test]
fn events_come_in_the_order_of_paths() {
    let tree = Tree::new();
    let names: Vec<_> = (100..200).map(|number| format!("s{number}")).collect();
    for name in &names {
        let text = format!("---\nname: {name}\n---\n\nDig.\n");
        tree.write(&format!("{name}/SKILL.md"), text.as_bytes());
    }
    let paths = vec![tree.path().join("gone"), tree.path().to_owned()];
    let mut events = Vec::new();
    let workspace = Workspace::default();
    let summary = workspace.run(&Input::Paths(paths), RunOptions::default(), |event| {
        events.push(match event {
            Event::Problem(problem) => problem.path.rsplit('/').next().unwrap_or("").to_owned(),
            Event::Found(count) => format!("{count} skills"),
            Event::Checked(report) => {
                let path = &report.diagnostics.first().expect("no description").path;
                path.rsplit('/').nth(1).expect("a directory").to_owned()
            }
            Event::Unchecked(finding) => finding.message,
            Event::Configuration(_) => "configuration".to_owned(),
        });
        Ok::<(), ()>(())
    });
    assert_eq!(summary.expect("a summary").skills, 100);
    let mut expected = vec!["gone".to_owned(), "100 skills".to_owned()];
    expected.extend(names);
    expected.push("configuration".to_owned());
    assert_eq!(events, expected);
}

#[test]
fn an_error_of_the_caller_ends_the_run() {
    let tree = garden();
    let input = Input::Paths(vec![tree.path().to_owned()]);
    let ended = Workspace::default().run(&input, RunOptions::default(), |event| match event {
        Event::Found(count) => Err(count),
        event => panic!("{event:?}"),
    });
    assert_eq!(ended.map(|summary| summary.skills), Err(1));
}
