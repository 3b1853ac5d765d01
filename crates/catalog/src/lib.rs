//! Folders of Agent Skills as described, digested skills, and the forms in which clients find them.
//!
//! A skill is written once and found by many clients. A [`Catalog`] is read from folders: what each skill
//! says of itself ([`SkillDescription`]), its files with their digests ([`ListedFile`]), and one
//! [`Digest`] for the whole. [`SkillContents`] is a skill in memory, wherever it comes from: a folder, an
//! archive or a server. Nothing here talks to a server; git does, where a repository is a source.
//!
//! # Modules
//!
//! A module imports only from floors below its own. A test reads this table and fails on any other import.
//!
//! | floor | module | contents | never |
//! |---|---|---|---|
//! | 0 | `clients` | the clients that load skills, and where they look for them | I/O |
//! | 0 | `digest` | SHA-256 digests as text | I/O |
//! | 0 | `media_type` | media types of files by their names | I/O |
//! | 0 | `path` | the path of a file in a skill, and which paths collide | I/O |
//! | 0 | `skill_file` | parsing a skill file alone | I/O |
//! | 1 | `description` | what a skill says of itself in its frontmatter | I/O |
//! | 1 | `fingerprint` | whether the files of skills have changed | reading files |
//! | 1 | `skill_uri` | URIs of the files of skills | I/O |
//! | 2 | `contents` | the files of a skill in memory, their list, and the digest of the whole | I/O |
//! | 3 | `archive` | zip and tar files: reading those of anyone into memory, writing the same bytes everywhere | I/O |
//! | 3 | `folder` | from a directory to the files of a skill | following links |
//! | 4 | `added` | skills that were added: their lock file, installing, updating, removing, verifying | fetching, running |
//! | 4 | `catalog` | the skills of some folders, described and digested | |
//! | 4 | `pack` | packing a skill for a destination, with its rules | I/O |
//! | 5 | `acp` | skills in the Agent Client Protocol: announcing, reading, and adding them to an agent | I/O |
//! | 5 | `offer` | the skills that a server of MCP offers, by URI | |
//! | 5 | `review` | what a person has to know of a skill before it is installed: programs, findings, hints | running |
//! | 5 | `sources` | where skills come from: folders, archives, and git repositories through the system's git | checking out, running |
//! | 5 | `well_known` | the index of a site: planning and writing one, reading and checking those of others | the network |
//! | 6 | `follow` | the skills of folders as they change | following links |

pub mod acp;
pub mod added;
mod archive;
mod catalog;
mod clients;
mod contents;
mod description;
mod digest;
mod fingerprint;
mod folder;
mod follow;
mod media_type;
mod offer;
pub mod pack;
mod path;
pub mod review;
mod skill_file;
mod skill_uri;
pub mod sources;
pub mod well_known;

pub use archive::{
    Archive, ArchiveError, ArchiveFormat, ArchiveLayout, ArchiveLimits, ArchiveProblem,
    write_archive,
};
pub use catalog::{Catalog, CatalogProblem, CatalogSkill};
pub use clients::{SHARED_CLIENT, SKILL_CLIENTS, SkillClient};
pub use contents::{
    ContentsBuilder, ContentsError, ContentsLimits, FileContents, ListedFile, SkillContents,
    bundle_digest,
};
pub use description::{
    COMPATIBILITY_CHARACTERS_MAX, ClientFlags, DESCRIPTION_CHARACTERS_MAX, Description,
    SkillDescription, describe,
};
pub use digest::{Digest, InvalidDigest};
pub use fingerprint::fingerprint;
pub use folder::{FolderProblem, read_folder};
pub use follow::{FollowedFolders, read_body};
pub use media_type::media_type;
pub use offer::{DirectoryEntry, Offer, OfferProblem, OfferedFile, OfferedSkill, ReadOfferedError};
pub use path::{PathError, SkillPath};
pub use skill_uri::{escape_path, path_in_skill, skill_directory, skill_name};
