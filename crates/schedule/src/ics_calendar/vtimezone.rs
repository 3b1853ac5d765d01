//! Time zones as an iCalendar file defines them (RFC 5545, section 3.6.5).

use jiff::tz::{Dst, Offset, TimeZone, TimeZoneTransition};
use jiff::{SignedDuration, Timestamp};

use super::lines::Lines;

/// The start of a zone without a clock change before its first event: the epoch, as usual.
const BEGINNING: &str = "19700101T000000";
const SECOND: SignedDuration = SignedDuration::from_secs(1);

/// Writes the definition of a zone between two instants, with each clock change as it is.
pub(super) fn write(
    name: &str,
    zone: &TimeZone,
    after: Timestamp,
    before: Timestamp,
    out: &mut Lines,
) {
    out.line("BEGIN:VTIMEZONE");
    out.line(&format!("TZID:{name}"));
    if let Some(change) = zone.preceding(after).next() {
        write_change(zone, &change, out);
    } else {
        let info = zone.to_offset_info(after);
        let names = (info.dst(), info.abbreviation());
        write_observance(BEGINNING, (info.offset(), info.offset()), names, out);
    }
    // A change at the very instant is not before it.
    let start = after.checked_sub(SECOND).unwrap_or(Timestamp::MIN);
    let changes = zone.following(start).take_while(|change| change.timestamp() < before);
    for change in changes.filter(|change| change.timestamp() >= after) {
        write_change(zone, &change, out);
    }
    out.line("END:VTIMEZONE");
}

fn write_change(zone: &TimeZone, change: &TimeZoneTransition<'_>, out: &mut Lines) {
    let at = change.timestamp();
    let earlier = zone.to_offset(at.checked_sub(SECOND).unwrap_or(Timestamp::MIN));
    // The time that the clock would show without the change.
    let onset = earlier.to_datetime(at).strftime("%Y%m%dT%H%M%S").to_string();
    let names = (change.dst(), change.abbreviation());
    write_observance(&onset, (earlier, change.offset()), names, out);
}

fn write_observance(
    onset: &str,
    (from, to): (Offset, Offset),
    (dst, abbreviation): (Dst, &str),
    out: &mut Lines,
) {
    let kind = if dst.is_dst() { "DAYLIGHT" } else { "STANDARD" };
    out.line(&format!("BEGIN:{kind}"));
    out.line(&format!("DTSTART:{onset}"));
    out.line(&format!("TZOFFSETFROM:{}", offset_text(from)));
    out.line(&format!("TZOFFSETTO:{}", offset_text(to)));
    out.line(&format!("TZNAME:{abbreviation}"));
    out.line(&format!("END:{kind}"));
}

/// Returns an offset as `+0100`, or `-045602` if it has seconds.
fn offset_text(offset: Offset) -> String {
    let seconds = offset.seconds();
    let (sign, seconds) = (if seconds < 0 { '-' } else { '+' }, seconds.unsigned_abs());
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let text = format!("{sign}{hours:02}{minutes:02}");
    if rest == 0 { text } else { format!("{text}{rest:02}") }
}
