//! The table `[servers]`: servers that are selected by a name.

use toml::Spanned;
use toml::de::DeTable;

use super::model::{NamedServer, SpannedString};
use super::value::{Reader, Value};
use dibber_text::Span;

impl Reader<'_> {
    pub(super) fn servers(&mut self, value: &Value<'_>) -> Vec<NamedServer> {
        let Some(table) = self.table(value, "servers") else { return Vec::new() };
        let mut servers: Vec<_> = table
            .iter()
            .filter_map(|(key, value)| {
                let name = (key.get_ref().to_string(), Span::from(key.span()));
                self.named_server(name, value)
            })
            .collect();
        servers.sort_by_key(|server| server.name.1);
        servers
    }

    fn named_server(&mut self, name: SpannedString, value: &Value<'_>) -> Option<NamedServer> {
        let table = self.table(value, &name.0)?;
        let mut server = NamedServer {
            name,
            url: None,
            token_file: None,
            ca_file: None,
            command: None,
            headers: Vec::new(),
            environment: Vec::new(),
        };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "url" => server.url = self.string(value, "url", "the server's address"),
                "token-file" => server.token_file = self.string(value, "token-file", "a path"),
                "ca-file" => server.ca_file = self.string(value, "ca-file", "a path"),
                "command" => server.command = self.command_line(value),
                "headers" => server.headers = self.string_table(value, "headers"),
                "env" => server.environment = self.string_table(value, "env"),
                _ => {
                    let known = ["ca-file", "command", "env", "headers", "token-file", "url"];
                    self.unknown_key(key, "a server", &known);
                }
            }
        }
        self.check_transport(&server, table, Span::from(value.span()));
        Some(server)
    }

    /// Reads the command line of a program, which may also be a list of its words.
    fn command_line(&mut self, value: &Value<'_>) -> Option<SpannedString> {
        if value.get_ref().as_array().is_none() {
            let expected =
                "a command line, such as `\"npx -y some-server\"`, or a list of its words";
            return self.string(value, "command", expected);
        }
        let words = self.strings(value, "command", "a list of strings");
        let quoted: Vec<_> = words.iter().map(|(word, _)| in_single_quotes(word)).collect();
        Some((quoted.join(" "), Span::from(value.span())))
    }

    /// A server is either a URL or a program.
    fn check_transport(&mut self, server: &NamedServer, table: &DeTable<'_>, header: Span) {
        let has = |name: &str| table.iter().any(|(key, _): (&Spanned<_>, _)| key.get_ref() == name);
        if !has("url") && !has("command") {
            self.missing(
                header,
                "the server",
                "url` or `command",
                "url = \"https://example.org/mcp\"",
            );
        }
        if let (Some(_), Some((_, span))) = (&server.url, &server.command) {
            let message = "a server has a `url` or a `command`, not both";
            self.error_with_help(*span, message, "remove one of them");
        }
    }

    /// Returns the strings of a table, by their names.
    fn string_table(&mut self, value: &Value<'_>, name: &str) -> Vec<(String, SpannedString)> {
        let Some(table) = self.table(value, name) else { return Vec::new() };
        let strings = table.iter().filter_map(|(key, value)| {
            Some((key.get_ref().to_string(), self.string(value, key.get_ref(), "a string")?))
        });
        strings.collect()
    }
}

/// Returns a word of a command line as it is, whatever signs it has.
fn in_single_quotes(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\"'\"'"))
}
