//! A browser without scripts, which keeps its cookies and fills in forms.

use std::io::{BufReader, Write};
use std::net::TcpStream;

use crate::support::server_process::{Answer, answer};

/// A browser.
#[derive(Clone, Default)]
pub(crate) struct Browser {
    address: String,
    cookie: Option<String>,
}

impl Browser {
    /// Creates a browser that speaks with the server at an address.
    pub(crate) fn new(address: &str) -> Self {
        Self { address: address.to_owned(), cookie: None }
    }

    /// Requests a page.
    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    /// Sends a form as a page of the server does.
    pub(crate) fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let origin = format!("http://{}", self.address);
        let headers = [("Origin", origin.as_str()), ("Sec-Fetch-Site", "same-origin")];
        self.send("POST", path, &headers, &form(fields))
    }

    /// Sends a form with other headers.
    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n", self.address);
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if let Some(cookie) = &self.cookie {
            head += &format!("Cookie: other=1; {cookie}\r\n");
        }
        if method == "POST" {
            head += &format!(
                "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n",
                body.len()
            );
        }
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).expect("it reads");
        let answer = answer(&mut BufReader::new(stream));
        if let Some(set) = answer.header("set-cookie") {
            self.cookie = set.split(';').next().map(str::to_owned);
        }
        answer
    }
}

/// Returns the body of a form.
pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// Returns the value of a hidden field of a page.
pub(crate) fn field(page: &Answer, name: &str) -> String {
    let start = format!("type=\"hidden\" name=\"{name}\" value=\"");
    let rest = page.body.split_once(&start).unwrap_or_else(|| panic!("{name}: {page:?}")).1;
    let value = rest.split_once('"').expect("a value").0;
    value.replace("&amp;", "&").replace("&quot;", "\"").replace("&lt;", "<")
}

/// Returns a parameter of the address that an answer leads to.
pub(crate) fn parameter(answer: &Answer, name: &str) -> Option<String> {
    // Headers are kept in lower case, which these values are in.
    let (_, query) = answer.header("location")?.split_once('?')?;
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
}
