//! The certificates of an authority of the user's own, which sign those of a server.

use std::fmt;
use std::path::Path;

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use dibber_text::file::{ReadError, read_regular};

/// The most bytes of a file with certificates (1 MiB).
const FILE_BYTES_MAX: u64 = 1 << 20;

/// The certificates that a server is trusted with, instead of those of the system.
#[derive(Clone)]
pub struct CertificateAuthority(Vec<CertificateDer<'static>>);

/// Why a file has no certificates that can be used.
#[derive(Debug)]
pub enum CertificateAuthorityError {
    /// It cannot be read.
    Read(ReadError),
    /// It contains none.
    Missing,
    /// One of them is invalid.
    Invalid,
}

impl CertificateAuthority {
    /// Reads the certificates of a PEM file.
    pub fn read(path: &Path) -> Result<Self, CertificateAuthorityError> {
        let pem = read_regular(path, FILE_BYTES_MAX).map_err(CertificateAuthorityError::Read)?;
        let certificates: Vec<_> = CertificateDer::pem_slice_iter(&pem)
            .collect::<Result<_, _>>()
            .map_err(|_| CertificateAuthorityError::Invalid)?;
        if certificates.is_empty() {
            return Err(CertificateAuthorityError::Missing);
        }
        let mut store = RootCertStore::empty();
        for certificate in &certificates {
            store.add(certificate.clone()).map_err(|_| CertificateAuthorityError::Invalid)?;
        }
        Ok(Self(certificates))
    }

    /// Returns the certificates for the HTTP client.
    pub(super) fn certificates(&self) -> Result<Vec<reqwest::Certificate>, reqwest::Error> {
        self.0.iter().map(|der| reqwest::Certificate::from_der(der)).collect()
    }
}

impl fmt::Debug for CertificateAuthority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CertificateAuthority({} certificates)", self.0.len())
    }
}

impl fmt::Display for CertificateAuthorityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(ReadError::Io(cause)) => write!(f, "it cannot be read: {cause}"),
            Self::Read(error) => write!(f, "it {error}"),
            Self::Missing => f.write_str("it contains no certificate"),
            Self::Invalid => f.write_str("it contains an invalid certificate"),
        }
    }
}
