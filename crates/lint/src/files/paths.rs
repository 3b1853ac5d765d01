//! Relative paths as texts: what they lead to and whether they are meant, going by their words
//! alone.

use std::borrow::Cow;

use memchr::memmem;

/// Names, without their ending, of files that only stand for one.
const PLACEHOLDER_NAMES: [&str; 24] = [
    "path",
    "url",
    "link",
    "file",
    "filename",
    "file_name",
    "file-name",
    "name",
    "target",
    "href",
    "src",
    "page",
    "other",
    "image",
    "script",
    "script_name",
    "script-name",
    "example",
    "foo",
    "bar",
    "baz",
    "title",
    "document",
    "placeholder",
];
/// Parts of a path that show that it only stands for one.
const PLACEHOLDER_PARTS: [&str; 7] = ["path/to/", "your-", "your_", "YOUR", "XXX", "xxx", "YYYY"];

/// The path that `path` names from `folder`; none when it leads out of the skill.
pub(crate) fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The folders above a path, the innermost first.
pub(super) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(path.rsplit_once('/').map(|(folder, _)| folder), |folder| {
        folder.rsplit_once('/').map(|(folder, _)| folder)
    })
}

/// Tells whether the symbolic link at `path` leads out of the skill, going by its text alone.
pub(crate) fn leads_outside(path: &str, target: &str) -> bool {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let target = target.replace('\\', "/");
    let has_drive = target.as_bytes().get(1) == Some(&b':');
    target.starts_with('/') || has_drive || joined(folder, &target).is_none()
}

/// Tells whether a path only stands for one: `path/to/file.md`, `YOUR_GUIDE.md`, `foo.py`.
pub(crate) fn is_placeholder(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let stem = name.split('.').next().unwrap_or_default();
    PLACEHOLDER_NAMES.contains(&stem)
        || PLACEHOLDER_PARTS
            .iter()
            .any(|part| memmem::find(path.as_bytes(), part.as_bytes()).is_some())
}

/// A path with `%20` and the like decoded; none where that gives no text.
pub(super) fn percent_decoded(path: &str) -> Option<Cow<'_, str>> {
    if !path.contains('%') {
        return Some(Cow::Borrowed(path));
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digit = |at: usize| char::from(*after.get(at)?).to_digit(16);
        if let (b'%', Some(high), Some(low)) = (first, digit(0), digit(1)) {
            bytes.push(u8::try_from(high * 16 + low).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
