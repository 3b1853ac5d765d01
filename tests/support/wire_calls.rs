//! A call of every tool that works, and which of its arguments are ids: for tests about all
//! tools. A tool that is not here makes them fail.

use dibber_server::store::{
    Cadence, Card, Event, FamilyId, FiredRun, Heartbeat, HeartbeatState, Member, MemberRole,
};
use dibber_skill::contract::{
    ActivityRefs, ActivityType, CardKind, CardState, Category, HeartbeatId, MissedFires, RunState,
    SkillId, SkillWrite,
};
use serde_json::{Map, Value, json};

use crate::support::wire::{NOW, TestServer, sample, with};

/// The ids of what a family has.
#[derive(Clone)]
pub(crate) struct Ids {
    pub(crate) skill: String,
    pub(crate) scheduler: String,
    pub(crate) canvas: String,
    pub(crate) heartbeat: String,
    pub(crate) run: String,
    pub(crate) chat: String,
    pub(crate) card: String,
    pub(crate) child: String,
    pub(crate) user: String,
}

/// A call that works, and JSON Pointers to its ids.
pub(crate) struct Sample {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
    pub(crate) ids: &'static [&'static str],
}

/// Adds one of everything to a family, with ids of these letters.
pub(crate) fn seed_family(
    test_server: &TestServer,
    family: &str,
    letters: &str,
    canvas: &str,
) -> Ids {
    let ids = Ids {
        skill: format!("sk_{letters}"),
        scheduler: format!("sk_{letters}_scheduler"),
        canvas: canvas.to_owned(),
        heartbeat: format!("hb_{letters}"),
        run: format!("run_{letters}"),
        chat: format!("th_{letters}"),
        card: format!("rs_{letters}"),
        child: format!("ch_{letters}"),
        user: format!("us_{letters}"),
    };
    let written = SkillWrite { canvas_ids: vec![canvas.into()], ..sample() };
    test_server.add_skill(family, &ids.skill, written);
    let scheduler =
        SkillWrite { hands_referenced: vec!["heartbeat_create".to_owned()], ..sample() };
    test_server.add_skill(family, &ids.scheduler, scheduler);
    let home_agent = SkillWrite { category: Some(Category::HomeAgent), ..sample() };
    test_server.add_skill(family, &format!("sk_{letters}_home"), home_agent);
    seed_inbox(test_server, family, &ids);
    let (row, family) = (ids.clone(), FamilyId::from(family.to_owned()));
    test_server.change(move |store| {
        let born = jiff::civil::date(2018, 2, 3);
        let child = dibber_server::store::Child {
            id: row.child.into(),
            name: "Kim".to_owned(),
            birth_date: born,
        };
        store.add_child(&family, &child).expect("a child");
        let user = dibber_server::store::User { id: row.user.into(), name: "An aunt".to_owned() };
        store.add_user(&family, &user).expect("a user");
        let founder = store.user_ids(&family).expect("users")[0].clone();
        let heartbeat = Heartbeat {
            id: row.heartbeat.into(),
            name: "Plants".to_owned(),
            cadence: Cadence::parse("0 8 * * *", "America/New_York").expect("a cadence"),
            run_skill_id: row.skill.into(),
            assignment_skill_id: None,
            child_id: None,
            skill_input: Map::from_iter([("plant".to_owned(), json!("fern"))]),
            post_result_notify: false,
            state: HeartbeatState::Active,
            chat_id: row.chat.into(),
            created_at: 0,
            last_run_at: None,
            missed_fires: MissedFires::Once,
            decided_until: NOW.parse::<jiff::Timestamp>().expect("a time").as_millisecond(),
            failed_in_row: 0,
        };
        let owner = Member { user_id: founder, role: MemberRole::Owner };
        store.add_heartbeat(&family, &heartbeat, &[owner]).expect("a heartbeat");
        let run = due_run(row.run, heartbeat.id, heartbeat.run_skill_id);
        assert!(store.add_run(&family, &run).expect("a run"));
    });
    ids
}

/// Adds a card, and an event that is about it.
fn seed_inbox(test_server: &TestServer, family: &str, ids: &Ids) {
    let (ids, family) = (ids.clone(), FamilyId::from(family.to_owned()));
    test_server.change(move |store| {
        let chat_id = store.family(&family).expect("a family").expect("a family").chat_id;
        let user_id = store.user_ids(&family).expect("users")[0].clone();
        let card = Card {
            id: ids.card.as_str().into(),
            skill_id: ids.skill.into(),
            thread_id: chat_id,
            user_id: user_id.clone(),
            heartbeat_id: Some(ids.heartbeat.into()),
            run_id: Some("run_1".into()),
            kind: CardKind::Result,
            state: CardState::Unread,
            posted_at: 0,
            result: Map::from_iter([("summary".to_owned(), json!("Watered."))]),
        };
        store.add_card(&family, &card, usize::MAX).expect("a card");
        let refs = ActivityRefs { result_id: Some(card.id), ..ActivityRefs::default() };
        let (kind, payload) = (ActivityType::ResultPosted, Map::new());
        let event = Event { kind, actor: Some(user_id), refs, payload, at: 0 };
        store.add_event(&family, &event, usize::MAX).expect("an event");
    });
}

/// A call of every tool; of some, one for each thing that they do. In this order each of them
/// works.
pub(crate) fn samples(ids: &Ids) -> Vec<Sample> {
    let mut samples = skill_samples(ids);
    samples.extend(heartbeat_samples(ids));
    samples.extend(inbox_samples(ids));
    samples.extend(["family_query_overview", "mcp_whoami", "mcp_health"].map(|tool| Sample {
        tool,
        arguments: json!({}),
        ids: &[],
    }));
    samples
}

fn inbox_samples(ids: &Ids) -> Vec<Sample> {
    let Ids { chat, card, heartbeat, .. } = ids;
    let update = json!({"resultIds": [card], "state": "read"});
    let wait = json!({"resources": [{"uri": format!("sprout://heartbeat/{heartbeat}")}]});
    vec![
        Sample { tool: "inbox_list", arguments: json!({"threadId": chat}), ids: &["/threadId"] },
        Sample { tool: "inbox_list", arguments: json!({"resultId": card}), ids: &["/resultId"] },
        Sample { tool: "inbox_list", arguments: json!({"state": "unread"}), ids: &[] },
        Sample { tool: "inbox_update", arguments: update, ids: &["/resultIds/0"] },
        Sample { tool: "activity_list", arguments: json!({"since": "ev_1"}), ids: &[] },
        Sample { tool: "resource_wait", arguments: wait, ids: &["/resources/0/uri"] },
    ]
}

fn skill_samples(ids: &Ids) -> Vec<Sample> {
    let Ids { skill, scheduler, canvas, heartbeat, .. } = ids;
    let written = SkillWrite { canvas_ids: vec![canvas.clone().into()], ..sample() };
    let written = serde_json::to_value(written).expect("an object");
    let preview = with(written.clone(), json!({"dryRun": true}));
    let unlink = json!({"skillId": skill, "removeCanvasIds": [canvas]});
    let preview_unlink = with(unlink.clone(), json!({"dryRun": true}));
    let link = json!({"skillId": skill, "addCanvasIds": [canvas], "name": "Plants"});
    let input = json!({"skillId": skill, "input": {"plant": "fern", "pot": 1}});
    let result = json!({
        "skillId": skill, "heartbeatId": heartbeat, "result": {"summary": "Done."},
    });
    let archive = |archived: bool| Sample {
        tool: "skill_archive",
        arguments: json!({"skillId": scheduler, "archived": archived}),
        ids: &["/skillId"],
    };
    vec![
        Sample { tool: "skill_write", arguments: preview, ids: &["/canvasIds/0"] },
        Sample { tool: "skill_write", arguments: written, ids: &["/canvasIds/0"] },
        Sample {
            tool: "skill_update",
            arguments: preview_unlink,
            ids: &["/skillId", "/removeCanvasIds/0"],
        },
        Sample {
            tool: "skill_update",
            arguments: unlink,
            ids: &["/skillId", "/removeCanvasIds/0"],
        },
        Sample { tool: "skill_update", arguments: link, ids: &["/skillId", "/addCanvasIds/0"] },
        archive(true),
        archive(false),
        Sample { tool: "skill_list", arguments: json!({"limit": 1}), ids: &[] },
        Sample { tool: "skill_get", arguments: json!({"skillId": skill}), ids: &["/skillId"] },
        Sample { tool: "skill_invoke", arguments: input, ids: &["/skillId"] },
        Sample { tool: "skill_post_result", arguments: result, ids: &["/skillId", "/heartbeatId"] },
    ]
}

fn heartbeat_samples(ids: &Ids) -> Vec<Sample> {
    const OF_CREATE: &[&str] = &["/runSkillId", "/assignmentSkillId", "/childId", "/sourceChatId"];
    const OF_PAYLOAD: &[&str] = &[
        "/payload/runSkillId",
        "/payload/assignmentSkillId",
        "/payload/childId",
        "/payload/sourceChatId",
    ];
    const OF_MEMBERS: &[&str] = &["/heartbeatId", "/targetUserId"];
    let Ids { skill, scheduler, heartbeat, run, chat, child, user, .. } = ids;
    let create = json!({
        "name": "Evening plants", "cron": "0 19 * * *", "runSkillId": skill,
        "assignmentSkillId": scheduler, "childId": child, "sourceChatId": chat,
        "skillInput": {"plant": "fern"},
    });
    let update = |action: &str, others: Value| Sample {
        tool: "heartbeat_update",
        arguments: with(json!({"heartbeatId": heartbeat, "action": action}), others),
        ids: if action.ends_with('r') || action.ends_with('n') {
            OF_MEMBERS
        } else {
            &["/heartbeatId"]
        },
    };
    let target = || json!({"targetUserId": user});
    let due = |arguments, ids| Sample { tool: "heartbeat_due", arguments, ids };
    let claimed = |attempt: i64| json!({"runId": run, "attempt": attempt});
    let patch = json!({"mode": "update", "heartbeatId": heartbeat, "patch": {"action": "pause"}});
    let payload = json!({"mode": "create", "payload": create});
    vec![
        Sample { tool: "heartbeat_describe", arguments: payload, ids: OF_PAYLOAD },
        Sample { tool: "heartbeat_describe", arguments: patch, ids: &["/heartbeatId"] },
        Sample { tool: "heartbeat_create", arguments: create, ids: OF_CREATE },
        Sample { tool: "heartbeat_list", arguments: json!({"limit": 1}), ids: &[] },
        due(json!({"action": "list", "heartbeatId": heartbeat}), &["/heartbeatId"]),
        due(json!({"action": "history", "heartbeatId": heartbeat}), &["/heartbeatId"]),
        due(json!({"action": "claim", "runId": run}), &["/runId"]),
        due(with(claimed(1), json!({"action": "fail", "message": "No water."})), &["/runId"]),
        update("edit_schedule", json!({"cron": "0 7 * * *"})),
        update("edit_name", json!({"name": "Ferns"})),
        update("edit_inputs", json!({"skillInput": {"plant": "rose"}})),
        update("edit_missed_fires", json!({"missedFires": "all"})),
        update("pause", json!({})),
        update("resume", json!({})),
        update("add_member", target()),
        update("promote_admin", target()),
        update("remove_member", target()),
        update("cancel", json!({})),
    ]
}

/// A run of a heartbeat that was due at the beginning of the day.
fn due_run(id: String, heartbeat_id: HeartbeatId, skill_id: SkillId) -> FiredRun {
    let planned_at = "2026-05-23T08:00:00-04:00".parse::<jiff::Timestamp>().expect("a time");
    FiredRun {
        id: id.into(),
        heartbeat_id,
        skill_id,
        planned_at: planned_at.as_millisecond(),
        planned_local: "2026-05-23T08:00:00".to_owned(),
        decided_at: planned_at.as_millisecond(),
        state: RunState::Due,
        due_at: planned_at.as_millisecond(),
        attempt: 0,
        claimed_by: None,
        lease_until: None,
        started_at: None,
        ended_at: None,
        reason: None,
        may_have_repeated: false,
        prompt_hash: None,
        result: None,
    }
}
