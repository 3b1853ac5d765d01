//! A report whose paths begin at the root of the repository.

use super::format::Report;
use super::problem::Problem;
use super::repository::RepositoryPaths;
use super::summary::Summary;
use dibber_skill::diagnostic::Diagnostic;

/// Passes everything on to a report, with other paths.
pub(super) struct FromRoot {
    report: Box<dyn Report>,
    paths: RepositoryPaths,
}

impl FromRoot {
    pub(super) fn new(report: Box<dyn Report>, paths: RepositoryPaths) -> Self {
        Self { report, paths }
    }
}

impl Report for FromRoot {
    fn begin(&mut self, out: &mut Vec<u8>) {
        self.report.begin(out);
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let path = self.paths.from_root(&diagnostic.path);
        if path == diagnostic.path {
            return self.report.diagnostic(diagnostic, out);
        }
        self.report.diagnostic(&Diagnostic { path: path.into_owned(), ..diagnostic.clone() }, out);
    }

    fn problem(&mut self, problem: &Problem, out: &mut Vec<u8>) {
        let path = self.paths.from_root(&problem.path).into_owned();
        self.report.problem(&Problem { path, message: problem.message.clone() }, out);
    }

    fn checked(&mut self, path: &str, out: &mut Vec<u8>) {
        self.report.checked(&self.paths.from_root(path), out);
    }

    fn fixed(&mut self, path: &str, titles: &[String], out: &mut Vec<u8>) {
        self.report.fixed(&self.paths.from_root(path), titles, out);
    }

    fn end(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        self.report.end(summary, out);
    }
}
