//! The documents that describe clients, at the addresses that are their ids. A stranger has chosen the
//! address, so that nothing inside of the network of the server is reached with it.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use dibber_authorization::CLIENT_METADATA_BYTES_MAX;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};

/// How long a document may take.
const DOCUMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// Fetches the documents of clients. The connection is set up at the first one.
#[derive(Default)]
pub(crate) struct ClientDocuments(OnceLock<Option<Client>>);

impl ClientDocuments {
    /// Returns the document at an `https` address, or why it cannot be fetched.
    pub(super) async fn fetch(&self, address: &str) -> Result<Vec<u8>, &'static str> {
        const UNREACHABLE: &str = "the document at the address of the client cannot be fetched";
        let url = Url::parse(address).map_err(|_| "the address of the client is not a URL")?;
        // A name is looked up below; an address is not.
        if url.domain().is_none() {
            return Err("the address of the client has no name of a host");
        }
        let client = self.0.get_or_init(client).as_ref().ok_or(UNREACHABLE)?;
        let mut response = client.get(url).send().await.map_err(|_| UNREACHABLE)?;
        if !response.status().is_success() {
            return Err("there is no document at the address of the client");
        }
        let mut document = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|_| UNREACHABLE)? {
            document.extend(chunk);
            if document.len() > CLIENT_METADATA_BYTES_MAX {
                return Err("the document at the address of the client is too large");
            }
        }
        Ok(document)
    }
}

fn client() -> Option<Client> {
    // An error means that an earlier client has installed the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .timeout(DOCUMENT_TIMEOUT)
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .https_only(true)
        // A proxy would look names up itself.
        .no_proxy()
        .dns_resolver(Arc::new(PublicNames))
        .build()
        .ok()
}

/// Looks names up, and knows only addresses that everyone can reach.
struct PublicNames;

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|found| is_public(found.ip())).collect();
            if public.is_empty() {
                return Err(io::Error::from(io::ErrorKind::PermissionDenied).into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

/// Returns `true` for an address of the public network (RFC 6890), and not of this computer, a private
/// network, a link or a group.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match embedded_v4(address) {
            Some(embedded) => is_public_v4(embedded),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_shared = first == 100 && second & 0xc0 == 64;
    let is_benchmark = first == 198 && second & 0xfe == 18;
    let is_protocol = first == 192 && second == 0 && third == 0;
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_multicast()
        || is_shared
        || is_benchmark
        || is_protocol
        || first == 0
        || first >= 240)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_global = first & 0xe000 == 0x2000;
    let is_documentation = first == 0x2001 && second == 0xdb8;
    is_global && !is_documentation
}

/// Returns the IPv4 address in one of IPv6 that leads to it: mapped, translated (`64:ff9b::/96`) or 6to4.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let segments = address.segments();
    let from = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match segments {
        [0x2002, high, low, ..] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(from(high, low)),
        _ => address.to_ipv4_mapped(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_network_are_reached() {
        for text in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "192.0.0.8",
            "198.18.0.1",
            "203.0.113.1",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "::ffff:127.0.0.1",
            "64:ff9b::a00:1",
            "2002:7f00:1::",
            "2001:db8::1",
            "ff02::1",
        ] {
            assert!(!is_public(text.parse().expect(text)), "{text}");
        }
        for text in ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"] {
            assert!(is_public(text.parse().expect(text)), "{text}");
        }
    }

    #[tokio::test]
    async fn addresses_inside_are_refused() {
        let documents = ClientDocuments::default();
        for address in [
            "https://127.0.0.1/client",
            "https://2130706433/client",
            "https://[::1]/client",
            "https://localhost/client",
        ] {
            assert!(documents.fetch(address).await.is_err(), "{address}");
        }
    }
}
