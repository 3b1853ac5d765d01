//! The files of `--tls-cert` and `--tls-key`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::error::CommandError;
use dibber_server::http::Tls;
use dibber_text::{file, message, quote_display, quote_path};

/// The most bytes of a file with certificates or a key (1 MiB).
const FILE_BYTES_MAX: u64 = 1 << 20;

#[derive(Args)]
pub(super) struct TlsFiles {
    /// Encrypt connections (HTTPS) with the certificate in this PEM file, which its chain follows
    #[arg(long, value_name = "FILE", requires = "tls_key", conflicts_with = "stdio")]
    tls_cert: Option<PathBuf>,
    /// The private key of the certificate, in a PEM file
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl TlsFiles {
    /// Returns `true` if connections are encrypted.
    pub(super) const fn is_given(&self) -> bool {
        self.tls_cert.is_some()
    }

    /// Reads the files, if they are given.
    pub(super) fn read(&self) -> Result<Option<Tls>, CommandError> {
        let (Some(certificate), Some(key)) = (&self.tls_cert, &self.tls_key) else {
            return Ok(None);
        };
        let tls = Tls::from_pem(&read(certificate)?, &read(key)?);
        tls.map(Some).map_err(|error| {
            CommandError::new(message![quote_path(certificate), ": ", quote_display(error)])
                .help("give the PEM files that your authority or `openssl req` has written")
        })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, CommandError> {
    let bytes = file::read_argument(path, FILE_BYTES_MAX);
    bytes.map_err(|error| CommandError::read(path, error))
}
