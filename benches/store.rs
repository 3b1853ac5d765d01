//! How many transactions each engine of the store runs in a second, for one caller and for many.
//!
//! `cargo bench --bench store` measures SQLite in a temporary directory, and PostgreSQL if
//! `DIBBER_TEST_POSTGRES` is the URL of a server on which a database may be created. With
//! `-- --test`, everything runs once in a small size.
#![expect(clippy::print_stdout, reason = "the figures are what it is for")]

#[path = "support/postgres_database.rs"]
mod postgres_database;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use dibber_server::store::{
    DatabaseAddress, Family, FamilyId, Skill, Store, StoreExt, StoreResult, open,
};
use dibber_skill::contract::SkillWrite;
use tempfile::TempDir;

use postgres_database::with_postgres_database;

/// The threads that call at once.
const CALLERS: [usize; 3] = [1, 8, 64];

/// The transactions of each measurement.
const COUNT: usize = 8_000;
const COUNT_SMALL: usize = 64;

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let count = if is_test { COUNT_SMALL } else { COUNT };
    let directory = TempDir::new().expect("a directory");
    measure("SQLite", &DatabaseAddress::Directory(directory.path().to_owned()), count);
    with_postgres_database(|address| measure("PostgreSQL", address, count));
}

fn measure(engine: &str, address: &DatabaseAddress, count: usize) {
    let store = open(address).unwrap_or_else(|error| panic!("{error}"));
    let home = Family {
        id: family(),
        name: "home".to_owned(),
        time_zone: "UTC".to_owned(),
        chat_id: "th_1".into(),
    };
    let added: StoreResult<()> = store.write_blocking(move |writer| writer.add_family(&home));
    added.expect("a family");
    for callers in CALLERS {
        let rate = rate(&store, callers, count, |store, number| {
            let skill = skill(format!("sk_{callers}_{number}"));
            let added: StoreResult<()> =
                store.write_blocking(move |writer| writer.add_skill(&family(), &skill));
            added.expect("a write");
        });
        println!("{engine}: {rate:>9.0} writes/s with {callers} callers");
    }
    for callers in CALLERS {
        let rate = rate(&store, callers, count, |store, number| {
            let id = format!("sk_1_{number}").into();
            let read: StoreResult<_> =
                store.read_blocking(move |reader| reader.skill(&family(), &id));
            assert!(read.expect("a read").is_some());
        });
        println!("{engine}: {rate:>9.0} reads/s with {callers} callers");
    }
    store.close();
}

/// Returns how many calls are done in a second.
fn rate(
    store: &Arc<dyn Store>,
    callers: usize,
    count: usize,
    call: impl Fn(&dyn Store, usize) + Sync,
) -> f64 {
    let next = AtomicUsize::new(0);
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..callers {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    call(store.as_ref(), number);
                }
            });
        }
    });
    f64::from(u32::try_from(count).expect("a few")) / begin.elapsed().as_secs_f64()
}

fn family() -> FamilyId {
    "fam_1".into()
}

fn skill(id: String) -> Skill {
    let written = SkillWrite {
        name: "Bedtime story".to_owned(),
        description: "Tells a story".to_owned(),
        prompt: "Tell a story about {{input.topic}}.\n".repeat(30),
        ..SkillWrite::default()
    };
    Skill { id: id.into(), written, is_archived: false, created_at: 0, last_triggered_at: None }
}
