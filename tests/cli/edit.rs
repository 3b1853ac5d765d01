//! `dibber edit`.

use std::fs;

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::timeless;

const SKILL: &str = "\
---
# Read by the agents.
name: bedtime-story
description: 'Tells a story about the day. Use when a parent asks for a bedtime story for a child.' # keep
license: MIT
---

# Bedtime story

Tell a story about {{input.hero}}.

## What is given

- Hero: {{input.hero}}
";

const MANIFEST: &str = "\
# How Sprout publishes it.
label:   Bedtime story   # what the family sees
category: generic

inputs:
- name: hero   # an animal
  description: Whom it is about

kidCallable: false
heartbeats:
  # before the lights go out
  - name: \"Story time\"
    cron: '30 19 * * *'  # half past seven
    input:
      hero: a fox
# The end.
";

fn skill() -> Tree {
    let tree = Tree::new();
    tree.write("bedtime-story/SKILL.md", SKILL.as_bytes());
    tree.write("bedtime-story/sprout.yaml", MANIFEST.as_bytes());
    tree
}

fn edit(tree: &Tree, arguments: &[&str]) -> Ended {
    let line = [&["edit", "bedtime-story"], arguments].concat();
    Dibber::new(line).in_directory(tree.path()).env("COLUMNS", "80").run()
}

/// Returns the lines that are different in a file, as a diff has them.
fn changed(ended: &Ended) -> String {
    let is_changed = |line: &&str| line.starts_with(['-', '+']);
    ended.stdout.lines().filter(is_changed).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_description_that_is_published_is_changed() {
    let tree = skill();
    let manifest = format!("summary: A story  # short\n{MANIFEST}");
    tree.write("bedtime-story/sprout.yaml", manifest.as_bytes());
    let ended = edit(&tree, &["--description", "A story about the day: a calm one", "--yes"]);
    assert_eq!(
        changed(&ended),
        "\
--- a/bedtime-story/sprout.yaml
+++ b/bedtime-story/sprout.yaml
-summary: A story  # short
+summary: \"A story about the day: a calm one\"  # short"
    );
    assert_eq!(tree.read("bedtime-story/SKILL.md"), SKILL);
}

#[test]
fn only_what_an_answer_changes_is_written() {
    let tree = skill();
    let ended = edit(
        &tree,
        &["--label", "Good night: a story", "--kid-callable", "yes", "--ages", "5-7", "-n"],
    );
    insta::assert_snapshot!(ended.show());
    assert_eq!(tree.read("bedtime-story/sprout.yaml"), MANIFEST, "a dry run writes nothing");
    let description =
        "Tells a story about an animal. Use when a child asks for a story in the evening.";
    let ended =
        edit(&tree, &["--description", description, "--schedule", "Sundays at 18:00", "-y"]);
    insta::assert_snapshot!(ended.show());
    assert_eq!(tree.read("bedtime-story/SKILL.md").lines().nth(4), SKILL.lines().nth(4));
    assert_eq!(edit(&tree, &["--cron", "Sundays at 6pm", "-y"]).stdout, "");
    let linted = Dibber::lint(tree.path(), ["bedtime-story"]).run();
    assert_eq!(linted.code, 0, "{}", linted.stdout);
}

#[test]
fn inputs_and_schedules_are_added_and_schedules_removed() {
    let tree = skill();
    let removed = edit(&tree, &["--schedule", "never", "-y"]);
    insta::assert_snapshot!(changed(&removed));
    insta::assert_snapshot!(
        edit(&tree, &["--input", "place:string=Where it happens", "-y"]).show()
    );
    let schedule = ["--schedule", "weekdays at 7pm Berlin time", "-y"];
    let refused = edit(&tree, &schedule);
    let error = "error: the schedule needs a value for the input `hero`\n";
    assert!(refused.code == 3 && refused.stderr.starts_with(error), "{}", refused.show());
    let values = ["--value", "hero=a fox", "--value", "place=a wood"];
    let added = edit(&tree, &[&schedule[..], &values].concat());
    insta::assert_snapshot!(changed(&added));
    let written = tree.read("bedtime-story/sprout.yaml");
    assert!(written.contains("# How Sprout publishes it.\n"), "{written}");
}

#[test]
fn a_skill_without_a_sprout_yaml_gets_one() {
    let tree = skill();
    fs::remove_file(tree.path().join("bedtime-story/sprout.yaml")).expect("a file");
    assert_eq!(edit(&tree, &["--label", "Story", "-y"]).code, 0);
    assert_eq!(tree.read("bedtime-story/sprout.yaml"), "label: Story\n");
}

#[test]
fn line_breaks_stay_as_they_are() {
    let tree = skill();
    tree.write("bedtime-story/sprout.yaml", MANIFEST.replace('\n', "\r\n").as_bytes());
    let ended = edit(&tree, &["--ages", "5-7", "--kid-callable", "yes", "-y"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let written = tree.read("bedtime-story/sprout.yaml");
    let expected = MANIFEST.replace("kidCallable: false", "kidCallable: true") + "ageRange: 5-7\n";
    assert_eq!(written, expected.replace('\n', "\r\n"));
}

#[test]
fn what_cannot_be_changed() {
    let tree = skill();
    tree.write("other/SKILL.md", SKILL.replace("bedtime-story", "other").as_bytes());
    tree.write("other/sprout.yaml", b"{label: Other, inputs: [{name: hero}]}\n");
    let mut output = String::new();
    for arguments in [
        &[][..],
        &["--label", "Story"],
        &["--label", "", "-y"],
        &["--ages", "old", "-y"],
        &["--schedule", "every 10 minutes", "-y"],
        &["--schedule", "every day at 7", "-y"],
        &["--schedule", "8am Paris time", "--tz", "Europe/Berlin", "-y"],
        &["--input", "place", "-y"],
        &["--input", "2nd", "--value", "2nd=a wood", "-y"],
        &["--kid-callable", "perhaps", "-y"],
    ] {
        output += &format!("{arguments:?}\n{}\n", edit(&tree, arguments).show());
    }
    for arguments in [
        &["edit", "."][..],
        &["edit", "nowhere"],
        &["edit", "other", "--ages", "5-7"],
        &["edit", "other", "--input", "place"],
    ] {
        let ended = Dibber::new([arguments, &["--label", "X", "-y"]].concat())
            .in_directory(tree.path())
            .run();
        output += &format!("{arguments:?}\n{}\n", ended.show());
    }
    insta::assert_snapshot!(output);
    assert_eq!(tree.read("bedtime-story/sprout.yaml"), MANIFEST);
}

/// An input is gone from the list, from the schedule, and from the list in the text.
#[test]
fn one_of_several_schedules_is_not_guessed() {
    let tree = skill();
    let other = "  - name: Nap time\n    cron: 0 13 * * *\n    input:\n      hero: an owl\n";
    tree.write("bedtime-story/sprout.yaml", format!("{MANIFEST}{other}").as_bytes());
    let ended = edit(&tree, &["--schedule", "every day at 8am", "--yes"]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    let expected = "error: the skill has 2 schedules: `Story time`, `Nap time`\n\
        help: change one of them in its sprout.yaml; `--schedule never` removes all of them\n";
    assert_eq!(ended.stderr, expected);
    let ended = edit(&tree, &["--schedule", "never", "--yes"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(!tree.read("bedtime-story/sprout.yaml").contains("cron"), "{}", ended.show());
}

#[test]
fn inputs_are_removed_and_values_changed() {
    let tree = skill();
    let added =
        edit(&tree, &["--input", "place=Where it happens", "--value", "place=a wood", "-y"]);
    assert_eq!(added.code, 0, "{}", added.stderr);
    let removed = edit(&tree, &["--remove-input", "place", "--value", "hero=an owl", "-y"]);
    insta::assert_snapshot!(removed.show());
    assert_eq!(tree.read("bedtime-story/SKILL.md"), SKILL);
    let mut output = String::new();
    for arguments in [
        ["--remove-input", "hero", "-y"],
        ["--remove-input", "whom", "-y"],
        ["--value", "hero", "-y"],
    ] {
        output += &format!("{arguments:?}\n{}\n", edit(&tree, &arguments).show());
    }
    insta::assert_snapshot!(output);
    let manifest = MANIFEST.replace("    input:\n      hero: a fox\n", "");
    tree.write("bedtime-story/sprout.yaml", manifest.as_bytes());
    let set = edit(&tree, &["--value", "hero=a fox", "-y"]);
    assert_eq!(
        changed(&set).lines().skip(2).collect::<Vec<_>>(),
        ["+    input:", "+      hero: a fox"]
    );
}

/// A schedule that exists has no value for a new input until it is named.
#[test]
fn a_new_input_needs_a_value_on_every_schedule() {
    let tree = skill();
    let second = "  - name: Sunday\n    cron: '0 18 * * 0'\n";
    let manifest = MANIFEST.replace("# The end.\n", second);
    tree.write("bedtime-story/sprout.yaml", manifest.as_bytes());
    let refused = edit(&tree, &["--input", "place", "-y"]);
    assert_eq!(
        (refused.code, refused.stderr.as_str()),
        (
            3,
            "error: the schedule needs a value for the input `place`\n\
             help: add what it is when the skill runs by itself: `--value place=TEXT`\n"
        )
    );
    let set = edit(&tree, &["--input", "place", "--value", "place=a wood", "-y"]);
    let lines: Vec<_> = changed(&set).lines().skip(3).map(str::to_owned).collect();
    let expected = [
        "+++ b/bedtime-story/sprout.yaml",
        "+- name: place",
        "+      place: a wood",
        "+    input:",
        "+      place: a wood",
    ];
    assert!(lines.ends_with(&expected.map(str::to_owned)), "{}", set.show());
}

/// Runs `dibber edit --body` with an editor that is a script, which gets the path of the text.
#[cfg(unix)]
fn edit_body(tree: &Tree, data: &Tree, editor: &str) -> Ended {
    tree.write("editor", editor.as_bytes());
    let run = Dibber::new(["edit", "bedtime-story", "--body", "--yes"]).in_directory(tree.path());
    let editor = format!("sh {}", tree.path().join("editor").display());
    run.env("EDITOR", &editor).env("COLUMNS", "80").data(data.path()).run()
}

#[cfg(unix)]
#[test]
fn the_text_is_changed_in_an_editor() {
    let (tree, data) = (skill(), Tree::new());
    let unchanged = edit_body(&tree, &data, "exit 0");
    let changed = edit_body(&tree, &data, "sed -i.old 's/Tell a story/Tell a short story/' \"$1\"");
    insta::assert_snapshot!(format!("{}\n{}", unchanged.show(), changed.show()));
    let expected = SKILL.replace("Tell a story", "Tell a short story");
    assert_eq!(tree.read("bedtime-story/SKILL.md"), expected);
}

/// What the editor has saved is opened the next time, whatever went wrong.
#[cfg(unix)]
#[test]
fn a_text_is_kept_until_it_is_in_the_skill() {
    let (tree, data) = (skill(), Tree::new());
    let mut output = String::new();
    for editor in [
        "echo 'Sing a song.' >> \"$1\"; exit 3",
        "echo 'Read [it](missing.md) and ask {{input.whom' >> \"$1\"",
        "printf '\\377' >> \"$1\"",
        "printf '# Song\\n\\nSing about {{input.hero}}.\\n' > \"$1\"",
    ] {
        let ended = edit_body(&tree, &data, editor);
        output += &format!("{}\n", ended.show());
    }
    insta::assert_snapshot!(output);
    assert!(
        tree.read("bedtime-story/SKILL.md").ends_with("\n# Song\n\nSing about {{input.hero}}.\n")
    );
    let kept = fs::read_dir(data.path().join("edited")).expect("a folder");
    let kept = kept.flatten().filter(|file| file.path().extension().is_some_and(|it| it == "md"));
    assert_eq!(kept.count(), 0);
}

/// What was changed in the meantime is not put back by an older text.
#[cfg(unix)]
#[test]
fn an_older_text_replaces_no_later_change() {
    let (tree, data) = (skill(), Tree::new());
    let failed = edit_body(&tree, &data, "exit 127");
    assert_eq!(failed.code, 2, "{}", failed.show());
    let later = SKILL.replace("Tell a story", "Sing a song");
    tree.write("bedtime-story/SKILL.md", later.as_bytes());
    let ended = edit_body(&tree, &data, "exit 0");
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(tree.read("bedtime-story/SKILL.md"), later);
    edit_body(&tree, &data, "echo 'The end.' >> \"$1\"; exit 3");
    tree.write("bedtime-story/SKILL.md", SKILL.as_bytes());
    let refused = edit_body(&tree, &data, "exit 0");
    assert_eq!(refused.code, 2, "{}", refused.show());
    assert!(refused.stderr.contains("SKILL.md has changed since"), "{}", refused.show());
    assert_eq!(tree.read("bedtime-story/SKILL.md"), SKILL);
}

/// Some editors change the line endings of a whole file, or save it unchanged.
#[cfg(unix)]
#[test]
fn line_endings_alone_are_no_change() {
    let (tree, data) = (skill(), Tree::new());
    for _ in 0..2 {
        let ended = edit_body(&tree, &data, "sed -i.old 's/$/\r/' \"$1\"");
        assert_eq!((ended.code, ended.stderr.as_str()), (0, "Nothing was changed.\n"));
    }
    assert_eq!(tree.read("bedtime-story/SKILL.md"), SKILL);
    let mixed = SKILL.replace("# Bedtime story\n", "# Bedtime story\r\n");
    assert_ne!(mixed, SKILL);
    tree.write("bedtime-story/SKILL.md", mixed.as_bytes());
    let ended = edit_body(&tree, &data, "echo 'The end.' >> \"$1\"");
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(tree.read("bedtime-story/SKILL.md"), mixed + "The end.\n");
}

/// What another program has written while the editor was open stays, and the text is kept.
#[cfg(unix)]
#[test]
fn files_that_were_saved_meanwhile_are_not_overwritten() {
    let (tree, data) = (skill(), Tree::new());
    let manifest = tree.path().join("bedtime-story/sprout.yaml");
    let script = format!("echo 'The end.' >> \"$1\"; echo '# Mine' >> {}", manifest.display());
    let edit = |editor: &str| {
        tree.write("editor", editor.as_bytes());
        let arguments = ["edit", "bedtime-story", "--body", "--label", "Night story", "--yes"];
        let editor = format!("sh {}", tree.path().join("editor").display());
        let run = Dibber::new(arguments).in_directory(tree.path()).env("EDITOR", &editor);
        run.env("COLUMNS", "80").data(data.path()).run()
    };
    let refused = edit(&script);
    assert_eq!(refused.code, 2, "{}", refused.show());
    assert!(refused.stderr.contains("has changed since it was read"), "{}", refused.show());
    assert_eq!(tree.read("bedtime-story/SKILL.md"), SKILL);
    assert_eq!(tree.read("bedtime-story/sprout.yaml"), format!("{MANIFEST}# Mine\n"));
    let again = edit("exit 0");
    assert_eq!(again.code, 0, "{}", again.show());
    assert!(tree.read("bedtime-story/SKILL.md").ends_with("The end.\n"));
    fs::remove_file(&manifest).expect("a file");
    let created = format!("echo 'label: Mine' > {}; exit 0", manifest.display());
    let refused = edit(&created);
    assert_eq!(refused.code, 2, "{}", refused.show());
    assert_eq!(tree.read("bedtime-story/sprout.yaml"), "label: Mine\n");
}

/// The next command is the one that publishes to the server which has the skill.
#[test]
fn what_was_published_is_published_again_with_the_next_command() {
    let (tree, data) = (skill(), Tree::new());
    let run = |arguments: &[&str]| {
        let run = Dibber::new(arguments).in_directory(tree.path()).data(data.path());
        run.env("COLUMNS", "80").run()
    };
    let schedule = |words| ["edit", "bedtime-story", "--schedule", words, "-y"];
    let before = run(&schedule("every day at 7pm")).stderr;
    assert!(!before.contains("dibber push"), "{before}");
    let pushed = run(&["push", "-y", "bedtime-story"]);
    assert_eq!(pushed.code, 0, "{}", pushed.stderr);
    let ended = run(&schedule("every day at 8pm")).stderr;
    let listed = run(&["heartbeat", "list"]).stderr;
    insta::assert_snapshot!(timeless(&format!("{}---\n{ended}---\n{listed}", pushed.stderr)));
    let inputs = ["--input", "mood=How the story feels", "--value", "mood=calm", "-y"];
    let ended = run(&[&["edit", "bedtime-story"], &inputs[..]].concat()).stderr;
    let next = "Next: `dibber push --new bedtime-story` publishes it as a new skill, because";
    assert!(ended.contains(next), "{ended}");
    let lock = tree.read("dibber.lock").replace("\"local\"", "\"https://home.example.org/mcp\"");
    tree.write("dibber.lock", lock.as_bytes());
    let ended = run(&schedule("every day at 9pm")).stderr;
    assert!(
        ended.ends_with("bedtime-story --server https://home.example.org/mcp` publishes it.\n"),
        "{ended}"
    );
    let lock = tree.read("dibber.lock");
    let (start, addresses) = lock.split_once("[servers]\n").expect("addresses");
    let (line, skills) = addresses.split_once("\n\n").expect("a skill");
    let without = format!("{start}{skills}");
    tree.write("dibber.lock", without.as_bytes());
    let ended = run(&schedule("every day at 5pm")).stderr;
    assert!(!ended.contains("dibber push"), "{ended}");
    // A server without an id is recorded by its address.
    let id = line.split('"').nth(1).expect("an id");
    let by_address = without.replace(id, "https://other.example.org/mcp");
    tree.write("dibber.lock", by_address.as_bytes());
    let ended = run(&schedule("every day at 4pm")).stderr;
    assert!(ended.contains(" --server https://other.example.org/mcp` publishes it."), "{ended}");
    tree.write("dibber.lock", lock.as_bytes());
    tree.write("dibber.toml", b"[server\n");
    let run = run(&schedule("every day at 6pm"));
    assert_eq!(run.code, 0, "{}", run.show());
    assert!(run.stderr.ends_with("publishes it.\n"), "{}", run.stderr);
}

/// Everything that is added here belongs at the end of the file.
#[test]
fn several_additions_at_the_end_of_a_file_keep_their_order() {
    let inputs = "label: Story\ncategory: generic\ninputs:\n  - name: hero\n";
    let heartbeats = "category: generic\nheartbeats:\n  - name: Story\n    cron: '30 19 * * *'\n";
    let schedule = ["--schedule", "Sundays at 6pm Berlin time", "-y"];
    let values = ["--value", "hero=a fox", "--value", "place=a wood"];
    let place = [&["--input", "place=Where it happens"], &schedule[..], &values].concat();
    let label = [&["--label", "A new title"], &schedule[..]].concat();
    let mut output = String::new();
    for (manifest, arguments) in [(inputs, place), (heartbeats, label)] {
        for manifest in [manifest, manifest.trim_end()] {
            let tree = skill();
            tree.write("bedtime-story/sprout.yaml", manifest.as_bytes());
            let ended = edit(&tree, &arguments);
            assert_eq!(ended.code, 0, "{}", ended.stderr);
            output += &tree.read("bedtime-story/sprout.yaml");
            output += "---\n";
        }
    }
    insta::assert_snapshot!(output);
}

#[cfg(unix)]
mod at_a_terminal {
    use super::{MANIFEST, SKILL, edit_body, skill};
    use crate::support::Tree;
    use crate::support::terminal::Terminal;

    #[test]
    fn enter_keeps_everything() {
        let (tree, data) = (skill(), Tree::new());
        let mut terminal = Terminal::start(tree.path(), &data, &["edit", "bedtime-story"]);
        terminal.answer("What should be different?", "all");
        for question in [
            "Under which title",
            "What does it do",
            "Type a number",
            "May a child",
            "What else",
            "When should it run",
            "What is `hero`",
        ] {
            terminal.answer(question, "");
        }
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        insta::assert_snapshot!(shown);
        assert_eq!(tree.read("bedtime-story/SKILL.md"), SKILL);
        assert_eq!(tree.read("bedtime-story/sprout.yaml"), MANIFEST);
    }

    /// "The time" is neither a word of an answer nor an input.
    #[test]
    fn the_time_is_found_by_its_name() {
        let (tree, data) = (skill(), Tree::new());
        let mut terminal = Terminal::start(tree.path(), &data, &["edit", "bedtime-story"]);
        for (question, answer) in [
            ("What should be different?", "different each time"),
            ("What else is different each time", "every day at 7pm"),
            ("is when it runs", "back"),
            ("What should be different?", "the time"),
            ("When should it run", "every day at ten to eight in the evening"),
            ("What else should be different?", ""),
            ("Write these changes?", "yes, but not now"),
            ("is neither yes nor no", "yes"),
        ] {
            terminal.answer(question, answer);
        }
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        assert!(tree.read("bedtime-story/sprout.yaml").contains("cron: 50 19 * * *"), "{shown}");
    }

    /// Enter at every question loses nothing, and only a clear answer discards what is unsaved.
    #[test]
    fn unsaved_changes_are_discarded_only_if_that_is_confirmed() {
        let (tree, data) = (skill(), Tree::new());
        edit_body(&tree, &data, "echo 'The end.' >> \"$1\"; exit 3");
        let later = SKILL.replace("Tell a story", "Sing a song");
        tree.write("bedtime-story/SKILL.md", later.as_bytes());
        tree.write("editor", b"exit 0");
        let editor = format!("sh {}", tree.path().join("editor").display());
        let edit = |answers: &[(&str, &str)]| {
            let arguments = ["edit", "bedtime-story", "--body"];
            let variables = [("NO_COLOR", "1"), ("EDITOR", editor.as_str())];
            let mut terminal = Terminal::start_with(tree.path(), &data, &arguments, &variables);
            for (question, answer) in answers {
                terminal.answer(question, answer);
            }
            let (shown, code) = terminal.end();
            assert_eq!(code, 0, "{shown}");
            shown
        };
        let shown = edit(&[("SKILL.md has changed since", ""), ("Discard", "")]);
        assert!(shown.contains("Nothing was changed; the text is kept"), "{shown}");
        let shown = edit(&[("SKILL.md has changed since", "yes"), ("Write these changes?", "no")]);
        assert!(shown.contains("+The end."), "{shown}");
        let shown = edit(&[("SKILL.md has changed since", "no"), ("Discard", "yes")]);
        assert!(shown.contains("Nothing was changed.\n"), "{shown}");
        assert!(edit(&[]).ends_with("Nothing was changed.\n"));
        assert_eq!(tree.read("bedtime-story/SKILL.md"), later);
    }

    /// After an error, the editor has the text of the time before, without another question.
    #[test]
    fn an_editor_that_is_opened_again_continues() {
        let (tree, data) = (skill(), Tree::new());
        let script = "if grep -q missing \"$1\"; then sed -i.old '/missing/d' \"$1\"; \
                      else echo '[it](missing.md) and {{input.whom' >> \"$1\"; fi";
        tree.write("editor", script.as_bytes());
        let editor = format!("sh {}", tree.path().join("editor").display());
        let variables = [("NO_COLOR", "1"), ("EDITOR", editor.as_str())];
        let arguments = ["edit", "bedtime-story", "--body"];
        let mut terminal = Terminal::start_with(tree.path(), &data, &arguments, &variables);
        terminal.answer("Open the editor again?", "");
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        assert!(!shown.contains("Unsaved changes"), "{shown}");
        assert!(shown.ends_with("Nothing was changed.\n"), "{shown}");
        assert_eq!(tree.read("bedtime-story/SKILL.md"), SKILL);
    }

    #[test]
    fn an_answer_is_asked_for_again_and_then_written() {
        let (tree, data) = (skill(), Tree::new());
        let mut terminal = Terminal::start(tree.path(), &data, &["edit", "bedtime-story"]);
        terminal.answer("What should be different?", "all");
        for (question, answer) in [
            ("Under which title", "A story"),
            ("What does it do", "back"),
            ("Under which title", "Story of the day"),
            ("What does it do", ""),
            ("Type a number", ""),
            ("May a child", "perhaps"),
            ("May a child", "yes"),
            ("For which ages", "6"),
            ("What else", ""),
            ("When should it run", "half past eight"),
            ("When should it run", "every day at 8pm"),
            ("What is `hero`", ""),
            ("The former words are also in the heading.", "no"),
            ("Write these changes?", "yes"),
        ] {
            terminal.answer(question, answer);
        }
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        insta::assert_snapshot!(tree.read("bedtime-story/sprout.yaml"));
    }

    /// A skill without a label is published under its heading, which is the title to keep.
    #[test]
    fn a_title_without_a_label_is_kept() {
        let (tree, data) = (skill(), Tree::new());
        let manifest = MANIFEST.replace("label:   Bedtime story   # what the family sees\n", "");
        tree.write("bedtime-story/sprout.yaml", manifest.as_bytes());
        let mut terminal = Terminal::start(tree.path(), &data, &["edit", "bedtime-story"]);
        terminal.answer("What should be different?", "all");
        terminal.answer("(at most 300 characters) [Bedtime\r\nstory]", "");
        for question in ["What does it do", "Type a number", "May a child", "What else"] {
            terminal.answer(question, "");
        }
        terminal.answer("When should it run", "");
        terminal.answer("What is `hero`", "");
        let (shown, code) = terminal.end();
        assert!(code == 0 && shown.ends_with("Nothing was changed.\n"), "{shown}");
        assert_eq!(tree.read("bedtime-story/sprout.yaml"), manifest);
    }

    /// A name is asked about once, and left out if it is that of a child.
    #[test]
    fn the_name_of_a_child_is_left_out() {
        let (tree, data) = (skill(), Tree::new());
        let mut terminal = Terminal::start(tree.path(), &data, &["edit", "bedtime-story"]);
        terminal.answer("What should be different?", "all");
        for (question, answer) in [
            ("Under which title", "A story for Jay"),
            ("Is `Jay` the name of a child?", ""),
            ("What does it do", "Tells Jay a story with Bluey. Use it when Jay is in bed."),
        ] {
            terminal.answer(question, answer);
        }
        for question in ["Type a number", "May a child", "What else is different"] {
            terminal.answer(question, "");
        }
        terminal.answer("When should it run", "");
        terminal.answer("What is `hero`", "");
        terminal.answer("The former words are also in the heading.", "");
        terminal.answer("Write these changes?", "");
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        let files = tree.read("bedtime-story/SKILL.md") + &tree.read("bedtime-story/sprout.yaml");
        assert!(!files.contains("Jay"), "{files}");
        assert!(files.contains("A story for the child"), "{files}");
        assert!(files.contains("Tells the child a story with Bluey."), "{files}");
    }

    #[test]
    fn values_are_asked_for_and_inputs_removed() {
        let (tree, data) = (skill(), Tree::new());
        let mut terminal = Terminal::start(tree.path(), &data, &["edit", "bedtime-story"]);
        terminal.answer("What should be different?", "all");
        for (question, answer) in [
            ("Under which title", ""),
            ("What does it do", ""),
            ("Type a number", ""),
            ("May a child", ""),
            ("What else", "the place, without herro"),
            ("What else", "no luck"),
            ("What else", "the place, Without hero"),
            ("What else", "the place"),
            ("When should it run", ""),
            ("What is `hero`", "an owl"),
            ("What is `place`", "a wood"),
            ("Write these changes?", "yes"),
        ] {
            terminal.answer(question, answer);
        }
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        insta::assert_snapshot!(shown);
    }

    /// What a schedule needs for a new input is asked for before anything is written.
    #[test]
    fn the_value_of_a_new_input_is_asked_for() {
        let (tree, data) = (skill(), Tree::new());
        let second = "  - name: Sunday\n    cron: '0 18 * * 0'\n    input: {hero: a bee}\n";
        let line = ["edit", "bedtime-story", "--input", "place"];
        let mut terminal = Terminal::start(tree.path(), &data, &line);
        terminal.answer("What is `place`", "");
        terminal.answer("What is `place`", "a wood");
        terminal.answer("Write these changes?", "yes");
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        let with_place = MANIFEST.replace("hero: a fox\n", "hero: a fox\n      place: a wood\n");
        let written = tree.read("bedtime-story/sprout.yaml");
        assert_eq!(written, with_place.replace("is about\n", "is about\n- name: place\n"));
        let two = MANIFEST
            .replace("# The end.\n", &second.replace("{hero: a bee}", "\n      hero: a bee"));
        tree.write("bedtime-story/sprout.yaml", two.as_bytes());
        tree.write("bedtime-story/SKILL.md", SKILL.as_bytes());
        let mut terminal = Terminal::start(tree.path(), &data, &["edit", "bedtime-story"]);
        terminal.answer("What should be different?", "all");
        for (question, answer) in [
            ("Under which title", "?"),
            ("your family reads in the list", &"long ".repeat(61)),
            ("shorten it by 4", ""),
            ("What does it do", ""),
            ("Type a number", ""),
            ("May a child", ""),
            ("What else", "yes please"),
            ("there is no answer yet", "the place"),
            ("What is `place`", ""),
            ("there is no answer yet", "a wood"),
            ("Write these changes?", "yes"),
        ] {
            terminal.answer(question, answer);
        }
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        let written = tree.read("bedtime-story/sprout.yaml");
        assert_eq!(written.matches("place: a wood").count(), 2, "{written}");
    }

    /// Every answer but `nothing` is a value, and `nothing` is an empty one.
    #[test]
    fn a_value_is_what_was_typed() {
        let (tree, data) = (skill(), Tree::new());
        for (current, typed, written, summary) in [
            ("a fox", "Nothing", "hero: \"\"", "with hero: a fox → nothing"),
            ("nothing", "no", "hero: \"no\"", "with hero: nothing → no"),
            ("no", "yes", "hero: \"yes\"", "with hero: no → yes"),
        ] {
            let mut terminal = Terminal::start(tree.path(), &data, &["edit", "bedtime-story"]);
            terminal.answer("What should be different?", "all");
            for question in ["Under which title", "What does it do", "Type a number"] {
                terminal.answer(question, "");
            }
            for question in ["May a child", "What else", "When should it run"] {
                terminal.answer(question, "");
            }
            terminal.answer(&format!("[{current}]"), typed);
            terminal.answer("Write these changes?", "yes");
            let (shown, code) = terminal.end();
            assert!(code == 0 && shown.contains(&format!("  {summary}\n")), "{shown}");
            let manifest = tree.read("bedtime-story/sprout.yaml");
            assert!(manifest.contains(&format!("      {written}\n")), "{manifest}");
        }
    }

    /// The values of inputs that options add are asked for like all others.
    #[test]
    fn the_question_about_an_added_input_is_explained() {
        let (tree, data) = (skill(), Tree::new());
        let line = ["edit", "bedtime-story", "--input", "loud", "--input", "long"];
        let mut terminal = Terminal::start(tree.path(), &data, &line);
        for (question, answer) in [
            ("What is `loud`", "back"),
            ("This is the first question.", "?"),
            ("the agent cannot ask", "very"),
            ("What is `long`", "back"),
            ("What is `loud`", "nothing"),
            ("What is `long`", "yes"),
            ("Write these changes?", "yes"),
        ] {
            terminal.answer(question, answer);
        }
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        assert!(shown.contains("  with long: nothing → yes\n"), "{shown}");
        assert!(!shown.contains("with loud:"), "{shown}");
        let manifest = tree.read("bedtime-story/sprout.yaml");
        assert!(manifest.contains("      loud: \"\"\n"), "{manifest}");
        assert!(manifest.contains("      long: \"yes\"\n"), "{manifest}");
    }

    /// The current answer is on the clock of the locale, and can be typed like that.
    #[test]
    fn a_schedule_is_on_the_clock_of_the_locale() {
        let (tree, data) = (skill(), Tree::new());
        let locale = [("NO_COLOR", "1"), ("LANG", "de_DE.UTF-8")];
        let mut terminal =
            Terminal::start_with(tree.path(), &data, &["edit", "bedtime-story"], &locale);
        terminal.answer("What should be different?", "all");
        for question in ["Under which title", "What does it do", "Type a number", "May a child"] {
            terminal.answer(question, "");
        }
        terminal.answer("What else", "");
        terminal.answer("[Every day\r\nat 19:30 ET]", "every day at 20:15");
        terminal.answer("What is `hero`", "");
        terminal.answer("Write these changes?", "yes");
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        assert!(shown.contains("Every day at 19:30 ET → Every day at 20:15 ET"), "{shown}");
        assert!(tree.read("bedtime-story/sprout.yaml").contains("cron: 15 20 * * *"), "{shown}");
    }

    /// In a container, the time zone of the computer is not that of the family.
    #[test]
    fn the_zone_of_a_new_schedule_is_asked_for_on_a_computer_in_utc() {
        let (heartbeats, _) = MANIFEST.split_once("heartbeats:").expect("a schedule");
        for (schedule, answers) in [
            (
                "every day at 7pm",
                &[
                    ("America/New_York) [UTC]", "back"),
                    ("When should", "8pm daily"),
                    ("Which city's time", "Munchen City"),
                    ("type a large city", "Munich"),
                ][..],
            ),
            ("every day at 8pm Berlin time", &[]),
        ] {
            let (tree, data) = (skill(), Tree::new());
            tree.write("bedtime-story/sprout.yaml", heartbeats.as_bytes());
            let variables = [("NO_COLOR", "1"), ("TZ", "UTC")];
            let line = ["edit", "bedtime-story"];
            let mut terminal = Terminal::start_with(tree.path(), &data, &line, &variables);
            terminal.answer("What should be different?", "all");
            for question in ["Under which title", "What does it do", "Type a number", "May a child"]
            {
                terminal.answer(question, "");
            }
            terminal.answer("What else", "");
            terminal.answer("When should it run", schedule);
            for (question, answer) in answers {
                terminal.answer(question, answer);
            }
            terminal.answer("What is `hero`", "a fox");
            terminal.answer("Write these changes?", "yes");
            let (shown, code) = terminal.end();
            let written = tree.read("bedtime-story/sprout.yaml");
            let is_written = written.contains("cron: 0 20 * * *\n    tz: Europe/Berlin\n");
            assert!(code == 0 && is_written, "{shown}{written}");
        }
    }

    /// One answer is changed without the other questions, and `back` leads to the answers, also from
    /// the last question.
    #[test]
    fn one_answer_is_changed_without_the_others() {
        let (tree, data) = (skill(), Tree::new());
        let mut terminal = Terminal::start(tree.path(), &data, &["edit", "bedtime-story"]);
        for (question, answer) in [
            ("What should be different?", "back"),
            ("This is the first question", "9"),
            ("`9` is not one of these", "6"),
            ("When should it run by itself?", "every day at 8pm"),
            ("What else should be different?", ""),
            ("Write these changes?", "back"),
            ("What else should be different?", "4"),
            ("May a child start it?", "yes"),
            ("For which ages?", "back"),
            ("May a child start it?", "back"),
            ("a child may start it  no", "5"),
            ("What else is different", "mood, hero"),
            ("What is `mood`", "sleepy"),
            ("different each time   hero, mood", "5"),
            ("removes it. [mood]", "place"),
            ("What is `place`", "a wood"),
            ("different each time   hero, place", "5"),
            ("removes it. [place]", ""),
            ("with place            a wood", ""),
            ("Write these changes?", ""),
        ] {
            terminal.answer(question, answer);
        }
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        let (_, different) = shown.rsplit_once("What is different:\n").expect("the changes");
        let expected = "  different each time: hero → hero, place\n  \
                        runs by itself: Every day at 7:30pm ET → Every day at 8pm ET\n  \
                        with place: nothing → a wood\n";
        assert!(different.starts_with(expected), "{different}");
        let written = tree.read("bedtime-story/sprout.yaml");
        assert!(written.contains("0 20 * * *") && written.contains("place: a wood"), "{written}");
    }

    #[test]
    fn an_interruption_changes_nothing() {
        for key in ['c', 'd'] {
            let (tree, data) = (skill(), Tree::new());
            let mut terminal = Terminal::start(tree.path(), &data, &["edit", "bedtime-story"]);
            terminal.answer("What should be different?", "all");
            terminal.answer("Under which title", "A story");
            terminal.press_control("What does it do", key);
            let (shown, code) = terminal.end();
            let last = "\nNothing was changed. `dibber edit` begins again.\n";
            assert!(code == 130 && shown.ends_with(last), "{shown}");
            assert_eq!(tree.read("bedtime-story/sprout.yaml"), MANIFEST);
        }
    }
}
