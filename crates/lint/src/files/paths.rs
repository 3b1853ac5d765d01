//! Relative paths as strings: where they lead, and whether they are placeholders. Nothing here
//! looks at files.

use std::borrow::Cow;

use memchr::memmem;

/// Stems of file names that are placeholders.
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
/// Parts of a path that show that it is a placeholder.
const PLACEHOLDER_PARTS: [&str; 7] = ["path/to/", "your-", "your_", "YOUR", "XXX", "xxx", "YYYY"];

/// Resolves `path` against `directory`; `None` if it leads out of the skill.
pub(crate) fn join(directory: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns the directories above a path, the innermost first.
pub(super) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(path.rsplit_once('/').map(|(parent, _)| parent), |path| {
        path.rsplit_once('/').map(|(parent, _)| parent)
    })
}

/// Returns `true` if the symbolic link at `path` leads out of the skill, judging by the strings.
pub(crate) fn leads_outside(path: &str, target: &str) -> bool {
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let target = target.replace('\\', "/");
    let has_drive = target.as_bytes().get(1) == Some(&b':');
    target.starts_with('/') || has_drive || join(directory, &target).is_none()
}

/// Returns `true` if `path` is a placeholder: `path/to/file.md`, `YOUR_GUIDE.md`, `foo.py`.
pub(crate) fn is_placeholder(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let stem = name.split('.').next().unwrap_or_default();
    PLACEHOLDER_NAMES.contains(&stem)
        || PLACEHOLDER_PARTS
            .iter()
            .any(|part| memmem::find(path.as_bytes(), part.as_bytes()).is_some())
}

/// Decodes `%20` and other escapes; `None` if the result is not UTF-8.
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
