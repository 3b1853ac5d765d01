//! Finding and listing 10,000 skills.
fn main() {}
