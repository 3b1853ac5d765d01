//! Persons and figures whom everyone knows: their names may be published.

use super::answer::Word;

/// Returns the number of words of the famous name that begins here; 0 if there is none.
pub(super) fn famous_words(words: &[Word<'_>]) -> usize {
    let Some(first) = words.first() else { return 0 };
    let lengths = FAMOUS.lines().map(str::trim).filter_map(|name| {
        let mut parts = name.split(' ');
        parts.next().filter(|part| is_written(first, part))?;
        let mut count = 1;
        for part in parts {
            let word = words.get(count).filter(|word| matches!(word.gap, " " | "-" | ". "))?;
            if !is_written(word, part) {
                return None;
            }
            count += 1;
        }
        Some(count)
    });
    lengths.max().unwrap_or_default()
}

fn is_written(word: &Word<'_>, part: &str) -> bool {
    let base = part.strip_suffix("'s").filter(|_| word.is_genitive);
    word.text.to_lowercase() == base.unwrap_or(part)
}

const FAMOUS: &str = "
    aaron and moses
    abraham lincoln
    ada lovelace
    adam and eve
    albert einstein
    alice im wunderland
    alice in wonderland
    alvin and the chipmunks
    amelia bedelia
    amelia earhart
    anna and elsa
    anna und elsa
    anne frank
    anne of green gables
    ariel and flounder
    ariel the mermaid
    artemis and apollo
    baby einstein
    baby shark
    baby yoda
    barbie and ken
    bart simpson
    batman
    ben 10
    ben and holly
    bibi blocksberg
    bibi und tina
    bill gates
    billy goat
    billy goats
    blippi
    bluey
    bluey and bingo
    bob marley
    bob the builder
    calvin and hobbes
    captain america
    captain cook
    captain hook
    captain nemo
    charles darwin
    charlie and the chocolate factory
    charlie brown
    charlotte's web
    chip and dale
    christopher columbus
    christopher robin
    clark kent
    clifford the big red dog
    curious george
    daisy duck
    daniel in the lion's den
    daniel tiger
    david and goliath
    doctor who
    donald duck
    dora the explorer
    dr seuss
    edward lear
    elmer the elephant
    elsa and anna
    elsa and olaf
    elsa from frozen
    elsa und anna
    emil and the detectives
    emil und die detektive
    emily elizabeth
    eric carle
    ferris bueller
    fireman sam
    florence nightingale
    flynn rider
    frida kahlo
    frog and toad
    galileo galilei
    george washington
    geronimo stilton
    gregor the overlander
    hannah montana
    hans christian andersen
    hansel and gretel
    harriet tubman
    harry houdini
    harry potter
    harry styles
    heidi and peter
    helen keller
    henry viii
    hermione granger
    horrid henry
    horton hears a who
    huckleberry finn
    humpty dumpty
    hänsel und gretel
    isaac newton
    itsy bitsy
    ivan the terrible
    jack and jill
    jack and the beanstalk
    jack frost
    jack sparrow
    jack the ripper
    james bond
    jane austen
    jane goodall
    jesus
    jim knopf
    joan of arc
    john f kennedy
    john lennon
    jonah and the whale
    joseph and mary
    jules verne
    julius caesar
    junie b jones
    justin bieber
    karl marx
    king arthur
    king charles
    king david
    king george
    king henry
    king kong
    king midas
    king solomon
    king tut
    lady gaga
    leonardo da vinci
    lewis carroll
    lilo and stitch
    lionel messi
    lisa simpson
    little mermaid
    little prince
    little red riding hood
    lord nelson
    louis braille
    lucky luke
    luke skywalker
    marco polo
    marie antoinette
    marie curie
    mario and luigi
    mario bros
    mario kart
    mark twain
    martin luther
    martin luther king
    mary and joseph
    mary had a little lamb
    mary poppins
    mary queen of scots
    max and moritz
    max and ruby
    max und moritz
    michael jackson
    michael jordan
    mickey mouse
    miffy
    miles davis
    miles morales
    minnie mouse
    miss marple
    mister rogers
    mother teresa
    mowgli
    nancy drew
    neil armstrong
    nelson mandela
    nikola tesla
    noah and the ark
    noah and the flood
    noah's ark
    oliver twist
    oscar the grouch
    oscar wilde
    paddington
    paddington bear
    paul klee
    paul revere
    peppa pig
    percy jackson
    percy the engine
    peter and the wolf
    peter pan
    peter parker
    peter rabbit
    phineas and ferb
    pippi langstrumpf
    pippi longstocking
    postman pat
    president lincoln
    president obama
    president washington
    princess anna
    princess diana
    princess elsa
    princess leia
    princess peach
    queen elizabeth
    queen victoria
    ramona and beezus
    ramona quimby
    ray charles
    roald dahl
    robin hood
    robinson crusoe
    romeo and juliet
    ronald mcdonald
    ronja räubertochter
    ronja the robber's daughter
    rosa parks
    rosie revere
    rosie the riveter
    rudolph the red-nosed reindeer
    rudolph's nose
    sally ride
    sam i am
    samson and delilah
    scooby doo
    serena williams
    shaun the sheep
    sherlock holmes
    simon and garfunkel
    simon says
    sir lancelot
    spider-man
    spiderman
    stephen hawking
    steve jobs
    super mario
    tabaluga
    taylor swift
    ted talk
    ted talks
    theodore roosevelt
    thomas and friends
    thomas edison
    thomas the tank engine
    thomas the train
    timon and pumbaa
    tom and jerry
    tom sawyer
    tony stark
    vincent van gogh
    wallace and gromit
    walt disney
    william shakespeare
    willy wonka
    winnie pooh
    winnie puuh
    winnie the pooh
    winston churchill
    wolfgang amadeus mozart
    woody and buzz
";
