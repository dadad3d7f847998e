//! Korean labels name what they do by a noun, 찾기; who speaks describes the thing by the verb's adnominal form: "비밀번호 찾는 링크" (RNK-2). English
//! ones name it by the verb, "Invite guests"; who speaks, by its gerund: "the button for inviting guests".

use luna_text::hangul::{compose, final_consonant, jamo, open};

/// A text with its last verb in the form in which labels have it; none if it ends in no adnominal form. What was done already, 찾은, names no act.
#[must_use]
pub fn noun_forms(text: &str) -> Vec<String> {
    let text = text.trim_end();
    if text.is_ascii() {
        return gerunds(text);
    }
    let Some(last) = text.chars().next_back() else { return Vec::new() };
    let head = text.get(..text.len() - last.len_utf8()).unwrap_or_default();
    let Some(before) = head.chars().next_back().filter(|c| jamo(*c).is_some()) else {
        return future(head, last).into_iter().collect();
    };
    match last {
        '는' => {
            // 여는: of 열기.
            let longer = final_consonant(before).is_none().then(|| with_l(head, before)).flatten();
            [Some(format!("{head}기")), longer].into_iter().flatten().collect()
        }
        '을' if final_consonant(before).is_some() => vec![format!("{head}기")],
        _ => future(head, last).into_iter().collect(),
    }
}

/// "Invite guests" of "inviting guests": what the button for it is called.
fn gerunds(text: &str) -> Vec<String> {
    const SHORTEST: usize = 2;
    let (first, rest) = text.split_once(' ').map_or((text, ""), |(first, rest)| (first, rest));
    let Some(stem) = first.strip_suffix("ing").filter(|stem| stem.len() >= SHORTEST) else { return Vec::new() };
    let twice = stem.strip_suffix(|last| stem.get(..stem.len() - 1).is_some_and(|head| head.ends_with(last)));
    let verbs = [Some(stem.to_owned()), Some(format!("{stem}e")), twice.map(str::to_owned)];
    verbs.into_iter().flatten().map(|verb| format!("{verb} {rest}").trim_end().to_owned()).collect()
}

/// 바꾸기 of 바꿀.
fn future(head: &str, last: char) -> Option<String> {
    (final_consonant(last) == Some('ㄹ')).then(|| format!("{head}{}기", open(last)))
}

fn with_l(head: &str, last: char) -> Option<String> {
    let (initial, vowel, _) = jamo(last)?;
    let closed = compose(initial, vowel, Some('ㄹ'))?;
    head.get(..head.len() - last.len_utf8()).map(|stem| format!("{stem}{closed}기"))
}

#[cfg(test)]
mod tests {
    use super::*;

    // RNK-2
    #[test]
    fn adnominal_forms_have_their_nouns_rnk_2() {
        for (text, expect) in [
            ("비밀번호 찾는", vec!["비밀번호 찾기"]),
            ("이름 바꾸는", vec!["이름 바꾸기", "이름 바꿀기"]),
            ("파일 여는", vec!["파일 여기", "파일 열기"]),
            ("새로 만드는", vec!["새로 만드기", "새로 만들기"]),
            ("메일 보낼", vec!["메일 보내기"]),
            ("비밀번호 찾을", vec!["비밀번호 찾기"]),
            ("비밀번호 찾은", vec![]),
            ("저장", vec![]),
            ("save", vec![]),
            ("", vec![]),
            ("inviting guests", vec!["invit guests", "invite guests"]),
            ("adding a row", vec!["add a row", "adde a row", "ad a row"]),
            ("stopping", vec!["stopp", "stoppe", "stop"]),
            ("king", vec![]),
        ] {
            assert_eq!(noun_forms(text), expect, "{text}");
        }
    }
}
