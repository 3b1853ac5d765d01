//! dibber, the hand tool for Agent Skills, as a library.
//!
//! # The house
//!
//! A module imports only from floors below its own. A test reads this table and fails on any
//! import that climbs.
//!
//! | floor | module | what lives there | never |
//! |---|---|---|---|
//! | 0 | `text` | byte spans, source files, line index, escaping of untrusted text, likeness of names | I/O |
//! | 0 | `isolation` | running work so that a panic in it becomes an error with a place | printing |
//! | 0 | `contract` | wire types of every system, one file per tool family; limits as constants | logic |
//! | 0 | `file` | opening and reading files that may be hostile: regular ones, of a limited size | knowing what is in them |
//! | 1 | `skill` | `SKILL.md` and its folder as data; parsing never fails, it returns the value and the faults | I/O, serde |
//! | 1 | `heartbeat` | cron, next fires, the cap; the present is an argument | I/O, a clock |
//! | 1 | `spec_hash` | canonical JSON (RFC 8785) and the digest | I/O |
//! | 1 | `names` | children's names: the private list, finding them in a text, masking them | I/O |
//! | 1 | `diagnostic` | rule metadata, finding, labels, fix | printing |
//! | 2 | `content_hash` | the hash of the state that a skill is in | I/O |
//! | 2 | `manifest` | `sprout.yaml` as data with spans | I/O |
//! | 2 | `config` | `dibber.toml` as data with spans | I/O |
//! | 2 | `report` | findings to bytes, one file per format | knowing `lint` |
//! | 3 | `draft` | skill and manifest to the exact arguments of `skill_write`; the analyzers and the policy decision | I/O |
//! | 3 | `discover` | paths to skill folders; the only reader of skill trees | |
//! | 3 | `scaffold` | `templates/` and a few answers to the files of a new skill, as data | I/O, printing |
//! | 4 | `lint` | the runner, levels, waivers, fixes, baselines, and `rules` with a file per rule | I/O, printing |
//! | 4 | `publish` | `dibber.lock` as data; stored skill × draft to an update; stored skill to files | I/O, printing |
//! | 5 | `client` | connection, tokens, retries, idempotency, typed calls | knowing `server` |
//! | 5 | `server` | store, families, skill and heartbeat services, MCP endpoint, resources, authorization | knowing `client` |
//! | 6 | `cli` | a file per command; the only place with clap, stdout, exit codes and the clock | logic another caller would want |
//!
//! # How data flows
//!
//! Paths → [`discover::find`] → skills that are not read yet → [`discover::load`] → bytes →
//! [`skill::Skill::parse`] → a skill and its faults → [`lint::lint`] → findings, then levels,
//! waivers and places → diagnostics → [`report`] → bytes → stdout.
//!
//! `cli::lint` does this for many skills at once, in threads, and puts what comes of each in
//! order again; no more than a few skills are in memory at a time. With `--fix`, [`lint::fix`]
//! goes through the middle of it, from the skill to its diagnostics, until nothing is left to
//! repair.
//!
//! A dry-run begins in the same way: a skill → [`draft::Draft`] → [`draft::analyze`] and
//! [`spec_hash`] → the preview, the decision and the hash, or the faults that keep it uncertain
//! what would be sent.
//!
//! `dibber new` goes the other way: a template and answers → [`scaffold::plan`] → the files of a
//! skill that is not there yet → [`lint::lint`] looks at them like at any other → a yes → the disk.
//!
//! The list of children's names is read once, by `cli::names_file` → a [`names::Roster`] → the
//! rule `child-name` and the analyzers look for the names in it, and whatever is shown is masked
//! with it.
//!
//! A push begins like a dry-run and goes on to a server: a draft and what the server has of it →
//! [`publish::change_of`] → a page, a yes → one call for each skill → [`publish::Lock`]. What the
//! server has is compared with what was recorded by its [`content_hash`], so that the change of
//! another writer is not overwritten unseen. A pull comes back: a stored skill →
//! [`publish::files_of`] → the files of which it is the draft.
//!
//! A call goes: `cli::session` → `client`, which keeps a write in its journal, sends it and tries
//! again → a pair of pipes in this process, or HTTP → `server` → the tool's fields are checked →
//! the tool → the store, in one transaction → the envelope, and all the way back. There is no
//! other way for the server in this program.
//!
//! # Where to look
//!
//! - A rule: `lint/rules/<its name>.rs`, with its documentation and what it finds. What several
//!   rules ask is beside them: `lint/fields` knows the frontmatter, `lint/files` links and the
//!   files they lead to, `lint/texts` what may stand anywhere in a text, such as secrets.
//! - Why a finding is reported, or is not: `lint/judge`, and from there `lint/settings`,
//!   `lint/levels` and `lint/waivers`.
//! - How the frontmatter is read, and what is made of one that is broken: `skill/frontmatter`,
//!   then `skill/yaml` and `skill/recover`. How a broken one is repaired: `lint/broken_yaml`.
//! - Which folders are listed, and what git ignores: `discover/tree` and `discover/ignore_files`;
//!   which skill a file belongs to: `discover/group`. How a file of a project is opened: [`mod@file`].
//! - How a finding looks: `report/<format>.rs`.
//! - An option of the command line: `arguments` in `cli/lint`, `cli/dry_run` and `cli/new`; of a
//!   command that is one file, that file.
//! - A key of `sprout.yaml`: `manifest/keys` and `manifest/read`, and `schema/sprout.schema.json`.
//!   What becomes of it: `draft/build`.
//! - A reason of the policy decision: `draft/analyze/<what it is about>`; the rule of the same
//!   thing in `lint/rules` has the documentation. The tools that a skill may name:
//!   `contract/tools`.
//! - Which skills have no hash: `lint/drafted`. What a preview shows: `cli/dry_run/page`.
//! - What counts as a child's name: `names/entry`; how it is found in a text: `names/scan`.
//! - A template: `templates/<its name>`, and its line in `scaffold/templates`. The questions of
//!   `dibber new`: `cli/new/wizard`.
//! - What is wrong with a heartbeat of `sprout.yaml`: `draft/heartbeats`. When it fires:
//!   [`heartbeat`]. What `dibber heartbeat preview` shows: `cli/heartbeat/page`.
//! - A tool of the server: `server/tools/<its name>.rs`, with the fields that it takes and
//!   answers; how they become schemas and checks: `server/shape` and `server/arguments`. What an
//!   update has to pass: `Reason::gate` in `draft/analyze`.
//! - Why a heartbeat is refused, who may change it and what a parent hears first:
//!   `server/heartbeats`. What an agent reads: `guides/`, and `server/guides`.
//! - What is kept, and how: `server/store`; the tables are in `store/sqlite/migrations`, and the
//!   one thread that writes is `store/sqlite/writer`. What makes a repeated call the same call:
//!   `server/idempotency`. Who is let in: `server/http`.
//! - When a call is tried again, and what is known after it failed: `client/retry_safety`,
//!   `client/retry` and `client/failure`; what makes a command resume: `client/journal`.
//! - Which server is meant: `cli/choice`. How an error of a server is shown, and the exit code:
//!   `cli/refusal`.
//! - How text that nobody trusts is shown: [`text::escape`], in every report and in `cli::ui`.
//!   What of it is replaced by `*`: `cli/mask`, and `lint/judge/conceal` for findings.

pub mod cli;
#[cfg(feature = "client")]
pub mod client;
pub mod config;
pub mod content_hash;
pub mod contract;
pub mod diagnostic;
pub mod discover;
pub mod draft;
pub mod file;
pub mod heartbeat;
pub mod isolation;
pub mod lint;
pub mod manifest;
pub mod names;
pub mod publish;
pub mod report;
pub mod scaffold;
#[cfg(feature = "server")]
pub mod server;
pub mod skill;
pub mod spec_hash;
pub mod text;
