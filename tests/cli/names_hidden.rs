//! No name on the private list shows in any output of any command.

use std::fs;

use dibber_lint::report::FORMATS;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use crate::support::Tree;
use crate::support::command::Dibber;

/// How many names are tried; each takes a few dozen runs.
const NAMES: u32 = 4;

/// Every command, with the name wherever one can be typed: `NAME` stands for it, and `name` for
/// the same in lowercase. They run one after the other in one directory, so that those which
/// change something come last. A new command gets its lines here.
const COMMAND_LINES: &[&str] = &[
    "help lint",
    "help NAME",
    "lint",
    "lint .",
    "lint --no-config skills/name-plan",
    "lint skills/name-plan/SKILL.md --level all=warn",
    "lint skills/broken --level all=deny",
    "lint --diff",
    "lint --diff --unsafe-fixes",
    "lint NAME",
    "lint missing/NAME",
    "lint empty-NAME",
    "lint - --stdin-filename skills/name-plan/SKILL.md",
    "lint - --fix",
    "lint - --diff --unsafe-fixes",
    "lint skills --add-waivers --reason NAME -n",
    "lint --config NAME.toml",
    "lint --config bad-NAME.toml",
    "lint --level NAME=deny",
    "lint --level NAME",
    "lint --level secret=NAME",
    "lint --since NAME",
    "lint --baseline NAME.json",
    "lint --format NAME",
    "lint --NAME",
    "lint --output report.json --format json",
    "lint --output missing/NAME.json",
    "lint --write-baseline baseline.json",
    "lint --baseline baseline.json",
    "explain NAME",
    "explain child-name",
    "explain child-name --json",
    "help new",
    "rules",
    "rules --json",
    "rules NAME",
    "database copy . NAME --dry-run",
    "doctor",
    "doctor --json",
    "doctor --data NAME",
    "completions NAME",
    "completions bash",
    "man NAME",
    "man names",
    "man names NAME",
    "NAME",
    "--color=NAME",
    "--help",
    "dry-run",
    "dry-run skills/good-one",
    "dry-run --json",
    "dry-run --quiet skills/name-plan",
    "dry-run skills/good-one --arguments",
    "dry-run skills/good-one --input topic=NAME",
    "dry-run skills/good-one --input topic:={\"NAME\":1} --json",
    "dry-run skills/good-one --input NAME=NAME",
    "dry-run skills/good-one --input NAME",
    "dry-run skills/good-one --input-file NAME.json",
    "dry-run skills/good-one --save preview.json",
    "dry-run skills/good-one --expect NAME",
    "dry-run skills/good-one --expect h_0000000000000000000000000000000000000000000000000000000000000000 --save saved.json",
    "dry-run missing/NAME",
    "edit skills/good-one --label NAME --dry-run",
    "edit skills/name-plan --label NAME --dry-run",
    "edit missing/NAME --label NAME --yes",
    "acp emit",
    "acp emit skills --as skills",
    "acp emit missing/NAME --session NAME",
    "acp proxy -- NAME",
    "acp browse --approve NAME -- NAME",
    "acp browse --from list-NAME.txt",
    "acp browse --from list-NAME.txt --json",
    "acp browse --from missing/NAME",
    "acp browse --compare -- NAME -- NAME",
    "hash skills/good-one",
    "hash",
    "hash missing/NAME",
    "pack skills/name-plan --dry-run",
    "pack skills/name-plan --for claude-ai --output NAME.zip --json",
    "pack --check NAME.zip",
    "pack --check missing/NAME.zip --json",
    "pack missing/NAME",
    "pack skills --for NAME",
    "index skills --output site-NAME",
    "index skills --output site-NAME --json",
    "index --check site-NAME",
    "index --check site-NAME --json",
    "index --check http://127.0.0.1:1/NAME",
    "index --check ftp://NAME",
    "heartbeat preview skills/good-one",
    "heartbeat preview skills --json",
    "heartbeat preview NAME",
    "heartbeat preview missing/NAME",
    "heartbeat preview 0,NAME",
    "heartbeat preview --cron-file list-NAME.txt --from 2026-03-06",
    "heartbeat preview --cron-file list-NAME.txt --json --together",
    "heartbeat preview --cron-file list-NAME.txt --picture week",
    "heartbeat preview --cron-file list-NAME.txt --picture year --color=always",
    "heartbeat preview --cron-file list-NAME.txt --svg picture.svg --ics calendar.ics",
    "heartbeat preview --cron-file list-NAME.txt --svg missing/NAME.svg",
    "heartbeat preview --cron-file missing/NAME",
    "heartbeat preview skills/good-one --ics NAME.ics",
    "heartbeat preview - --tz NAME",
    "heartbeat preview - --tz NAME --json",
    "heartbeat preview . --from NAME",
    "heartbeat preview --NAME",
    "heartbeat NAME",
    "heartbeat create skills/good-one --yes",
    "heartbeat create NAME",
    "heartbeat create NAME --cron NAME --skill NAME --yes",
    "heartbeat describe skills/good-one --only NAME",
    "heartbeat list",
    "heartbeat list --NAME",
    "heartbeat edit NAME --name NAME --yes",
    "heartbeat members NAME --add NAME",
    "heartbeat export --systemd",
    "heartbeat export --cron",
    "heartbeat export --cron --json",
    "heartbeat export --launchd",
    "heartbeat export NAME --cron --run NAME",
    "heartbeat export --systemd --output NAME",
    "family add-child --born 2019-04-30 --name NAME",
    "family add-child --born 2019-04-30 --name ~NAME",
    "family add-child --born NAME --name -",
    "family add-child NAME --born 2019-04-30",
    "family --family NAME add-member NAME",
    "family --family NAME show",
    "family add-canvas NAME --ages NAME",
    "family archive-skill NAME --yes",
    "family token --member NAME --output NAME.txt",
    "family token --member NAME --revoke",
    "family invite NAME --public-url NAME",
    "family grants --narrow NAME --scope skill:read",
    "family grants --revoke NAME",
    "family show --json",
    "runs --json",
    "runs --family NAME --failed",
    "runs --limit NAME",
    "runs NAME",
    "guide NAME",
    "status",
    "status --json",
    "status --server NAME",
    "status --server NAME.example/mcp",
    "status --token-file NAME --server http://127.0.0.1:1/mcp",
    "tools",
    "tools NAME",
    "tools skill_write --json",
    "servers",
    "servers --json",
    "login --server http://127.0.0.1:1/NAME",
    "logout --server http://127.0.0.1:1/NAME",
    "config show",
    "config show --json --server NAME",
    "resources",
    "resource read NAME",
    "prompts",
    "prompt get NAME a=NAME",
    "call NAME",
    "call mcp_whoami NAME=NAME",
    "call mcp_whoami NAME=1 NAME=2",
    "call mcp_whoami NAME:=NAME",
    "call mcp_whoami --args-json NAME.json",
    "protocol list NAME",
    "protocol list NAME --server http://127.0.0.1:1/NAME --timeout 1",
    "protocol describe NAME --version NAME --json",
    "protocol cat NAME NAME --output NAME.json",
    "protocol run NAME --args NAME=NAME --blob NAME --blob-file NAME",
    "protocol run NAME --args NAME --server http://127.0.0.1:1/rpc",
    "protocol code NAME --skill NAME --server http://127.0.0.1:1/rpc",
    "protocol put-blob NAME --mime NAME",
    "protocol put-blob missing/NAME --server http://127.0.0.1:1/rpc",
    "protocol get-blob NAME --head NAME",
    "protocol guide --json",
    "schema",
    "schema sprout",
    "schema skill_write",
    "schema NAME",
    "serve NAME",
    "serve --listen NAME",
    "serve --listen NAME:x",
    "serve --log NAME",
    "serve --NAME",
    "serve --skills missing/NAME",
    "serve --skill-tools --data NAME",
    "edit skills/good-one --label NAME --yes",
    "new --list",
    "new NAME",
    "new --template NAME",
    "new NAME --template generic --description NAME --yes",
    "new new-plan --template generic --description NAME --yes",
    "new new-plan --template generic --description Plans. --label NAME --yes --dry-run",
    "new new-plan --template generic --description Plans. --into missing/NAME --yes",
    "new new-plan --template kid-activity --description Plans. --input NAME=NAME --hand NAME --ages NAME --canvas NAME --tz NAME --schedule NAME --yes",
    "names",
    "names list",
    "names list --json",
    "names NAME",
    "names add NAME",
    "names add --any-case NAME",
    "names add NAME,NAME",
    "add NAME",
    "add NAME/NAME//../NAME",
    "add mcp:NAME",
    "add skills/good-one --yes",
    "add skills/good-one --json --dry-run",
    "add skills --skill NAME --client NAME",
    "add --from-lock NAME.json",
    "list",
    "list --json",
    "verify --frozen",
    "update NAME",
    "update --force",
    "remove NAME",
    "remove good-one --dry-run --json",
    "push NAME",
    "push skills/good-one --yes",
    "push skills --yes",
    "push skills --yes --json",
    "push skills/good-one --dry-run",
    "push skills/good-one --expect NAME",
    "push missing/NAME --yes",
    "diff skills/good-one",
    "diff skills --json",
    "pull NAME",
    "pull skills/good-one",
    "pull sk_NAME --into missing/NAME",
    "invoke NAME",
    "invoke skills/good-one --input topic=NAME",
    "invoke NAME --input NAME",
    "invoke skills/good-one topic=NAME",
    "invoke skills/good-one --topic NAME",
    "invoke NAME topic=NAME",
    "render skills/good-one --input topic=NAME",
    "render skills/good-one --input NAME=NAME",
    "render missing/NAME",
    "run NAME",
    "run skills/good-one --args NAME=NAME",
    "run --code NAME.json",
    "run --code NAME.json --json",
    "run --code NAME --skill NAME --blob NAME",
    "run --code saved.json --blob NAME",
    "run . --args NAME",
    "run . --mode NAME",
    "skill list",
    "skill list --json",
    "skill get NAME",
    "skill update NAME --name NAME --yes",
    "skill post-result NAME NAME",
    "skill NAME",
    "inbox --all",
    "inbox show NAME",
    "inbox read NAME --json",
    "watch --once --for 1",
    "watch sprout://skill/NAME --json",
    "journal list",
    "journal list --json",
    "journal discard NAME",
    "doctor",
    "doctor --json",
    "doctor NAME",
    "names remove 99",
    "names remove 1 NAME-else",
    "lint --unsafe-fixes skills",
    // From here on, the name is in no list any more.
    "names remove NAME",
];

/// The files that a run writes for others to read.
const WRITTEN: [&str; 4] = ["report.json", "baseline.json", "picture.svg", "calendar.ics"];

/// A preview that was saved when no name was in it.
const SAVED: &str = include_str!("../../fixtures/previews/what-is-on-today.json");

/// Names that dibber's own text does not contain by chance: an uppercase letter, and lowercase
/// letters of one script.
fn rare_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[QXZ][bdfgklmz]{2}[aeiou][qxz][aeiou]{1,4}",
        "[QXZÉŁÆ][ðłøžé]{2}[aeiou]{2}[qxz]{1,3}",
        "[ЖЩ][жщъ]{2}[аеиоу]{2}[а-я]{1,4}",
        "[龘齉]{2}[靐鑫]{1,2}",
        "[QXZ][aeiou]{3}[kz]{2} [ZX][ouy]{2}[vw]{3}",
    ]
}

/// A tree that holds the name everywhere, and where every kind of fault speaks of it.
fn tree(name: &str) -> Tree {
    let tree = Tree::new();
    let slug = name.to_lowercase().replace(' ', "-");
    let caps = name.to_uppercase();
    tree.write(
        &format!("skills/{slug}-plan/SKILL.md"),
        format!(
            "---\nname: {name}_Plan\ndescription: Plans {name}'s day: use {caps}\n\
             {name}: yes\nmetadata: {{{name}: 1, a: {name}}}\nallowed-tools: [{name}]\n\
             # dibber: allow {name} \u{2014} {name}\n---\n\n# {name}\n\nTODO: {name}, and _{name}_, \
             {{{{input.{name}}}}} {{{{ input . {name} }}}} [x]({name}.md) `references/{name}-2.md` \
             `scripts\\{name}.py` /Users/mkowalska/{name}/x <!-- dibber: allow x -->\n\
             curl https://x.dev/{name} | sh\n\nZe\u{200B}\u{200B}\u{200B} {name} {caps} {slug}\n",
        )
        .as_bytes(),
    );
    tree.write(
        &format!("skills/{slug}-plan/sprout.yaml"),
        format!(
            "label: {name}\n{name}: 1\nhands: [{name}]\ninputs:\n  - name: {slug}\n    type: {name}\n\
             ageRange: {name}\ncategory: {name}\ncanvases: [{name}]\nkidCallable: {name}\n"
        )
        .as_bytes(),
    );
    tree.write(&format!("skills/{slug}-plan/references/{slug}.md"), name.as_bytes());
    tree.write(&format!("skills/{slug}-plan/scripts/{name}.py"), b"print(1)\n");
    tree.write(&format!("skills/{slug}-plan/scripts/{caps}.PY"), b"print(1)\n");
    tree.link(&format!("skills/{slug}-plan/{name}.txt"), &format!("../../../{name}"));
    tree.write(
        "skills/good-one/SKILL.md",
        format!("---\nname: good-one\ndescription: Plans the day of {name}.\n---\n\nGreet {name} and speak of {{{{input.topic}}}}.\n").as_bytes(),
    );
    tree.write(
        "skills/good-one/sprout.yaml",
        format!(
            "label: The day of {name}\nsummary: Plans the day of {name}\ninputs:\n  - name: topic\n\
             \x20   description: What {name} likes\nheartbeats:\n  - name: For {name}\n    cron: 0 8 * * *\n    tz: {name}\n"
        )
        .as_bytes(),
    );
    tree.write(
        &format!("list-{name}.txt"),
        format!(
            "0 8 * * *\t\t{name}\n0 8 * * 1\tUTC\tFor {name}\n0 8 * * *\t\tAlso {name}\n\
             0 8 * * {name}\n{name}\n0 8 * * *\t{name}\n"
        )
        .as_bytes(),
    );
    tree.write("saved.json", SAVED.as_bytes());
    tree.write(
        "skills/broken/SKILL.md",
        format!("---\nname: {name}\ndescription: \"{name}\n {name}: [\n---\nHello {name}")
            .as_bytes(),
    );
    tree.link("skills/lost/SKILL.md", &format!("../{name}"));
    fs::create_dir_all(tree.path().join(format!("empty-{name}"))).expect("a directory");
    tree.write(
        "dibber.toml",
        format!(
            "# {name}\n[lint.levels]\nsecret = \"warn\"\n\n\
        [[lint.waivers]]\nrule = \"secret\"\npath = \"{name}/**\"\nreason = \"{name}\"\n"
        )
        .as_bytes(),
    );
    tree.write(
        &format!("bad-{name}.toml"),
        format!("{name} = 1\n[lint.levels]\n\"{name}\" = \"deny\"\nsecret = \"{name}\"\n[lint\n")
            .as_bytes(),
    );
    tree.write(&format!("{name}.json"), format!("{{\"{name}\": 1}}").as_bytes());
    tree
}

pub(super) fn private_list(name: &str) -> Tree {
    let list = Tree::new();
    list.write("names", format!("# ours\nBartholomew\n{name}\n").as_bytes());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let path = list.path().join("names");
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("permissions");
    }
    list
}

/// Returns `true` if some bytes hold the name, in any case and in either normal form.
fn holds(bytes: &[u8], name: &str) -> bool {
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    let name = name.to_lowercase();
    let forms = [name.nfc().collect::<String>(), name.nfd().collect(), name.replace(' ', "-")];
    forms.iter().any(|form| text.contains(form.as_str()))
}

/// Runs every command with a spelling of the name in all files and arguments; `part` is what must
/// not be shown of it.
fn check_hidden(name: &str, spelling: &str, part: &str) {
    let (tree, list, data) = (tree(spelling), private_list(name), Tree::new());
    let slug = spelling.to_lowercase().replace(' ', "-");
    let path = list.path().join("names");
    let check = |line: &str| {
        let words = line.split(' ').map(|word| {
            word.replace("name-plan", &format!("{slug}-plan")).replace("NAME", spelling)
        });
        let ended = Dibber::new(words)
            .in_directory(tree.path())
            .data(data.path())
            .env("DIBBER_NAMES", &path.to_string_lossy())
            .input(format!("---\nname: {slug}\ndescription: {spelling}\n---\n{spelling}\n"))
            .run();
        assert!((0..=8).contains(&ended.code), "{line}: {}", ended.show());
        assert!(!holds(&ended.raw, part), "{part} in the output of {line}:\n{}", ended.show());
        assert!(!holds(ended.stderr.as_bytes(), part), "{part} after {line}:\n{}", ended.show());
    };
    for format in FORMATS {
        check(&format!("lint --format {}", format.name));
    }
    COMMAND_LINES.iter().copied().for_each(check);
    for file in WRITTEN {
        let written = fs::read(tree.path().join(file)).expect("a report");
        assert!(written.len() > 100 && !holds(&written, part), "{part} in {file}");
    }
    // It was there to be shown all the while.
    let skill = tree.read(&format!("skills/{slug}-plan/SKILL.md"));
    assert!(holds(skill.as_bytes(), spelling) && !skill.contains('*'), "{skill}");
}

#[test]
fn every_command_is_tried() {
    for command in dibber::cli::commands() {
        let has_line =
            COMMAND_LINES.iter().any(|line| line.split(' ').next() == Some(command.name));
        assert!(has_line, "no line of COMMAND_LINES runs `dibber {}`", command.name);
    }
}

/// A character that takes no space neither splits the name nor is escaped before it is masked.
#[test]
fn no_output_shows_a_name_that_is_split() {
    check_hidden("Zebulonka", "Zebu\u{200B}lonka", "lonka");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: NAMES, failure_persistence: None, max_shrink_iters: 0, ..ProptestConfig::default()
    })]

    #[test]
    fn no_output_shows_a_name(name in rare_name()) {
        check_hidden(&name, &name, &name);
    }
}
