//! What the tests read in a page: its headings, links, code in the line, and blocks of code.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use crate::support::package;

/// Where the pages of the book are.
pub(crate) const BOOK: &str = "docs/src";

/// A page of the documentation.
pub(crate) struct Page {
    /// The path from the directory of the package, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A block between two fences.
pub(crate) struct Block {
    /// The line of the fence that opens it, counted from 1.
    pub(crate) line: usize,
    pub(crate) language: String,
    /// What the comments directly above it say: `<!-- exit: 1 -->` is `("exit", "1")`.
    pub(crate) marks: Vec<(String, String)>,
    /// The lines between the fences, as indices into the lines of the page.
    pub(crate) lines: Range<usize>,
}

impl Block {
    pub(crate) fn mark(&self, key: &str) -> Option<&str> {
        self.marks.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

impl Page {
    pub(crate) fn read(path: &str) -> Self {
        let text = fs::read_to_string(package().join(path)).expect(path).replace("\r\n", "\n");
        Self { path: path.to_owned(), text }
    }

    pub(crate) fn lines(&self) -> Vec<&str> {
        self.text.lines().collect()
    }

    /// Returns the blocks of code in their order.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let lines = self.lines();
        let mut blocks = Vec::new();
        let mut index = 0;
        while let Some(line) = lines.get(index) {
            let ticks = line.len() - line.trim_start_matches('`').len();
            if ticks >= 3 {
                let fence = &line[..ticks];
                let inside = lines[index + 1..].iter().position(|line| line.trim_end() == fence);
                let Some(count) = inside else {
                    panic!("{}:{}: the block does not end", self.path, index + 1)
                };
                blocks.push(Block {
                    line: index + 1,
                    language: line[ticks..].trim().to_owned(),
                    marks: marks(&lines[..index]),
                    lines: index + 1..index + 1 + count,
                });
                index += count + 1;
            }
            index += 1;
        }
        blocks
    }

    /// Returns the page without its blocks of code; lines keep their numbers.
    pub(crate) fn prose(&self) -> String {
        let mut lines = self.lines();
        for block in self.blocks() {
            for index in block.lines.start - 1..=block.lines.end {
                lines[index] = "";
            }
        }
        lines.join("\n")
    }

    /// Returns the code between single backticks of the prose, with line breaks as spaces.
    pub(crate) fn inline_code(&self) -> Vec<String> {
        let prose = self.prose();
        // Only within a paragraph: a backtick alone does not reach into the next one.
        let paragraphs = prose.split("\n\n").flat_map(|text| text.split("\n- ")).flat_map(|text| {
            let rows = text.starts_with('|');
            if rows { text.split('\n').collect::<Vec<_>>() } else { vec![text] }
        });
        let codes = paragraphs.flat_map(|text| text.split('`').skip(1).step_by(2));
        codes.map(|code| code.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    /// Returns the targets of the links in the prose.
    pub(crate) fn links(&self) -> Vec<String> {
        let prose = self.prose();
        let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        targets.map(str::to_owned).collect()
    }

    /// Returns the anchors of the headings, as GitHub and mdbook make them.
    pub(crate) fn anchors(&self) -> Vec<String> {
        let prose = self.prose();
        let headings = prose.lines().filter(|line| line.starts_with('#'));
        let mut anchors: Vec<String> = Vec::new();
        for heading in headings {
            let anchor = anchor(heading.trim_start_matches('#').trim());
            let before = anchors.iter().filter(|other| **other == anchor).count();
            anchors.push(if before == 0 { anchor } else { format!("{anchor}-{before}") });
        }
        anchors
    }
}

/// Returns the anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

/// Returns what the comments at the end of these lines say.
fn marks(above: &[&str]) -> Vec<(String, String)> {
    let comments = above.iter().rev().map_while(|line| {
        let words = line.trim().strip_prefix("<!-- ")?.strip_suffix(" -->")?;
        words.split_once(": ")
    });
    comments.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// Returns the pages of the book, generated ones included, in the order of their paths.
pub(crate) fn book() -> Vec<Page> {
    let mut directories = vec![PathBuf::from(BOOK)];
    let mut paths = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(package().join(&directory)).expect("the book") {
            let entry = entry.expect("an entry");
            let path = directory.join(entry.file_name());
            if entry.path().is_dir() {
                directories.push(path);
            } else {
                paths.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    paths.sort();
    paths.iter().map(|path| Page::read(path)).collect()
}

/// Returns the pages that people have written: the README and the book without generated pages.
pub(crate) fn written() -> Vec<Page> {
    let generated = ["docs/src/commands.md", "docs/src/rules.md"];
    let book = book().into_iter().filter(|page| !generated.contains(&page.path.as_str()));
    std::iter::once(Page::read("README.md")).chain(book).collect()
}
