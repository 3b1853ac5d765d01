//! What finding the next fire costs, beside other engines in the same run.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::str::FromStr;

use criterion::{Criterion, criterion_group, criterion_main};
use dibber::heartbeat::{Cron, Schedule};
use jiff::Timestamp;
use jiff::tz::TimeZone;

const EXPRESSIONS: [&str; 5] =
    ["0 8 * * 1-5", "*/10 * * * *", "30 9 1 * *", "0 9 29 2 *", "0 0 13 * 5"];
const NEW_YORK: &str = "America/New_York";

fn start() -> Timestamp {
    "2026-11-21T12:00:00Z".parse().expect("an instant")
}

fn schedule(cron: &str, zone: &str) -> Schedule {
    let cron = Cron::parse(cron).expect("a schedule");
    Schedule { cron, zone: TimeZone::get(zone).expect("a zone") }
}

fn next_fire(criterion: &mut Criterion) {
    for expression in EXPRESSIONS {
        let mut group = criterion.benchmark_group(format!("next fire of {expression}"));
        let ours = schedule(expression, NEW_YORK);
        group.bench_function("dibber", |bencher| {
            bencher.iter(|| black_box(&ours).next(black_box(start())));
        });
        let croner = croner::Cron::from_str(expression).expect("a schedule");
        let zoned = start().to_zoned(TimeZone::get(NEW_YORK).expect("a zone"));
        group.bench_function("croner", |bencher| {
            bencher.iter(|| croner.find_next_occurrence(black_box(&zoned), false));
        });
        let cron_parser = cron_parser::Schedule::parse(expression).expect("a schedule");
        let at = chrono::DateTime::from_timestamp(start().as_second(), 0).expect("an instant");
        let at = at.with_timezone(&chrono_tz::America::New_York);
        group.bench_function("cron-parser", |bencher| {
            bencher.iter(|| cron_parser.next_after(black_box(&at)));
        });
        group.finish();
    }
}

/// Every schedule of the table, each with its zone and its start; the slowest is printed.
fn oracle(criterion: &mut Criterion) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/heartbeat/cron.tsv");
    let text = fs::read_to_string(path).expect("a table");
    let rows: Vec<(String, Schedule, Timestamp)> = text
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let from = cells[2].parse().expect("an instant");
            (format!("{} {}", cells[0], cells[1]), schedule(cells[0], cells[1]), from)
        })
        .collect();
    criterion.bench_function("next fire of each row of cron.tsv (all of them)", |bencher| {
        bencher.iter(|| {
            for (_, schedule, from) in &rows {
                black_box(schedule.next(*from));
            }
        });
    });
    let cost = |schedule: &Schedule, from: Timestamp| {
        let started = std::time::Instant::now();
        for _ in 0..200 {
            black_box(schedule.next(black_box(from)));
        }
        started.elapsed() / 200
    };
    let mut costs: Vec<_> =
        rows.iter().map(|(name, schedule, from)| (cost(schedule, *from), name)).collect();
    costs.sort();
    for (cost, name) in costs.iter().rev().take(5) {
        println!("slowest: {name}: {cost:?}");
    }
}

criterion_group!(benches, next_fire, oracle);
criterion_main!(benches);
