//! The index of skills at `/.well-known/agent-skills/` of a site: writing one, and reading those of others.
//!
//! What is written is version 0.2.0 of the discovery of Agent Skills. Reading is lenient, since several
//! shapes are in use under the same name.

mod artifact;
mod artifact_check;
mod disk_plan;
mod index;
mod index_problem;
mod index_version;
mod local_check;
mod own_index;
mod read_entry;
mod read_index;
mod site;

pub use artifact::{Artifact, IndexEntry};
pub use artifact_check::{ArtifactCheck, FetchedFile, check_artifact, contents_of};
pub use disk_plan::{SiteChange, SiteChangeKind, apply_site, plan_on_disk};
pub use index::{INDEX_SCHEMA, IndexFile, IndexedSkill, IndexedType};
pub use index_problem::IndexProblem;
pub use index_version::IndexVersion;
pub use local_check::{LocalCheck, check_directory};
pub use read_index::{ReadIndex, read_index};
pub use site::{INDEX_PATH, INDEX_PATH_OLD, Site, SiteFile, SiteProblem, plan_site};
