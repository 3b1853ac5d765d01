//! Reading the files of a skill.

use dibber_skill::contract::skills_protocol::{Encoding, RpcReason, SkillFile};

use crate::support::{GUIDE, Shelf, read, refusal};

fn shelf() -> Shelf {
    let shelf = Shelf::new();
    shelf.skill("a.b", "a.b", "1.0.0");
    shelf.write("a.b/code/main.py", "print('ä')\n");
    shelf.write("a.b/resources/data.bin", [0, 159, 146, 150]);
    shelf.write("outside.txt", "secret");
    shelf
}

#[test]
fn text_is_returned_as_it_is_and_other_files_in_base64() {
    let shelf = shelf();
    let index = shelf.registry().index();
    let file = read(&index, "a.b", "code/main.py").expect("a file");
    let expected = SkillFile {
        name: "a.b".to_owned(),
        version: Some("1.0.0".to_owned()),
        path: "code/main.py".to_owned(),
        content: "print('ä')\n".to_owned(),
        encoding: Encoding::Utf8,
        size_bytes: Some(12),
        warnings: Vec::new(),
    };
    assert_eq!(file, expected);
    let file = read(&index, "a.b", "resources/data.bin").expect("a file");
    assert_eq!((&*file.content, file.encoding), ("AJ+Slg==", Encoding::Base64));
    assert_eq!(file.size_bytes, Some(4));
    assert!(read(&index, "a.b", "skill.toml").expect("a file").content.contains("name = "));
}

#[test]
fn a_file_has_at_most_1_mebibyte() {
    let shelf = shelf();
    shelf.write("a.b/large.txt", "x".repeat(1 << 20));
    shelf.write("a.b/larger.txt", "x".repeat((1 << 20) + 1));
    shelf.write("a.b/empty.txt", "");
    let index = shelf.registry().index();
    assert_eq!(read(&index, "a.b", "large.txt").expect("a file").content.len(), 1 << 20);
    assert_eq!(read(&index, "a.b", "empty.txt").expect("a file").content, "");
    let shown = refusal(read(&index, "a.b", "larger.txt"), RpcReason::FileTooLarge);
    let help = "mount the skill `a.b` with `run_code`, and read the part of the file that you need";
    assert_eq!(shown, format!("`larger.txt` is larger than 1 MiB; {help}"));
}

#[test]
fn a_path_that_leads_out_is_refused() {
    let shelf = shelf();
    let index = shelf.registry().index();
    let long = "a/".repeat(600) + "a";
    for (path, message) in [
        ("", "the path `` is empty"),
        ("../outside.txt", "the path `../outside.txt` leads out of the skill"),
        ("code/../../outside.txt", "the path `code/../../outside.txt` leads out of the skill"),
        ("code/../SKILL.md", "the path `code/../SKILL.md` leads out of the skill"),
        ("..", "the path `..` leads out of the skill"),
        ("/etc/passwd", "the path `/etc/passwd` is an absolute path"),
        ("//etc/passwd", "the path `//etc/passwd` is an absolute path"),
        ("..\\outside.txt", "the path `..\\outside.txt` contains a backslash"),
        ("C:\\outside.txt", "the path `C:\\outside.txt` contains a backslash"),
        ("SKILL.md\0.txt", "the path `SKILL.md\\u{0}.txt` contains a NUL character"),
        (&long, "is longer than 1024 bytes"),
    ] {
        let shown = refusal(read(&index, "a.b", path), RpcReason::InvalidPath);
        assert!(shown.contains(message), "{path:?}: {shown}");
    }
    for (path, corrected) in [
        ("./SKILL.md", "SKILL.md"),
        ("code//main.py", "code/main.py"),
        ("code\\main.py", "code/main.py"),
        ("code/./main.py", "code/main.py"),
        ("SKILL.md/", "SKILL.md"),
    ] {
        let shown = refusal(read(&index, "a.b", path), RpcReason::InvalidPath);
        assert!(shown.ends_with(&format!("; write `{corrected}`")), "{path:?}: {shown}");
    }
}

#[test]
fn a_file_that_is_missing_is_refused_with_what_there_is() {
    let shelf = shelf();
    shelf.write("a.b/.git/config", "token");
    shelf.write("a.b/code/__pycache__/main.pyc", "");
    let index = shelf.registry().index();
    for (path, shown) in [
        ("skill.md", "there is no file `skill.md` in the skill; did you mean `SKILL.md`?"),
        (
            "code/mian.py",
            "there is no file `code/mian.py` in the skill; did you mean `code/main.py`?",
        ),
        ("code/x", "there is no file `code/x` in the skill; `code` has `main.py`"),
        (
            "zzz",
            "there is no file `zzz` in the skill; the skill has `SKILL.md`, `code/`, `resources/`, \
             `skill.toml`",
        ),
        (
            "nowhere/zzz",
            "there is no file `nowhere/zzz` in the skill; `SKILL.md` names the files of the skill",
        ),
        (
            "SKILL.md/zzz",
            "there is no file `SKILL.md/zzz` in the skill; `SKILL.md` names the files of the skill",
        ),
        ("code", "`code` is a directory; read one of `main.py` in it"),
    ] {
        assert_eq!(refusal(read(&index, "a.b", path), RpcReason::FileNotFound), shown);
    }
    for private in [".git/config", ".GIT/config", ".git", "code/__pycache__/main.pyc"] {
        let shown = refusal(read(&index, "a.b", private), RpcReason::FileNotFound);
        assert!(shown.starts_with("there is no file"), "{shown}");
        assert!(!shown.contains("did you mean `.git"), "{shown}");
    }
    for number in 0..30 {
        shelf.write(&format!("a.b/many/{number}"), "");
    }
    let shown = refusal(read(&index, "a.b", "many"), RpcReason::FileNotFound);
    assert_eq!(shown, "`many` is a directory; write the path of a file in it");
}

#[test]
fn the_files_of_the_guide_can_be_read() {
    let index = Shelf::new().registry().index();
    let text = read(&index, GUIDE, "SKILL.md").expect("the guide");
    assert_eq!(text.content, dibber_protocol::guide().content);
    let manifest = read(&index, GUIDE, "skill.toml").expect("its manifest").content;
    assert!(manifest.contains("version = \"0.1.0\""), "{manifest}");
    let shown = refusal(read(&index, GUIDE, "code/main.py"), RpcReason::FileNotFound);
    let expected = "there is no file `code/main.py` in the skill; the skill has `SKILL.md`, \
                    `skill.toml`";
    assert_eq!(shown, expected);
    refusal(read(&index, GUIDE, "../SKILL.md"), RpcReason::InvalidPath);
}
