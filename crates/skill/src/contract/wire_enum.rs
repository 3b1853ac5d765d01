//! The words of an enum on the wire. Serde alone spells them.

use std::fmt;

use serde::de::value::{Error as WordError, StrDeserializer};
use serde::de::{self, DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::{Deserialize, Serialize, forward_to_deserialize_any};

/// An enum without data, which is one of some words on the wire.
pub trait WireEnum: Copy + DeserializeOwned + PartialEq + 'static {
    /// Returns the words, in the order of the variants.
    fn words() -> &'static [&'static str] {
        match Self::deserialize(WordsDeserializer) {
            Err(Words(words)) => words,
            Ok(_) => unreachable!("the deserializer always fails"),
        }
    }

    /// Returns every variant, in the order of declaration.
    fn all() -> Vec<Self> {
        Self::words().iter().filter_map(|word| Self::from_name(word)).collect()
    }

    /// Returns the word of a variant.
    fn name(self) -> &'static str {
        let is_own = |word: &&&str| Self::from_name(word) == Some(self);
        Self::words().iter().find(is_own).expect("every variant has a word")
    }

    /// Returns the variant that has this word.
    fn from_name(name: &str) -> Option<Self> {
        let deserializer: StrDeserializer<'_, WordError> = name.into_deserializer();
        Self::deserialize(deserializer).ok()
    }
}

/// A word on the wire: one of the contract, or one that only another server knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, bound(deserialize = "E: WireEnum"))]
pub enum OpenEnum<E> {
    /// One of the contract.
    Known(E),
    /// One of another server.
    Other(String),
}

/// Fails with the words that a derived implementation of `Deserialize` expects.
struct WordsDeserializer;

#[derive(Debug)]
struct Words(&'static [&'static str]);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

impl std::error::Error for Words {}

impl de::Error for Words {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(&[])
    }
}

impl<'de> Deserializer<'de> for WordsDeserializer {
    type Error = Words;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Words> {
        Err(Words(&[]))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Words> {
        Err(Words(words))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
