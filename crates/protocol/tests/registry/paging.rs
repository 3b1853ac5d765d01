//! Pages and cursors.

use dibber_protocol::Index;
use dibber_skill::contract::skills_protocol::{ListDetail, ListSkills, RpcReason};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::support::{Shelf, pages, refusal};

fn shelf_of(count: usize) -> Shelf {
    let shelf = Shelf::new();
    for number in 0..count {
        let name = format!("group{}.skill{number}", number % 3);
        shelf.skill(&name, &name, "1.0.0");
    }
    shelf
}

fn names_of(index: &Index, call: &ListSkills) -> Vec<String> {
    pages(index, call).into_iter().map(|item| item.name).collect()
}

#[test]
fn every_skill_is_on_one_page_in_the_order_of_the_names() {
    let shelf = shelf_of(60);
    let index = shelf.registry().index();
    let mut expected: Vec<_> = index.skills().map(|skill| skill.name.clone()).collect();
    expected.sort();
    assert_eq!(expected.len(), 61);
    let call = (1..=70_u32, prop::option::of(0..4_u8), any::<bool>());
    let config = Config { cases: 200, failure_persistence: None, ..Config::default() };
    let tried = TestRunner::new(config).run(&call, |(limit, group, is_summary)| {
        let namespace = group.map(|group| format!("group{group}"));
        let detail = is_summary.then_some(ListDetail::Summary);
        let is_in = |name: &&String| {
            namespace.as_ref().is_none_or(|group| name.starts_with(&format!("{group}.")))
        };
        let own: Vec<_> = expected.iter().filter(is_in).cloned().collect();
        let call =
            ListSkills { limit: Some(limit), namespace: namespace.clone(), detail, cursor: None };
        prop_assert_eq!(names_of(&index, &call), own);
        let first = index.list(&call).expect("a page");
        prop_assert!(first.skills.len() <= limit as usize);
        Ok(())
    });
    tried.expect("the same skills with any limit");
}

#[test]
fn the_default_is_a_page_of_50_names() {
    let index = shelf_of(60).registry().index();
    let page = index.list(&ListSkills::default()).expect("a page");
    assert_eq!(page.skills.len(), 50);
    assert!(page.next_cursor.is_some());
    assert!(page.skills[0].description.is_none() && page.skills[0].version.is_some());
}

#[test]
fn the_last_page_has_no_cursor_however_full_it_is() {
    let index = shelf_of(9).registry().index();
    let page =
        index.list(&ListSkills { limit: Some(10), ..ListSkills::default() }).expect("a page");
    assert_eq!((page.skills.len(), page.next_cursor), (10, None));
    let page = index.list(&ListSkills { limit: Some(9), ..ListSkills::default() }).expect("a page");
    assert_eq!((page.skills.len(), page.next_cursor.is_some()), (9, true));
}

#[test]
fn a_limit_is_from_1_to_200() {
    let index = shelf_of(1).registry().index();
    for limit in [0, 201, u32::MAX] {
        let call = ListSkills { limit: Some(limit), ..ListSkills::default() };
        let error = index.list(&call).expect_err("a refusal");
        let issues = error.data.as_ref().expect("data").issues.clone();
        assert_eq!(issues[0].path, "/limit");
        let shown = refusal(Err::<(), _>(error), RpcReason::InvalidParams);
        assert_eq!(
            shown,
            format!(
                "`limit` is {limit}, which is not from 1 to 200; write a number from 1 to 200, and \
                 follow `next_cursor`"
            )
        );
    }
    for limit in [1, 200] {
        let call = ListSkills { limit: Some(limit), ..ListSkills::default() };
        index.list(&call).expect("a page");
    }
}

#[test]
fn a_cursor_belongs_to_its_filter() {
    let index = shelf_of(9).registry().index();
    let first = ListSkills { limit: Some(2), ..ListSkills::default() };
    let cursor = index.list(&first).expect("a page").next_cursor.expect("a cursor");
    let with = |cursor: &str| ListSkills { cursor: Some(cursor.to_owned()), ..first.clone() };
    index.list(&ListSkills { limit: Some(3), ..with(&cursor) }).expect("another limit is allowed");
    index
        .list(&ListSkills { detail: Some(ListDetail::Names), ..with(&cursor) })
        .expect("the default may be written");
    let namespace = Some("group1".to_owned());
    let foreign = [
        ListSkills { namespace, ..with(&cursor) },
        ListSkills { detail: Some(ListDetail::Summary), ..with(&cursor) },
        with(""),
        with("not base64!"),
        with("Z3JvdXAw"),
        with(&format!("{cursor}A")),
        with(&cursor[1..]),
        with(&"A".repeat(100_000)),
    ];
    for call in foreign {
        let shown = refusal(index.list(&call), RpcReason::InvalidCursor);
        assert!(shown.starts_with("the cursor does not belong to this list; "), "{shown}");
    }
}

#[test]
fn a_cursor_continues_after_its_skill_was_removed_or_others_were_added() {
    let shelf = Shelf::new();
    for name in ["b.b", "d.d", "f.f"] {
        shelf.skill(name, name, "1.0.0");
    }
    let registry = shelf.registry();
    let call = ListSkills { limit: Some(2), ..ListSkills::default() };
    let cursor = registry.index().list(&call).expect("a page").next_cursor;
    std::fs::remove_dir_all(shelf.path("d.d")).expect("a skill");
    for name in ["a.a", "c.c", "e.e"] {
        shelf.skill(name, name, "1.0.0");
    }
    let rest = ListSkills { cursor, ..ListSkills::default() };
    let names = names_of(&registry.index(), &rest);
    assert_eq!(names, ["e.e", "f.f", "skills.protocol.guide"]);
}
