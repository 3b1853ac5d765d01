//! The built-in guide: its examples are calls that a server understands.

use dibber_protocol::guide;

#[test]
fn the_guide_is_there() {
    assert!(guide().content.contains("Skills Protocol"));
}
