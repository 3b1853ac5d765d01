//! Texts and keys of TOML, written.

/// Writes a text as a basic string on one line.
pub(super) fn string(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out += &format!("\\U{:08X}", u32::from(c)),
            c => out.push(c),
        }
    }
    out + "\""
}
