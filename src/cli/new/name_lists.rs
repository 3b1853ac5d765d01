//! Lists of children, which are in the plural: "Mia and Tom".

use crate::cli::term::wording::capitalized;
use dibber_skill::names::is_endearing;
use dibber_text::Span;

/// What is written instead of a name, after its article.
pub(super) const CHILD: &str = "child";
/// What is said of an age besides the number.
const AGE_WORDS: [&str; 8] = ["age", "aged", "almost", "months", "nearly", "old", "year", "years"];
/// Words for an age before it, in a sentence.
const AGE_LEADS: [&str; 3] = ["who is ", "who's ", "aged "];
/// Ages that are written as words.
const AGES_IN_WORDS: [&str; 12] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];
/// Words for several children, after which their names may be left out.
const CHILDREN: [&str; 8] =
    ["boys", "children", "daughters", "girls", "grandchildren", "kids", "sons", "twins"];

/// Returns a string with "children" in place of a list of children: "our child and the child". Only a
/// word that is written instead of a name is one of them: `replaced` has how many bytes there are from
/// its beginning to the end of the string. What a parent has typed so remains.
pub(super) fn join_children(text: &str, replaced: &[usize]) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once(CHILD) {
        let is_replaced = replaced.contains(&(rest.len() - before.len()));
        out.push_str(before);
        let article = out.strip_suffix(' ').and_then(|out| out.rsplit(' ').next());
        let article = article.unwrap_or_default().to_owned();
        let word = article.to_lowercase();
        let is_child = word == "the" || is_endearing(&word);
        let list = || list_end(after, &word, replaced);
        let Some((is_one, end)) = (is_replaced && is_child).then(list).flatten() else {
            out.push_str(CHILD);
            rest = after;
            continue;
        };
        rest = end;
        out.truncate(out.len() - article.len() - 1);
        let known = out.trim_end_matches([' ', ',']);
        let is_known = known.rsplit(' ').next().is_some_and(|word| CHILDREN.contains(&word));
        if is_known && !is_one {
            out.truncate(known.len());
            continue;
        }
        let children = if is_one { format!("one of {word} children") } else { word + " children" };
        let is_start = article.starts_with(char::is_uppercase);
        out += &if is_start { capitalized(&children) } else { children };
    }
    out + rest
}

/// Returns what follows a list of children after its first one, and whether one of them is meant;
/// none if there is no other. What is after "and" with a comma may be another sentence.
fn list_end<'t>(mut rest: &'t str, article: &str, replaced: &[usize]) -> Option<(bool, &'t str)> {
    for count in 1.. {
        let joined = rest.strip_prefix("'s").unwrap_or(rest);
        let next = |joint: &str| {
            let rest = joined.strip_prefix(joint)?;
            let (word, rest) = rest.split_once(' ')?;
            let is_article = word == "the" || word == article || is_endearing(word);
            Some(rest)
                .filter(|rest| is_article && replaced.contains(&rest.len()))?
                .strip_prefix(CHILD)
        };
        if let Some(end) = next(" or ") {
            return Some((true, end));
        }
        let with_comma = || next(", and ").filter(|_| count > 1);
        if let Some(end) = next(" and ").or_else(|| next(" & ")).or_else(with_comma) {
            return Some((false, end));
        }
        match next(", ") {
            Some(end) => rest = end,
            None => return (count > 1).then_some((false, rest)),
        }
    }
    None
}

/// Returns the place of the first of these names, or of the list of names that begins with it, and
/// whether it is one: "Mia (6), Tom and little Zoe (4)". Of "Neil's brother Tom", it is the second.
pub(super) fn first_names(text: &str, names: &[Span]) -> Option<(Span, bool)> {
    let is_possessive = |name: &Span| text[name.end..].starts_with(['\'', '’']);
    let first = names.iter().position(|name| !is_possessive(name))?;
    let (first, others) = names[first..].split_first()?;
    let (mut list, mut end, mut is_list) = (*first, first.end, false);
    let mut has_ages = false;
    for name in others {
        // "Ben & Lea, and Neil's kids" are not three of a kind.
        if is_possessive(name) {
            break;
        }
        let Some(joint) = Joint::parse(&text[end..name.start]) else { break };
        has_ages |= joint.has_age;
        end = name.end;
        if joint.is_last {
            (list.end, is_list) = (end, true);
        }
    }
    let rest = text[end..].trim_start();
    let is_end = rest.starts_with("and ") || !rest.starts_with(char::is_alphabetic);
    if end > list.end && is_end {
        (list.end, is_list) = (end, true);
    }
    if has_ages {
        list.end += leading_age(&text[list.end..]);
    }
    Some((list, is_list))
}

/// What is between two names of a list.
struct Joint {
    /// Whether it is "and", which joins the last one.
    is_last: bool,
    /// Whether it begins with the age of the child before.
    has_age: bool,
}

impl Joint {
    /// Parses what is between two names; none if they are not of one list.
    fn parse(gap: &str) -> Option<Self> {
        let age = leading_age(gap);
        let words = gap[age..].split_whitespace().filter(|word| !is_endearing(word));
        let is_last = match words.collect::<String>().as_str() {
            "and" | "&" | ",and" | ",&" => true,
            "," | "/" => false,
            _ => return None,
        };
        Some(Self { is_last, has_age: age > 0 })
    }
}

/// Returns `true` for "6", "6 years old", "six" and "nearly 7".
fn is_age(text: &str) -> bool {
    let is_number = |word: &str| {
        word.bytes().all(|byte| byte.is_ascii_digit()) || AGES_IN_WORDS.contains(&word)
    };
    let is_word = |word: &str| AGE_WORDS.contains(&word);
    let mut words = text.split_whitespace();
    words.clone().any(is_number) && words.all(|it| is_number(it) || is_word(it))
}

/// Returns how many bytes of what follows a name are an age: " (6)", ", 6", ", who is six".
fn leading_age(text: &str) -> usize {
    let Some(rest) = text.strip_prefix(" (") else {
        let Some(rest) = text.strip_prefix(", ") else { return 0 };
        if let Some(said) = AGE_LEADS.iter().find_map(|lead| rest.strip_prefix(lead)) {
            let end =
                said.find([',', '.', '&']).or_else(|| said.find(" and ")).unwrap_or(said.len());
            let age = said[..end].trim_end();
            return if is_age(age) { text.len() - said.len() + age.len() } else { 0 };
        }
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        return if digits == 0 { 0 } else { 2 + digits };
    };
    let end = rest.find(')').filter(|end| is_age(&rest[..*end]));
    end.map_or(0, |end| " (".len() + end + 1)
}
