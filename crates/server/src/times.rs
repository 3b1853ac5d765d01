//! Times on the wire: RFC 3339 with an offset, to the second.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::failure::Failure;
use super::store::{FamilyId, Reader, StoreError};
use dibber_schedule::zone;

/// Returns the time zone of a family. If it is damaged, that is UTC: every time that is formatted
/// has its offset, so it stays right.
pub(super) fn family_zone(
    store: &(impl Reader + ?Sized),
    family: &FamilyId,
) -> Result<TimeZone, Failure> {
    let row = store.family(family)?;
    let row = row.ok_or(StoreError::Damaged)?;
    Ok(zone(&row.time_zone).unwrap_or_else(|_| {
        tracing::error!(family = family.as_str(), "the time zone of the family is damaged");
        TimeZone::UTC
    }))
}

/// Formats a time for that zone: `2026-05-24T08:00:00-04:00`.
pub(super) fn format_time(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// Formats a stored time, in milliseconds since 1970.
pub(super) fn format_stored(milliseconds: i64, zone: &TimeZone) -> Result<String, Failure> {
    let time = Timestamp::from_millisecond(milliseconds).map_err(StoreError::new)?;
    Ok(format_time(time, zone))
}
