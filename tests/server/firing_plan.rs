//! Which planned times of a heartbeat run: on time, after an outage, and around changes of clocks.

use dibber_schedule::{Cron, Schedule, zone};
use dibber_server::firing::{FirePlan, FireVerdict, Planned, SkipReason, plan_fires};
use dibber_skill::contract::MissedFires;
use jiff::Timestamp;

fn schedule(cron: &str, time_zone: &str) -> Schedule {
    let zone = zone(time_zone).unwrap_or_else(|_| panic!("the zone {time_zone}"));
    Schedule { cron: Cron::parse(cron).expect("a cron expression"), zone }
}

fn at(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

fn planned(schedule: &Schedule, since: &str, missed_fires: MissedFires) -> Planned<'static> {
    // A schedule of a test lives as long as the test program.
    let schedule: &'static Schedule = Box::leak(Box::new(schedule.clone()));
    let time_zone = schedule.zone.iana_name().expect("a zone with a name");
    Planned {
        schedule,
        time_zone,
        decided_until: at(since),
        missed_fires,
        recent_runs: 0,
        last: None,
    }
}

/// Returns the plan in short: the local time and what is decided.
fn decisions(plan: &FirePlan) -> Vec<(String, &'static str)> {
    let word = |verdict| match verdict {
        FireVerdict::Run => "runs",
        FireVerdict::Skip(SkipReason::Missed) => "missed",
        FireVerdict::Skip(SkipReason::Cap) => "cap",
        FireVerdict::Skip(SkipReason::AlreadyFired) => "already",
        FireVerdict::Skip(_) => "withdrawn",
    };
    // Without the name of the zone.
    let local = |local: &'_ str| local.split_once('[').expect("a zone").0.to_owned();
    plan.fires.iter().map(|fire| (local(&fire.local), word(fire.verdict))).collect()
}

#[test]
fn a_time_runs_once_it_has_come() {
    let daily = schedule("0 8 * * *", "Europe/Berlin");
    let planned = planned(&daily, "2026-05-23T00:00:00Z", MissedFires::Skip);
    let early = plan_fires(&planned, at("2026-05-23T05:59:59.999Z"));
    assert_eq!(decisions(&early), []);
    assert_eq!(early.next_fire_at, Some(at("2026-05-23T06:00:00Z")));
    let plan = plan_fires(&planned, at("2026-05-23T06:00:00Z"));
    assert_eq!(decisions(&plan), [("2026-05-23T08:00:00".to_owned(), "runs")]);
    assert_eq!(plan.decided_until, at("2026-05-23T06:00:00Z"));
    assert_eq!(plan.next_fire_at, Some(at("2026-05-24T06:00:00Z")));
    let busy = plan_fires(&planned, at("2026-05-23T06:05:00Z"));
    assert_eq!(
        decisions(&busy),
        [("2026-05-23T08:00:00".to_owned(), "runs")],
        "five minutes are on time"
    );
}

#[test]
fn of_missed_times_as_many_run_as_the_heartbeat_says() {
    let twice = schedule("0 8,20 * * *", "UTC");
    let now = at("2026-05-24T21:00:00Z");
    let after = |missed| decisions_after(&twice, "2026-05-23T00:00:00Z", missed, now);
    let [first, second, third, fourth] = [
        "2026-05-23T08:00:00",
        "2026-05-23T20:00:00",
        "2026-05-24T08:00:00",
        "2026-05-24T20:00:00",
    ];
    let plan = |verdicts: [&'static str; 4]| {
        [first, second, third, fourth]
            .map(str::to_owned)
            .into_iter()
            .zip(verdicts)
            .collect::<Vec<_>>()
    };
    assert_eq!(after(MissedFires::Skip), plan(["missed", "missed", "missed", "missed"]));
    assert_eq!(after(MissedFires::Once), plan(["missed", "missed", "missed", "runs"]));
    assert_eq!(after(MissedFires::All), plan(["missed", "missed", "runs", "runs"]), "of a day");
}

fn decisions_after(
    schedule: &Schedule,
    since: &str,
    missed: MissedFires,
    now: Timestamp,
) -> Vec<(String, &'static str)> {
    let plan = plan_fires(&planned(schedule, since, missed), now);
    decisions(&plan)
}

#[test]
fn a_missed_time_gives_way_to_one_that_is_on_time() {
    let twice = schedule("0 8,20 * * *", "UTC");
    let now = at("2026-05-24T20:00:01Z");
    let found = decisions_after(&twice, "2026-05-24T07:00:00Z", MissedFires::Once, now);
    assert_eq!(
        found,
        [("2026-05-24T08:00:00".to_owned(), "missed"), ("2026-05-24T20:00:00".to_owned(), "runs")]
    );
}

#[test]
fn an_outage_of_years_is_decided_in_parts() {
    let four = schedule("0 0,6,12,18 * * *", "UTC");
    let now = at("2026-05-24T12:00:30Z");
    let mut planned = planned(&four, "2024-05-24T00:00:00Z", MissedFires::Once);
    let (mut total, mut run) = (0, Vec::new());
    for _ in 0..10 {
        let plan = plan_fires(&planned, now);
        total += plan.fires.len();
        let is_run = |fire: &&_| {
            matches!(fire, dibber_server::firing::PlannedFire { verdict: FireVerdict::Run, .. })
        };
        run.extend(plan.fires.iter().filter(is_run).map(|fire| fire.at));
        planned.decided_until = plan.decided_until;
        if plan.next_fire_at.is_none_or(|next| next > now) {
            break;
        }
    }
    assert_eq!(run, [at("2026-05-24T12:00:00Z")]);
    assert_eq!(total, 730 * 4 + 2, "every planned time is decided once");
    assert_eq!(planned.decided_until, now);
}

#[test]
fn no_more_than_four_run_in_a_day() {
    let four = schedule("0 0,6,12,18 * * *", "UTC");
    let now = at("2026-05-24T18:01:00Z");
    let all = planned(&four, "2026-05-23T18:30:00Z", MissedFires::All);
    let plan = plan_fires(&Planned { recent_runs: 2, ..all }, now);
    assert_eq!(
        decisions(&plan).into_iter().map(|(_, word)| word).collect::<Vec<_>>(),
        ["cap", "cap", "runs", "runs"],
    );
}

#[test]
fn a_clock_change_takes_no_run_away() {
    // 23 hours lie between the two, of which the clock is set ahead.
    let daily = schedule("30 2 * * *", "America/New_York");
    let planned = planned(&daily, "2026-03-07T08:00:00Z", MissedFires::Once);
    let plan = plan_fires(&planned, at("2026-03-08T07:00:00Z"));
    assert_eq!(
        decisions(&plan),
        [("2026-03-08T03:00:00".to_owned(), "runs")],
        "02:30 does not exist"
    );
    // A wildcard fires at both of the hours that the clock shows twice; a fixed time at the first.
    let hourly = schedule("30 */6 * * *", "America/New_York");
    let since = "2026-11-01T04:00:00Z";
    let found = decisions_after(&hourly, since, MissedFires::All, at("2026-11-01T11:30:00Z"));
    assert_eq!(found.len(), 2);
}

#[test]
fn a_time_that_ran_before_its_zone_changed_does_not_run_again() {
    // The rules have changed: what was 08:00 at 06:00 UTC is 08:00 at 07:00 UTC.
    let daily = schedule("0 8 * * *", "Europe/London");
    let mut planned = planned(&daily, "2026-05-23T06:00:01Z", MissedFires::Once);
    planned.last = Some((at("2026-05-23T06:00:00Z"), "2026-05-23T08:00:00[Europe/London]"));
    let plan = plan_fires(&planned, at("2026-05-23T07:00:00Z"));
    assert_eq!(decisions(&plan), [("2026-05-23T08:00:00".to_owned(), "already")]);
    planned.last = Some((at("2026-05-22T07:00:00Z"), "2026-05-22T08:00:00[Europe/London]"));
    let plan = plan_fires(&planned, at("2026-05-23T07:00:00Z"));
    assert_eq!(decisions(&plan), [("2026-05-23T08:00:00".to_owned(), "runs")]);
    // It ran at that time of another zone, which was changed on purpose.
    planned.last = Some((at("2026-05-23T06:00:00Z"), "2026-05-23T08:00:00[Europe/Berlin]"));
    let plan = plan_fires(&planned, at("2026-05-23T07:00:00Z"));
    assert_eq!(decisions(&plan), [("2026-05-23T08:00:00".to_owned(), "runs")]);
}
