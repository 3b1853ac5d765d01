//! Names that are also common words: in lowercase they are read as the word.

/// Returns `true` if a lowercase name is a word of everyday English or of programming.
pub(super) fn is_common(folded: &str) -> bool {
    WORDS.split_ascii_whitespace().any(|word| word == folded)
}

const WORDS: &str = "
    ace ada alpha amber an angel april archer art ash august aurora autumn bailey baker bar basil
    baron bay bear beau bell berry bill bishop blake blaze blue bob brook brooks bunny buck buddy
    can carol carson carter case cash cat chance charity chase chip christian clay cliff coco cole
    colt cooper coral core crystal daisy dale dash dawn dean delta dev dot don dove drake drew
    duke earl echo eve faith fern finn fisher flora forest fox frank gem gene genesis ginger
    glen grace grant gray guy hal happy harmony harper haven hazel heath heather heaven holly
    honor hope hunter iris ivy jack jade jasmine jasper java jay jet jewel job jordan journey joy
    joyce julia june justice kai ken key king kit lacey lance lane lark leaf levi lexi liberty
    lily link lotus love lucky lux mai major mark marina marsh marshall mason max may mel melody
    mercy merit mike miles milo min mint miller misty moss my nan nat neo nick nova oak ocean
    octavia olive opal otto page paris parker pat patience pearl penny pepper perl peter phoenix
    pierce pip piper poppy porter precious presley prince prudence quest quill rain raven ray
    reed reef rem remy rex rich river rob robin rocky roman root rose rosemary rowan roy royal
    ruby rust rusty sage sailor sally sam sandy sawyer scout serenity shepherd sierra silver
    sky sol son song sonny spencer spring star stella sterling stone storm sue summer sun sunny
    swift tab tanner tate taylor temperance tess tiger tim tina tracy travis trinity true tucker
    turner ty tyler val van verity victor viola violet vita wade walker ward warner wave west
    will willow winter wolf woody wren xi york young zen zion
";
