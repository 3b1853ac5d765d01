//! dibber, the hand tool for Agent Skills, as a library.
//!
//! # Packages
//!
//! A package depends only on floors below its own, so the compiler rejects any other import.
//! Inside a package with several modules, the table in its crate documentation does the same,
//! and a test reads it.
//!
//! | floor | package | contents | never |
//! |---|---|---|---|
//! | 0 | `text` | byte spans, source files, escaping of untrusted text, similar names; opening files that may be hostile; isolation of panics | printing |
//! | 1 | `schedule` | cron, fires, cap, conflicts; cadence in words and pictures; the present is an argument | I/O, a clock |
//! | 2 | `skill` | `SKILL.md`, `sprout.yaml`, `dibber.toml`, names, contract types, hashes, drafts and analyzers, scaffolds | printing |
//! | 3 | `lint` | rules, levels, waivers, fixes, baselines, reports | I/O, printing |
//! | 3 | `client` | connection, tokens, retries, idempotency, typed calls; publishing | knowing `server` |
//! | 3 | `server` | store, families, skill and heartbeat services, MCP endpoint, resources, authorization | knowing `client` |
//! | 4 | `dibber` | `cli`: a file per command; the only place with clap, stdout, exit codes and the clock | logic another caller would want |
//!
//! # How data flows
//!
//! Paths → [`discover::find`](dibber_skill::discover::find) → skills that are not read yet → [`discover::load`](dibber_skill::discover::load) → bytes →
//! [`skill::Skill::parse`](dibber_skill::skill::Skill::parse) → a skill and its faults → [`lint::lint`](dibber_lint::lint) → findings, then levels,
//! waivers and places → diagnostics → [`report`](dibber_lint::report) → bytes → stdout.
//!
//! `cli::lint` does this for many skills at once, in threads, and puts what comes of each in
//! order again; no more than a few skills are in memory at a time. With `--fix`, [`lint::fix`](dibber_lint::fix)
//! goes through the middle of it, from the skill to its diagnostics, until nothing is left to
//! repair.
//!
//! A dry-run begins in the same way: a skill → [`draft::Draft`](dibber_skill::draft::Draft) → [`draft::analyze`](dibber_skill::draft::analyze) and
//! [`spec_hash`](dibber_skill::spec_hash) → the preview, the decision and the hash, or the faults that keep it uncertain
//! what would be sent.
//!
//! `dibber new` goes the other way: a template and answers → [`scaffold::plan`](dibber_skill::scaffold::plan) → the files of a
//! skill that is not there yet → [`lint::lint`](dibber_lint::lint) looks at them like at any other → a yes → the disk.
//!
//! The list of children's names is read once, by `cli::names_file` → a [`names::Roster`](dibber_skill::names::Roster) → the
//! rule `child-name` and the analyzers look for the names in it, and whatever is shown is masked
//! with it.
//!
//! A push begins like a dry-run and goes on to a server: a draft and what the server has of it →
//! `publish::change_of` → a page, a yes → one call for each skill → `publish::Lock`. What the
//! server has is compared with what was recorded by its [`content_hash`](dibber_skill::content_hash), so that the change of
//! another writer is not overwritten unseen. A pull comes back: a stored skill →
//! `publish::files_of` → the files of which it is the draft.
//!
//! A call goes: `cli::session` → `client`, which keeps a write in its journal, sends it and tries
//! again → a pair of pipes in this process, or HTTP → `server` → the tool's fields are checked →
//! the tool → the store, in one transaction → the envelope, and all the way back. There is no
//! other way for the server in this program.
//!
//! # Where to look
//!
//! - A rule: `crates/lint/src/rules/<its name>.rs`, with its documentation and what it finds. What several
//!   rules ask is beside them: `crates/lint/src/fields` knows the frontmatter, `crates/lint/src/files` links and the
//!   files they lead to, `crates/lint/src/texts` what may stand anywhere in a text, such as secrets.
//! - Why a finding is reported, or is not: `crates/lint/src/judge`, and from there `crates/lint/src/settings`,
//!   `crates/lint/src/levels` and `crates/lint/src/waivers`.
//! - How the frontmatter is read, and what is made of one that is broken: `crates/skill/src/skill/frontmatter`,
//!   then `crates/skill/src/skill/yaml` and `crates/skill/src/skill/recover`. How a broken one is repaired: `crates/lint/src/broken_yaml`.
//! - Which folders are listed, and what git ignores: `crates/skill/src/discover/tree` and `crates/skill/src/discover/ignore_files`;
//!   which skill a file belongs to: `crates/skill/src/discover/group`. How a file of a project is opened: [`file`](dibber_text::file).
//! - How a finding looks: `crates/lint/src/report/<format>.rs`.
//! - An option of the command line: `arguments` in `src/cli/lint`, `src/cli/dry_run` and `src/cli/new`; of a
//!   command that is one file, that file.
//! - A key of `sprout.yaml`: `crates/skill/src/manifest/keys` and `crates/skill/src/manifest/read`, and `crates/skill/schema/sprout.schema.json`.
//!   What becomes of it: `crates/skill/src/draft/build`.
//! - A reason of the policy decision: `crates/skill/src/draft/analyze/<what it is about>`; the rule of the same
//!   thing in `crates/lint/src/rules` has the documentation. The tools that a skill may name:
//!   `crates/skill/src/contract/tools`.
//! - Which skills have no hash: `crates/lint/src/drafted`. What a preview shows: `src/cli/dry_run/page`.
//! - What counts as a child's name: `crates/skill/src/names/entry`; how it is found in a text: `crates/skill/src/names/scan`.
//! - A template: `templates/<its name>`, and its line in `crates/skill/src/scaffold/templates`. The questions of
//!   `dibber new`: `src/cli/new/wizard`.
//! - What is wrong with a heartbeat of `sprout.yaml`: `crates/skill/src/draft/heartbeats`. When it fires:
//!   [`heartbeat`](dibber_schedule). What `dibber heartbeat preview` shows: `src/cli/heartbeat/page`.
//! - A tool of the server: `crates/server/src/tools/<its name>.rs`, with the fields that it takes and
//!   answers; how they become schemas and checks: `crates/server/src/shape` and `crates/server/src/arguments`. What an
//!   update has to pass: `Reason::gate` in `crates/skill/src/draft/analyze`.
//! - Why a heartbeat is refused, who may change it and what a parent hears first:
//!   `crates/server/src/heartbeats`. What an agent reads: `crates/server/guides/`, and `crates/server/src/guides`.
//! - What is kept, and how: `crates/server/src/store`; the tables are in `crates/server/src/store/sqlite/migrations`, and the
//!   one thread that writes is `crates/server/src/store/sqlite/writer`. What makes a repeated call the same call:
//!   `crates/server/src/idempotency`. Who is let in: `crates/server/src/http`.
//! - When a call is tried again, and what is known after it failed: `crates/client/src/retry_safety`,
//!   `crates/client/src/retry` and `crates/client/src/failure`; what makes a command resume: `crates/client/src/journal`.
//! - Which server is meant: `src/cli/remote/choice`. How an error of a server is shown, and the exit code:
//!   `src/cli/remote/refusal`.
//! - How text that nobody trusts is shown: [`text::escape`](dibber_text::escape), in every report and in `cli::ui`.
//!   What of it is replaced by `*`: `src/cli/mask`, and `crates/lint/src/judge/conceal` for findings.

pub mod cli;
