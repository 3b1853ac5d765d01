//! Masking what a message quotes before it is known where the message is shown.

use super::message::Message;
use super::span::Span;
use super::untrusted::Mask;

impl Message {
    /// Returns the message with every quote masked, in addition to what is masked where it is shown.
    #[must_use]
    pub fn masked(&self, mask: &dyn Mask) -> Self {
        let (mut masked, mut end) = (Self::default(), 0);
        for quote in &self.quotes {
            masked.text.push_str(&self.text[end..quote.span.start]);
            let start = masked.text.len();
            masked.text.push_str(&mask.mask(&self.text[quote.span.range()]));
            let mut quote = quote.clone();
            end = quote.span.end;
            quote.span = Span::new(start, masked.text.len());
            masked.quotes.push(quote);
        }
        masked.text.push_str(&self.text[end..]);
        masked
    }
}
