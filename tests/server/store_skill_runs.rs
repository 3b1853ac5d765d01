//! What every store does with runs of skills: the latest are listed first, and old ones are removed.

use dibber_server::store::{
    INTERRUPTED, INTERRUPTED_SUMMARY, RunProgram, SkillRun, SkillRunList, Store, UNFINISHED,
};
use dibber_skill::contract::RunId;
use dibber_skill::contract::skills_protocol::RunStatus;

use super::store_conformance::{Check, Data};
use crate::support::stores::{change, family, look, two_families};

pub(super) const CHECKS: [Check; 3] = [
    ("runs_of_skills_are_listed_latest_first", runs_of_skills_are_listed_latest_first),
    ("old_runs_of_skills_are_removed", old_runs_of_skills_are_removed),
    ("runs_of_skills_end_or_are_interrupted", runs_of_skills_end_or_are_interrupted),
];

pub(super) fn skill_run(id: &str, name: &str) -> SkillRun {
    SkillRun {
        id: id.into(),
        user_id: format!("usr_{name}_a").into(),
        program: RunProgram::Skill { name: "crm.leads".to_owned(), version: "1.0.0".to_owned() },
        status: RunStatus::Completed,
        error_type: None,
        started_at: 100,
        milliseconds: 7,
        summary: "It \"ran\" \u{0}🌱.".to_owned(),
    }
}

pub(super) fn failed_code_run(id: &str, name: &str) -> SkillRun {
    SkillRun {
        program: RunProgram::Code,
        status: RunStatus::Failed,
        error_type: Some("ValueError".to_owned()),
        ..skill_run(id, name)
    }
}

fn add(store: &dyn Store, name: &'static str, run: SkillRun) {
    change(store, move |writer| Ok(writer.add_skill_run(&family(name), &run)?)).expect("a run");
}

fn list(store: &dyn Store, name: &'static str, list: SkillRunList) -> Vec<SkillRun> {
    look(store, move |reader| Ok(reader.skill_runs(&family(name), &list)?.rows))
}

fn ids(store: &dyn Store, name: &'static str) -> Vec<String> {
    let list = list(store, name, SkillRunList { limit: 100, ..SkillRunList::default() });
    list.into_iter().map(|run| run.id.into()).collect()
}

fn runs_of_skills_are_listed_latest_first(data: &Data) {
    let store = data.store();
    two_families(store);
    let runs = [
        skill_run("run_1", "ours"),
        failed_code_run("run_2", "ours"),
        skill_run("run_3", "ours"),
        failed_code_run("run_4", "ours"),
    ];
    for run in runs.clone() {
        add(store, "ours", run);
    }
    add(store, "theirs", skill_run("run_1", "theirs"));
    let page = |after: Option<&str>, limit, only_failed| {
        let after = after.map(RunId::from);
        list(store, "ours", SkillRunList { after, limit, only_failed })
    };
    let [first, second, third, fourth] = runs;
    assert_eq!(page(None, 2, false), [fourth.clone(), third]);
    assert_eq!(page(Some("run_3"), 9, false), [second.clone(), first]);
    assert_eq!(page(None, 9, true), [fourth, second]);
    assert_eq!(page(Some("run_9"), 9, false), []);
    assert_eq!(ids(store, "theirs"), ["run_1"]);
    let foreign =
        change(store, |w| Ok(w.add_skill_run(&family("ours"), &skill_run("run_5", "theirs"))?));
    assert!(foreign.is_err(), "a user of another family");
}

fn old_runs_of_skills_are_removed(data: &Data) {
    let store = data.store();
    two_families(store);
    for number in 1..=5 {
        let id = format!("run_{number}");
        add(store, "ours", SkillRun { started_at: number, ..skill_run(&id, "ours") });
        add(store, "theirs", SkillRun { started_at: number, ..skill_run(&id, "theirs") });
    }
    let remove = |before, kept| {
        change(store, move |writer| {
            let ours = family("ours");
            let has_old = writer.has_old_skill_runs(&ours, before, kept)?;
            let removed = writer.remove_old_skill_runs(&ours, before, kept)?;
            assert_eq!(has_old, removed > 0);
            Ok(removed)
        })
        .expect("a change")
    };
    assert_eq!(remove(1, 5), 0);
    assert_eq!(remove(3, 5), 2);
    assert_eq!(ids(store, "ours"), ["run_5", "run_4", "run_3"]);
    assert_eq!(remove(0, 1), 2);
    assert_eq!(ids(store, "ours"), ["run_5"]);
    assert_eq!(ids(store, "theirs").len(), 5);
}

fn runs_of_skills_end_or_are_interrupted(data: &Data) {
    let store = data.store();
    two_families(store);
    let unfinished = |id: &str, name, started_at| SkillRun {
        error_type: Some(UNFINISHED.to_owned()),
        started_at,
        ..failed_code_run(id, name)
    };
    for (id, started_at) in [("run_1", 1), ("run_2", 2), ("run_3", 3)] {
        add(store, "ours", unfinished(id, "ours", started_at));
        add(store, "theirs", unfinished(id, "theirs", started_at));
    }
    let end = |run: SkillRun| {
        change(store, move |writer| Ok(writer.end_skill_run(&family("ours"), &run)?))
            .expect("a change")
    };
    let ended = SkillRun { program: RunProgram::Code, started_at: 1, ..skill_run("run_1", "ours") };
    assert!(end(ended.clone()));
    assert!(!end(skill_run("run_9", "ours")));
    let interrupt = |before| {
        change(store, move |writer| {
            let has_some = writer.has_unfinished_skill_runs(&family("ours"), before)?;
            let interrupted = writer.interrupt_skill_runs(&family("ours"), before)?;
            assert_eq!(has_some, interrupted > 0);
            Ok(interrupted)
        })
        .expect("a change")
    };
    assert_eq!((interrupt(2), interrupt(3), interrupt(3)), (0, 1, 0));
    let interrupted = SkillRun {
        error_type: Some(INTERRUPTED.to_owned()),
        summary: INTERRUPTED_SUMMARY.to_owned(),
        ..unfinished("run_2", "ours", 2)
    };
    let page = SkillRunList { limit: 9, ..SkillRunList::default() };
    let runs = list(store, "ours", page.clone());
    assert_eq!(runs, [unfinished("run_3", "ours", 3), interrupted, ended]);
    assert!(
        list(store, "theirs", page).iter().all(|run| run.error_type.as_deref() == Some(UNFINISHED))
    );
}
