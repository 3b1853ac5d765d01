//! dibber, a command-line tool for Agent Skills, as a library.
//!
//! # Packages
//!
//! A package depends only on floors below its own, so the compiler rejects any other import.
//! Inside a package with several modules, the table in its crate documentation does the same,
//! and a test reads it. Another test rejects files that import one another in a circle: types that
//! many files need have files of their own, and `mod.rs` only lists and re-exports.
//!
//! | floor | package | contents | never |
//! |---|---|---|---|
//! | 0 | `text` | byte spans, source files, messages that mark what they quote, masking and escaping of untrusted text, similar names; JSON without duplicate keys; opening files that may be hostile, replacing them whole, private files, locks; isolation of panics | printing |
//! | 1 | `sandbox` | running untrusted Python functions in processes that can reach nothing; its launcher, its limits, its probe; the only `unsafe` code | knowing skills or servers |
//! | 1 | `schedule` | cron, fires, cap, conflicts; cadence in words and pictures; the present is an argument | I/O, a clock |
//! | 2 | `skill` | `SKILL.md`, `sprout.yaml`, `skill.toml`, `dibber.toml`, names, contract types, hashes, drafts and analyzers, scaffolds | printing |
//! | 3 | `authorization` | the rules of an authorization server: OAuth requests, redirect URIs, proof keys, scopes, metadata | I/O, a clock, random numbers |
//! | 3 | `lint` | rules, levels, waivers, fixes, baselines, reports; files are read through `skill`'s `discover` | opening files itself, printing |
//! | 3 | `protocol` | skills of the Skills Protocol: the index of their folders, their files, planning and judging their runs | a store, the network, printing |
//! | 4 | `catalog` | skills in folders, described and digested; their files in memory; the forms in which clients find them | talking to a server, printing |
//! | 5 | `client` | connections over HTTP, to programs and in memory; configured servers, tokens, retries, idempotency, typed calls; publishing | knowing `server` |
//! | 5 | `server` | store, families, skill and heartbeat services, the endpoints of MCP and the Skills Protocol, resources, authorization | knowing `client` |
//! | 6 | `dibber` | `cli`: a file per command; the only place with clap, stdout, exit codes and the clock | logic another caller would want |
//!
//! What the packages never do is as important as what they contain:
//!
//! - There is no second way to a server: the embedded server is the server package, connected to the
//!   client package in memory. `client` and `server` do not know each other.
//! - Only this package prints, exits, reads a clock or asks a question. The present, the user's
//!   configuration and the private list of names are arguments of everything below.
//! - Nothing in a file or an answer of a server is trusted: it has limits before it is parsed, and is
//!   escaped before it is shown. No secret and no child's name is shown in any format.
//! - Nothing is changed that was not shown before: fixes, scaffolds, pushes and heartbeats are planned
//!   first, and `--dry-run` and the real run use the same plan.
//! - No file is ever half written: it is written beside its target and renamed.
//! - There is no unbounded queue, loop, file or depth; each has a named limit with its unit.
//! - There is no `unsafe` code but that of `sandbox`, and no procedural macro of our own: `message!` marks what a message
//!   quotes, and the others only repeat the columns of SQL statements.
//!
//! # How data flows
//!
//! - `dibber lint`: paths → discovery → bytes → skill → rules → findings → levels and waivers →
//!   diagnostics → report → stdout. Threads check skills, and results are put back in order, so that
//!   only a few skills are in memory at a time. `--fix` repeats the part from the skill to its
//!   diagnostics until nothing is left to repair.
//! - `dibber dry-run`: skill and `sprout.yaml` → draft → analyzers → policy decision, and canonical
//!   JSON → specHash → preview.
//! - `dibber push`: the same draft → the server's preview → a question → commit with the hash of what
//!   was shown → `dibber.lock`. `dibber pull` goes from the stored skill back to the files.
//! - `dibber heartbeat preview`: cron expression and time zone → fires → cap, conflicts, words,
//!   pictures.
//! - `dibber serve`: connection → tool → checked arguments → store, in one transaction → envelope.
//! - `dibber serve --skills`: message → calls → checked parameters → index of the skills, or a blob, or a
//!   plan that waits for its turn → sandbox → result of the run → record → answer.
//!
//! ## One write, from the command to the disk and back
//!
//! An answer may be lost, and either side may crash at any moment. The write still takes effect once,
//! because its idempotency key is on the client's disk before the first byte is sent, and on the
//! server's disk in the same transaction as the write itself.
//!
//! ```text
//! command        journal (client)        connection         server                 store
//!    │  begin       │                        │                 │                     │
//!    ├─────────────►│ entry with a new key,  │                 │                     │
//!    │              │ or that of the same    │                 │                     │
//!    │◄─────────────┤ unfinished write       │                 │                     │
//!    │  call with the key                    │                 │                     │
//!    ├──────────────────────────────────────►├────────────────►│ in flight: a repeat │
//!    │              │                        │                 │ of the key is       │
//!    │              │                        │                 │ refused meanwhile   │
//!    │              │                        │                 ├────────────────────►│ one transaction:
//!    │              │                        │                 │                     │ claim the key,
//!    │              │                        │   lost answer:  │                     │ write, record
//!    │              │                        │   same key sent │◄────────────────────┤ the answer
//!    │              │                        │◄─── again ──────┤ answer, or the      │
//!    │◄──────────────────────────────────────┤                 │ recorded one        │
//!    │  record in dibber.lock                │                 │                     │
//!    │  finish      │                        │                 │                     │
//!    ├─────────────►│ entry removed          │                 │                     │
//! ```
//!
//! A crash before `finish` leaves the entry, and the same command resumes the write with the same key.
//! If the answer is still missing after all retries, the exit code is 7: the outcome is unknown.
//!
//! # Exit codes
//!
//! - 0: done; 1: findings; 2: usage, or an invalid configuration or path.
//! - 3, 4 and 5: `BAD_INPUT`, `PERMISSION_DENIED` and `DOMAIN_NOT_FOUND`.
//! - 6: the server failed, cannot be reached, or has not done what it answered.
//! - 7: the outcome of a write is unknown.
//! - 8: a skill or code was run, and failed.
//! - 101: a panic outside the work on one skill; 130: interrupted.
//!
//! # Where to look
//!
//! | for | see |
//! |---|---|
//! | a rule, its documentation and its examples | `crates/lint/src/rules`, `fixtures/rules` |
//! | why a finding is reported or not | `crates/lint/src/judge`, `crates/lint/src/waivers` |
//! | reading frontmatter, valid or broken | `crates/skill/src/skill` |
//! | `sprout.yaml` and its JSON Schema | `crates/skill/src/manifest`, `crates/skill/schema` |
//! | `skill.toml` of the Skills Protocol | `crates/skill/src/protocol` |
//! | from a skill to the arguments of a call, and the policy decision | `crates/skill/src/draft` |
//! | which directories are skills | `crates/skill/src/discover` |
//! | the private list of children's names | `crates/skill/src/names` |
//! | when a schedule fires, conflicts, words, pictures | `crates/schedule/src` |
//! | report formats | `crates/lint/src/report` |
//! | calls of the Skills Protocol at any server | `crates/client/src/skills_protocol`, `src/cli/remote/protocol` |
//! | the journal, retries and publishing | `crates/client/src/journal`, `crates/client/src/publish` |
//! | what agents may do, and the pages on which grown-ups allow it | `crates/authorization`, `crates/server/src/authorization`, `crates/server/src/http/pages` |
//! | the tools of the server | `crates/server/src/tools` |
//! | the store, its tables and migrations | `crates/server/src/store` |
//! | what agents read | `crates/server/guides` |
//! | the commands | `src/cli`, those that need a server in `src/cli/remote` |
//! | templates of `dibber new` | `templates`, `crates/skill/src/scaffold` |
//!
//! `CONTRIBUTING.md` lists the files to change for a new rule, format, command, tool, migration or
//! template.
//!
//! # Glossary
//!
//! | term | meaning |
//! |---|---|
//! | skill | a directory with a `SKILL.md` and the files beside it, as the Agent Skills specification defines it |
//! | frontmatter, body, bundle | the YAML at the top of `SKILL.md`; the Markdown below it; the files beside it |
//! | slug, label | the two names of a skill: `name` in `SKILL.md`, and the title under which Sprout shows it |
//! | manifest | `sprout.yaml`: how a skill is published |
//! | hand | a tool that a published skill declares that it uses |
//! | canvas | a surface for which a skill is offered |
//! | kid-callable | a child may launch the skill |
//! | placeholder, input | `{{input.name}}` in a prompt, and the value that replaces it at a run |
//! | roster | the private list of children's names; findings show only the number of an entry |
//! | finding, diagnostic | what a rule reports at a place; the same with level, excerpt and help, ready to be shown |
//! | rule, group, level | a check with an id; rules of one subject; `allow`, `warn` or `deny` |
//! | help, fix | advice in words; an edit that `--fix` applies, safe or unsafe |
//! | waiver | a comment or setting that allows a finding, with a reason |
//! | baseline | a file with the findings that are already known |
//! | draft | the exact arguments of `skill_write`, each with the bytes of the file from which it came |
//! | analyzer | a check of these arguments; the client and the server run the same ones |
//! | safety check | a program of the user's that judges what is published to the server in this program |
//! | policy decision | `allow`, `review` or `refuse`, with reasons |
//! | preview | what a person sees before agreeing: the draft, the decision and the hash |
//! | specHash | SHA-256 of the canonical JSON of a draft; it binds what was shown to what is committed |
//! | contentHash | the hash of a stored skill, by which an overwrite of another writer's change is noticed |
//! | dry-run, commit | the two steps of a write: the first only previews, the second echoes the specHash |
//! | lock | `dibber.lock`: which skill of which server was published from a directory |
//! | push conflict | a skill that was changed both in its directory and on the server since it was published |
//! | merge base | what was last published or pulled; a merge compares both sides with it |
//! | envelope | the shape of every answer of the server: a success or an error, and the next step |
//! | idempotency key | names one write, so that a repeated call takes effect once; recorded for 24 hours |
//! | journal | a file for each write whose outcome is not known yet |
//! | in flight | a call that the server is working on |
//! | replayed | an answer that was recorded for its key and is returned again |
//! | cursor | the place in a list where the next page begins |
//! | family, member | who shares skills and heartbeats: parents, children, and what acts for them |
//! | scope, grant | what a token may be used for, such as `skill:write`; what a grown-up has allowed a client |
//! | heartbeat | a schedule on which a skill runs |
//! | cron expression, schedule | five fields of local time; the same with a time zone |
//! | cadence | the rhythm of a schedule, and its words: "Every weekday at 8am ET" |
//! | fire | one instant at which a heartbeat runs |
//! | cap, peak | at most four fires in any 24 hours; the most that a schedule has |
//! | heartbeat conflict | two heartbeats that fire at the same time, or nearly so |
//! | fold, gap | local time that a clock change repeats, or skips |

pub mod cli;
