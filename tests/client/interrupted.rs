//! A push that is interrupted at each of its points, then perhaps a move of the folder, then the
//! same push again: it is finished exactly once.

use std::fs;

use crate::support::interceptor::Mode;
use crate::support::writers::{SKILL, World, Writer};

/// The whole project, so that the command is the same wherever the folder is.
const PUSH: [&str; 2] = ["push", "--yes"];

/// What a push has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// The skill is new.
    Create,
    /// The skill was published, and has another text now.
    Update,
    /// The folder was moved since it was published, and the server has another text.
    UpdateMoved,
}

/// Where a push is interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Point {
    /// It is in the journal, and the server has not got it.
    BeforeRequest,
    /// The same, and the request arrives when the push was repeated.
    RequestDelayed,
    /// The server has it, and the push gets no answer.
    BeforeAnswer,
    /// The server has it, and the push gets something else for an answer.
    AnswerLost,
    /// It is recorded in the lock, and still in the journal.
    BeforeFinish,
}

/// What happens to the folder before the push is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Nothing,
    Move,
    Rename,
}

const WORKS: [Work; 3] = [Work::Create, Work::Update, Work::UpdateMoved];
const POINTS: [Point; 5] = [
    Point::BeforeRequest,
    Point::RequestDelayed,
    Point::BeforeAnswer,
    Point::AnswerLost,
    Point::BeforeFinish,
];
const THEN: [Then; 3] = [Then::Nothing, Then::Move, Then::Rename];

/// Moves the folder of the skill.
fn rename(writer: &Writer, from: &str, to: &str) {
    let (from, to) = (writer.tree.path().join(from), writer.tree.path().join(to));
    fs::create_dir_all(to.parent().expect("a directory")).expect("a directory");
    fs::rename(from, to).expect("a move");
}

/// Gives the folder another name, which its frontmatter has to have, too.
fn rename_as(writer: &Writer, from: &str, name: &str) {
    let to = format!("skills/{name}");
    rename(writer, from, &to);
    let text = writer.tree.read(&format!("{to}/SKILL.md"));
    let text = text.replace("name: water-plants", &format!("name: {name}"));
    writer.tree.write(&format!("{to}/SKILL.md"), text.as_bytes());
}

/// Makes what the push has to do, and returns where the folder is.
fn prepare(world: &World, writer: &Writer, work: Work) -> &'static str {
    const MOVED: &str = "moved/water-plants";
    match work {
        Work::Create => SKILL,
        Work::Update => {
            assert_eq!(world.run(writer, &PUSH).code, 0);
            writer.set_line("the new text");
            SKILL
        }
        Work::UpdateMoved => {
            assert_eq!(world.run(writer, &PUSH).code, 0);
            // What is pushed is the text that was published, at another place.
            let other = writer.cloned();
            other.set_line("another text");
            assert_eq!(world.run(&other, &PUSH).code, 0);
            rename(writer, SKILL, MOVED);
            MOVED
        }
    }
}

fn interrupt(world: &World, writer: &Writer, push: &[&str], point: Point) {
    let mode = match point {
        Point::BeforeRequest | Point::RequestDelayed => Mode::HoldRequest,
        Point::BeforeAnswer | Point::BeforeFinish => Mode::HoldAnswer,
        Point::AnswerLost => Mode::LoseAnswer,
    };
    let end = world.run_with(writer, push, mode);
    assert!([None, Some(7)].contains(&end.code()), "{}", end.show());
    assert_eq!(writer.unfinished(), 1, "{}", end.show());
    match point {
        Point::BeforeRequest => world.interceptor.set(Mode::Refuse),
        Point::BeforeFinish => {
            let entries = writer.journal_entries();
            let again = world.run(writer, push);
            assert_eq!(again.code, 0, "{}", again.show());
            writer.restore_journal(&entries);
        }
        _ => {}
    }
    world.interceptor.set(Mode::Pass);
}

#[test]
fn an_interrupted_push_is_finished_once_wherever_the_folder_is() {
    for work in WORKS {
        for point in POINTS {
            for then in THEN {
                finish_once(work, point, then);
            }
        }
    }
}

fn finish_once(work: Work, point: Point, then: Then) {
    let world = World::new();
    let writer = Writer::new();
    let folder = prepare(&world, &writer, work);
    let push: Vec<_> = match work {
        Work::UpdateMoved => PUSH.into_iter().chain(["--force"]).collect(),
        _ => PUSH.to_vec(),
    };
    let expected = if work == Work::Update { "the new text" } else { "the old text" };
    interrupt(&world, &writer, &push, point);
    match then {
        Then::Nothing => {}
        Then::Move => rename(&writer, folder, "elsewhere/water-plants"),
        Then::Rename => rename_as(&writer, folder, "water-ferns"),
    }
    let case = format!("{work:?}, {point:?}, {then:?}");
    let again = world.run(&writer, &push);
    assert_eq!(again.code, 0, "{case}: {}", again.show());
    assert_eq!(world.last_lines(), [expected], "{case}: {}", again.show());
    if point == Point::RequestDelayed {
        world.interceptor.release();
    }
    let last = world.run(&writer, &push);
    assert!(last.stderr.contains("Nothing to publish"), "{case}: {}", last.show());
    assert_eq!(world.last_lines(), [expected], "{case}: {}", last.show());
    assert_eq!(writer.unfinished(), 0, "{case}: {}\n{}", again.show(), last.show());
}

#[test]
fn an_interrupted_push_is_finished_at_another_address_of_the_server() {
    for work in WORKS {
        for point in POINTS {
            let world = World::new();
            let writer = Writer::new();
            prepare(&world, &writer, work);
            let push = ["push", "--yes", "--force"];
            interrupt(&world, &writer, &push, point);
            let again = world.run_at("localhost", &writer, &push);
            assert_eq!(again.code, 0, "{work:?}, {point:?}: {}", again.show());
            if point == Point::RequestDelayed {
                world.interceptor.release();
            }
            let last = world.run(&writer, &push);
            assert!(last.stderr.contains("Nothing to publish"), "{work:?}: {}", last.show());
            assert_eq!(world.snapshot().skills.len(), 1, "{work:?}, {point:?}");
            assert_eq!(writer.unfinished(), 0, "{work:?}, {point:?}: {}", last.show());
        }
    }
}

/// How a skill is archived.
#[derive(Clone, Copy, Debug)]
enum Archiving {
    Archive,
    Unarchive,
    /// A heartbeat runs it, which is cancelled first.
    ArchiveScheduled,
    /// Its folder is gone, and it has a heartbeat.
    Prune,
}

#[test]
fn interrupted_archiving_is_finished_by_the_same_command() {
    use Archiving::{Archive, ArchiveScheduled, Prune, Unarchive};
    for archiving in [Archive, Unarchive, ArchiveScheduled, Prune] {
        for point in POINTS.into_iter().filter(|point| *point != Point::BeforeFinish) {
            finish_archiving(archiving, point);
        }
    }
}

/// Lets a heartbeat run the skill.
fn schedule(world: &World, writer: &Writer) {
    let manifest = b"heartbeats:\n  - name: Tea\n    cron: 0 9 * * *\n";
    writer.tree.write(&format!("{SKILL}/sprout.yaml"), manifest);
    let created = world.run(writer, &["heartbeat", "create", SKILL, "--yes"]);
    assert_eq!(created.code, 0, "{}", created.show());
}

fn finish_archiving(archiving: Archiving, point: Point) {
    let case = format!("{archiving:?}, {point:?}");
    let world = World::new();
    let writer = Writer::new();
    assert_eq!(world.run(&writer, &PUSH).code, 0);
    let id = world.snapshot().skills[0].skill_id.clone();
    let (command, archived): (&[&str], _) = match archiving {
        Archiving::Archive => (&["skill", "archive", "--yes", id.as_str()], true),
        Archiving::Unarchive => {
            world.archive(&id, true);
            (&["skill", "unarchive", "--yes", id.as_str()], false)
        }
        Archiving::ArchiveScheduled => {
            schedule(&world, &writer);
            let id = id.as_str();
            (&["skill", "archive", "--cancel-heartbeats", "--yes", id], true)
        }
        Archiving::Prune => {
            schedule(&world, &writer);
            fs::remove_dir_all(writer.tree.path().join(SKILL)).expect("a directory");
            (&["push", "--yes", "--prune"], true)
        }
    };
    interrupt(&world, &writer, command, point);
    let again = world.run(&writer, command);
    assert_eq!(again.code, 0, "{case}: {}", again.show());
    if point == Point::RequestDelayed {
        world.interceptor.release();
    }
    let last = world.run(&writer, command);
    assert_eq!(last.code, 0, "{case}: {}", last.show());
    let state = world.snapshot_with_archived();
    assert_eq!(state.skills.len(), 1, "{case}");
    assert_eq!(state.skills[0].archived, Some(archived), "{case}: {}", again.show());
    let has_heartbeats = matches!(archiving, Archiving::Prune | Archiving::ArchiveScheduled);
    assert!(!has_heartbeats || state.heartbeats.is_empty(), "{case}: {}", again.show());
    let lock = writer.tree.read("dibber.lock");
    assert!(!has_heartbeats || !lock.contains("heartbeatId"), "{case}: {lock}");
    let is_over = matches!(archiving, Archiving::Prune);
    assert!(!is_over || !lock.contains(id.as_str()), "{case}: {lock}");
    assert_eq!(writer.unfinished(), 0, "{case}: {}\n{}", again.show(), last.show());
}
