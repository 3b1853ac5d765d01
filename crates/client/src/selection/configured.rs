//! Every server that is configured, whether or not it is selected.

use std::path::PathBuf;

use super::super::address::Address;
use super::super::command_line::ServerCommand;
use super::client_files::{self, ClientServerProblem, ClientTransport};
use super::config_file;
use super::error::SelectionError;
use super::named_server;
use super::request::ServerRequest;
use super::server::ServerTarget;

/// A server that is configured.
#[derive(Clone, Debug)]
pub struct ConfiguredServer {
    /// The name that selects it.
    pub name: String,
    /// The file that names it.
    pub file: PathBuf,
    /// How it is reached, or why it cannot be used.
    pub transport: Result<ConfiguredTransport, String>,
}

/// How a configured server is reached.
#[derive(Clone, Debug)]
pub enum ConfiguredTransport {
    /// Over HTTP, with headers of these names.
    Url {
        /// The URL.
        url: Address,
        /// The names of its headers.
        headers: Vec<String>,
    },
    /// A program.
    Program(ServerCommand),
}

impl ServerRequest<'_> {
    /// Returns the servers of the user's own configuration, then those of other clients.
    pub fn configured_servers(&self) -> Result<Vec<ConfiguredServer>, SelectionError> {
        let mut all = Vec::new();
        if let Some((config, path)) = config_file::user(self.user_config, self.current_dir)? {
            for server in &config.servers {
                // A file that cannot be read concerns only who uses it.
                let without_files = dibber_skill::config::NamedServer {
                    token_file: None,
                    ca_file: None,
                    ..server.clone()
                };
                let target = named_server::target(&without_files, &config, &path, None)?;
                let transport = match target {
                    ServerTarget::Url { url, headers, .. } => ConfiguredTransport::Url {
                        url,
                        headers: headers.iter().map(|header| header.name().to_owned()).collect(),
                    },
                    ServerTarget::Program { command, .. } => ConfiguredTransport::Program(command),
                    ServerTarget::Local { .. } => continue,
                };
                let (name, file) = (server.name.0.clone(), path.clone());
                all.push(ConfiguredServer { name, file, transport: Ok(transport) });
            }
        }
        for file in self.client_files {
            for server in client_files::read(file, self.replacements()) {
                let transport = match server.transport {
                    Ok(ClientTransport::Program(command)) => {
                        Ok(ConfiguredTransport::Program(command))
                    }
                    Ok(ClientTransport::Url(url, headers)) => Ok(ConfiguredTransport::Url {
                        url,
                        headers: headers.iter().map(|header| header.name().to_owned()).collect(),
                    }),
                    Err(problem) => Err(ClientServerProblem::to_string(&problem)),
                };
                let (name, file) = (format!("@{}", server.name), file.path.clone());
                all.push(ConfiguredServer { name, file, transport });
            }
        }
        Ok(all)
    }
}
