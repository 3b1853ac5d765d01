//! The lines of an iCalendar file, and the times in them.

use jiff::Timestamp;

/// The most bytes of a line (RFC 5545, section 3.1).
const LINE_BYTES_MAX: usize = 75;

/// Returns an instant as a date-time of UTC.
pub(super) fn utc(at: Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Lines, folded where they are too long.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) text: String,
}

impl Lines {
    /// Adds a line.
    pub(super) fn line(&mut self, line: &str) {
        let mut bytes = 0;
        for c in line.chars() {
            if bytes + c.len_utf8() > LINE_BYTES_MAX {
                // The space that marks a continuation counts towards its line.
                self.text.push_str("\r\n ");
                bytes = 1;
            }
            self.text.push(c);
            bytes += c.len_utf8();
        }
        self.text.push_str("\r\n");
    }
}
