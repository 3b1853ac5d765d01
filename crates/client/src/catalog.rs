//! The resources and prompts of a server.

use serde_json::{Map, Value};

use super::client::Client;
use super::connection::List;
use super::content::Content;
use super::error::ClientError;

/// A resource, or a template of the URIs of resources, as a server lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceInfo {
    /// Its URI, or the template.
    pub uri: String,
    /// Whether `uri` is a template.
    pub is_template: bool,
    /// Its name.
    pub name: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Its MIME type.
    pub mime_type: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
}

/// The contents of a resource, as the server sent them.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceContents(Value);

/// A prompt, as a server lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptInfo {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// Its arguments.
    pub arguments: Vec<PromptArgument>,
}

/// An argument of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: Option<String>,
    /// Whether it has to be given.
    pub is_required: bool,
}

/// A prompt that is filled in, as the server sent it.
#[derive(Clone, Debug, PartialEq)]
pub struct FilledPrompt(Value);

impl Client {
    /// Lists the resources, and the templates of resources.
    pub async fn resources(&self) -> Result<Vec<ResourceInfo>, ClientError> {
        let mut resources = self.all(List::Resources).await?;
        // A server without templates need not know the request.
        let templates = match self.all(List::ResourceTemplates).await {
            Err(ClientError::UnknownMethod(_)) => Vec::new(),
            templates => templates?,
        };
        resources.extend(templates);
        Ok(resources.iter().filter_map(ResourceInfo::parse).collect())
    }

    /// Reads a resource.
    pub async fn resource(&self, uri: &str) -> Result<ResourceContents, ClientError> {
        let read = |deadline| async move {
            let connection = self.connection(deadline).await?;
            let read = connection.read_resource(uri, deadline).await;
            self.drop_if_broken(&connection, read)
        };
        self.until_done(read).await.map(ResourceContents)
    }

    /// Lists the prompts.
    pub async fn prompts(&self) -> Result<Vec<PromptInfo>, ClientError> {
        let prompts = self.all(List::Prompts).await?;
        Ok(prompts.iter().filter_map(PromptInfo::parse).collect())
    }

    /// Gets a prompt, filled in with arguments.
    pub async fn prompt(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> Result<FilledPrompt, ClientError> {
        let get = |deadline| async move {
            let connection = self.connection(deadline).await?;
            let prompt = connection.prompt(name, arguments, deadline).await;
            self.drop_if_broken(&connection, prompt)
        };
        self.until_done(get).await.map(FilledPrompt)
    }

    pub(super) async fn all(&self, list: List<'_>) -> Result<Vec<Value>, ClientError> {
        let all = |deadline| async move {
            let connection = self.connection(deadline).await?;
            let items = connection.list(list, deadline).await;
            self.drop_if_broken(&connection, items)
        };
        self.until_done(all).await
    }
}

impl ResourceInfo {
    /// Parses an item of a list; none if it has no URI.
    fn parse(item: &Value) -> Option<Self> {
        let template = string(item, "uriTemplate");
        Some(Self {
            is_template: template.is_some(),
            uri: string(item, "uri").or(template)?,
            name: string(item, "title").or_else(|| string(item, "name")),
            description: string(item, "description"),
            mime_type: string(item, "mimeType"),
            size: item.get("size").and_then(Value::as_u64),
        })
    }
}

impl ResourceContents {
    /// Returns the result as the server sent it.
    pub const fn json(&self) -> &Value {
        &self.0
    }

    /// Returns the contents. A resource may have several.
    pub fn content(&self) -> impl Iterator<Item = Content<'_>> {
        let contents = self.0.get("contents").and_then(Value::as_array);
        contents.into_iter().flatten().map(Content::parse_resource)
    }

    /// Returns all of its text.
    pub fn text(&self) -> String {
        let blocks = self.content().filter_map(|content| match content {
            Content::ResourceText { text, .. } => Some(text),
            _ => None,
        });
        blocks.collect()
    }
}

impl PromptInfo {
    /// Parses an item of a list; none if it has no name.
    fn parse(item: &Value) -> Option<Self> {
        let arguments = item.get("arguments").and_then(Value::as_array);
        let arguments = arguments.into_iter().flatten().filter_map(|argument| {
            Some(PromptArgument {
                name: string(argument, "name")?,
                description: string(argument, "description"),
                is_required: argument.get("required").and_then(Value::as_bool).unwrap_or(false),
            })
        });
        Some(Self {
            name: string(item, "name")?,
            title: string(item, "title"),
            description: string(item, "description"),
            arguments: arguments.collect(),
        })
    }
}

impl FilledPrompt {
    /// Returns the result as the server sent it.
    pub const fn json(&self) -> &Value {
        &self.0
    }

    /// Returns the messages: who says each, and what.
    pub fn messages(&self) -> impl Iterator<Item = (&str, Content<'_>)> {
        let messages = self.0.get("messages").and_then(Value::as_array);
        messages.into_iter().flatten().map(|message| {
            let role = message.get("role").and_then(Value::as_str).unwrap_or("user");
            (role, Content::parse(message.get("content").unwrap_or(&Value::Null)))
        })
    }
}

fn string(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(str::to_owned)
}
