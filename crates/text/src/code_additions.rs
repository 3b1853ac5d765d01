//! Adding to the code in a message, such as options to the commands that it suggests.

use super::message::{Message, QuoteSpan};
use super::span::Span;

impl Message {
    /// Returns the message with what `addition` returns for each piece of code added at the end of
    /// that piece. Code is what is between two backticks; a backtick in a quote is not one of them.
    #[must_use]
    pub fn with_code_additions(&self, addition: impl Fn(&str) -> Option<Self>) -> Self {
        let is_quoted = |at: usize| self.quotes.iter().any(|it| it.span.range().contains(&at));
        let backticks: Vec<usize> =
            self.text.match_indices('`').map(|(at, _)| at).filter(|at| !is_quoted(*at)).collect();
        let (mut whole, mut copied) = (Self::default(), 0);
        for pair in backticks.chunks_exact(2) {
            let (start, end) = (pair[0] + 1, pair[1]);
            if let Some(addition) = addition(&self.text[start..end]) {
                whole.push(self.part(copied, end));
                whole.push(addition);
                copied = end;
            }
        }
        whole.push(self.part(copied, self.text.len()));
        whole
    }

    /// Returns the part of it between two places, neither of which is in a quote.
    fn part(&self, start: usize, end: usize) -> Self {
        let is_inside = |quote: &&QuoteSpan| start <= quote.span.start && quote.span.end <= end;
        let quotes = self.quotes.iter().filter(is_inside).cloned().map(|mut quote| {
            quote.span = Span::new(quote.span.start - start, quote.span.end - start);
            quote
        });
        Self { text: self.text[start..end].to_owned(), quotes: quotes.collect() }
    }
}
