//! The secrets of skills: values that the owner of the server has written into a file of his own.
//!
//! A skill names the secrets that it needs in `[permissions]`; only those are in its run.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::skill::ProtocolSkill;
use dibber_sandbox::Secrets;
use dibber_text::{Message, file, message, quote, quote_display, quote_path};
use toml::de::{DeTable, DeValue};

/// The name of the file in the directory of the server's data.
pub const SECRETS_FILE_NAME: &str = "secrets.toml";

/// The most bytes of the file (1 MiB).
const BYTES_MAX: u64 = 1 << 20;

/// The mode bits of a file that give others than its owner access.
#[cfg(unix)]
const OTHERS: u32 = 0o077;

/// The secrets of a server.
///
/// ```toml
/// [secrets]
/// CALENDAR_TOKEN = "for every skill that names it"
///
/// [secrets."family.dates.countdown"]
/// CALENDAR_TOKEN = "for this skill instead"
/// ```
#[derive(Clone, Default)]
pub struct SecretStore {
    general: BTreeMap<String, String>,
    of_skills: BTreeMap<String, BTreeMap<String, String>>,
}

impl fmt::Debug for SecretStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_skills = self.of_skills.iter().map(|(skill, secrets)| (skill, secrets.keys()));
        f.debug_struct("SecretStore")
            .field("general", &self.general.keys())
            .field("of_skills", &of_skills.collect::<Vec<_>>())
            .finish()
    }
}

/// A file of secrets that cannot be used. Neither text contains a value.
#[derive(Clone, Debug)]
pub struct SecretsError {
    /// What is wrong.
    pub message: Message,
    /// What to do about it.
    pub help: Message,
}

impl fmt::Display for SecretsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.shown(&()).fmt(f)
    }
}

impl std::error::Error for SecretsError {}

impl SecretStore {
    /// Reads the file of secrets in the directory of a server's data, if a skill names any: a mistake in
    /// the file does not stop the others.
    pub fn for_skill(skill: &ProtocolSkill, data: &Path) -> Result<Self, SecretsError> {
        if skill.manifest.permissions.secrets.is_empty() {
            return Ok(Self::default());
        }
        Self::read(&data.join(SECRETS_FILE_NAME))
    }

    /// Reads a file of secrets; one that does not exist has none.
    pub fn read(path: &Path) -> Result<Self, SecretsError> {
        let cannot_read = |error: &dyn fmt::Display| SecretsError {
            message: message!["cannot read ", quote_path(path), ": ", quote_display(error)],
            help: "make it a regular file that you can read".into(),
        };
        let opened = match file::open_regular(path) {
            Err(error) if error.is_not_found() => return Ok(Self::default()),
            opened => opened.map_err(|error| cannot_read(&error))?,
        };
        check_private(&opened, path).map_err(|error| cannot_read(&error))??;
        let mut bytes = Vec::new();
        opened.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|error| cannot_read(&error))?;
        if bytes.len() as u64 > BYTES_MAX {
            return Err(cannot_read(&"it is larger than 1 MiB"));
        }
        let text = String::from_utf8(bytes).map_err(|_| cannot_read(&"it is not UTF-8"))?;
        Self::parse(&text).map_err(|(message, help)| SecretsError {
            message: message![quote_path(path), ": ", message],
            help,
        })
    }

    /// Parses the contents of a file; the error is a message and its help.
    fn parse(text: &str) -> Result<Self, (Message, Message)> {
        // The errors of the parser quote the line, which may have a value.
        let root = DeTable::parse(text).map_err(|error| {
            let before = text.get(..error.span().map_or(0, |span| span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            (message!["line ", line, " is not TOML"], message![EXAMPLE])
        })?;
        let mut store = Self::default();
        for (key, value) in root.get_ref() {
            let (name, table) = (key.get_ref().as_ref(), value.get_ref().as_table());
            let Some(table) = table.filter(|_| name == "secrets") else {
                return Err((message!["`", quote(name), "` is not `[secrets]`"], EXAMPLE.into()));
            };
            for (key, value) in table {
                let key = key.get_ref().to_string();
                if let DeValue::Table(table) = value.get_ref() {
                    let secrets = table.iter().map(|(name, value)| {
                        let name = name.get_ref().to_string();
                        Ok((name.clone(), secret(&name, value.get_ref())?))
                    });
                    let secrets = secrets.collect::<Result<_, (Message, Message)>>()?;
                    store.of_skills.insert(key, secrets);
                } else {
                    let value = secret(&key, value.get_ref())?;
                    store.general.insert(key, value);
                }
            }
        }
        Ok(store)
    }

    /// Returns the secrets that a skill names. The error is the name of the first that is missing.
    pub(crate) fn of_skill<'n>(
        &self,
        skill: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<Secrets, &'n str> {
        let own = self.of_skills.get(skill);
        let find = |name: &'n str| {
            let value = own.and_then(|own| own.get(name)).or_else(|| self.general.get(name));
            value.map(|value| (name.to_owned(), value.clone())).ok_or(name)
        };
        names.map(find).collect::<Result<_, _>>().map(Secrets)
    }
}

/// What to write.
const EXAMPLE: &str = "write `[secrets]`, and below it lines such as `CALENDAR_TOKEN = \"…\"`";

fn secret(name: &str, value: &DeValue<'_>) -> Result<String, (Message, Message)> {
    let value = value.as_str().filter(|value| !value.is_empty());
    let wrong = || (message!["the value of `", quote(name), "` is not a string"], EXAMPLE.into());
    value.map(str::to_owned).ok_or_else(wrong)
}

/// Checks whether others can read a file that is open: it cannot be replaced in the meantime.
fn check_private(opened: &File, path: &Path) -> std::io::Result<Result<(), SecretsError>> {
    let metadata = opened.metadata()?;
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & OTHERS != 0 {
        let path = || quote_path(path);
        return Ok(Err(SecretsError {
            message: message![path(), " can be read or changed by other users of this computer"],
            help: message!["run `chmod 600 ", path(), "`"],
        }));
    }
    let _ = (metadata, path);
    Ok(Ok(()))
}
