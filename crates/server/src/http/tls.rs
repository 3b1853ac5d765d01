//! Encryption: the certificate and the key of a server, and connections that use them.

use std::fmt;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

/// The protocol that is spoken inside of the encryption (RFC 7301).
const PROTOCOL: &[u8] = b"http/1.1";

/// What a server encrypts its connections with.
#[derive(Clone)]
pub struct Tls(TlsAcceptor);

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").finish_non_exhaustive()
    }
}

/// Why a certificate and a key cannot be used. It quotes neither.
#[derive(Debug)]
pub enum TlsError {
    /// The certificates are not in the PEM format.
    Certificate(pem::Error),
    /// The file has no certificate.
    NoCertificate,
    /// The key is not in the PEM format, or there is none.
    Key(pem::Error),
    /// The key is not that of the certificate, or is of a kind that is not supported.
    Unusable(rustls::Error),
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Certificate(error) => write!(f, "the certificate cannot be read: {error}"),
            Self::NoCertificate => f.write_str("the file contains no certificate"),
            Self::Key(error) => write!(f, "the private key cannot be read: {error}"),
            Self::Unusable(error) => {
                write!(f, "the certificate and the key cannot be used together: {error}")
            }
        }
    }
}

impl std::error::Error for TlsError {}

impl Tls {
    /// Parses a certificate, with those that lead to the authority after it, and its private key,
    /// both in the PEM format (RFC 7468).
    pub fn from_pem(certificates: &[u8], key: &[u8]) -> Result<Self, TlsError> {
        let certificates: Result<Vec<_>, _> =
            CertificateDer::pem_slice_iter(certificates).collect();
        let certificates = certificates.map_err(TlsError::Certificate)?;
        if certificates.is_empty() {
            return Err(TlsError::NoCertificate);
        }
        let key = PrivateKeyDer::from_pem_slice(key).map_err(TlsError::Key)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(certificates, key))
            .map_err(TlsError::Unusable)?;
        config.alpn_protocols = vec![PROTOCOL.to_vec()];
        Ok(Self(Arc::new(config).into()))
    }

    /// Returns what accepts a connection.
    pub(super) const fn acceptor(&self) -> &TlsAcceptor {
        &self.0
    }
}
