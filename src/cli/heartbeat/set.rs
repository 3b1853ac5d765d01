//! All schedules of a run, and the conflicts between them.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::arguments::{CapScope, Options};
use super::preview::{Firing, ParsedSchedule, Preview, ScheduleError, parse};
use super::sources::RequestedSchedule;
use super::start::Start;
use dibber_schedule::{
    self, CombinedPeak, Conflict, Conflicts, FIRES_PER_DAY_MAX, Schedule, combined_peak, conflicts,
};
use dibber_skill::contract::TIME_ZONE_DEFAULT;

/// The schedules of a run.
pub(super) struct Set {
    pub(super) start: Start,
    pub(super) previews: Vec<Preview>,
    /// None if fewer than two are valid.
    pub(super) conflicts: Option<Conflicts>,
    /// The cap for all of them together, with `--together`.
    pub(super) together: Option<Together>,
}

/// How often the schedules of a set fire together.
pub(super) struct Together {
    /// None if none of them fires.
    pub(super) peak: Option<CombinedPeak>,
    pub(super) average_per_day: f64,
}

impl Together {
    pub(super) fn is_over_cap(&self) -> bool {
        self.peak.is_some_and(|together| together.peak.fires > FIRES_PER_DAY_MAX)
    }
}

impl Set {
    /// Previews all schedules, from a time in the zone of the first.
    pub(super) fn new(
        requested: Vec<RequestedSchedule>,
        options: &Options,
        now: Timestamp,
    ) -> Self {
        let parsed: Vec<Result<ParsedSchedule, ScheduleError>> =
            requested.iter().map(parse).collect();
        let start = match options.from {
            None => Start::now(now),
            Some(from) => from.start(&zone_of(&parsed, options), options.clock),
        };
        let previews: Vec<Preview> = requested
            .into_iter()
            .zip(parsed)
            .map(|(requested, parsed)| {
                let outcome = parsed.map(|parsed| Firing::new(parsed, &start, options));
                Preview { requested, outcome }
            })
            .collect();
        let schedules: Vec<Schedule> =
            firing(&previews).map(|(_, it)| it.schedule.clone()).collect();
        let conflicts = (schedules.len() > 1).then(|| {
            let places: Vec<usize> = firing(&previews).map(|(place, _)| place).collect();
            in_places(conflicts(&schedules, start.after, options.within), &places)
        });
        let together = (options.cap == CapScope::Together).then(|| Together {
            peak: combined_peak(&schedules, start.after),
            average_per_day: firing(&previews).map(|(_, it)| it.average_per_day).sum(),
        });
        Self { start, previews, conflicts, together }
    }

    /// Returns the valid schedules, with their indices among all.
    pub(super) fn firing(&self) -> impl Iterator<Item = (usize, &Firing)> {
        firing(&self.previews)
    }

    /// Returns `true` if there are several, all of them from lists.
    pub(super) fn is_list(&self) -> bool {
        let previews = &self.previews;
        previews.len() > 1 && previews.iter().all(|preview| preview.requested.line.is_some())
    }

    /// Returns the conflicts of one schedule.
    pub(super) fn conflicts_of(&self, place: usize) -> impl Iterator<Item = &Conflict> {
        let found = self.conflicts.iter().flat_map(|conflicts| &conflicts.found);
        found.filter(move |conflict| conflict.schedules.0 == place || conflict.schedules.1 == place)
    }

    /// Returns `true` if a server would refuse one of them.
    pub(super) fn is_refused(&self) -> bool {
        let is_over_together = self.together.as_ref().is_some_and(Together::is_over_cap);
        is_over_together || self.previews.iter().any(|preview| preview.refusal().is_some())
    }
}

fn firing(previews: &[Preview]) -> impl Iterator<Item = (usize, &Firing)> {
    let previews = previews.iter().enumerate();
    previews.filter_map(|(place, preview)| Some((place, preview.outcome.as_ref().ok()?)))
}

/// Returns the zone of a time without an offset.
fn zone_of(parsed: &[Result<ParsedSchedule, ScheduleError>], options: &Options) -> TimeZone {
    match parsed.iter().flatten().next() {
        Some(first) => first.schedule.zone.clone(),
        None => dibber_schedule::zone(options.zone.as_ref().unwrap_or(&options.default_zone.name))
            .or_else(|_| dibber_schedule::zone(TIME_ZONE_DEFAULT))
            .expect("the database has the default"),
    }
}

/// Returns the conflicts with indices among all schedules, also the invalid ones.
fn in_places(mut conflicts: Conflicts, places: &[usize]) -> Conflicts {
    for conflict in &mut conflicts.found {
        let (first, second) = conflict.schedules;
        conflict.schedules = (places[first], places[second]);
    }
    conflicts
}
