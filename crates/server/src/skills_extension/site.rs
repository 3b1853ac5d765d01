//! The skills of directories as a site has them: `/.well-known/agent-skills`.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;

use dibber_catalog::well_known::{Site, SiteFile, SiteProblem, plan_site};
use dibber_catalog::{Catalog, ContentsLimits, Digest};
use dibber_text::message;

/// The most bytes of all files of a site (256 MiB), which are in memory.
const BYTES_MAX: usize = 256 << 20;

/// The files of a site, by their paths without a `/` before them.
#[derive(Debug, Default)]
pub(crate) struct ServedSite(HashMap<String, Arc<ServedSiteFile>>);

/// A file of a site.
#[derive(Debug)]
pub(crate) struct ServedSiteFile {
    pub(crate) bytes: Bytes,
    pub(crate) content_type: &'static str,
    /// Its entity tag: a digest in quotation marks.
    pub(crate) tag: String,
}

impl ServedSite {
    /// Makes the files. Returns also what is wrong.
    pub(super) fn new(catalog: &Catalog) -> (Self, Vec<SiteProblem>) {
        let Site { files, problems, .. } = plan_site(catalog, ContentsLimits::MCP);
        let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
        if bytes > BYTES_MAX {
            let message =
                message!["the index is empty: its files have more than ", BYTES_MAX >> 20, " MiB"];
            let path = String::new();
            let problem = SiteProblem { path, message, is_left_out: true };
            return (Self::default(), vec![problem]);
        }
        let file = |file: SiteFile| {
            let tag = format!("\"{}\"", Digest::of(&file.bytes).digits());
            let (bytes, content_type) = (file.bytes.into(), file.content_type);
            (file.path, Arc::new(ServedSiteFile { bytes, content_type, tag }))
        };
        (Self(files.into_iter().map(file).collect()), problems)
    }

    /// Returns the file at a path.
    pub(super) fn file(&self, path: &str) -> Option<Arc<ServedSiteFile>> {
        self.0.get(path).cloned()
    }
}
