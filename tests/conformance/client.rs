//! A client that lists the skills of a server and, with `--read`, reads the files of each, for the scenarios
//! of the conformance suite. The URL of the server is the last argument.

use std::process::ExitCode;

use dibber_catalog::ContentsLimits;
use dibber_client::{Client, Endpoint, Options};
use jiff::Timestamp;

#[tokio::main]
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the script that starts it reads them"
)]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let url = arguments.last().and_then(|url| url.parse().ok()).expect("the URL of a server");
    let endpoint =
        Endpoint::Http { url, token: None, sign_in: None, headers: Vec::new(), authority: None };
    let client = Client::new(endpoint, Options::new(Timestamp::now));
    let served = match client.served_skills().await {
        Ok(served) => served,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    for skill in served.skills {
        println!("{}", skill.uri);
        if !arguments.iter().any(|argument| argument == "--read") {
            continue;
        }
        if let Err(error) = client.read_served_skill(&skill, ContentsLimits::MCP).await {
            eprintln!("{}", error.message().shown(&()));
            return ExitCode::FAILURE;
        }
    }
    client.close().await;
    ExitCode::SUCCESS
}
