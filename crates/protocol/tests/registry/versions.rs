//! Several versions of a name, and namespaces.

use dibber_skill::contract::skills_protocol::{ListSkills, RpcReason};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::support::{GUIDE, Shelf, listed, pages, refusal};

#[test]
fn the_latest_version_is_the_highest_release() {
    for (versions, latest) in [
        (&["1.9.0", "1.10.0", "1.2.0"][..], "1.10.0"),
        (&["1.0.0", "2.0.0-rc.1"], "1.0.0"),
        (&["1.0.0-alpha.9", "1.0.0-alpha.10", "1.0.0-alpha.beta"], "1.0.0-alpha.beta"),
        (&["0.0.1", "0.0.0"], "0.0.1"),
        (&["1.0.0+zzz", "1.0.1+aaa"], "1.0.1+aaa"),
    ] {
        let shelf = Shelf::new();
        for version in versions {
            shelf.skill(&format!("a.b@{version}"), "a.b", version);
        }
        let index = shelf.registry().index();
        assert_eq!(listed(&index), [format!("a.b {latest}")]);
        for version in versions {
            let found = index.find("a.b", Some(version)).expect("a version");
            assert_eq!(found.version.to_string(), *version);
        }
        assert_eq!(index.problems(), []);
    }
}

#[test]
fn an_unknown_version_is_refused_with_those_that_there_are() {
    let shelf = Shelf::new();
    for version in ["1.0.0", "2.0.0", "3.0.0-rc.1"] {
        shelf.skill(&format!("a.b@{version}"), "a.b", version);
    }
    let index = shelf.registry().index();
    for version in ["4.0.0", "1", "latest", "", "v1.0.0", "3.0.0"] {
        let shown = refusal(index.find("a.b", Some(version)), RpcReason::VersionNotFound);
        let expected = format!(
            "the skill `a.b` has no version `{version}`; its versions are `2.0.0`, `1.0.0`, \
             `3.0.0-rc.1`; without `version`, the latest one is used"
        );
        assert_eq!(shown, expected);
    }
}

#[test]
fn build_metadata_does_not_make_another_version() {
    let shelf = Shelf::new();
    shelf.skill("a", "a.b", "1.0.0+one");
    shelf.skill("b", "a.b", "1.0.0+two");
    let index = shelf.registry().index();
    for version in ["1.0.0", "1.0.0+one", "1.0.0+two", "1.0.0+three"] {
        let found = index.find("a.b", Some(version)).expect("a version");
        assert_eq!(found.version.to_string(), "1.0.0+one");
    }
    assert_eq!(index.problems().len(), 1);
}

#[test]
fn any_versions_are_found_and_the_latest_is_the_same_in_any_order() {
    let version = (0..3_u64, 0..12_u64, prop::option::of("(alpha|beta|rc)\\.[0-9]{1,2}"))
        .prop_filter_map("a valid version", |(major, minor, pre)| {
            let pre = pre.map_or_else(String::new, |pre| format!("-{pre}"));
            semver::Version::parse(&format!("{major}.{minor}.0{pre}")).ok()
        });
    let versions = prop::collection::btree_set(version, 1..8);
    let config = Config { cases: 40, failure_persistence: None, ..Config::default() };
    let tried = TestRunner::new(config).run(&(versions, any::<bool>()), |(versions, reverse)| {
        let shelf = Shelf::new();
        for (at, version) in versions.iter().enumerate() {
            let place = if reverse { 100 - at } else { 100 + at };
            shelf.skill(&format!("{place}"), "a.b", &version.to_string());
        }
        let index = shelf.registry().index();
        let mut releases = versions.iter().filter(|version| version.pre.is_empty());
        // The set is sorted by precedence, since no version has build metadata.
        let latest = releases.next_back().or(versions.last()).expect("a version");
        prop_assert_eq!(&index.find("a.b", None).expect("a skill").version, latest);
        for version in &versions {
            let found = index.find("a.b", Some(&version.to_string())).expect("a version");
            prop_assert_eq!(&found.version, version);
        }
        Ok(())
    });
    tried.expect("the latest version");
}

#[test]
fn a_namespace_has_whole_segments_at_any_depth() {
    let shelf = Shelf::new();
    for name in ["salesforce.leads.sync", "salesforce.leads", "salesforceold.leads.sync", "a.b.c.d"]
    {
        shelf.skill(name, name, "1.0.0");
    }
    shelf.plain("plain", "salesforce-leads");
    let index = shelf.registry().index();
    let listed = |namespace: &str| -> Vec<_> {
        let namespace = Some(namespace.to_owned());
        let items = pages(&index, &ListSkills { namespace, ..ListSkills::default() });
        items.into_iter().map(|item| item.name).collect()
    };
    assert_eq!(listed("salesforce"), ["salesforce.leads", "salesforce.leads.sync"]);
    assert_eq!(listed("salesforce.leads"), ["salesforce.leads.sync"]);
    assert_eq!(listed("a.b.c"), ["a.b.c.d"]);
    assert_eq!(listed("tests"), ["salesforce-leads"]);
    for none in ["sales", "salesforce.", ".", "leads", "a.b.c.d", "A", "salesforce-leads", "*"] {
        assert_eq!(listed(none), [""; 0], "{none}");
    }
    assert_eq!(listed("").len(), 6, "with the guide");
}

#[test]
fn a_namespace_lists_the_names_whose_first_segments_it_has() {
    let segment = "[ab]{1,2}";
    let name = prop::collection::vec(segment, 2..4).prop_map(|segments| segments.join("."));
    let names = prop::collection::btree_set(name, 1..12);
    let namespace = prop::collection::vec(segment, 1..3).prop_map(|segments| segments.join("."));
    let config = Config { cases: 60, failure_persistence: None, ..Config::default() };
    let tried = TestRunner::new(config).run(&(names, namespace), |(names, namespace)| {
        let shelf = Shelf::new();
        for name in &names {
            shelf.skill(name, name, "1.0.0");
        }
        let segments: Vec<_> = namespace.split('.').collect();
        let is_in = |name: &&String| {
            let own: Vec<_> = name.split('.').collect();
            own.len() > segments.len() && own.starts_with(&segments)
        };
        let expected: Vec<_> = names.iter().filter(is_in).cloned().collect();
        let index = shelf.registry().index();
        let call = ListSkills { namespace: Some(namespace.clone()), ..ListSkills::default() };
        let found: Vec<_> = pages(&index, &call).into_iter().map(|item| item.name).collect();
        prop_assert_eq!(found, expected);
        prop_assert!(index.find(GUIDE, None).is_ok());
        Ok(())
    });
    tried.expect("the skills of a namespace");
}
