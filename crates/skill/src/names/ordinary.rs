//! Words in answers that are no names: persons, ages, things, and what is said about them.

use super::english::is_english;

/// Words before a name.
const BEFORE_NAMES: &str = "
    about after and because before by call called cheer from give how if like named once read send
    test that to told until what when where which while with
";
/// Verbs with which a sentence begins.
const VERBS: &str = "
    answer bake bring buy celebrate check choose collect cook count create describe discuss draw
    end enjoy explain find finish get guide invent invite keep learn list look make meet pack
    pick plan play practice practise prepare put remember remind repeat review say share sing
    sit speak start study suggest support take talk think track train use visit walk watch wish
    write
";
/// Words after which a name may be addressed.
const ADDRESSES: &str = "
    ask comfort encourage for get greet help let praise put quiz reassure remind show surprise
    teach tell thank wake
";
/// Words before names and endearments.
const ENDEARMENTS: &str = "
    dear little my our sweet
";
/// Relatives, after which anything may be a name, even the word for a month.
const RELATIVES: &str = "
    baby boy boys brother brothers child children cousin cousins daughter daughters eldest firstborn
    girl girls godchild goddaughter godson grandchild grandchildren granddaughter granddaughters
    grandkids grandson grandsons kid kiddo kiddos kids nephew nephews niece nieces oldest
    sister sisters son sons stepdaughter stepson student students toddler twin twins youngest
";
/// Capitalized words for persons that are no names, and others with which an answer begins.
const PERSONS: &str = "
    all anybody anyone aunt auntie boys child children dad daddy everybody everyone family
    friends girls god grandma grandpa granny he here how i it jesus kids let mama me mom mommy
    mother mr mrs ms mum mummy my nana nanny nobody our papa parents santa she students teens
    that the there they toddlers today tomorrow us we what when where who
";
/// Words for several persons, or for one of them, and for pets.
const GROUPS: &str = "
    adults beginner beginners bunch caregivers cat cats class classes classmates classroom club
    couple crew dog dogs enthusiasts families fan fans father fathers folks friend girlfriend
    graders grandfather grandmother grandparents group groups grownup grownups guests hamster
    homeschoolers horse household husband infants juniors kiddo kiddos kinder kindergarten
    kindergarteners kindergartners kitten learner learners lovers man men moms mothers mums
    neighborhood neighbors neighbours newborns one ones others pair parent partner people person
    persons pet pets player players preschool preschooler preschoolers preteens pupil pupils
    puppy rabbit reader readers scouts seniors sibling siblings speakers spouse student teacher
    teachers team teen teenager teenagers troop tween tweens visitors wife woman women
    youngsters youth
";
/// Other words in an answer about persons: who they are, what they do, and when.
const OTHERS: &str = "
    a able active adhd advanced afraid after afternoon age aged ages always am an another any
    anything are around as at autism autistic away back bad be because bed bedtime been before
    best better between big bigger bilingual birthday blended blind bored born both bright busy
    but can church clever close course curious daily day days deaf december different do does
    doing dyslexia dyslexic each eager early easily easy eight either elementary eleven else
    english entire especially evening evenings event events ever every excited extra few first
    foster four free from fun generally get gets getting gifted go goes going good grade grades
    grown had half happy has hate hates have having her hers herself him himself his home
    homework idk if in indoors inside into is its just kind know knows later learn learning
    learns least less level like likes listen listens live lives living local long lot lots love
    loved loves loving lunch mainly many math maths mature maybe mid middle mine mixed month
    months more morning mornings most mostly much music myself named near nearly need needs
    neither never new next nice night nights nine no none not nothing now number odd of off
    often old older oldest on once only onwards or other ours ourselves out outdoors outside
    over own park part party pending picky play playing plays please plus practice pre prefer
    preferably prefers primary princess probably quiet quite read reading reads ready really
    same school science second secondary seven shared shy shyer sick simple single six sleep
    sleeping sleeps sleepy slow small smaller so some somebody someone something soon speak
    speaks special start starting starts still street struggle struggles struggling sure ten
    than their them themselves then these third this those three through time times tired to
    together too town travel travels tricky turn turning turns two under unknown unsure until up
    upper usually various very wait want wants was week weekend weekends weekly weeks well were
    whether which while whoever whole whom whose wish wishes with within without work works
    would year yearly years yes yet you young younger youngest your yours yourself
";
/// Capitalized words for other things than persons.
const THINGS: &str = "
    africa african american android apple arabic australia bible britain british canada catholic
    chatgpt chinese christian christmas danish december disney diwali dutch earth easter eid
    england english europe european excel february finnish france french friday gemini german
    germany google greek halloween hanukkah hebrew hindi indian instagram ireland irish italian
    january japan japanese java july korean latin lego mandarin march mars mathe maths mexican
    mexico minecraft monday moon muslim netflix norwegian november october passover pokemon
    pokémon poland polish portuguese python ramadan roblox russian saturday science scottish
    scratch september spain spanish spotify sprout sunday swedish thai thanksgiving thursday
    tuesday turkish ukrainian vietnamese wednesday welsh whatsapp wikipedia york youtube zoom
";
/// What may be between a name and an age.
const BEFORE_AGES: &str = "
    age aged almost be is just nearly now turned turning turns who
";
/// The ages of children in words.
const AGES: &str = "
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen
";
/// What may follow an age.
const UNITS_OF_AGE: &str = "
    and as at in is loves month months now on or today who with year years yo yr yrs
";
/// Titles and relations of other persons, of saints and of places, before their names.
const TITLES: &str = "
    aunt auntie doctor dr father fireman fort grandma grandpa granny lake mayor mount mr mrs ms mt
    nan nana nanny nurse opa oma papa pope port postman professor saint san santa sister-in-law st
    uncle
";
/// What children are called in play, before a name of theirs.
const NICKNAMES: &str = "
    bear bunny dragon elf fairy hero knight lion monkey monster pirate tiger unicorn witch wizard
";
/// Words before the name of a child, besides addresses and relatives.
const BEFORE_CHILDREN: &str = "
    called friend friends guy her his kid lady make mate miss mister named neighbor neighbour old
    pal sis their
";
/// Words before places.
const BEFORE_PLACES: &str = "
    at from in near
";
/// Animals and things that have names, too.
const ANIMALS: &str = "
    bear bird bunny cat character dinosaur dog doll dragon elephant elf fairy fish fox giraffe goat
    guinea-pig hamster hero horse kitten knight lion monkey monster mouse owl parrot penguin pet pig
    pirate pony puppy rabbit robot squirrel teddy tiger toy turtle unicorn whale witch wizard wolf
";
/// Words after a person.
const AFTER_PERSONS: &str = "
    a about after all an and are as at because before but by can cannot during each every for from
    good had has have he her his how i if in into is it its my not on or our out quietly so some than
    that the their then they this to too up via was we what when where which while who whose why with
    without would you your
";
/// What several persons do.
const DEEDS_OF_SEVERAL: &str = "
    are bake both build climb dance draw eat explore find fly get go have help learn like love make
    meet need play read share sing sleep take tidy travel visit walk want
";
/// What a person does.
const DEEDS: &str = "
    adores asks bakes becomes brushes builds can't cannot climbs collects cooks counts cries dances
    does doesn't draws dreams dresses drinks eats enjoys falls fears feels finds finishes flies gets
    gives goes grows hates has hears helps hides isn't jumps keeps knows laughs learns likes listens
    lives looks loves makes meets misses needs paints picks plays practices practises prefers reads
    rides runs says sees shares sings sleeps smiles speaks spends starts stays struggles studies
    swims takes talks tells thinks tidies travels tries turns understands visits wakes walks wants
    washes watches wears wins wishes won't works worries writes
";
/// Words in lowercase inside a name: `Mia van Dyck`.
const PARTICLES: &str = "
    al bin da de del della den der di dos du el ibn la le van von
";
/// Endings of words such as `don't` and `they're`.
const CONTRACTIONS: [&str; 5] = ["n't", "'re", "'m", "'ll", "'ve"];
/// The fewest letters of the last part of a word with hyphens that says what the word is.
const LAST_PART_LETTERS_MIN: usize = 4;

fn is_before_names(word: &str) -> bool {
    is_one_of(word, BEFORE_NAMES) || is_third_person(word, BEFORE_NAMES) || is_address(word)
}

/// Returns `true` for a word after which a name may be addressed: `for`, `tells`, `our`.
pub(super) fn is_address(word: &str) -> bool {
    is_one_of(word, ADDRESSES) || is_third_person(word, ADDRESSES) || is_endearing(word)
}

/// Returns `true` for a word before a name or an endearment: `my angel`.
pub fn is_endearing(word: &str) -> bool {
    is_one_of(word, ENDEARMENTS)
}

pub(super) fn is_relative(word: &str) -> bool {
    is_one_of(word, RELATIVES)
}

/// Returns `true` for a word with which an answer may mean persons: `kids`, `everyone`.
pub(super) fn is_person(word: &str) -> bool {
    [PERSONS, RELATIVES, GROUPS].iter().any(|list| is_one_of(word, list))
}

pub(super) fn is_thing(word: &str) -> bool {
    is_one_of(word, THINGS)
}

/// Returns `true` for a word whose name after it is not that of a child: `Saint`, `Uncle`.
pub(super) fn is_title_of_person(word: &str) -> bool {
    is_one_of(word, TITLES)
}

pub(super) fn is_animal(word: &str) -> bool {
    is_one_of(word, ANIMALS)
}

/// Returns `true` for a word that a child may be called, too: `our little monkey`.
pub(super) fn is_nickname(word: &str) -> bool {
    is_one_of(word, NICKNAMES)
}

/// Returns `true` for a word after which an unknown word may be the name of a child.
pub(super) fn is_before_child(word: &str) -> bool {
    is_one_of(word, BEFORE_CHILDREN)
        || is_address(word)
        || is_relative(word)
        || word.ends_with("year-old")
}

pub(super) fn is_before_place(word: &str) -> bool {
    is_one_of(word, BEFORE_PLACES)
}

/// Returns `true` for a word that follows a person, and hardly ever a thing that is meant by the
/// same word.
pub(super) fn continues_after_person(word: &str) -> bool {
    is_one_of(word, AFTER_PERSONS)
}

/// Returns `true` for what a person does: `loves`.
pub(super) fn is_done_by_person(word: &str) -> bool {
    is_one_of(&word.replace('\u{2019}', "'"), DEEDS)
}

/// Returns `true` for what several persons do or are: `April and June are`.
pub(super) fn is_done_by_persons(word: &str) -> bool {
    is_one_of(word, DEEDS_OF_SEVERAL)
}

/// Returns `true` for a word after the number of an age.
pub(super) fn is_unit_of_age(word: &str) -> bool {
    is_one_of(word, UNITS_OF_AGE)
}

pub(super) fn is_before_age(word: &str) -> bool {
    is_one_of(word, BEFORE_AGES)
}

/// Returns `true` for the age of a child in words.
pub(super) fn is_age(word: &str) -> bool {
    is_one_of(word, AGES)
}

pub(super) fn is_particle(word: &str) -> bool {
    is_one_of(word, PARTICLES)
}

/// Returns `true` for a word that is expected in an answer about persons, in any case.
pub(super) fn is_ordinary(word: &str) -> bool {
    let word = word.replace('\u{2019}', "'").to_lowercase();
    let is_listed = |word: &str| {
        let lists = [AGES, BEFORE_AGES, OTHERS, VERBS];
        is_person(word)
            || is_before_names(word)
            || lists.iter().any(|list| is_one_of(word, list))
            || is_third_person(word, VERBS)
    };
    let is_part = |part: Option<&str>, letters_min| {
        part.is_some_and(|part| part.len() >= letters_min && is_listed(part))
    };
    is_listed(&word)
        || CONTRACTIONS.iter().any(|ending| word.ends_with(ending))
        || word.contains('-')
            && (is_part(word.split('-').next(), 0)
                || is_part(word.rsplit('-').next(), LAST_PART_LETTERS_MIN))
}

/// Returns `true` for an ordinary word in any case, which is no name.
pub(super) fn is_known_word(word: &str) -> bool {
    let others = [BEFORE_NAMES, AFTER_PERSONS, ANIMALS, DEEDS, DEEDS_OF_SEVERAL, PARTICLES];
    let is_other = |word: &str| {
        is_ordinary(word)
            || is_thing(word)
            || is_title_of_person(word)
            || is_unit_of_age(word)
            || others.iter().any(|list| is_one_of(word, list))
    };
    is_english(word, is_other)
}

fn is_third_person(word: &str, list: &str) -> bool {
    ["s", "es"].iter().filter_map(|ending| word.strip_suffix(ending)).any(|it| is_one_of(it, list))
}

fn is_one_of(word: &str, list: &str) -> bool {
    let word = word.to_lowercase();
    list.split_ascii_whitespace().any(|other| other == word)
}
