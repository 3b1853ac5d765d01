//! Directories that contain anything.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicBool, Ordering};

use dibber_skill::contract::skills_protocol::{DescribeDetail, RpcReason};
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::support::{Shelf, describe, listed, manifest, problem, read, refusal};

fn pipe(shelf: &Shelf, path: &str) {
    let path = shelf.path(path);
    fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    mknodat(CWD, &path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).expect("a pipe");
}

#[test]
fn links_are_not_followed_wherever_they_lead() {
    let shelf = Shelf::new();
    shelf.skill("a.b", "a.b", "1.0.0");
    shelf.write("a.b/code/main.py", "");
    shelf.write("outside/secret.txt", "secret");
    let links = [
        ("absolute", shelf.path("outside/secret.txt")),
        ("relative", "../outside/secret.txt".into()),
        ("directory", "../outside".into()),
        ("inside", "SKILL.md".into()),
        ("broken", "nowhere".into()),
        ("loop", "loop".into()),
        ("process", "/proc/self/root/etc/passwd".into()),
        ("code/deep", "../../outside".into()),
    ];
    for (name, target) in &links {
        symlink(target, shelf.path("a.b").join(name)).expect("a link");
    }
    let index = shelf.registry().index();
    let paths = ["directory/secret.txt", "code/deep/secret.txt", "loop/x", "inside/x"];
    for path in links.iter().map(|(name, _)| *name).chain(paths) {
        let shown = refusal(read(&index, "a.b", path), RpcReason::InvalidPath);
        let expected = format!(
            "`{path}` is a symbolic link, which is not followed; read a regular file of the skill"
        );
        assert_eq!(shown, expected);
    }
}

#[test]
fn a_hard_link_is_a_file_like_any_other() {
    let shelf = Shelf::new();
    shelf.skill("a.b", "a.b", "1.0.0");
    fs::hard_link(shelf.path("a.b/SKILL.md"), shelf.path("a.b/copy.md")).expect("a link");
    let index = shelf.registry().index();
    read(&index, "a.b", "copy.md").expect("a file");
}

#[test]
fn pipes_and_sockets_are_refused_at_once() {
    let shelf = Shelf::new();
    shelf.skill("a.b", "a.b", "1.0.0");
    pipe(&shelf, "a.b/pipe");
    let _listener = UnixListener::bind(shelf.path("a.b/socket")).expect("a socket");
    pipe(&shelf, "pipe.toml/skill.toml");
    pipe(&shelf, "pipe.md/SKILL.md");
    let index = shelf.registry().index();
    for path in ["pipe", "socket"] {
        let shown = refusal(read(&index, "a.b", path), RpcReason::InvalidPath);
        assert!(
            shown.starts_with(&format!("`{path}` is a pipe, a socket or a device; ")),
            "{shown}"
        );
    }
    for (directory, file) in [("pipe.toml", "skill.toml"), ("pipe.md", "SKILL.md")] {
        let reason = problem(&index, &shelf.path(directory)).reason;
        assert_eq!(reason, format!("`{file}` is a pipe, a socket or a device"));
    }
    fs::remove_file(shelf.path("a.b/SKILL.md")).expect("a file");
    pipe(&shelf, "a.b/SKILL.md");
    let described = describe(&index, "a.b", DescribeDetail::Summary).expect("a description");
    assert_eq!(described.warnings, ["`SKILL.md` is a pipe, a socket or a device"]);
}

#[test]
fn manifests_that_are_no_files_are_reported() {
    let shelf = Shelf::new();
    shelf.write("outside.toml", manifest("from.outside", "1.0.0"));
    shelf.write("outside.md", "---\nname: from-outside\ndescription: It.\n---\n");
    for directory in ["linked.toml", "linked.md", "directory"] {
        fs::create_dir(shelf.path(directory)).expect("a directory");
    }
    symlink("../outside.toml", shelf.path("linked.toml/skill.toml")).expect("a link");
    symlink("../outside.md", shelf.path("linked.md/SKILL.md")).expect("a link");
    fs::create_dir(shelf.path("directory/skill.toml")).expect("a directory");
    let index = shelf.registry().index();
    assert_eq!(listed(&index), [""; 0]);
    let reason = |directory| problem(&index, &shelf.path(directory)).reason;
    assert_eq!(reason("linked.toml"), "`skill.toml` is a symbolic link, which is not followed");
    assert_eq!(reason("linked.md"), "`SKILL.md` is a symbolic link, which is not followed");
    assert_eq!(reason("directory"), "`skill.toml` is a directory");
}

#[test]
fn links_to_directories_are_not_searched() {
    let shelf = Shelf::new();
    shelf.skill("elsewhere/a.b", "a.b", "1.0.0");
    shelf.skill("root/c.d", "c.d", "1.0.0");
    symlink("../elsewhere", shelf.path("root/link")).expect("a link");
    symlink("..", shelf.path("root/loop")).expect("a link");
    let index = crate::support::open([shelf.root("root")]).index();
    assert_eq!(listed(&index), ["c.d 1.0.0"]);
}

#[test]
fn a_skill_that_becomes_a_link_is_not_followed() {
    let shelf = Shelf::new();
    shelf.skill("group/a.b", "a.b", "1.0.0");
    shelf.write("outside/a.b/SKILL.md", "secret");
    let registry = shelf.registry();
    let index = registry.index();
    fs::rename(shelf.path("group/a.b"), shelf.path("old")).expect("a directory");
    symlink("../outside/a.b", shelf.path("group/a.b")).expect("a link");
    refusal(read(&index, "a.b", "SKILL.md"), RpcReason::SkillNotFound);
    fs::remove_file(shelf.path("group/a.b")).expect("a link");
    fs::remove_dir(shelf.path("group")).expect("a directory");
    // On Linux, no directory before it may become a link, either.
    symlink("outside", shelf.path("group")).expect("a link");
    if cfg!(target_os = "linux") {
        refusal(read(&index, "a.b", "SKILL.md"), RpcReason::SkillNotFound);
        refusal(describe(&index, "a.b", DescribeDetail::Full), RpcReason::SkillNotFound);
    }
}

#[test]
fn a_directory_that_is_exchanged_for_a_link_never_leads_out() {
    let shelf = Shelf::new();
    shelf.skill("a.b", "a.b", "1.0.0");
    shelf.write("a.b/data/file.txt", "inside");
    shelf.write("outside/file.txt", "outside");
    symlink("../outside", shelf.path("a.b/link")).expect("a link");
    let index = shelf.registry().index();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let [data, link, aside] =
                ["a.b/data", "a.b/link", "a.b/aside"].map(|at| shelf.path(at));
            while !is_done.load(Ordering::Relaxed) {
                for (from, to) in [(&data, &aside), (&link, &data), (&data, &link), (&aside, &data)]
                {
                    fs::rename(from, to).expect("a name");
                }
            }
        });
        for _ in 0..3000 {
            if let Ok(file) = read(&index, "a.b", "data/file.txt") {
                assert_eq!(file.content, "inside");
            }
        }
        is_done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn names_that_are_not_utf_8_are_served_but_not_shown() {
    let shelf = Shelf::new();
    let name = OsStr::from_bytes(b"caf\xe9");
    let Ok(()) = fs::create_dir(shelf.path("").join(name)) else {
        return; // The file system has only names in UTF-8.
    };
    fs::write(shelf.path("").join(name).join("skill.toml"), manifest("a.b", "1.0.0")).expect("it");
    fs::create_dir(shelf.path("").join(name).join("d")).expect("a directory");
    fs::write(shelf.path("").join(name).join("d").join(name), "").expect("a file");
    let index = shelf.registry().index();
    assert_eq!(listed(&index), ["a.b 1.0.0"]);
    assert!(read(&index, "a.b", "skill.toml").is_ok());
    let shown = refusal(read(&index, "a.b", "d"), RpcReason::FileNotFound);
    assert_eq!(shown, "`d` is a directory; write the path of a file in it");
}

#[test]
fn depth_is_limited() {
    let shelf = Shelf::new();
    let at = |depth: usize| vec!["d"; depth].join("/");
    shelf.skill(&format!("{}/a.b", at(31)), "a.b", "1.0.0");
    shelf.skill(&format!("{}/c.d", at(32)), "c.d", "1.0.0");
    shelf.write(&format!("{}/file", at(300)), "");
    let index = shelf.registry().index();
    assert_eq!(listed(&index), ["a.b 1.0.0"]);
    let reason = problem(&index, &shelf.path(&format!("{}/c.d", at(32)))).reason;
    assert_eq!(reason, "the directory is deeper than 32 directories");
}

#[test]
fn a_directory_of_too_many_entries_is_left_out_and_in_a_skill_they_do_not_matter() {
    let shelf = Shelf::new();
    shelf.skill("a.b", "a.b", "1.0.0");
    shelf.skill("many/c.d", "c.d", "1.0.0");
    shelf.write("file", "");
    for number in 0..20_000 {
        let link = |directory: &str| {
            let path = shelf.path(directory).join(number.to_string());
            symlink("x", path).expect("a link");
        };
        link("many");
        if number < 1000 {
            link("a.b");
        }
    }
    let index = shelf.registry().index();
    assert_eq!(listed(&index), ["a.b 1.0.0"]);
    let reason = problem(&index, &shelf.path("many")).reason;
    assert_eq!(reason, "the directory has more than 20000 entries");
    let shown = refusal(read(&index, "a.b", "SKIL.md"), RpcReason::FileNotFound);
    let expected = "there is no file `SKIL.md` in the skill; `SKILL.md` names the files of the \
                    skill";
    assert_eq!(shown, expected);
}

#[test]
fn a_directory_that_may_not_be_read_is_reported() {
    let shelf = Shelf::new();
    shelf.skill("a.b", "a.b", "1.0.0");
    shelf.skill("closed/c.d", "c.d", "1.0.0");
    let set = |mode| {
        fs::set_permissions(shelf.path("closed"), fs::Permissions::from_mode(mode)).expect("it");
    };
    set(0);
    let is_root = fs::read_dir(shelf.path("closed")).is_ok();
    let registry = shelf.registry();
    let index = registry.index();
    if !is_root {
        assert_eq!(listed(&index), ["a.b 1.0.0"]);
        let reason = problem(&index, &shelf.path("closed")).reason;
        assert!(reason.starts_with("the directory cannot be read: "), "{reason}");
    }
    set(0o755);
    assert_eq!(listed(&registry.index()).len(), 2);
}
