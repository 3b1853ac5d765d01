//! Names that are also common words: in lowercase they are read as the word.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The most letters of a word that is read as a word, a syllable or an abbreviation, such as `al`,
/// `bo` and `io`.
const SHORT_LETTERS_MAX: usize = 2;

/// Returns `true` if a lowercase name, without diacritics, is a common word: in English, in
/// programming or in the names of places and things. Short ones always are.
pub(super) fn is_common(folded: &str) -> bool {
    folded.chars().nth(SHORT_LETTERS_MAX).is_none() || SET.contains(folded)
}

static SET: LazyLock<HashSet<&str>> = LazyLock::new(|| WORDS.split_ascii_whitespace().collect());

const WORDS: &str = "
    abbey ace ada alma alpha alto amber ange angel anise april arbor archer aria arrow art ash
    aspen aster atlas august aurora autumn ava bailey baker bali bar barn baron basil bass bay bea
    bear beau beck bell belle berry beta bill bishop blake blanc blanca blaze bliss blossom blue
    bob bond booker boss boy brandy breeze briar brick bridge brie brook brooks buck bud buddy
    bunny bush can candle candy carol carson carter case cash castle cat cedar chance chandler
    charity chase china chip christian clay clementine cliff clover coast coco cole colt constant
    cooper coral core cotton cruise cruz crystal cypress dahlia daisy dale darling dash dawn dean
    delta dev diamond dolly don dona dot dove drake drew drum duke dusty eagle earl easter echo
    eden elf ella else ember emerald emery essence ethos eve ever excel exe fable faith felice
    fern field finn fisher flint flora flower ford forest fortune fox frank free frost gable gale
    garnet gem gene genesis geo giant ginger glen glory gold golden grace grant gray grit guy hal
    ham happy harbor harmony harper harvest hat haven hazel heath heather heaven helm henna hero
    hill holly honor hope hunt hunter indigo ion iris isle ivory ivy jack jade jam january jasmine
    jasper java jay jean jet jewel job jolly jordan jot journey joy joyce julia june juniper juno
    jury juste justice kai karma ken key kin king kit kiwi knight knox lacey lad lady lan lance
    land lane lark laurel lava law leaf lee legend lemon len les levi lexi liberty lily lima lime
    linden link lion live lotus love lovely luce lucky lune lux luz lynx mac mai major maple mar
    marble march marina marine mark marsh marshall mason mat max maxim may maze meadow mel melody
    mercy merit merry midge mike mil miles miller milo min mina mint mira misty mohair mona
    morning moss mouse muse myrtle name nan nat navy neo nest nick noble noel norm north note nova
    oak oasis ocean octavia olive onyx opal opera orchid orion otter otto page pan pansy paris
    parker pat patience pax paz peace peach pearl penny pepper per perl peter phoenix piano pierce
    pike pine pink pip piper plum poet pony poppy porter posy prairie precious presley prima
    prince princess prosper prudence puma python queen quest quill rad rain rave raven ray read
    red reed reef reign reine rem remy ren rex rice rich rider ridge ring rio rip river road rob
    robe robin rock rocky rod roman root rosa rose rosemary rowan roy royal ruby rue rum rush rust
    rusty saddle sade saga sage sailor saint salem sally salt salvia sam sandy sapphire sari sash
    satin saul savanna sawyer scala scarlet scout seal sena serena serenity seven shade shadow
    shell shepherd sierra silver sin sire skip sky skye slate snow sol solo son song sonny sora
    spencer spike spirit spring spruce star steel stella sten sterling stew stone storm story sue
    summer summit sun sunday sunny sunshine swan swift tab tad tag tai tally tam tan tango tanner
    tate taylor teal temperance temple terra tess thai theme theory thor thorn thyme tia tide
    tiger tim timber tina topaz topper toto trace tracy travis trey trinity trip troy true tucker
    tulip tuna turner tux twig tyler una unity urban val valentine valle van vance vanilla velvet
    venus vera verity vernal vesper victor victory vine viola violet virgo virtue vita vivid wade
    walker ward warner warren wave west whitney wilder will willow win windy wing winner winter
    wisdom wolf wood woody worth wren yam yen yoke york young yuan yule zed zen zenith zero zest
    zinc zion zip zoom
";
