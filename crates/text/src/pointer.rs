//! Places in JSON.

/// The JSON Pointer (RFC 6901) of what lies under these names: `/input/child_name`.
pub fn pointer(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let part = |name: &str| format!("/{}", name.replace('~', "~0").replace('/', "~1"));
    names.into_iter().map(|name| part(name.as_ref())).collect()
}
