//! Paths into JSON.

/// Returns the JSON Pointer (RFC 6901) of these keys: `/input/child_name`.
pub fn json_pointer(keys: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let part = |key: &str| format!("/{}", key.replace('~', "~0").replace('/', "~1"));
    keys.into_iter().map(|key| part(key.as_ref())).collect()
}
