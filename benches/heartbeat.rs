//! What finding the next fire costs, beside other engines in the same run.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::str::FromStr;

use criterion::{Criterion, criterion_group, criterion_main};
use dibber_schedule::{Cron, Schedule, combined_peak, conflicts};
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
#[expect(clippy::print_stdout, reason = "a benchmark prints what it has measured")]
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

/// As many heartbeats as a large school has, once to four times a day, at times that people
/// choose: quarters of an hour, and more often in the morning and the evening.
fn heartbeats(count: usize, zones: &[&str]) -> Vec<Schedule> {
    let days = ["* * *", "* * 1-5", "* * 1-5", "* * 0,6", "* * 1", "1,15 * *", "* 9-12,1-6 1-5"];
    let hours = ["8", "7", "16", "20", "8,20", "7,15", "9,12,17", "6,12,18", "8,11,14,17", "*/6"];
    let minutes = ["0", "0", "30", "15", "45", "5"];
    // Steps that have no common factor with the lengths, so that all are mixed with all.
    let pick = |list: &[&'static str], index: usize, step: usize| list[index / step % list.len()];
    let cron = |index: usize| {
        let (minute, hour) = (pick(&minutes, index, 1), pick(&hours, index, 7));
        format!("{minute} {hour} {}", pick(&days, index, 11))
    };
    (0..count).map(|index| schedule(&cron(index), zones[index % zones.len()])).collect()
}

/// The fires of a year, and the conflicts, of 1,000 heartbeats.
fn a_year(criterion: &mut Criterion) {
    let zones = [NEW_YORK, NEW_YORK, NEW_YORK, "America/Chicago", "America/Los_Angeles"];
    let one_zone = heartbeats(1_000, &[NEW_YORK]);
    let three_zones = heartbeats(1_000, &zones);
    let until = start() + jiff::SignedDuration::from_hours(366 * 24);
    let mut group = criterion.benchmark_group("1,000 heartbeats");
    group.bench_function("the fires of a year", |bencher| {
        bencher.iter(|| {
            one_zone.iter().map(|one| one.fires_between(start(), until).len()).sum::<usize>()
        });
    });
    for (name, schedules) in [("one zone", &one_zone), ("three zones", &three_zones)] {
        for within in [0, 10] {
            let name = format!("a year with conflicts within {within} minutes, {name}");
            group.bench_function(name, |bencher| {
                bencher.iter(|| conflicts(black_box(schedules), start(), within));
            });
        }
    }
    group.bench_function("the most in 24 hours together", |bencher| {
        bencher.iter(|| combined_peak(black_box(&one_zone), start()));
    });
    group.finish();
}

criterion_group!(benches, next_fire, oracle, a_year);
criterion_main!(benches);
