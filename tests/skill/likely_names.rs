//! Words that are probably names of children in what a parent types.

use dibber_skill::names::{AnswerKind, LikelyName, likely_names};

fn found(text: &str, kind: AnswerKind, is_strong: bool) -> Vec<&str> {
    let is_asked = |name: &LikelyName| name.is_strong == is_strong;
    let names = likely_names(text, kind).into_iter().filter(is_asked);
    names.map(|name| &text[name.span.range()]).collect()
}

/// Asserts which names are found in each answer: a question is asked about the strong ones.
fn assert_strong(kind: AnswerKind, table: &[(&str, &[&str])]) {
    let wrong: Vec<_> = table
        .iter()
        .map(|(text, expected)| (*text, *expected, found(text, kind, true)))
        .filter(|(_, expected, found)| found != expected)
        .collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), table.len());
}

/// Asserts that no question is asked about these answers.
pub(super) fn assert_not_strong(kind: AnswerKind, table: &[&str]) {
    let asked =
        |text: &&str| Some((*text).to_owned()).filter(|it| !found(it, kind, true).is_empty());
    let wrong: Vec<_> = table.iter().filter_map(asked).collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), table.len());
}

#[test]
fn first_names_in_sentences() {
    assert_strong(
        AnswerKind::Sentence,
        &[
            ("Jay flies to the moon", &["Jay"]),
            ("\"Mia\" learns to count", &["Mia"]),
            ("(Noah) tidies up", &["Noah"]),
            ("MIA hates spinach", &["MIA"]),
            ("J.J. goes to bed", &["J.J."]),
            ("April and June are sisters", &["April", "June"]),
            ("my daughter mia brushes her teeth", &["mia"]),
            ("help theo with maths", &["theo"]),
            ("tell Zoë a story", &["Zoë"]),
            ("tell zoe about the moon", &["zoe"]),
            ("Mia and theo", &["Mia", "theo"]),
            ("Mia/Theo", &["Mia", "Theo"]),
            ("Noah&Emma", &["Noah", "Emma"]),
            ("our youngest, theo", &["theo"]),
            ("both mia and theo", &["mia", "theo"]),
            ("my daughter is mia", &["mia"]),
            ("a bedtime story for Jay", &["Jay"]),
            ("a bedtime story for Jay, about owls", &["Jay"]),
            ("for my daughter Mia", &["Mia"]),
            ("my twins Mia and Jay", &["Mia", "Jay"]),
            ("for Jay, Mia & Zoë", &["Jay", "Mia", "Zoë"]),
            ("a story in which Jay flies", &["Jay"]),
            ("Tell Jay's favourite story", &["Jay"]),
            ("Help Mia with homework", &["Mia"]),
            ("A story. It is for Jay.", &["Jay"]),
            ("for my son August", &["August"]),
            ("a boy called Max", &["Max"]),
            ("Jay, six years old", &["Jay"]),
            ("Jay (6)", &["Jay"]),
            ("Jay is 6", &["Jay"]),
            ("Jay’s bedtime", &["Jay"]),
            ("mias bedtime routine", &["mia"]),
            ("theo's spelling words", &["theo"]),
            ("emma-friendly recipes", &["emma"]),
            ("story – Mia – moon", &["Mia"]),
            ("‘Mia’ on the moon", &["Mia"]),
            ("remind Leo to brush his teeth", &["Leo"]),
            ("LEO AND EMMA", &["LEO", "EMMA"]),
            ("a quiz about planets for oliver", &["oliver"]),
            ("Practise reading with Aisha", &["Aisha"]),
            ("count with yusuf to 20", &["yusuf"]),
            ("Priya asks five questions", &["Priya"]),
            ("Explain fractions to Wei and Hiroshi", &["Hiroshi"]),
            ("a story about a girl named Lucía", &["Lucía"]),
            ("for José and Inés", &["José", "Inés"]),
            ("Björn lernt lesen", &["Björn"]),
            ("eine Geschichte für Lina", &["Lina"]),
            ("Siobhán's spelling list", &["Siobhán"]),
            ("Rose loves horses", &["Rose"]),
            ("Grace hates spinach", &["Grace"]),
            ("tell Will a story", &["Will"]),
            ("a story for will", &["will"]),
            ("help mark with maths", &["mark"]),
            ("my daughter rose, who loves horses", &["rose"]),
            ("my boy Will", &["Will"]),
            ("a story where Lily meets a dragon", &["Lily"]),
            ("a story for April", &["April"]),
            ("May, 5, loves cats", &["May"]),
            ("mia2 and leo3", &["mia", "leo"]),
            ("Let Emma choose the ending", &["Emma"]),
            ("quiz Finn on times tables", &["Finn"]),
            ("what Ben did today", &["Ben"]),
            ("princess Ella and the frog", &["Ella"]),
        ],
    );
}

#[test]
fn names_on_no_list() {
    assert_strong(
        AnswerKind::Sentence,
        &[
            ("my daughter Zyx brushes her teeth", &["Zyx"]),
            ("a story for my daughter zyx", &["zyx"]),
            ("my son, Zyx, learns to read", &["Zyx"]),
            ("our youngest is called zyx", &["zyx"]),
            ("my daughter's name is zyx", &["zyx"]),
            ("a girl named zyxa", &["zyxa"]),
            ("Zyx, 6, loves owls", &["Zyx"]),
            ("Zyx (6)", &["Zyx"]),
            ("Zyx is six", &["Zyx"]),
            ("my 6 year old zyx", &["zyx"]),
            ("my six-year-old Zyx", &["Zyx"]),
            ("my 6 year old theo", &["theo"]),
            ("Our 6 year old theo", &["theo"]),
            ("a bedtime story for Zyx", &["Zyx"]),
            ("tell Zyx a story", &["Zyx"]),
            ("our Zyx", &["Zyx"]),
            ("Mia and Zyx", &["Mia", "Zyx"]),
            ("Mia, Zyx & Leo", &["Mia", "Zyx", "Leo"]),
        ],
    );
}

#[test]
fn unknown_words_after_words_for_children() {
    assert_strong(
        AnswerKind::Sentence,
        &[
            ("Kenzlee flies to the moon", &["Kenzlee"]),
            ("Kenzlee's bedtime story", &["Kenzlee"]),
            ("Kenzlee's Bedtime Story", &["Kenzlee"]),
            ("Kenzlee and the bear", &["Kenzlee"]),
            ("KENZLEE AND THE BEAR", &["KENZLEE"]),
            ("Rhiannyn goes to school", &["Rhiannyn"]),
            ("a story for dontrell and mia", &["dontrell", "mia"]),
            ("a story for dontrell and his dog rex", &["dontrell"]),
            ("story for kenzlee", &["kenzlee"]),
            ("help jaxxon calm down", &["jaxxon"]),
            ("make Jaxxon laugh", &["Jaxxon"]),
            ("a story for theo and his sis immy", &["theo", "immy"]),
            ("a story for theo and his best friend dontrell", &["theo", "dontrell"]),
            ("a story for theo, his cousin immy and baby zuri", &["theo", "immy", "zuri"]),
            ("for my daughter's friend immy", &["immy"]),
            ("my daughter, her name is kenzlee", &["kenzlee"]),
            ("my son keylani learns to read", &["keylani"]),
            ("a story for little miss mia", &["mia"]),
            ("tell captain leo a story", &["leo"]),
            ("the adventures of king leo", &["leo"]),
        ],
    );
    assert_strong(
        AnswerKind::Names,
        &[
            ("my son D'Arcy O'Neill", &["D'Arcy O'Neill"]),
            ("friend of dontrell, hero", &["dontrell"]),
            ("hero, the name of kenzlee's bear", &["kenzlee"]),
        ],
    );
}

#[test]
fn unknown_words_in_the_answer_for_whom() {
    assert_strong(
        AnswerKind::ForWhom,
        &[
            ("my son keylani and mia", &["keylani", "mia"]),
            ("dontrell and kyrie", &["dontrell", "kyrie"]),
            ("keylani, tenoch and immy", &["keylani", "tenoch", "immy"]),
            ("kenzlee, tenoch", &["kenzlee", "tenoch"]),
            ("my son dontrell and his brother kyrie", &["dontrell", "kyrie"]),
            ("little miss mia", &["mia"]),
            ("miss mia", &["mia"]),
            ("captain leo", &["leo"]),
            ("Captain Leo", &["Leo"]),
            ("king leo", &["leo"]),
            ("mister leo", &["leo"]),
            ("lady mia", &["mia"]),
            ("our little monkey kenzlee", &["kenzlee"]),
            ("kenzlee only", &["kenzlee"]),
            ("just kenzlee", &["kenzlee"]),
            ("for kenzlee", &["kenzlee"]),
            ("dontrell's class", &["dontrell"]),
            ("my daughter kenzlee only", &["kenzlee"]),
            ("my daughter, her name is kenzlee", &["kenzlee"]),
            ("4 yr old dontrell", &["dontrell"]),
            ("my 4yo kenzlee", &["kenzlee"]),
            ("my kid kenzlee aged five", &["kenzlee"]),
            ("dontrell (he is 4)", &["dontrell"]),
            ("my daughter's friend immy", &["immy"]),
            ("our Shanice's class friend dontrell", &["Shanice", "dontrell"]),
            ("my 4yo Ot\u{AD}to", &["Ot\u{AD}to"]),
            ("my son ken\u{200B}zlee", &["ken\u{200B}zlee"]),
            ("Quinn, Sage and River", &["Quinn", "Sage", "River"]),
            ("my son ocean", &["ocean"]),
            ("our daughter Story", &["Story"]),
        ],
    );
}

#[test]
fn whole_names() {
    assert_strong(
        AnswerKind::Sentence,
        &[
            ("Ava Smith, 6", &["Ava Smith"]),
            ("Noor O’Brien (6)", &["Noor O’Brien"]),
            ("Kai O'Brien, who is six", &["Kai O'Brien"]),
            ("Lia O'Brien's story", &["Lia O'Brien"]),
            ("April Jones, 6, and Mia van Dyck, 7", &["April Jones", "Mia van Dyck"]),
            ("Tell Lia O'Brien's story", &["Lia O'Brien"]),
            ("Recite Mia's poem", &["Mia"]),
            ("Tells Jay's favourite story. Use it when Jay is in bed.", &["Jay", "Jay"]),
            ("Practise reading with Anna-Lena McKay", &["Anna-Lena McKay"]),
            ("on Monday Mia's turn", &["Mia"]),
            ("a story about mia o'brien", &["mia o'brien"]),
        ],
    );
    assert_strong(
        AnswerKind::ForWhom,
        &[
            ("jay o'brien", &["jay o'brien"]),
            ("mia smith", &["mia smith"]),
            ("Ava Smith, 6", &["Ava Smith"]),
            ("Zyx Miller, 6", &["Zyx Miller"]),
        ],
    );
}

#[test]
fn names_in_the_answer_for_whom() {
    assert_strong(
        AnswerKind::ForWhom,
        &[
            ("for jay, who is 6", &["jay"]),
            ("a story for emma, who is 6", &["emma"]),
            ("my daughter emma", &["emma"]),
            ("my daughter, emma", &["emma"]),
            ("my daughter zyx", &["zyx"]),
            ("my son d'arcy", &["d'arcy"]),
            ("emma and jay", &["emma", "jay"]),
            ("emma & jay, 4 and 6", &["emma", "jay"]),
            ("my wife and jay", &["jay"]),
            ("me and Zyx", &["Zyx"]),
            ("jay, 6", &["jay"]),
            ("zyx, 6", &["zyx"]),
            ("zyx", &["zyx"]),
            ("Zyx", &["Zyx"]),
            ("Zyx and Qwe", &["Zyx", "Qwe"]),
            ("Zyx loves horses", &["Zyx"]),
            ("emma sleeps badly", &["emma"]),
            ("a girl called zoe", &["zoe"]),
            ("my kids, jay and mia", &["jay", "mia"]),
            ("emma, mia, tom, lea, ida and ben", &["emma", "mia", "tom", "lea", "ida", "ben"]),
            ("Ava loves horses", &["Ava"]),
            ("my daughter (Mia)", &["Mia"]),
            ("our son Otto", &["Otto"]),
            ("June, who is 6", &["June"]),
            ("rose", &["rose"]),
            ("Little Finn and big Tom", &["Finn", "Tom"]),
            ("JAY and his friends", &["JAY"]),
            ("our little Tess", &["Tess"]),
        ],
    );
}

#[test]
fn names_in_inputs_and_folders() {
    assert_strong(
        AnswerKind::Names,
        &[
            ("Mia", &["Mia"]),
            ("noah's snack", &["noah"]),
            ("hero, mia, place", &["mia"]),
            ("mia-bedtime", &["mia"]),
            ("mias-bedtime", &["mia"]),
            ("theo_snack", &["theo"]),
        ],
    );
    assert_not_strong(
        AnswerKind::Names,
        &[
            "hero, place",
            "Hero, Place, Mood",
            "topic",
            "bedtime-story",
            "rose colour",
            "Word of the day",
        ],
    );
}

/// Figures, places and things are shown at most: nothing is asked about them.
#[test]
fn weak_names() {
    for (text, expected) in [
        ("a story about Peppa Pig", &["Peppa Pig"][..]),
        ("Peppa Pig", &["Peppa Pig"]),
        ("a quiz about Hogwarts", &["Hogwarts"]),
        ("a story with Batman and Spiderman", &["Batman", "Spiderman"]),
        ("a dog named Rex", &["Rex"]),
        ("our dog Luna", &["Luna"]),
        ("a story set in Paris in May", &["Paris", "May"]),
        ("Harry Potter trivia", &["Harry Potter"]),
        ("tell the story of Peter Pan", &["Peter Pan"]),
        ("Alice in Wonderland", &["Alice in Wonderland"]),
        ("songs of Anna und Elsa", &["Anna und Elsa"]),
        ("a letter to Uncle Ben", &["Uncle Ben"]),
        ("a story about queen elizabeth", &["queen elizabeth"]),
        ("a story about kenzlee and a bear", &["kenzlee"]),
        ("where kenzlee meets Rhiannyn", &["kenzlee", "Rhiannyn"]),
        ("a story about Ocean and her friend", &["Ocean"]),
        ("an evening with Story, and a bear", &["Story"]),
    ] {
        assert_eq!(found(text, AnswerKind::Sentence, true), [""; 0], "{text}");
        assert_eq!(found(text, AnswerKind::Sentence, false), expected, "{text}");
    }
}

#[test]
fn a_name_in_lowercase_ends_where_other_words_begin() {
    assert_strong(AnswerKind::ForWhom, &[("emma snores and our Bea, 6", &["emma", "Bea"])]);
}
