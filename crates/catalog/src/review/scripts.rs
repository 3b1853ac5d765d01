//! Which files of a skill are programs.

use crate::contents::SkillContents;

/// A file that is a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The path in the skill.
    pub path: String,
    /// Why it is taken for one.
    pub sign: ScriptSign,
}

/// What a program is recognized by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptSign {
    /// It can be executed.
    Executable,
    /// It begins with `#!`, or as a binary program does.
    Beginning,
    /// The ending of its name.
    Ending,
}

/// The endings of programs.
const ENDINGS: [&str; 27] = [
    "bash", "bat", "cmd", "cjs", "dll", "dylib", "exe", "go", "jar", "js", "lua", "mjs", "php",
    "pl", "ps1", "py", "pyc", "pyw", "rb", "rs", "scpt", "sh", "so", "ts", "vbs", "wasm", "zsh",
];

/// The beginnings of programs: of scripts, ELF, Mach-O and Windows.
const BEGINNINGS: [&[u8]; 6] =
    [b"#!", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xfe\xed\xfa\xcf", b"MZ\x90"];

impl ScriptSign {
    /// Returns the word that messages and JSON have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Executable => "executable",
            Self::Beginning => "beginning",
            Self::Ending => "ending",
        }
    }
}

/// Returns the files that are programs, sorted by path.
pub(super) fn scripts(contents: &SkillContents) -> Vec<Script> {
    let sign = |path: &str, bytes: &[u8], is_executable: bool| {
        let ending = path.rsplit('/').next()?.rsplit_once('.').map(|(_, ending)| ending);
        let is_ending = |ending: &str| ENDINGS.iter().any(|it| ending.eq_ignore_ascii_case(it));
        if is_executable {
            Some(ScriptSign::Executable)
        } else if BEGINNINGS.iter().any(|beginning| bytes.starts_with(beginning)) {
            Some(ScriptSign::Beginning)
        } else {
            ending.filter(|ending| is_ending(ending)).map(|_| ScriptSign::Ending)
        }
    };
    let script = |(path, file): (&crate::path::SkillPath, &crate::contents::FileContents)| {
        let sign = sign(path.as_str(), &file.bytes, file.is_executable)?;
        Some(Script { path: path.as_str().to_owned(), sign })
    };
    contents.files().filter_map(script).collect()
}
