//! Errors of cron expressions: the span, the message and the help.

use dibber_schedule::{Cron, CronError};
use dibber_text::escape_line;

/// Returns an expression, a mark below the span of its error, and the message.
fn shown(text: &str, error: &CronError) -> String {
    let before = escape_line(&text[..error.span.start]).chars().count();
    let inside = escape_line(&text[error.span.range()]).chars().count().max(1);
    let (line, marks) = if text.len() > 70 {
        ("…".to_owned(), format!("bytes {:?}", error.span.range()))
    } else {
        (escape_line(text).into_owned(), " ".repeat(before) + &"^".repeat(inside))
    };
    let field = error.field.map_or("whole", |field| field.word());
    let help = error.help.as_ref().expect("help").shown(&());
    format!("{line}\n{marks}\n{field}: {error}\nhelp: {help}\n\n")
}

/// Returns the errors of expressions, which are all invalid.
fn errors(expressions: &[&str]) -> String {
    let error = |text: &&str| match Cron::parse(text) {
        Ok(cron) => panic!("{text:?} is {}", cron.normalized()),
        Err(error) => shown(text, &error),
    };
    expressions.iter().map(error).collect()
}

#[test]
fn values_that_are_none() {
    insta::assert_snapshot!(errors(&[
        "60 * * * *",
        "0 24 * * *",
        "0 8 0 * *",
        "0 8 32 * *",
        "0 8 * 13 *",
        "0 8 * 0 *",
        "0 8 * * 8",
        "0 8 * * 1-8",
        "-5 * * * *",
        "0 8 1.5 * *",
        "08:00 * * * *",
        "0 8am * * *",
        "99999999999999999999 * * * *",
        "0 8 * JANUARY *",
        "0 8 * * Monday",
        "0 8 * * TEUSDAY",
        "0 8 * * MO",
        "0 MON * * *",
        "0 8 * * MON TUE",
    ]));
}

#[test]
fn ranges_lists_and_steps_that_are_none() {
    insta::assert_snapshot!(errors(&[
        "0 8 * * FRI-MON",
        "0 8 * * fri-mon",
        "0 8 * * SAT-SUN",
        "0 22-2 * * *",
        "1-0 * * * *",
        "0 8 * 11-2 *",
        "50-10/5 * * * *",
        "0 8 * * 5-1/2",
        "0-59-2 * * * *",
        "1- * * * *",
        "- * * * *",
        "*-5 * * * *",
        "*/0 * * * *",
        "*/60 * * * *",
        "*/ * * * *",
        "*/*/2 * * * *",
        "*5 * * * *",
        "** * * * *",
        "/5 * * * *",
        "*/-5 * * * *",
        "*/MON * * * *",
        ",, * * * *",
        ",,",
        "1,,2 * * * *",
        "1, * * * *",
        "1, 2 * * * *",
        "1,\t2 * * * *",
        "1 ,2  , 3 * * * *",
        "1 , , , , 2",
    ]));
}

#[test]
fn extensions_of_other_crons() {
    insta::assert_snapshot!(errors(&[
        "* * * * MON#2",
        "0 8 L * *",
        "0 8 15W * *",
        "0 8 LW * *",
        "0 8 * * 5L",
        "0 8 ? * MON",
        "0 8 L-3 * *",
        "H 8 * * *",
        "H/15 * * * *",
        "0 8 * * 1-5 2027",
        "0 0 8 * * 1-5",
        "0 0 8 * * 1-5 *",
        "0 0 8 ? * MON-FRI",
        "TZ=UTC 0 8 * * *",
        "@daily",
        "@Hourly",
        "@reboot",
        "@every 5m",
        "every day at 8",
        "0 8 * *",
        "8",
        "",
        " \t ",
    ]));
}

#[test]
fn strange_characters() {
    insta::assert_snapshot!(errors(&[
        "\u{FF10} \u{FF18} * * *",
        "0 8 * * 1\u{2013}5",
        "0 8 * * 1\u{2011}5",
        "0\u{A0}8 * * 1-5",
        "0 8 * * 1-5\n",
        "0 8 * * 1-5\r\n0 9 * * *",
        "\u{FEFF}0 8 * * *",
        "0 8 * * \u{1B}[31mMON",
        "0 8 \u{2217} * *",
        "0 8 * * \u{202E}MON",
        "0 8 * * 1-5;rm",
        "\"0 8 * * *\"",
        "`0 8 * * *`",
        &",".repeat(10_000),
        &format!("{} * * * *", "1,".repeat(400)),
        &format!("{} * * * *", "1".repeat(500)),
    ]));
}

#[test]
fn unusual_expressions_that_are_valid() {
    let texts = [
        "0\t8\t*\t*\t1-5",
        "  0   8 * * 1-5  ",
        "5/15 * * * *",
        "0 5/6 * * *",
        "0 8 * * 5/1",
        "0 8 * * 7",
        "0 8 * * 5-7",
        "0 8 * * 0-7",
        "00 08 01 01 *",
        "0 8 * jan-MAR mon,WED",
        "0 0 10,* * 2",
        "0 0 *,10 * 2",
        "0 8 */31 * *",
        "*/59 */23 * * *",
        "0,1,2,3,4,6 8 * * *",
    ];
    let lines = texts.map(|text| {
        let cron = Cron::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        format!("{text:?} is {}\n", cron.normalized())
    });
    insta::assert_snapshot!(lines.concat());
}
