//! The arguments of a tool as a table in Markdown, from the schema that `tools/list` has.

use super::input_schema::{ValueSchema, ValueType};
use super::tools::TOOLS;

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
    // A vertical bar would begin another cell.
    let meaning = argument.description.replace('|', "\\|");
    format!("| `{name}` | {required}{} | {meaning} |\n", value(argument))
}

/// Returns the type of a value and its limit, in words.
fn value(schema: &ValueSchema) -> String {
    if let Some(choices) = &schema.choices {
        let words: Vec<_> = choices.iter().filter_map(|choice| choice.as_str()).collect();
        return format!("`{}`", words.join("` or `"));
    }
    let types: Vec<_> = schema.types.iter().map(|one| of_type(*one, schema)).collect();
    types.join(" or ")
}

fn of_type(value_type: ValueType, schema: &ValueSchema) -> String {
    match value_type {
        ValueType::Null => "null".to_owned(),
        ValueType::Boolean => "true or false".to_owned(),
        ValueType::Object => "object".to_owned(),
        ValueType::String => {
            let max = schema.max_length.map(|max| format!(" of at most {max} characters"));
            format!("string{}", max.unwrap_or_default())
        }
        ValueType::Array => {
            let max = schema.max_items.map(|max| format!(" of at most {max} items"));
            format!("list{}", max.unwrap_or_default())
        }
        ValueType::Integer => match (schema.minimum, schema.maximum) {
            (Some(min), Some(max)) => format!("integer from {min} to {max}"),
            _ => "integer".to_owned(),
        },
    }
}
