//! The `dibber` command.
use std::path::PathBuf;
fn main() {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let (skills, errors) = dibber::discover::find(&paths);
    let settings = dibber::lint::Settings::default();
    let mut count = 0;
    for found in &skills {
        match dibber::discover::load(found) {
            Ok(skill) => {
                for d in dibber::lint::lint(&skill, &settings).diagnostics {
                    count += 1;
                    let at = d
                        .range
                        .map_or(String::new(), |r| format!(":{}:{}", r.start.line, r.start.column));
                    println!(
                        "{}{at}: {}[{}]: {}{}",
                        d.path,
                        d.level.name(),
                        d.rule.id,
                        dibber::text::escape_line(&d.message),
                        d.help.map_or(String::new(), |h| format!("  (help: {h})"))
                    );
                }
            }
            Err(error) => eprintln!("error: {error}"),
        }
    }
    for error in errors {
        eprintln!("error: {error}");
    }
    eprintln!("{} skills, {count} findings", skills.len());
}
