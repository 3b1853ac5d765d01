//! The URL of a page that a server asks the user to open.

use std::fmt;

use reqwest::Url;

/// The URL of a page: `http` or `https`, with a host and without a user, which could be mistaken
/// for the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageUrl(Url);

impl PageUrl {
    /// Parses a URL; none if it is not one of a page.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let is_page = matches!(url.scheme(), "http" | "https")
            && url.host_str().is_some_and(|host| !host.is_empty())
            && url.username().is_empty()
            && url.password().is_none();
        is_page.then_some(Self(url))
    }

    /// Returns the host, with letters other than those of ASCII in their encoded form.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }
}

impl fmt::Display for PageUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
