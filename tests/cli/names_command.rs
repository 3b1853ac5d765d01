//! `dibber names`, and the file that it keeps.

use std::fs;
use std::path::PathBuf;

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};

/// A home directory, with a list in it once there is one.
struct Home {
    tree: Tree,
}

impl Home {
    fn new() -> Self {
        Self { tree: Tree::new() }
    }

    /// A home with a list that only its owner can read.
    fn with_list(text: &[u8]) -> Self {
        let home = Self::new();
        home.tree.write("private/names", text);
        home.set_mode(0o600);
        home
    }

    fn list(&self) -> PathBuf {
        self.tree.path().join("private/names")
    }

    #[cfg(unix)]
    fn set_mode(&self, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(self.list(), fs::Permissions::from_mode(mode)).expect("permissions");
    }

    #[cfg(not(unix))]
    fn set_mode(&self, _mode: u32) {}

    fn dibber(&self, arguments: &[&str]) -> Dibber {
        let dibber = Dibber::new(arguments).in_directory(self.tree.path());
        dibber.env("DIBBER_NAMES", &self.list().to_string_lossy())
    }

    fn run(&self, arguments: &[&str]) -> String {
        self.show(&self.dibber(arguments).run())
    }

    fn show(&self, ended: &Ended) -> String {
        ended.show_without(self.tree.path())
    }
}

#[test]
fn names_that_are_not_found_in_lowercase_are_noted() {
    let note = "are not found in lowercase; `dibber names add --any-case NAME` finds them there";
    let one = "is not found in lowercase; `dibber names add --any-case NAME` finds it there";
    for (arguments, expected) in [
        (&["Jay"][..], Some(one)),
        (&["Jay", "Ottilie"], Some(note)),
        (&["Jay", "--any-case"], None),
        (&["Ottilie"], None),
    ] {
        let ended = Home::new().dibber(&[&["names", "add"], arguments].concat()).run();
        let is_noted = ended.stderr.contains("lowercase");
        assert_eq!((ended.code, is_noted), (0, expected.is_some()), "{}", ended.show());
        assert!(expected.is_none_or(|note| ended.stderr.contains(note)), "{}", ended.show());
    }
}

#[test]
fn adding_listing_and_removing() {
    let home = Home::new();
    let mut shown = String::new();
    for arguments in [
        &["names", "list"][..],
        &["names", "add", "Ottilie", "Anna Lena"],
        &["names", "add", "OTTILIE", "Zoë"],
        &["names", "add", "--any-case", "Ottilie"],
        &["names", "add", "~Will"],
        &["names", "list"],
        &["names", "list", "--json"],
        &["names", "remove", "#2", "zoë"],
        &["names", "list"],
        &["names", "remove", "3"],
        &["names", "remove", "Bram"],
        &["names", "remove", "0"],
        &["names", "add", "x"],
        &["names", "add", "Bram", "Bram, Ida"],
        &["names", "remove"],
        &["names"],
    ] {
        shown += &format!("$ dibber {}\n{}\n", arguments.join(" "), home.run(arguments));
    }
    insta::assert_snapshot!(shown);
    assert_eq!(home.tree.read("private/names"), "~Ottilie\n~Will\n");
}

#[test]
fn names_on_standard_input() {
    let home = Home::new();
    let add = |input: &str| home.show(&home.dibber(&["names", "add"]).input(input).run());
    insta::assert_snapshot!(add("# ours\nOttilie\n\n~Bram # the youngest\r\nAnna Lena"));
    insta::assert_snapshot!(add("Ida\n12\n"));
    insta::assert_snapshot!(add(""));
    assert_eq!(home.tree.read("private/names"), "Ottilie\n~Bram\nAnna Lena\n");
    let ended = home.dibber(&["names", "add"]).input(b"caf\xE9\n".to_vec()).run();
    insta::assert_snapshot!(home.show(&ended));
}

#[test]
fn comments_and_numbers_stay() {
    let home = Home::with_list(b"# ours\nOttilie # 2016\n\n  Bram\n");
    home.run(&["names", "add", "Ida"]);
    home.run(&["names", "remove", "2"]);
    assert_eq!(home.tree.read("private/names"), "# ours\nOttilie # 2016\n\nIda\n");
}

#[cfg(unix)]
#[test]
fn only_the_owner_gets_in() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    home.run(&["names", "add", "Ottilie"]);
    let mode = |path: &str| {
        let metadata = fs::metadata(home.tree.path().join(path)).expect("it is there");
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode("private"), 0o700);
    assert_eq!(mode("private/names"), 0o600);
    assert_eq!(mode("private/names.lock"), 0o600);
}

/// The output of commands that need the list and of others, next to a skill that names a child.
fn run_all(home: &Home) -> String {
    home.tree.write(
        "skills/bedtime/SKILL.md",
        b"---\nname: bedtime\ndescription: Tells a story. Use when a child is in bed.\n---\n\
          Tell Ottilie a story.\n",
    );
    let mut shown = String::new();
    for arguments in [
        &["lint", "--format", "concise", "skills"][..],
        &["explain", "zebra"],
        &["names", "list"],
        &["names", "add", "Ida"],
        &["lint", "--format", "concise", "skills"],
    ] {
        shown += &format!("$ dibber {}\n{}\n", arguments.join(" "), home.run(arguments));
    }
    shown
}

#[test]
fn a_list_in_use() {
    insta::assert_snapshot!(run_all(&Home::with_list(b"Ottilie\n")));
}

#[cfg(unix)]
#[test]
fn a_list_that_others_can_read() {
    for mode in [0o604, 0o620, 0o640] {
        let home = Home::with_list(b"Ottilie\n");
        home.set_mode(mode);
        let ended = home.dibber(&["lint"]).run();
        assert_eq!(ended.code, 2, "{mode:o}: {}", ended.show());
    }
    let home = Home::with_list(b"Ottilie\n");
    home.set_mode(0o644);
    insta::assert_snapshot!(run_all(&home));
}

#[test]
fn a_list_in_a_git_work_tree() {
    let home = Home::with_list(b"Ottilie\n");
    home.tree.write(".git/HEAD", b"ref: refs/heads/main\n");
    insta::assert_snapshot!(run_all(&home));
    assert_eq!(home.tree.read("private/names"), "Ottilie\n");
}

#[cfg(unix)]
#[test]
fn a_link_into_a_git_work_tree() {
    let home = Home::with_list(b"Ottilie\n");
    home.tree.write("repository/.git/HEAD", b"ref: refs/heads/main\n");
    fs::rename(home.list(), home.tree.path().join("repository/names")).expect("a move");
    home.tree.link("private/names", "../repository/names");
    let ended = home.dibber(&["lint"]).run();
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.contains("git work tree"), "{}", ended.show());
}

#[test]
fn a_list_with_faults() {
    insta::assert_snapshot!(run_all(&Home::with_list(b"Ottilie\nx\n\n?!\nBram\n")));
}

#[test]
fn files_that_are_not_a_list() {
    let with = |bytes: &[u8]| home_lint(&Home::with_list(bytes));
    insta::assert_snapshot!(with(b"Ottilie\nJos\xE9\n"));
    insta::assert_snapshot!(with(&b"# more\n".repeat(200_000)));
    let home = Home::new();
    fs::create_dir_all(home.list()).expect("a directory");
    insta::assert_snapshot!(home_lint(&home));
}

fn home_lint(home: &Home) -> String {
    home.tree.write("a/SKILL.md", b"---\nname: a\n---\n");
    home.run(&["lint", "a"])
}

#[test]
fn where_the_list_is_without_the_variable() {
    let home = Home::new();
    let configuration = home.tree.path().join("configuration");
    let run = |arguments: &[&str]| {
        let dibber = Dibber::new(arguments).in_directory(home.tree.path()).env("DIBBER_NAMES", "");
        dibber.env("XDG_CONFIG_HOME", &configuration.to_string_lossy()).run()
    };
    if cfg!(unix) {
        assert_eq!(run(&["names", "add", "Ottilie"]).code, 0);
        assert_eq!(home.tree.read("configuration/dibber/names"), "Ottilie\n");
        assert_eq!(run(&["names", "list"]).stdout, "#1  O.\n1 name\n");
    }
}

#[test]
fn no_name_is_lost_when_several_are_added_at_once() {
    let home = Home::new();
    let names = ["Ottilie", "Bram", "Ida", "Wanda", "Jonas", "Mila", "Oskar", "Thea"];
    std::thread::scope(|scope| {
        for name in names {
            let home = &home;
            scope.spawn(move || assert_eq!(home.dibber(&["names", "add", name]).run().code, 0));
        }
    });
    let text = home.tree.read("private/names");
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    let mut names = names;
    names.sort_unstable();
    assert_eq!(lines, names);
}

#[test]
fn a_text_with_a_name_is_not_written_by_a_filter() {
    let home = Home::with_list(b"Ottilie\n");
    let text = "---\nname: bedtime\nmetadata:\n  version: 1.0\n---\nTell Ottilie a story.\n";
    let run = |arguments: &[&str]| home.show(&home.dibber(arguments).input(text).run());
    insta::assert_snapshot!(run(&["lint", "-", "--fix"]));
    insta::assert_snapshot!(run(&["lint", "-", "--fix", "--output", "report.txt"]));
    assert!(!home.tree.path().join("report.txt").exists());
    insta::assert_snapshot!(run(&["lint", "-", "--diff", "--unsafe-fixes"]));
}

#[test]
fn fixing_in_place_keeps_the_name() {
    let home = Home::with_list(b"Ottilie\n");
    let text = "---\nname: bedtime\ndescription: For Ottilie: a story. Use when in bed.\n\
                metadata:\n  version: 1.0\n---\nTell Ottilie a\u{200B}\u{200B}\u{200B} story.\n";
    home.tree.write("bedtime/SKILL.md", text.as_bytes());
    home.run(&["lint", "--unsafe-fixes", "bedtime"]);
    let fixed = home.tree.read("bedtime/SKILL.md");
    assert_ne!(fixed, text);
    assert!(fixed.contains("Tell Ottilie a") && !fixed.contains('*'), "{fixed}");
}

#[test]
fn a_fingerprint_does_not_depend_on_the_list() {
    let fingerprints = |home: &Home| {
        home.tree.write(
            "ottilie/SKILL.md",
            b"---\nname: bedtime\n---\nTODO: tell Ottilie a story.\n[x](Ottilie.md)\n",
        );
        let arguments = ["lint", "--format", "json", "--level", "child-name=allow", "ottilie"];
        let json = home.dibber(&arguments).run().stdout;
        let words = json.split("\"fingerprint\":\"").skip(1);
        words.map(|word| word[..16].to_owned()).collect::<Vec<_>>()
    };
    let without = fingerprints(&Home::with_list(b"# nobody yet\n"));
    assert!(without.len() > 2);
    assert_eq!(without, fingerprints(&Home::with_list(b"Ottilie\n")));
}

/// A dangling link is an error: the list is missing, and no name would be found.
#[cfg(unix)]
#[test]
fn a_list_that_has_gone() {
    let home = Home::new();
    fs::create_dir(home.tree.path().join("private")).expect("a directory");
    home.tree.link("private/names", "nowhere");
    for arguments in [["names", "list"], ["lint", "."], ["dry-run", "."]] {
        let ended = home.dibber(&arguments).run();
        assert_eq!(ended.code, 2, "{}", home.show(&ended));
        let message = "private/names is a broken link";
        assert!(ended.stderr.contains(message), "{}", home.show(&ended));
    }
}
