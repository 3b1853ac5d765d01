//! Times on the wire: RFC 3339 with an offset, to the second.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::failure::Failure;
use super::store::{FamilyId, Reader, StoreError};
use dibber_schedule::zone;

/// The time zone of a family.
pub(super) fn zone_of(
    store: &(impl Reader + ?Sized),
    family: &FamilyId,
) -> Result<TimeZone, Failure> {
    let row = store.family(family)?;
    let row = row.ok_or_else(|| StoreError::new(format!("the family {} is gone", family.0)))?;
    let zone = zone(&row.time_zone);
    Ok(zone.map_err(|error| StoreError::new(error.to_string()))?)
}

/// A time as somebody in that zone reads it: `2026-05-24T08:00:00-04:00`.
pub(super) fn shown(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// The same of a time that is stored, in milliseconds since 1970.
pub(super) fn stored_shown(milliseconds: i64, zone: &TimeZone) -> Result<String, Failure> {
    let time = Timestamp::from_millisecond(milliseconds).map_err(StoreError::new)?;
    Ok(shown(time, zone))
}
