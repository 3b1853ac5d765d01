//! The arguments of a tool as a table in Markdown, from the schema that `tools/list` has.

use serde_json::Value;

use super::input_schema::{ValueSchema, ValueType};
use super::tools::TOOLS;
use super::type_words::type_in_words;

/// Returns the table of the arguments of a tool, those that are required first. There is none for
/// an unknown tool.
pub(super) fn argument_table(tool: &str) -> Option<String> {
    let schema = TOOLS.iter().find(|known| known.name == tool)?.input.parsed();
    let mut table = "| argument | value | meaning |\n|---|---|---|\n".to_owned();
    for name in &schema.required {
        table += &row(name, "required: ", schema.properties.get(name)?);
    }
    for (name, argument) in schema.properties.iter().filter(|(it, _)| !schema.required.contains(it))
    {
        table += &row(name, "", argument);
    }
    Some(table)
}

fn row(name: &str, required: &str, argument: &ValueSchema) -> String {
    // A vertical bar would begin another cell, and a line break another paragraph.
    let words: Vec<_> = argument.description.split_whitespace().collect();
    let mut meaning = words.join(" ");
    if !argument.examples.is_empty() {
        meaning += &format!(" As `{}`.", argument.examples.join("`, `"));
    }
    let default = argument.default.as_ref();
    let default =
        default.map(|it| format!(", default `{}`", format_default(it))).unwrap_or_default();
    let meaning = meaning.replace('|', "\\|");
    format!("| `{name}` | {required}{}{default} | {meaning} |\n", value(argument))
}

/// Returns a default without the quotes of JSON.
fn format_default(default: &Value) -> String {
    default.as_str().map_or_else(|| default.to_string(), str::to_owned)
}

/// Returns the type of a value and its limit, in words.
fn value(schema: &ValueSchema) -> String {
    if let Some(choices) = &schema.choices {
        let words: Vec<_> = choices.iter().filter_map(|choice| choice.as_str()).collect();
        return format!("`{}`", words.join("` or `"));
    }
    let words = |wanted: &ValueType| {
        let limit = match wanted {
            ValueType::String => schema.max_length.map(|max| format!("{max} characters")),
            ValueType::Array => schema.max_items.map(|max| format!("{max} items")),
            _ => None,
        };
        let limit = limit.map(|limit| format!(" of at most {limit}")).unwrap_or_default();
        type_in_words(*wanted, schema) + &limit
    };
    schema.types.iter().map(words).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row_of(schema: &Value) -> String {
        row("x", "", &ValueSchema::of_test(schema).expect("a schema"))
    }

    #[test]
    fn one_bound_alone_is_shown() {
        let cases = [
            (json!({"type": "integer", "minimum": 1}), "an integer of at least 1"),
            (json!({"type": "integer", "maximum": 5}), "an integer of at most 5"),
            (json!({"type": "integer", "minimum": 1, "maximum": 5}), "an integer from 1 to 5"),
            (json!({"type": "array", "maxItems": 5}), "an array of at most 5 items"),
        ];
        for (schema, words) in cases {
            assert_eq!(row_of(&schema), format!("| `x` | {words} |  |\n"));
        }
    }

    #[test]
    fn a_default_and_examples_are_shown() {
        let schema = json!({"type": "string", "default": "a", "examples": ["b", "c|"]});
        assert_eq!(row_of(&schema), "| `x` | a string, default `a` |  As `b`, `c\\|`. |\n");
    }

    #[test]
    fn a_description_stays_in_its_cell() {
        let schema = json!({"type": "string", "description": "One\ntwo |\n\nthree."});
        assert_eq!(row_of(&schema), "| `x` | a string | One two \\| three. |\n");
    }
}
