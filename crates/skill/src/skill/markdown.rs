//! The links and the code of Markdown, with byte spans.

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use dibber_text::Span;

/// The most bytes that are searched after the target of a link for the link's end: its title.
/// Links may be inside each other, so that searching each as a whole would take the square of
/// the text.
const TITLE_BYTES_MAX: usize = 512;

/// What is known of some Markdown.
#[derive(Debug, Default)]
pub struct Markdown {
    /// The links and images, in the order of the text.
    pub links: Vec<Link>,
    /// Code blocks and code spans, fences included, in the order of the text.
    pub code: Vec<Span>,
    /// HTML comments and blocks, in the order of the text.
    pub html: Vec<Span>,
    /// The first heading that is not blank.
    pub heading: Option<Heading>,
}

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Its text, without marks.
    pub text: String,
    /// The bytes of it, marks included, without the line break.
    pub span: Span,
}

/// A link or an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The target, after unescaping.
    pub target: String,
    /// The bytes of the target where it can be found in the text, else of the whole link.
    pub span: Span,
    /// Which of the two.
    pub kind: LinkKind,
}

/// A link or an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// `[text](target)`, or the same with a reference.
    Link,
    /// `![text](target)`.
    Image,
}

impl Markdown {
    /// Reads `text`, whose first byte is byte `offset` of its file.
    pub fn parse(text: &str, offset: usize) -> Self {
        let mut markdown = Self::default();
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        let mut open_heading: Option<Heading> = None;
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            let span = Span::from(range).shift(offset);
            if let (Some(heading), Event::Text(part) | Event::Code(part)) =
                (&mut open_heading, &event)
            {
                heading.text.push_str(part);
            }
            match event {
                Event::Start(Tag::Heading { .. }) if markdown.heading.is_none() => {
                    let written = text[span.start - offset..span.end - offset].trim_end();
                    let span = Span::new(span.start, span.start + written.len());
                    open_heading = Some(Heading { text: String::new(), span });
                }
                Event::End(TagEnd::Heading(_)) => {
                    let heading = open_heading.take();
                    let heading = heading.filter(|heading| !heading.text.trim().is_empty());
                    markdown.heading = markdown.heading.take().or(heading);
                }
                Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                    markdown.push_link(text, offset, LinkKind::Link, link_type, &dest_url, span);
                }
                Event::Start(Tag::Image { link_type, dest_url, .. }) => {
                    markdown.push_link(text, offset, LinkKind::Image, link_type, &dest_url, span);
                }
                Event::Start(Tag::CodeBlock(_)) | Event::Code(_) => markdown.code.push(span),
                Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => markdown.html.push(span),
                _ => {}
            }
        }
        markdown
    }

    /// Returns `true` if the byte `at` is in a code block or a code span.
    pub fn is_code(&self, at: usize) -> bool {
        let next = self.code.partition_point(|span| span.start <= at);
        next > 0 && self.code[next - 1].contains(at)
    }

    fn push_link(
        &mut self,
        text: &str,
        offset: usize,
        kind: LinkKind,
        link_type: LinkType,
        target: &str,
        whole: Span,
    ) {
        if matches!(link_type, LinkType::Email | LinkType::Autolink) {
            return;
        }
        let written = &text[whole.start - offset..whole.end - offset];
        let searched = written.len().saturating_sub(target.len() + TITLE_BYTES_MAX);
        let searched = written.floor_char_boundary(searched);
        let start = whole.start + searched;
        let span = written[searched..]
            .rfind(target)
            .filter(|_| !target.is_empty())
            .map_or(whole, |at| Span::new(start + at, start + at + target.len()));
        self.links.push(Link { target: target.to_owned(), span, kind });
    }
}

#[cfg(test)]
mod tests {
    use super::{Markdown, TITLE_BYTES_MAX};

    #[test]
    fn a_target_is_found_before_its_title() {
        let targets = |text: &str| -> Vec<String> {
            let links = Markdown::parse(text, 0).links;
            links.iter().map(|link| text[link.span.range()].to_owned()).collect()
        };
        assert_eq!(targets("[b.md](b.md \"the b\")"), ["b.md"]);
        assert_eq!(targets("![a ![x](c.md) ä](b.md)"), ["b.md", "c.md"]);
        assert_eq!(targets("[x][b]\n\n[b]: b.md"), ["[x][b]"]);
        let long = format!("[x](b.md \"{}\")", "ä".repeat(TITLE_BYTES_MAX));
        assert_eq!(targets(&long), [long.as_str()]);
    }
}
