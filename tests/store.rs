//! The rows of the store: what is put in comes out again, in its own family alone.

use dibber_server::Failure;
use dibber_server::store::{
    FamilyId, HeartbeatList, HeartbeatState, Member, MemberRole, Posted, Reader, Remembered, Skill,
    SkillList, Store, User,
};
use dibber_skill::contract::Category;
use serde_json::{Map, json};

use crate::stores::{
    bare_skill, canvas, change, child, family, family_row, heartbeat, look, members, said, skill,
    temporary, token, two_families, users,
};

/// Everything that a family can be asked for.
fn everything(reader: &dyn Reader, family: &FamilyId) -> Result<String, Failure> {
    let skills = SkillList { limit: 100, include_archived: true, ..SkillList::default() };
    let heartbeats = HeartbeatList { after: 0, limit: 100 };
    Ok(format!(
        "{:#?}",
        (
            (reader.family(family)?, reader.users(family)?, reader.children(family)?),
            (reader.canvases(family)?, reader.skills(family, &skills)?),
            (reader.heartbeats(family, &heartbeats)?, reader.members(family, "hb_1")?),
            (reader.skill(family, "sk_1")?, reader.heartbeat(family, "hb_1")?),
        )
    ))
}

#[test]
fn what_is_put_in_comes_out_again() {
    let store = temporary();
    two_families(&store);
    let ours = family("ours");
    look(&store, |reader| {
        assert_eq!(reader.families()?, [family_row("ours"), family_row("theirs")]);
        assert_eq!(reader.family(&ours)?, Some(family_row("ours")));
        assert_eq!(reader.users(&ours)?, users("ours"));
        assert_eq!(reader.children(&ours)?, [child("ours")]);
        assert_eq!(reader.canvases(&ours)?, [canvas("ours")]);
        assert_eq!(reader.token("digest of ours")?, Some(token("ours")));
        assert_eq!(reader.token("digest of nobody")?, None);
        let found = reader.skill(&ours, "sk_1")?.expect("the skill");
        assert_eq!(found, Skill { seq: found.seq, ..skill("sk_1", "ours") });
        let found = reader.heartbeat(&ours, "hb_1")?.expect("the heartbeat");
        let mut expected = heartbeat("hb_1", "ours");
        expected.seq = found.seq;
        assert_eq!(found, expected);
        let [member, owner] = members("ours");
        assert_eq!(reader.members(&ours, "hb_1")?, [owner, member], "the owner is first");
        Ok(())
    });
}

#[test]
fn what_is_left_out_stays_left_out() {
    let store = temporary();
    two_families(&store);
    let ours = family("ours");
    change(&store, |writer| {
        let ours = family("ours");
        writer.add_skill(&ours, &bare_skill("sk_2"))?;
        let mut bare = canvas("ours");
        (bare.id, bare.emoji, bare.age_range) = ("another".to_owned(), None, None);
        writer.add_canvas(&ours, &bare)?;
        let mut bare = heartbeat("hb_2", "ours");
        (bare.assignment_skill_id, bare.child_id) = (None, None);
        bare.skill_input.clear();
        Ok(writer.add_heartbeat(&ours, &bare, &[])?)
    })
    .expect("a change");
    look(&store, |reader| {
        let found = reader.skill(&ours, "sk_2")?.expect("the skill");
        assert_eq!(found, Skill { seq: found.seq, ..bare_skill("sk_2") });
        let ids = ["another".to_owned(), "nowhere".to_owned(), canvas("ours").id];
        let found = reader.canvases_of(&ours, &ids)?;
        assert_eq!(found.len(), 2, "in the order in which they are asked for: {found:?}");
        assert_eq!((&found[0].emoji, &found[0].age_range), (&None, &None));
        assert_eq!(found[1], canvas("ours"));
        let found = reader.heartbeat(&ours, "hb_2")?.expect("the heartbeat");
        assert_eq!((found.assignment_skill_id, found.child_id), (None, None));
        assert!(found.skill_input.is_empty());
        Ok(())
    });
}

#[test]
fn what_is_replaced_is_replaced_whole() {
    let store = temporary();
    two_families(&store);
    change(&store, |writer| {
        let ours = family("ours");
        let archived = Skill { is_archived: true, ..bare_skill("sk_1") };
        writer.put_skill(&ours, &archived)?;
        let mut other = heartbeat("hb_1", "new");
        (other.state, other.last_run_at) = (HeartbeatState::Paused, Some(5));
        writer.put_heartbeat(&ours, &other)?;
        let admin = Member { user_id: "usr_ours_b".to_owned(), role: MemberRole::Admin };
        writer.put_member(&ours, "hb_1", &admin)?;
        writer.remove_member(&ours, "hb_1", "usr_ours_a")?;
        assert_eq!(writer.members(&ours, "hb_1")?, [admin], "a change sees itself");
        let mut narrow = token("ours");
        narrow.scopes.clear();
        Ok(writer.put_token(&narrow)?)
    })
    .expect("a change");
    let ours = family("ours");
    look(&store, |reader| {
        let found = reader.skill(&ours, "sk_1")?.expect("the skill");
        let archived = Skill { is_archived: true, ..bare_skill("sk_1") };
        assert_eq!(found, Skill { seq: found.seq, ..archived });
        let found = reader.heartbeat(&ours, "hb_1")?.expect("the heartbeat");
        assert_eq!((found.state, found.last_run_at), (HeartbeatState::Paused, Some(5)));
        assert_eq!(reader.token("digest of ours")?.expect("the token").scopes, []);
        Ok(())
    });
}

#[test]
fn a_skill_keeps_the_latest_time_that_it_was_invoked() {
    let store = temporary();
    two_families(&store);
    for (at, kept) in [(7, 7), (9, 9), (8, 9)] {
        change(&store, move |writer| Ok(writer.touch_skill(&family("ours"), "sk_1", at)?))
            .expect("a change");
        let found = look(&store, |reader| Ok(reader.skill(&family("ours"), "sk_1")?));
        assert_eq!(found.expect("the skill").last_triggered_at, Some(kept));
    }
    let theirs = look(&store, |reader| Ok(reader.skill(&family("theirs"), "sk_1")?));
    assert_eq!(theirs.expect("the skill").last_triggered_at, None);
}

#[test]
fn a_family_has_its_own_chats_alone() {
    let store = temporary();
    two_families(&store);
    look(&store, |reader| {
        let ours = family("ours");
        assert!(reader.has_chat(&ours, "chat_ours")?);
        assert!(reader.has_chat(&ours, "chat_of_hb_1")?);
        assert!(!reader.has_chat(&ours, "chat_theirs")?);
        assert_eq!(reader.participants(&ours, "chat_ours")?, ["usr_ours_a", "usr_ours_b"]);
        assert_eq!(reader.participants(&ours, "chat_of_hb_1")?, ["usr_ours_a", "usr_ours_b"]);
        assert_eq!(reader.participants(&ours, "chat_theirs")?, Vec::<String>::new());
        Ok(())
    });
}

#[test]
fn what_another_family_does_changes_nothing() {
    let store = temporary();
    two_families(&store);
    let before = look(&store, |reader| everything(reader, &family("theirs")));
    // The same ids, but of another family.
    change(&store, |writer| {
        let ours = family("ours");
        writer.put_skill(&ours, &bare_skill("sk_1"))?;
        writer.touch_skill(&ours, "sk_1", 99)?;
        writer.put_heartbeat(&ours, &heartbeat("hb_1", "changed"))?;
        Ok(writer.remove_member(&ours, "hb_1", "usr_ours_b")?)
    })
    .expect("a change");
    // Ids that only the other family has.
    change(&store, |writer| Ok(writer.add_skill(&family("theirs"), &bare_skill("sk_theirs"))?))
        .expect("a change");
    let replaced =
        change(&store, |writer| Ok(writer.put_skill(&family("ours"), &bare_skill("sk_theirs"))?));
    assert_eq!(
        said(replaced.expect_err("nothing to replace")),
        "the family has nothing of that id to change"
    );
    change(&store, |writer| Ok(writer.touch_skill(&family("ours"), "sk_theirs", 99)?))
        .expect("a note about nothing");
    look(&store, |reader| {
        assert_eq!(reader.skill(&family("ours"), "sk_theirs")?, None);
        let theirs = reader.skill(&family("theirs"), "sk_theirs")?.expect("the skill");
        assert_eq!(theirs, Skill { seq: theirs.seq, ..bare_skill("sk_theirs") });
        assert_eq!(reader.skill(&family("nobody"), "sk_1")?, None);
        Ok(())
    });
    let after = look(&store, |reader| everything(reader, &family("theirs")));
    let new = skill_text(&store, &family("theirs"), "sk_theirs");
    assert!(after.contains(&new), "{after}\n{new}");
    assert_eq!(after.replacen(&new, "", 1), before);
}

/// A skill as it stands in the text of [`everything`].
fn skill_text(store: &dyn Store, family: &FamilyId, id: &str) -> String {
    let skill = look(store, |reader| Ok(reader.skill(family, id)?)).expect("the skill");
    let text = format!("{skill:#?},\n");
    text.lines().map(|line| format!("            {line}\n")).collect()
}

#[test]
fn nothing_refers_to_another_family() {
    let store = temporary();
    two_families(&store);
    change(&store, |writer| Ok(writer.add_skill(&family("theirs"), &bare_skill("sk_theirs"))?))
        .expect("a change");
    let ours = || family("ours");
    let refused = [
        change(&store, move |writer| {
            let mut foreign = heartbeat("hb_2", "ours");
            foreign.run_skill_id = "sk_theirs".to_owned();
            Ok(writer.add_heartbeat(&ours(), &foreign, &[])?)
        }),
        change(&store, move |writer| {
            let foreign = Member { user_id: "usr_theirs_a".to_owned(), role: MemberRole::Member };
            Ok(writer.put_member(&ours(), "hb_1", &foreign)?)
        }),
        change(&store, move |writer| {
            let mut foreign = token("ours");
            foreign.user_id = "usr_theirs_a".to_owned();
            Ok(writer.put_token(&foreign)?)
        }),
        change(&store, move |writer| {
            let foreign = User { id: "usr_theirs_a".to_owned(), name: "A".to_owned() };
            Ok(writer.add_user(&ours(), &foreign)?)
        }),
        change(&store, move |writer| Ok(writer.add_result(&ours(), &posted("sk_theirs"))?)),
    ];
    for refused in refused {
        let said = said(refused.expect_err("a refusal"));
        assert!(said.contains("constraint failed"), "{said}");
    }
    change(&store, move |writer| Ok(writer.add_result(&ours(), &posted("sk_1"))?))
        .expect("a result of our own");
}

fn posted(skill: &str) -> Posted {
    Posted {
        id: "res_1".to_owned(),
        skill_id: skill.to_owned(),
        thread_id: "chat_ours".to_owned(),
        user_id: "usr_ours_a".to_owned(),
        posted_at: 5,
        result: Map::from_iter([("score".to_owned(), json!(3))]),
    }
}

#[test]
fn skills_are_listed_by_what_they_are() {
    let store = temporary();
    two_families(&store);
    change(&store, |writer| {
        for (family_name, number) in [("ours", 2), ("theirs", 3), ("ours", 4), ("ours", 5)] {
            let id = format!("sk_{number}");
            let mut new = if number % 2 == 0 { bare_skill(&id) } else { skill(&id, "odd") };
            new.is_archived = number > 3;
            writer.add_skill(&family(family_name), &new)?;
        }
        let mut generic = bare_skill("sk_6");
        generic.written.category = Some(Category::Generic);
        Ok(writer.add_skill(&family("ours"), &generic)?)
    })
    .expect("a change");
    let listed = |include_archived, category| {
        let list = SkillList { after: 0, limit: 100, include_archived, category };
        let skills = look(&store, |reader| Ok(reader.skills(&family("ours"), &list)?));
        skills.into_iter().map(|skill| skill.id).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(listed(true, None), "sk_1 sk_2 sk_4 sk_5 sk_6");
    assert_eq!(listed(false, None), "sk_1 sk_2 sk_6");
    assert_eq!(listed(true, Some(Category::Generic)), "sk_2 sk_4 sk_6", "one without is generic");
    assert_eq!(listed(false, Some(Category::Generic)), "sk_2 sk_6");
    assert_eq!(listed(true, Some(Category::HomeAgent)), "sk_1 sk_5");
    assert_eq!(listed(false, Some(Category::HomeAgent)), "sk_1");
}

#[test]
fn cancelled_heartbeats_are_not_listed() {
    let store = temporary();
    two_families(&store);
    change(&store, |writer| {
        for (id, state) in [("hb_2", HeartbeatState::Cancelled), ("hb_3", HeartbeatState::Paused)] {
            let mut new = heartbeat(id, "ours");
            new.state = state;
            writer.add_heartbeat(&family("ours"), &new, &[])?;
        }
        Ok(())
    })
    .expect("a change");
    look(&store, |reader| {
        let list = HeartbeatList { after: 0, limit: 100 };
        let listed = reader.heartbeats(&family("ours"), &list)?;
        let ids: Vec<_> = listed.iter().map(|heartbeat| heartbeat.id.as_str()).collect();
        assert_eq!(ids, ["hb_1", "hb_3"]);
        let list = HeartbeatList { after: listed[0].seq, limit: 1 };
        assert_eq!(reader.heartbeats(&family("ours"), &list)?, listed[1..]);
        assert!(reader.heartbeat(&family("ours"), "hb_2")?.is_some());
        Ok(())
    });
}

fn answer(key: &str, at: i64) -> Remembered {
    Remembered {
        user_id: "usr_ours_a".to_owned(),
        key: key.to_owned(),
        fingerprint: format!("fingerprint {at}"),
        answer: json!({"skillId": "sk_1", "at": at}),
        at,
    }
}

#[test]
fn answers_are_remembered_until_they_are_old() {
    let store = temporary();
    change(&store, |writer| {
        (0..40).try_for_each(|at| Ok(writer.remember(&answer(&format!("key {at}"), at), 0)?))
    })
    .expect("a change");
    let remembered = |user: &str, key: &str, since| {
        look(&store, |reader| Ok(reader.remembered(user, key, since)?))
    };
    assert_eq!(remembered("usr_ours_a", "key 7", 7), Some(answer("key 7", 7)));
    assert_eq!(remembered("usr_ours_a", "key 7", 8), None, "it is too old");
    assert_eq!(remembered("usr_ours_b", "key 7", 0), None, "it is another user's");
    // Another answer to the same key, long after; a few of the old ones go each time.
    let later = || change(&store, |writer| Ok(writer.remember(&answer("key 7", 90), 60)?));
    later().expect("a change");
    assert_eq!(remembered("usr_ours_a", "key 7", 0), Some(answer("key 7", 90)));
    assert_eq!(remembered("usr_ours_a", "key 0", 0), None, "it is forgotten");
    assert!(remembered("usr_ours_a", "key 39", 0).is_some(), "not all at once");
    later().and_then(|()| later()).expect("changes");
    assert_eq!(remembered("usr_ours_a", "key 39", 0), None);
}
