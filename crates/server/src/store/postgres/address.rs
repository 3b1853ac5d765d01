//! The URL of a PostgreSQL database.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use postgres::Config;
use postgres::config::{Host, SslMode};

use dibber_text::escape_line;

/// How long to wait for a connection, unless the URL has `connect_timeout`.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long to wait for the acknowledgement of what was sent, unless the URL has `tcp_user_timeout`.
const ACKNOWLEDGE_TIMEOUT: Duration = Duration::from_secs(30);

/// The name under which the connections are listed in `pg_stat_activity`.
const APPLICATION_NAME: &str = "dibber";

/// The URL of a PostgreSQL database. What is shown of it contains no password.
#[derive(Clone)]
pub struct PostgresAddress {
    pub(super) config: Arc<Config>,
    pub(super) encryption: Encryption,
}

/// How a connection is encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Encryption {
    /// It is not.
    None,
    /// With TLS, after the certificate and the host of the server were verified.
    Verified {
        /// The file with the certificates of the authorities; those of the system if there is none.
        authorities: Option<PathBuf>,
    },
}

/// Why a URL of PostgreSQL is invalid. It does not quote the URL, which may have a password.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidUrl {
    /// It cannot be parsed.
    Syntax,
    /// It names no host.
    NoHost,
    /// It names no user.
    NoUser,
    /// `sslmode` has a value that falls back to a connection without encryption.
    OptionalTls,
    /// `sslmode` has an unknown value.
    UnknownSslMode,
    /// `sslrootcert` is given, but nothing is encrypted.
    CertificateWithoutTls,
    /// A value is not percent-encoded UTF-8.
    Encoding,
}

impl PostgresAddress {
    /// Parses a URL such as `postgres://USER@HOST:PORT/NAME?sslmode=require`.
    ///
    /// A connection to another computer is encrypted, and the certificate is verified, unless
    /// `sslmode` is `disable`. One to this computer is not, unless `sslmode` says so.
    ///
    /// # Errors
    /// If it is invalid, or `sslmode` would let the server decide about encryption.
    pub fn parse(url: &str) -> Result<Self, InvalidUrl> {
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut ssl_mode, mut authorities, mut others) = (None, None, Vec::new());
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').ok_or(InvalidUrl::Syntax)?;
            match name {
                "sslmode" => ssl_mode = Some(decode(value)?),
                "sslrootcert" => authorities = Some(PathBuf::from(decode(value)?)),
                _ => others.push(parameter),
            }
        }
        let mut config = Config::from_str(&format!("{base}?{}", others.join("&")))
            .map_err(|_| InvalidUrl::Syntax)?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(InvalidUrl::NoHost);
        }
        if config.get_user().is_none() {
            return Err(InvalidUrl::NoUser);
        }
        let encryption = match ssl_mode.as_deref() {
            None if authorities.is_none() && is_local(&config) => Encryption::None,
            None | Some("require" | "verify-ca" | "verify-full") => {
                Encryption::Verified { authorities }
            }
            Some("disable") if authorities.is_some() => {
                return Err(InvalidUrl::CertificateWithoutTls);
            }
            Some("disable") => Encryption::None,
            Some("allow" | "prefer") => return Err(InvalidUrl::OptionalTls),
            Some(_) => return Err(InvalidUrl::UnknownSslMode),
        };
        config.ssl_mode(match encryption {
            Encryption::None => SslMode::Disable,
            Encryption::Verified { .. } => SslMode::Require,
        });
        set_defaults(&mut config);
        Ok(Self { config: Arc::new(config), encryption })
    }

    /// Sets the password, if the URL has none.
    pub fn set_default_password(&mut self, password: &str) {
        if self.config.get_password().is_none() {
            Arc::make_mut(&mut self.config).password(password);
        }
    }

    /// Returns `true` if passwords and content cross a network that others may read.
    pub(in crate::store) fn is_unencrypted(&self) -> bool {
        self.encryption == Encryption::None && !is_local(&self.config)
    }
}

fn set_defaults(config: &mut Config) {
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT_TIMEOUT);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(ACKNOWLEDGE_TIMEOUT);
    }
    if config.get_application_name().is_none() {
        config.application_name(APPLICATION_NAME);
    }
}

/// Returns `true` if every host is this computer.
fn is_local(config: &Config) -> bool {
    let is_loopback = |host: &str| {
        host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
    };
    let mut addresses = config.get_hostaddrs().iter();
    if config.get_hostaddrs().is_empty() {
        return config.get_hosts().iter().all(|host| match host {
            Host::Tcp(name) => is_loopback(name),
            #[cfg(unix)]
            Host::Unix(_) => true,
        });
    }
    addresses.all(IpAddr::is_loopback)
}

/// Decodes a value of the query of a URL.
fn decode(value: &str) -> Result<String, InvalidUrl> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, after @ ..] = rest else { return Err(InvalidUrl::Encoding) };
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|it| u8::try_from(it).ok());
        let (Some(high), Some(low)) = (digit(*high), digit(*low)) else {
            return Err(InvalidUrl::Encoding);
        };
        bytes.push(high << 4 | low);
        rest = after;
    }
    String::from_utf8(bytes).map_err(|_| InvalidUrl::Encoding)
}

impl fmt::Display for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let config = &self.config;
        let mut text = format!("postgres://{}@", config.get_user().unwrap_or_default());
        let hosts = config.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) if name.contains(':') => format!("[{name}]"),
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(path) => path.to_string_lossy().replace('/', "%2F"),
        });
        let mut hosts: Vec<String> = hosts.collect();
        if hosts.is_empty() {
            hosts = config.get_hostaddrs().iter().map(ToString::to_string).collect();
        }
        let ports = config.get_ports();
        for (number, host) in hosts.iter_mut().enumerate() {
            if let Some(port) = ports.get(number).or(ports.first()) {
                *host += &format!(":{port}");
            }
        }
        text += &hosts.join(",");
        text += &format!("/{}", config.get_dbname().or(config.get_user()).unwrap_or_default());
        f.write_str(&escape_line(&text))
    }
}

impl fmt::Debug for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PostgresAddress").field(&self.to_string()).finish()
    }
}

impl InvalidUrl {
    pub(in crate::store) fn help(&self) -> &'static str {
        match self {
            Self::Syntax | Self::Encoding | Self::NoHost | Self::NoUser => {
                "write `postgres://USER:PASSWORD@HOST:5432/NAME`; in a user, a password or a name, \
                 write `@`, `:`, `/` and `?` as `%40`, `%3A`, `%2F` and `%3F`"
            }
            Self::OptionalTls | Self::UnknownSslMode => {
                "write `sslmode=require` to encrypt and verify, or `sslmode=disable`"
            }
            Self::CertificateWithoutTls => "write `sslmode=require`, or leave out `sslrootcert`",
        }
    }
}

impl fmt::Display for InvalidUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => "the URL is invalid",
            Self::NoHost => "the URL names no host",
            Self::NoUser => "the URL names no user",
            Self::OptionalTls => "`sslmode` must not fall back to an unencrypted connection",
            Self::UnknownSslMode => "`sslmode` has an unknown value",
            Self::CertificateWithoutTls => "`sslrootcert` is for an encrypted connection",
            Self::Encoding => "a value of the URL is not percent-encoded UTF-8",
        })
    }
}

impl std::error::Error for InvalidUrl {}
