//! Listening on this computer for the answer with which a browser is sent back (RFC 8252, section 7.3).

use std::net::Ipv4Addr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::error::SignInError;

/// The only path that is answered.
const PATH: &str = "/callback";
/// The most bytes of a request that are read.
const REQUEST_BYTES_MAX: usize = 16 << 10;
/// What is shown for the answer to the request, and for another one.
const ACCEPTED: (&str, &str) = ("200 OK", "dibber has the answer: you can close this page.");
const REFUSED: (&str, &str) =
    ("400 Bad Request", "That has not worked: the terminal says why. You can close this page.");
/// How long one request may take. Browsers open connections that they do not use.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(2);

/// A port of this computer to which a browser is sent back.
pub struct AnswerListener {
    listener: TcpListener,
    port: u16,
}

impl AnswerListener {
    /// Listens at the preferred port, if it is free; otherwise at any other one.
    ///
    /// # Errors
    /// If no port can be used.
    pub async fn bind(preferred: Option<u16>) -> Result<Self, SignInError> {
        let bind = async |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let listener = match bind(preferred.unwrap_or_default()).await {
            Err(_) if preferred.is_some() => bind(0).await,
            bound => bound,
        };
        let listener = listener.map_err(SignInError::Listen)?;
        let port = listener.local_addr().map_err(SignInError::Listen)?.port();
        Ok(Self { listener, port })
    }

    /// Returns the address to which the browser is to be sent.
    pub fn redirect_uri(&self) -> String {
        format!("http://{}:{}{PATH}", Ipv4Addr::LOCALHOST, self.port)
    }

    /// Waits for the answer, and shows the person in the browser what `check` says of it.
    ///
    /// # Errors
    /// That of `check`; or if this computer accepts no connection any more.
    pub async fn wait<T>(
        self,
        check: impl Fn(&str) -> Result<T, SignInError>,
    ) -> Result<T, SignInError> {
        loop {
            let (mut stream, _) = self.listener.accept().await.map_err(SignInError::Listen)?;
            let request = tokio::time::timeout(REQUEST_TIMEOUT, target(&mut stream)).await;
            let Ok(Some(target)) = request else { continue };
            if target.split('?').next() != Some(PATH) {
                show(&mut stream, "404 Not Found", "There is nothing here.").await;
                continue;
            }
            let checked = check(&target);
            let (status, text) = if checked.is_ok() { ACCEPTED } else { REFUSED };
            show(&mut stream, status, text).await;
            return checked;
        }
    }
}

/// Returns the path and the query of a request.
async fn target(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut part = [0; 2048];
        let read = stream.read(&mut part).await.ok()?;
        head.extend_from_slice(&part[..read]);
        if read == 0 || head.len() > REQUEST_BYTES_MAX {
            return None;
        }
    }
    let head = String::from_utf8(head).ok()?;
    let target = head.strip_prefix("GET ")?.split(' ').next()?;
    Some(target.to_owned())
}

/// Answers with a page. A browser that is gone does not matter.
async fn show(stream: &mut TcpStream, status: &str, text: &str) {
    let page = format!(
        "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>dibber</title>\
         <p>{text}</p></html>\n"
    );
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\n\
         Content-Length: {}\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n\
         Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{page}",
        page.len()
    );
    let written = async {
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await
    };
    let _ = tokio::time::timeout(REQUEST_TIMEOUT, written).await;
}
