//! The signature of what is sent to a webhook.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use dibber_text::hex;

/// Returns the header of a body that is sent at a time, in seconds since 1970: the time, and the HMAC
/// with SHA-256 (RFC 2104) of the time, a dot and the body. A receiver that compares the time with its
/// own clock accepts no old message a second time.
pub(super) fn signature(secret: &[u8], time: i64, body: &[u8]) -> String {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret).expect("a key of this algorithm has any length");
    mac.update(format!("{time}.").as_bytes());
    mac.update(body);
    format!("t={time},v1={}", hex(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_that_of_rfc_4231() {
        let mac = |key: &[u8], data: &[u8]| {
            let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key");
            mac.update(data);
            hex(mac.finalize().into_bytes())
        };
        assert_eq!(
            mac(&[0x0b; 20], b"Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
        assert_eq!(
            mac(b"Jefe", b"what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
        assert_eq!(
            mac(&[0xaa; 131], b"Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        );
        assert_eq!(signature(b"Jefe", 7, b"a"), format!("t=7,v1={}", mac(b"Jefe", b"7.a")));
    }
}
