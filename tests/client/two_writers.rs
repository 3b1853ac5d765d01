//! Two people, or two processes, that publish the same skill: nothing is overwritten unseen, and
//! nothing is made twice.

use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use crate::support::Tree;
use crate::support::command::Ended;
use crate::support::interceptor::Mode;
use crate::support::writers::{SKILL, World, Writer};

const PUSH: [&str; 3] = ["push", "--yes", SKILL];

fn shown(ended: &Ended, id: &str, url: &str) -> String {
    ended.show().replace(id, "sk_ID").replace(url, "URL")
}

#[test]
fn a_change_of_another_writer_is_not_overwritten_unseen() {
    let world = World::new();
    let ours = Writer::new();
    assert_eq!(world.run(&ours, &PUSH).code, 0);
    let theirs = ours.cloned();
    theirs.set_line("their text");
    assert_eq!(world.run(&theirs, &PUSH).code, 0);
    let id = world.snapshot().skills[0].skill_id.clone();
    let url = format!("http://{}/mcp", world.interceptor.address);
    ours.set_line("our text");
    let lock = ours.tree.read("dibber.lock");
    for arguments in [&PUSH[..], &["push", "--dry-run", SKILL]] {
        let stopped = world.run(&ours, arguments);
        assert_eq!(stopped.code, 3, "{}", stopped.show());
        insta::assert_snapshot!("stopped", shown(&stopped, id.as_str(), &url));
    }
    // Without changes of our own, their text can be taken as it is.
    let unchanged = ours.cloned();
    unchanged.set_line("the old text");
    insta::assert_snapshot!(
        "stopped_unchanged",
        shown(&world.run(&unchanged, &PUSH), id.as_str(), &url)
    );
    assert_eq!(world.run(&unchanged, &["pull", SKILL]).code, 0);
    assert_eq!(world.run(&unchanged, &PUSH).code, 0);
    assert_eq!(world.last_lines(), ["their text"]);
    assert_eq!(ours.tree.read("dibber.lock"), lock);
    let json = world.run(&ours, &["push", "--yes", "--json", SKILL]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(json["items"][0]["action"], "stop");
    insta::assert_snapshot!("diff", shown(&world.run(&ours, &["diff", SKILL]), id.as_str(), &url));
    // The first of the two ways on: the text of the server.
    let third = theirs.cloned();
    third.tree.write("dibber.lock", lock.as_bytes());
    third.set_line("a third text");
    assert_eq!(world.run(&third, &["pull", "--force", SKILL]).code, 0);
    third.set_line("a third text");
    assert_eq!(world.run(&third, &PUSH).code, 0);
    assert_eq!(world.last_lines(), ["a third text"]);
    // The second: our own.
    let forced = world.run(&ours, &["push", "--yes", "--force", SKILL]);
    assert_eq!(forced.code, 0, "{}", forced.show());
    assert_eq!(world.last_lines(), ["our text"]);
    ours.set_line("our next text");
    assert_eq!(world.run(&ours, &PUSH).code, 0);
}

#[test]
fn the_same_change_of_another_writer_is_no_conflict() {
    let world = World::new();
    let ours = Writer::new();
    assert_eq!(world.run(&ours, &PUSH).code, 0);
    let theirs = ours.cloned();
    for writer in [&theirs, &ours] {
        writer.set_line("the same text");
        let pushed = world.run(writer, &PUSH);
        assert_eq!(pushed.code, 0, "{}", pushed.show());
    }
    // It was recorded, so it is what the next change starts from.
    ours.set_line("the next text");
    assert_eq!(world.run(&ours, &PUSH).code, 0);
    assert_eq!(world.last_lines(), ["the next text"]);
}

#[test]
fn a_change_between_the_plan_and_the_write_is_noticed_by_the_server() {
    let world = World::new();
    let ours = Writer::new();
    assert_eq!(world.run(&ours, &PUSH).code, 0);
    let theirs = ours.cloned();
    ours.set_line("our text");
    world.interceptor.set(Mode::HoldRequest);
    let push = world.dibber(&ours, &PUSH).start();
    world.interceptor.wait_for_hit();
    world.interceptor.set(Mode::Pass);
    theirs.set_line("their text");
    assert_eq!(world.run(&theirs, &PUSH).code, 0);
    world.interceptor.release();
    let ended = Ended::of(&push.wait_with_output().expect("a process"));
    assert_eq!(ended.code, 3, "{}", ended.show());
    assert!(ended.stderr.contains("SKILL_CHANGED"), "{}", ended.show());
    assert_eq!(world.last_lines(), ["their text"]);
    assert_eq!(ours.unfinished(), 0);
}

/// Each has listed the skills before the other one's was there.
#[test]
fn a_skill_that_two_machines_create_at_the_same_time_is_reported() {
    let world = World::new();
    let (ours, theirs) = (Writer::new(), Writer::new());
    world.interceptor.set(Mode::HoldRequest);
    let push = world.dibber(&ours, &PUSH).start();
    world.interceptor.wait_for_hit();
    world.interceptor.set(Mode::Pass);
    let first = world.run(&theirs, &PUSH);
    assert!(first.code == 0 && !first.stderr.contains("warning"), "{}", first.show());
    let their_id = world.snapshot().skills[0].skill_id.to_string();
    world.interceptor.release();
    let ended = Ended::of(&push.wait_with_output().expect("a process"));
    assert_eq!(ended.code, 0, "{}", ended.show());
    let skills = world.snapshot().skills;
    let our_id = skills.iter().map(|it| it.skill_id.to_string()).find(|id| *id != their_id);
    let warning = ended.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    // The ids are random; the machine of the other one would keep the same.
    let our_id = our_id.expect("a second skill");
    let (kept, archived) = (our_id.clone().min(their_id.clone()), our_id.max(their_id));
    let help = format!("keep {kept}: run `dibber skill archive --cancel-heartbeats {archived} ");
    assert!(warning.contains(&help), "{}", ended.show());
    let link = format!("` and `dibber skill link {SKILL} {kept} ");
    assert!(warning.contains(&link), "{}", ended.show());
}

#[cfg(unix)]
#[test]
fn a_skill_that_another_machine_creates_at_the_question_is_not_created_again() {
    let world = World::new();
    let (ours, theirs) = (Writer::new(), Writer::new());
    let mut push = world.terminal(&ours, &["push", SKILL]);
    push.wait_for("Publish");
    assert_eq!(world.run(&theirs, &PUSH).code, 0);
    push.answer("?", "y");
    let (shown, code) = push.end();
    assert_eq!((code, world.snapshot().skills.len()), (3, 1), "{shown}");
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let id = world.snapshot().skills[0].skill_id.to_string();
    for expected in [
        format!("with its label that no folder is linked to: {id}"),
        format!("`dibber skill link {SKILL} {id}"),
        format!("`dibber push --new {SKILL}"),
    ] {
        assert!(shown.contains(&expected), "{expected}: {shown}");
    }
    assert_eq!(ours.unfinished(), 0);
}

/// The second push would have planned before the first one had recorded anything.
#[test]
fn two_pushes_of_one_directory_create_one_skill() {
    let world = World::new();
    let writer = Writer::new();
    world.interceptor.set(Mode::HoldRequest);
    let first = world.dibber(&writer, &PUSH).start();
    world.interceptor.wait_for_hit();
    let mut second = world.dibber(&writer, &PUSH).start();
    let (send, lines) = mpsc::channel();
    let stderr = BufReader::new(second.stderr.take().expect("a pipe"));
    std::thread::spawn(move || {
        stderr.lines().map_while(Result::ok).try_for_each(|it| send.send(it))
    });
    // It waits for the first one, or, if it does not, asks for a dry-run of its own.
    let mut printed = Vec::new();
    while printed.is_empty() && world.interceptor.dry_runs() < 2 {
        printed.extend(lines.recv_timeout(Duration::from_millis(2)).ok());
    }
    world.interceptor.release();
    assert_eq!(first.wait_with_output().expect("a process").status.code(), Some(0));
    assert_eq!(second.wait().expect("a process").code(), Some(0));
    printed.extend(lines.iter());
    assert_eq!(world.last_lines().len(), 1, "{printed:?}");
    assert!(printed[0].starts_with("waiting for another dibber process"), "{printed:?}");
    assert!(printed[1].starts_with("Nothing to publish"), "{printed:?}");
}

#[test]
fn two_runs_create_the_heartbeats_of_one_directory_once() {
    let manifest = b"heartbeats:\n  - name: Tea\n    cron: 0 9 * * *\n";
    for _ in 0..4 {
        let world = World::new();
        let writer = Writer::new();
        writer.tree.write(&format!("{SKILL}/sprout.yaml"), manifest);
        assert_eq!(world.run(&writer, &PUSH).code, 0);
        let create = ["heartbeat", "create", SKILL, "--yes"];
        let runs = [(); 3].map(|()| world.dibber(&writer, &create).start());
        for run in runs {
            let ended = Ended::of(&run.wait_with_output().expect("a process"));
            assert_eq!(ended.code, 0, "{}", ended.show());
        }
        assert_eq!(world.snapshot().heartbeats.len(), 1);
    }
}

/// What is linted is what is sent, however often the file changes meanwhile.
#[test]
fn a_file_that_changes_during_a_push_is_published_as_it_was_linted() {
    const ROUNDS: usize = 25;
    let tree = Tree::new();
    let text = |body: &str| {
        format!(
            "---\nname: water-plants\ndescription: Waters the plants. Use when the soil is \
             dry.\n---\n\n# Water plants\n\n{body}\n"
        )
    };
    // The key is put together here, since this file must not look as if it held one.
    let versions = [text("Look at the soil."), text(&format!("AKIA{}", "Q3EGR5TCLV7WYBHD"))];
    let stop = AtomicBool::new(false);
    tree.write(&format!("{SKILL}/SKILL.md"), versions[0].as_bytes());
    let (mut published, mut leaks) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for version in versions.iter().cycle().take_while(|_| !stop.load(Ordering::SeqCst)) {
                tree.write("next", version.as_bytes());
                let path = tree.path().join(SKILL).join("SKILL.md");
                std::fs::rename(tree.path().join("next"), path).expect("a file");
            }
        });
        for _ in 0..ROUNDS {
            let data = Tree::new();
            let dibber = |arguments: &[&str]| {
                let dibber =
                    crate::support::command::Dibber::new(arguments).in_directory(tree.path());
                dibber.data(data.path()).run()
            };
            if dibber(&PUSH).code == 0 {
                published += 1;
                let got = dibber(&["skill", "get", SKILL]);
                assert_eq!(got.code, 0, "{}", got.show());
                leaks += usize::from(got.stdout.contains("AKIA") || got.stdout.contains("****"));
            }
        }
        stop.store(true, Ordering::SeqCst);
    });
    assert!(published > 0);
    assert_eq!(leaks, 0, "of {published} pushes");
}

#[test]
fn changes_of_different_fields_are_merged() {
    let world = World::new();
    let ours = Writer::new();
    assert_eq!(world.run(&ours, &PUSH).code, 0);
    let theirs = ours.cloned();
    let update = ["skill", "update", SKILL, "--name", "Their label", "--yes"];
    assert_eq!(world.run(&theirs, &update).code, 0);
    ours.set_line("our text");
    let id = world.snapshot().skills[0].skill_id.clone();
    let url = format!("http://{}/mcp", world.interceptor.address);
    let run = |arguments: &[&str]| shown(&world.run(&ours, arguments), id.as_str(), &url);
    let mut output = run(&PUSH);
    output += &run(&["pull", SKILL]);
    output += &run(&["pull", SKILL]);
    output += &run(&PUSH);
    insta::assert_snapshot!("merged", output);
    assert_eq!(world.last_lines(), ["our text"]);
    assert_eq!(world.snapshot().skills[0].name, "Their label");
    // The same field on both sides.
    let theirs = ours.cloned();
    theirs.set_line("their text");
    assert_eq!(world.run(&theirs, &PUSH).code, 0);
    ours.set_line("our other text");
    let output = run(&PUSH) + &run(&["pull", SKILL]);
    insta::assert_snapshot!("not_merged", output);
    assert_eq!(world.last_lines(), ["their text"]);
}
