//! How Luna asks whether a program may act: with all that it would do.

use luna_messages::Lang;
use luna_messages::executor::RequestedAction;

/// Longest text of a program that is read in a question, in characters. The rest is told by its length.
const LONGEST: usize = 80;

/// The question. What a program or the screen says stands in quotation marks, and no sentence of it can end them.
pub(super) fn question(action: &RequestedAction, dangerous: bool, needs_call: Option<&str>, lang: Lang) -> String {
    let what = match lang {
        Lang::Ko => korean(action),
        Lang::En => english(action),
    };
    match lang {
        Lang::Ko => {
            let yes = needs_call.map_or_else(|| "예".to_owned(), |name| format!("'{name}, 예'"));
            let danger = if dangerous { " 위험한 작업이에요." } else { "" };
            format!("다른 프로그램이 {what}.{danger} 해도 되면 {yes}라고 말해 주세요.")
        }
        Lang::En => {
            let yes = needs_call.map_or_else(|| "yes".to_owned(), |name| format!("'{name}, yes'"));
            let danger = if dangerous { " This is dangerous." } else { "" };
            format!("Another program wants to {what}.{danger} If it may, say {yes}.")
        }
    }
}

fn korean(action: &RequestedAction) -> String {
    match action {
        RequestedAction::Click { target, .. } if !target.is_empty() => {
            format!("{}: 이것을 누르려고 해요", quoted(target, Lang::Ko))
        }
        RequestedAction::Click { at, .. } => {
            format!("가로 {}, 세로 {} 자리를 누르려고 해요. 거기 무엇이 있는지는 몰라요", at.x, at.y)
        }
        RequestedAction::Type { text, target } => {
            format!("{}{}: 이 글을 입력하려고 해요", place(target, Lang::Ko), quoted(text, Lang::Ko))
        }
        RequestedAction::Keys { keys, times, target } => {
            let times = if *times == 1 { String::new() } else { format!(" {times}번") };
            format!("{}{keys} 키를{times} 누르려고 해요", place(target, Lang::Ko))
        }
        RequestedAction::Scroll { down: true } => "화면을 아래로 넘기려고 해요".to_owned(),
        RequestedAction::Scroll { down: false } => "화면을 위로 넘기려고 해요".to_owned(),
        RequestedAction::Launch { program } => format!("{}: 이 프로그램을 켜려고 해요", quoted(program, Lang::Ko)),
    }
}

fn english(action: &RequestedAction) -> String {
    match action {
        RequestedAction::Click { target, .. } if !target.is_empty() => format!("click {}", quoted(target, Lang::En)),
        RequestedAction::Click { at, .. } => {
            format!("click at {} from the left and {} from the top; what is there is not known", at.x, at.y)
        }
        RequestedAction::Type { text, target } => {
            format!("type {}{}", quoted(text, Lang::En), place(target, Lang::En))
        }
        RequestedAction::Keys { keys, times, target } => {
            let times = if *times == 1 { String::new() } else { format!(" {times} times") };
            format!("press {keys}{times}{}", place(target, Lang::En))
        }
        RequestedAction::Scroll { down: true } => "scroll down".to_owned(),
        RequestedAction::Scroll { down: false } => "scroll up".to_owned(),
        RequestedAction::Launch { program } => format!("start {}", quoted(program, Lang::En)),
    }
}

/// Where keys and text go.
fn place(target: &str, lang: Lang) -> String {
    match (target.is_empty(), lang) {
        (true, _) => String::new(),
        (false, Lang::Ko) => format!("{}에 ", quoted(target, Lang::Ko)),
        (false, Lang::En) => format!(" in {}", quoted(target, Lang::En)),
    }
}

/// A text of somebody else: on one line, without quotation marks, shortened.
fn quoted(text: &str, lang: Lang) -> String {
    let is_mark = |c: char| c.is_control() || matches!(c, '\'' | '"' | '‘' | '’' | '“' | '”' | '`');
    let plain: String = text.chars().map(|c| if is_mark(c) { ' ' } else { c }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let plain = words.join(" ");
    let count = plain.chars().count();
    let shown: String = plain.chars().take(LONGEST).collect();
    let lines = text.trim_end_matches(['\n', '\r']).lines().count();
    let enter = text.ends_with(['\n', '\r']);
    let mut told = format!("'{shown}'");
    match lang {
        Lang::Ko => {
            if count > LONGEST {
                told.push_str(&format!(" 그리고 {}자 더", count - LONGEST));
            }
            if lines > 1 || enter {
                told.push_str(", 엔터 포함");
            }
        }
        Lang::En => {
            if count > LONGEST {
                told.push_str(&format!(" and {} more characters", count - LONGEST));
            }
            if lines > 1 || enter {
                told.push_str(", with Enter");
            }
        }
    }
    told
}
