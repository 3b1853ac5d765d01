//! Downloads have limits of bytes and time, and redirects stay where they may lead.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use dibber_client::{Address, ClientError, Downloaded, Downloader};

/// Answers each request by its path until the program ends.
fn site() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream));
        }
    });
    address
}

fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let line = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = line.split(' ').nth(1).unwrap_or_default();
    let reply =
        |head: &str, body: &str| format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\n{body}");
    let text = match path {
        "/page" => reply("200 OK\r\nContent-Type: Text/Markdown; charset=utf-8", "0123456789"),
        "/moved" => reply("302 Found\r\nLocation: page#part", ""),
        "/round" => reply("302 Found\r\nLocation: /round", ""),
        "/away" => reply("302 Found\r\nLocation: http://example.invalid/page", ""),
        "/file" => reply("302 Found\r\nLocation: file:///etc/passwd", ""),
        "/cut" => reply("200 OK\r\nContent-Length: 20", "0123456789"),
        "/huge" => reply("200 OK\r\nContent-Length: 20000000000", "0123456789"),
        "/slow" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1")?;
            std::thread::sleep(Duration::from_secs(3));
            String::new()
        }
        _ => reply("404 Not Found", "nothing here"),
    };
    stream.write_all(text.as_bytes())
}

fn get(path: &str, bytes_max: u64) -> Result<Downloaded, ClientError> {
    let url: Address = format!("http://{}{path}", site()).parse().expect("a URL");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let downloader = Downloader::new(None, Duration::from_secs(1));
    runtime.expect("a runtime").block_on(downloader.get(&url, bytes_max))
}

#[test]
fn a_page_is_read_up_to_a_limit() {
    let page = get("/page", 10).expect("a page");
    assert!(page.is_found() && page.body == b"0123456789");
    assert_eq!(page.content_type.as_deref(), Some("text/markdown"));
    let moved = get("/moved", 10).expect("a page");
    assert_eq!((moved.url.path(), moved.body.len()), ("/page", 10));
    let missing = get("/none", 10).expect("an answer");
    assert!(missing.status == 404 && missing.body.is_empty());
}

#[test]
fn what_is_not_read_whole_is_an_error() {
    for (path, bytes_max, words) in [
        ("/page", 9, "larger than 9 bytes"),
        ("/huge", 1 << 20, "larger than"),
        ("/cut", 100, "reached, but"),
        ("/slow", 100, "no answer within 1 second"),
        ("/round", 100, "redirects more than 5 times"),
        ("/away", 100, "to another site without encryption"),
        ("/file", 100, "to what is not a URL"),
    ] {
        let error = get(path, bytes_max).expect_err(path).to_string();
        assert!(error.contains(words), "{path}: {error}");
    }
}
