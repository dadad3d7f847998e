//! Names of characters in both languages.

use luna_messages::Lang;

/// Korean names of the Latin letters, from A.
const LATIN_KO: [&str; 26] = [
    "에이",
    "비",
    "씨",
    "디",
    "이",
    "에프",
    "지",
    "에이치",
    "아이",
    "제이",
    "케이",
    "엘",
    "엠",
    "엔",
    "오",
    "피",
    "큐",
    "알",
    "에스",
    "티",
    "유",
    "브이",
    "더블유",
    "엑스",
    "와이",
    "제트",
];

const DIGITS_KO: [&str; 10] = ["영", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"];
const DIGITS_EN: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/// The name of a jamo: ㄱ is 기역, ㅏ is 아.
pub fn jamo_name(jamo: char) -> Option<&'static str> {
    Some(match jamo {
        'ㄱ' => "기역",
        'ㄲ' => "쌍기역",
        'ㄳ' => "기역 시옷",
        'ㄴ' => "니은",
        'ㄵ' => "니은 지읒",
        'ㄶ' => "니은 히읗",
        'ㄷ' => "디귿",
        'ㄸ' => "쌍디귿",
        'ㄹ' => "리을",
        'ㄺ' => "리을 기역",
        'ㄻ' => "리을 미음",
        'ㄼ' => "리을 비읍",
        'ㄽ' => "리을 시옷",
        'ㄾ' => "리을 티읕",
        'ㄿ' => "리을 피읖",
        'ㅀ' => "리을 히읗",
        'ㅁ' => "미음",
        'ㅂ' => "비읍",
        'ㅃ' => "쌍비읍",
        'ㅄ' => "비읍 시옷",
        'ㅅ' => "시옷",
        'ㅆ' => "쌍시옷",
        'ㅇ' => "이응",
        'ㅈ' => "지읒",
        'ㅉ' => "쌍지읒",
        'ㅊ' => "치읓",
        'ㅋ' => "키읔",
        'ㅌ' => "티읕",
        'ㅍ' => "피읖",
        'ㅎ' => "히읗",
        'ㅏ' => "아",
        'ㅐ' => "애",
        'ㅑ' => "야",
        'ㅒ' => "얘",
        'ㅓ' => "어",
        'ㅔ' => "에",
        'ㅕ' => "여",
        'ㅖ' => "예",
        'ㅗ' => "오",
        'ㅘ' => "와",
        'ㅙ' => "왜",
        'ㅚ' => "외",
        'ㅛ' => "요",
        'ㅜ' => "우",
        'ㅝ' => "워",
        'ㅞ' => "웨",
        'ㅟ' => "위",
        'ㅠ' => "유",
        'ㅡ' => "으",
        'ㅢ' => "의",
        'ㅣ' => "이",
        _ => return None,
    })
}

/// The name of a Latin letter, ignoring its case. English names are the letters themselves in upper case: a lone "a" would be spoken as the
/// article.
pub fn latin_name(letter: char, lang: Lang) -> Option<String> {
    let upper = letter.to_ascii_uppercase();
    let index = (upper as u32).checked_sub('A' as u32).filter(|i| *i < 26)?;
    Some(match lang {
        Lang::Ko => (*LATIN_KO.get(index as usize)?).to_owned(),
        Lang::En => upper.to_string(),
    })
}

pub fn digit_name(digit: u32, lang: Lang) -> Option<&'static str> {
    match lang {
        Lang::Ko => DIGITS_KO.get(digit as usize),
        Lang::En => DIGITS_EN.get(digit as usize),
    }
    .copied()
}

/// The name of a punctuation mark, symbol or space.
pub fn mark_name(mark: char, lang: Lang) -> Option<&'static str> {
    let (ko, en) = match mark {
        ' ' | '\u{a0}' | '\u{3000}' => ("빈칸", "space"),
        '\t' => ("탭", "tab"),
        '\n' | '\r' | '\u{2028}' | '\u{2029}' => ("줄 바꿈", "new line"),
        '.' | '．' => ("마침표", "period"),
        '。' => ("고리점", "ideographic full stop"),
        ',' | '，' => ("쉼표", "comma"),
        '、' => ("모점", "ideographic comma"),
        '?' | '？' => ("물음표", "question mark"),
        '!' | '！' => ("느낌표", "exclamation mark"),
        ':' | '：' => ("쌍점", "colon"),
        ';' | '；' => ("쌍반점", "semicolon"),
        '\'' => ("작은따옴표", "apostrophe"),
        '"' => ("큰따옴표", "quotation mark"),
        '‘' => ("여는 작은따옴표", "left single quote"),
        '’' => ("닫는 작은따옴표", "right single quote"),
        '“' => ("여는 큰따옴표", "left double quote"),
        '”' => ("닫는 큰따옴표", "right double quote"),
        '(' | '（' => ("여는 괄호", "left parenthesis"),
        ')' | '）' => ("닫는 괄호", "right parenthesis"),
        '[' => ("여는 대괄호", "left bracket"),
        ']' => ("닫는 대괄호", "right bracket"),
        '{' => ("여는 중괄호", "left brace"),
        '}' => ("닫는 중괄호", "right brace"),
        '<' => ("작다 기호", "less than"),
        '>' => ("크다 기호", "greater than"),
        '「' => ("여는 낫표", "left corner bracket"),
        '」' => ("닫는 낫표", "right corner bracket"),
        '『' => ("여는 겹낫표", "left double corner bracket"),
        '』' => ("닫는 겹낫표", "right double corner bracket"),
        '-' => ("하이픈", "hyphen"),
        '–' | '—' => ("줄표", "dash"),
        '_' => ("밑줄", "underscore"),
        '/' => ("빗금", "slash"),
        '\\' => ("역빗금", "backslash"),
        '|' => ("세로줄", "vertical bar"),
        '@' => ("골뱅이", "at"),
        '#' => ("샵", "number sign"),
        '$' => ("달러 기호", "dollar sign"),
        '₩' | '￦' => ("원 기호", "won sign"),
        '€' => ("유로 기호", "euro sign"),
        '£' => ("파운드 기호", "pound sign"),
        '¥' => ("엔 기호", "yen sign"),
        '%' => ("퍼센트", "percent"),
        '&' => ("앤드", "ampersand"),
        '*' => ("별표", "asterisk"),
        '+' => ("더하기", "plus"),
        '=' => ("등호", "equals"),
        '×' => ("곱하기", "times"),
        '÷' => ("나누기", "divided by"),
        '±' => ("플러스마이너스", "plus minus"),
        '~' | '～' => ("물결표", "tilde"),
        '^' => ("캐럿", "caret"),
        '`' => ("억음 부호", "grave accent"),
        '°' => ("도", "degree"),
        '℃' => ("섭씨", "degrees Celsius"),
        '…' => ("줄임표", "ellipsis"),
        '·' => ("가운뎃점", "middle dot"),
        '•' => ("글머리 기호", "bullet"),
        '※' => ("참고표", "reference mark"),
        '★' | '☆' => ("별", "star"),
        '→' => ("오른쪽 화살표", "right arrow"),
        '←' => ("왼쪽 화살표", "left arrow"),
        '↑' => ("위쪽 화살표", "up arrow"),
        '↓' => ("아래쪽 화살표", "down arrow"),
        '©' => ("저작권 기호", "copyright"),
        '®' => ("등록 상표 기호", "registered"),
        '™' => ("상표 기호", "trademark"),
        _ => return None,
    };
    Some(match lang {
        Lang::Ko => ko,
        Lang::En => en,
    })
}

/// The Korean name of a Latin letter: 에스. `None` for anything but a Latin letter.
#[must_use]
pub fn letter_name(letter: char) -> Option<String> {
    latin_name(letter, Lang::Ko)
}
