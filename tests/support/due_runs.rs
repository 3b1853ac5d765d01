//! Data directories in which heartbeats are due.

use std::path::Path;
use std::sync::Arc;

use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{FamilyId, FiredRun, RunList};
use dibber_skill::contract::SkillWrite;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;

use crate::support::stores;
use crate::support::wire::{HOME, NOW, TestServer, ok, sample};

/// Makes a directory with a database in which this many heartbeats were to fire an hour ago, with the
/// skill [`sample`].
pub(crate) async fn make(data: &Path, heartbeats: usize) {
    make_with(data, sample(), heartbeats).await;
}

/// The same with another skill.
pub(crate) async fn make_with(data: &Path, skill: SkillWrite, heartbeats: usize) {
    std::fs::create_dir_all(data).expect("a directory");
    let store = SqliteStore::open(&data.join("dibber.db")).expect("a store");
    let test_server = TestServer::with_families_in(Arc::new(store));
    // The heartbeats are made two hours ago.
    let start: Timestamp = NOW.parse().expect("a time");
    let seconds = Timestamp::now().as_second() - start.as_second();
    test_server.move_clock(seconds - 2 * 60 * 60);
    test_server.add_skill(HOME, "sk_plants", skill);
    let hour_ago = Timestamp::from_second(Timestamp::now().as_second() - 60 * 60);
    let fires = hour_ago.expect("a time").to_zoned(TimeZone::UTC);
    let client = test_server.client(HOME);
    for number in 0..heartbeats {
        let create = json!({
            "name": format!("Plants {number}"),
            "cron": format!("{} {} * * *", fires.minute(), fires.hour()),
            "tz": "Etc/UTC",
            "runSkillId": "sk_plants",
            "skillInput": {"plant": format!("fern {number}")},
        });
        ok(&client, "heartbeat_create", create).await;
    }
    test_server.server.store().close();
}

/// Returns the runs in the database of a directory.
pub(crate) fn runs_in(data: &Path) -> Vec<FiredRun> {
    let store = stores::open(&data.join("dibber.db"));
    let list = RunList { limit: usize::MAX >> 1, ..RunList::default() };
    let family = FamilyId::from(HOME.to_owned());
    let runs = stores::look(&store, move |reader| Ok(reader.runs(&family, &list)?.rows));
    dibber_server::store::Store::close(&store);
    runs
}
