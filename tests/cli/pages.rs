//! The pages of a family in the browser: home, results, skills and the family.

use serde_json::{Value, json};

use super::sign_in::{invite, signed_in};
use crate::support::browser::{Browser, field};
use crate::support::command::Dibber;
use crate::support::server_process::{Answer, Serving};

const PAGES: [&str; 4] = ["/", "/results", "/skills", "/family"];

/// Calls a tool in the name of the founder of the first family.
fn call(serving: &Serving, tool: &str, arguments: &Value) -> Value {
    let answer = serving.call(tool, arguments).json();
    let content = answer["result"]["structuredContent"].clone();
    assert!(content["error"].is_null() && content.is_object(), "{tool}: {answer}");
    content
}

fn write_skill(serving: &Serving, name: &str, description: &str) -> String {
    let prompt = "Look at the plants, then say what they need.";
    let arguments = json!({"name": name, "description": description, "prompt": prompt});
    let written = call(serving, "skill_write", &arguments);
    written["skillId"].as_str().expect("an id").to_owned()
}

fn create_heartbeat(serving: &Serving, name: &str, skill: &str) -> String {
    let arguments =
        json!({"name": name, "cron": "0 8 * * *", "tz": "Europe/Berlin", "runSkillId": skill});
    let created = call(serving, "heartbeat_create", &arguments);
    created["heartbeatId"].as_str().expect("an id").to_owned()
}

fn post_result(serving: &Serving, skill: &str, summary: &str) -> String {
    let arguments = json!({"skillId": skill, "result": {"summary": summary}});
    let posted = call(serving, "skill_post_result", &arguments);
    posted["resultId"].as_str().expect("an id").to_owned()
}

/// Runs `dibber family` over the data of a server.
fn family(serving: &Serving, arguments: &[&str]) {
    let data = serving.data.to_str().expect("a path");
    let ended = Dibber::new(["family"]).arguments(arguments).arguments(&["--data", data]).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
}

/// Requests a page that has to be there, and that a browser can show safely.
fn page(browser: &mut Browser, path: &str) -> Answer {
    let page = browser.get(path);
    assert_eq!(page.status, 200, "{path}: {page:?}");
    check_frame(path, &page);
    page
}

/// Checks the parts that every page has.
fn check_frame(path: &str, page: &Answer) {
    let policy = page.header("content-security-policy").expect("a policy");
    for part in ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"] {
        assert!(policy.contains(part), "{path}: {policy}");
    }
    for (name, value) in [
        ("cache-control", "no-store"),
        ("x-frame-options", "deny"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
    ] {
        assert_eq!(page.header(name), Some(value), "{path}: {name}");
    }
    assert_eq!(page.body.matches("<h1>").count(), 1, "{path}");
    assert!(page.body.contains("<main>") && page.body.contains("<html lang=\"en\">"), "{path}");
    assert!(!page.body.contains("<script"), "{path}");
}

#[track_caller]
fn has(page: &Answer, parts: &[&str]) {
    for text in parts {
        assert!(page.body.contains(text), "no {text:?}: {}", page.body);
    }
}

#[track_caller]
fn has_not(page: &Answer, parts: &[&str]) {
    for text in parts {
        assert!(!page.body.contains(text), "{text:?}: {}", page.body);
    }
}

#[test]
fn a_page_asks_to_sign_in_and_is_shown_then() {
    let serving = Serving::start();
    let skill = write_skill(&serving, "Water the plants", "Says what they need.");
    let one = format!("/skills/{skill}?x=1");
    for path in PAGES.into_iter().chain([one.as_str()]) {
        let page = page(&mut Browser::new(&serving.address), path);
        has(&page, &["dibber family invite"]);
        has_not(&page, &["Water the plants", "Sign out"]);
        assert_eq!(field(&page, "next"), path);
    }
}

#[test]
fn an_empty_page_says_what_to_do() {
    let serving = Serving::start();
    let mut browser = signed_in(&serving);
    let home = page(&mut browser, "/");
    has(&home, &["You have read everything.", "No skill runs by itself yet.", "Ask an agent"]);
    has(&page(&mut browser, "/results"), &["There is no result yet."]);
    has(&page(&mut browser, "/skills"), &["Your family has no skills yet.", "dibber new"]);
    has(&page(&mut browser, "/skills?q=fern"), &["No skill was found."]);
    let family = page(&mut browser, "/family");
    let address = format!("value=\"http://{}/mcp\"", serving.address);
    has(&family, &["No child is added yet.", "dibber family add-child", "(you)", &address]);
    // Each page leads to the others, and says which one it is.
    for (path, name) in [("/", "Home"), ("/skills", "Skills"), ("/family", "Family")] {
        let page = page(&mut browser, path);
        has(&page, &[&format!("<a href=\"{path}\" aria-current=\"page\">{name}</a>")]);
        has(&page, &["<a href=\"/agents\">Agents</a>", &format!("<title>{name} ")]);
    }
}

#[test]
fn home_shows_what_is_new_and_what_comes() {
    let serving = Serving::start();
    let mut browser = signed_in(&serving);
    let skill = write_skill(&serving, "Water the plants", "Says what they need.");
    create_heartbeat(&serving, "Morning round", &skill);
    post_result(&serving, &skill, "The fern is dry.");
    let home = page(&mut browser, "/");
    let coming = ["In the coming week", "Morning round", "Runs next on ", "08:00", "Pause"];
    has(&home, &coming);
    has(&home, &["The fern is dry.", "New: ", "Result posted", "Schedule created: "]);
    has_not(&home, &["<strong>Paused</strong>"]);
    let (token, heartbeat, card) =
        (field(&home, "form"), field(&home, "heartbeat"), field(&home, "result"));
    let change = |action| {
        [("form", token.as_str()), ("heartbeat", &heartbeat), ("next", "/"), ("action", action)]
    };
    let paused = browser.submit("/schedules", &change("pause"));
    assert_eq!((paused.status, paused.header("location")), (303, Some("/")));
    let home = page(&mut browser, "/");
    has(&home, &["<strong>Paused</strong>", "Resume", "Schedule paused"]);
    has_not(&home, &["Runs next on "]);
    assert_eq!(browser.submit("/schedules", &change("resume")).status, 303);
    has(&page(&mut browser, "/"), &["Runs next on "]);
    // A result that is read leaves the first page, and one that is archived the other one, too.
    let mark = |state| {
        [("form", token.as_str()), ("result", card.as_str()), ("next", "/"), ("state", state)]
    };
    assert_eq!(browser.submit("/results", &mark("read")).status, 303);
    has_not(&page(&mut browser, "/"), &["The fern is dry."]);
    has(&page(&mut browser, "/results"), &["The fern is dry.", "Mark as new"]);
    assert_eq!(browser.submit("/results", &mark("archived")).status, 303);
    has_not(&page(&mut browser, "/results"), &["The fern is dry."]);
    // A form leads to no other site.
    let away = [("form", token.as_str()), ("result", &card), ("next", "//e.x"), ("state", "read")];
    assert_eq!(browser.submit("/results", &away).header("location"), Some("/"));
}

#[test]
fn a_skill_is_shown_archived_and_brought_back() {
    let serving = Serving::start();
    let mut browser = signed_in(&serving);
    let skill = write_skill(&serving, "Water the plants", "Says what they need.");
    let other = write_skill(&serving, "Bedtime story", "Tells a story.");
    let list = page(&mut browser, "/skills");
    has(&list, &["Water the plants", "Says what they need.", "Bedtime story", "For grown-ups"]);
    let found = page(&mut browser, "/skills?q=story");
    has(&found, &["Bedtime story", "value=\"story\""]);
    has_not(&found, &["Water the plants"]);
    let path = format!("/skills/{other}");
    let one = page(&mut browser, &path);
    let parts = ["<h1>Bedtime story</h1>", "Tells a story.", "Nothing: it runs as it is."];
    has(&one, &parts);
    let token = field(&one, "form");
    let change = |archived| [("form", token.as_str()), ("archived", archived)];
    let archived = browser.submit(&path, &change("true"));
    assert_eq!((archived.status, archived.header("location")), (303, Some(path.as_str())));
    has(&page(&mut browser, &path), &["Archived: it does not run.", "Bring back"]);
    has_not(&page(&mut browser, "/skills"), &["Bedtime story"]);
    has(&page(&mut browser, "/skills?archived=1"), &["Bedtime story", "Archived"]);
    assert_eq!(browser.submit(&path, &change("false")).status, 303);
    has(&page(&mut browser, "/skills"), &["Bedtime story"]);
    // One that is called as a page is none of them.
    let named = write_skill(&serving, "Family", "Shows who is there.");
    has_not(&page(&mut browser, &format!("/skills/{named}")), &["aria-current"]);
    // A skill with a schedule stays, and the page says why.
    create_heartbeat(&serving, "Morning round", &skill);
    let path = format!("/skills/{skill}");
    has(&page(&mut browser, &path), &["Morning round", "Pause"]);
    let refused = browser.submit(&path, &change("true"));
    assert_eq!(refused.status, 400, "{refused:?}");
    check_frame(&path, &refused);
    has(&refused, &["A schedule still runs this skill.", "Sign out"]);
}

#[test]
fn the_family_is_shown_with_how_to_connect() {
    let serving = Serving::start();
    let mut browser = signed_in(&serving);
    family(&serving, &["add-child", "Mia", "--born", "2019-04-30"]);
    family(&serving, &["add-member", "Grandma"]);
    family(&serving, &["add-canvas", "Bedroom", "--ages", "5-7"]);
    let shown = page(&mut browser, "/family");
    has(&shown, &["Mia", "years old", "Grandma", "Bedroom", "ages 5-7", "time zone"]);
    has(&shown, &["<label class=\"field\" for=\"address\">", "mcpServers"]);
}

#[test]
fn nothing_that_was_written_acts_on_a_page() {
    let serving = Serving::start();
    let mut browser = signed_in(&serving);
    let label = "<script>alert(1)</script>";
    let skill = write_skill(&serving, label, "<img src=x onerror=alert(1)> \"quoted\"");
    create_heartbeat(&serving, label, &skill);
    post_result(&serving, &skill, "</p><script>alert(2)</script>");
    let one = format!("/skills/{skill}");
    for path in ["/", "/results", "/skills", "/skills?q=%22%3E%3Cscript%3E", &one] {
        has_not(&page(&mut browser, path), &["<img", "<script", "onerror=alert(1)>"]);
    }
    has(&page(&mut browser, "/"), &["&lt;script&gt;alert(1)", "&lt;script&gt;alert(2)"]);
    has(&page(&mut browser, "/skills"), &["&lt;script&gt;", "&lt;img src=x"]);
}

#[test]
fn a_form_needs_the_secret_of_its_session() {
    let serving = Serving::start();
    let mut browser = signed_in(&serving);
    let skill = write_skill(&serving, "Water the plants", "Says what they need.");
    let used = write_skill(&serving, "Bedtime story", "Tells a story.");
    let heartbeat = create_heartbeat(&serving, "Morning round", &used);
    let card = post_result(&serving, &used, "The fern is dry.");
    let foreign = field(&signed_in(&serving).get("/"), "form");
    let path = format!("/skills/{skill}");
    let forms = [
        (path.as_str(), vec![("archived", "true")]),
        ("/schedules", vec![("heartbeat", heartbeat.as_str()), ("action", "pause")]),
        ("/results", vec![("result", card.as_str()), ("state", "archived")]),
    ];
    for (path, fields) in forms {
        for token in [None, Some(""), Some("x"), Some(foreign.as_str())] {
            let mut fields = fields.clone();
            fields.extend(token.map(|token| ("form", token)));
            let refused = browser.submit(path, &fields);
            assert_eq!(refused.status, 400, "{path} {token:?}: {refused:?}");
            has(&refused, &["out of date"]);
        }
        let refused = Browser::new(&serving.address).submit(path, &fields);
        has(&refused, &["You are signed out"]);
    }
    let home = page(&mut browser, "/");
    has(&home, &["The fern is dry.", "Runs next on "]);
    has_not(&page(&mut browser, &path), &["Archived: it does not run."]);
}

#[test]
fn a_family_sees_and_changes_nothing_of_another() {
    let serving = Serving::start();
    let skill = write_skill(&serving, "Water the plants", "Says what they need.");
    let heartbeat = create_heartbeat(&serving, "Morning round", &skill);
    let card = post_result(&serving, &skill, "The fern is dry.");
    family(&serving, &["add-child", "Mia", "--born", "2019-04-30"]);
    family(&serving, &["add-member", "Neighbour", "--family", "neighbours"]);
    let mut browser = Browser::new(&serving.address);
    let link = invite(&serving, &["--family", "neighbours"]);
    let secret = field(&browser.get(&link), "link");
    assert_eq!(browser.submit("/sign-in", &[("link", &secret)]).status, 303);
    for path in PAGES {
        let secrets = ["Water the plants", "The fern is dry.", "Morning round", "Mia"];
        has_not(&page(&mut browser, path), &secrets);
    }
    let token = field(&browser.get("/"), "form");
    let path = format!("/skills/{skill}");
    let mut answers = vec![browser.get(&path), browser.get("/skills/sk_none")];
    for (path, name, id, value) in [
        (path.as_str(), "skill", skill.as_str(), ("archived", "true")),
        ("/skills/sk_none", "skill", "sk_none", ("archived", "true")),
        ("/schedules", "heartbeat", &heartbeat, ("action", "pause")),
        ("/results", "result", &card, ("state", "archived")),
    ] {
        answers.push(browser.submit(path, &[("form", &token), (name, id), value]));
    }
    for answer in answers {
        assert_eq!(answer.status, 404, "{answer:?}");
        check_frame("not found", &answer);
        has(&answer, &["This was not found"]);
    }
    let home = page(&mut signed_in(&serving), "/");
    has(&home, &["The fern is dry.", "Runs next on "]);
}

#[test]
fn a_long_list_has_pages() {
    let serving = Serving::start();
    let mut browser = signed_in(&serving);
    for number in 0..55 {
        write_skill(&serving, &format!("Skill {number:02}"), "Says what they need.");
    }
    let first = page(&mut browser, "/skills?q=skill");
    has(&first, &["Skill 00", "Skill 49", "Next page"]);
    has_not(&first, &["Skill 50", "First page"]);
    let (_, rest) = first.body.split_once("rel=\"next\" href=\"").expect("a link");
    let next = rest.split_once('"').expect("an end").0.replace("&amp;", "&");
    let second = page(&mut browser, &next);
    has(&second, &["Skill 50", "Skill 54", "First page"]);
    has_not(&second, &["Skill 49", "Next page"]);
    let wrong = browser.get("/skills?cursor=wrong");
    assert_eq!(wrong.status, 400);
    has(&wrong, &["The list has changed."]);
}
