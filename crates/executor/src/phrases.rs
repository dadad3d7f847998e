//! What Luna says about an order: short, and if something failed, what can be done.

mod desktop;
mod permission;
mod proposed;

use luna_messages::Lang;
use luna_messages::dsl::ScrollDirection;
use luna_messages::executor::RequestedAction;

pub use self::desktop::DesktopPhrase;
pub use self::proposed::ProposedStep;
use crate::done_action::DoneAction;
use crate::plan::CannotAct;

/// A sentence of Luna's own. Labels are those of the screen; what was entered never stands in it (PRV-2).
#[derive(Debug, Clone, PartialEq)]
pub enum ExecutorPhrase {
    /// It was done and seen.
    Done {
        action: DoneAction,
        target: String,
    },
    /// It was so already.
    AlreadySo {
        target: String,
    },
    /// It was entered in a protected field, whose content is never looked at.
    EnteredSecret {
        action: DoneAction,
        target: String,
    },
    /// The application says that it did it, and what changed may have another cause.
    DoneUnseen {
        action: DoneAction,
        target: String,
    },
    /// Keys were pressed, and nothing changed: many shortcuts show nothing.
    KeysUnseen {
        keys: String,
    },
    /// The wheel was turned, and what is shown moved.
    Scrolled {
        direction: ScrollDirection,
    },
    /// The wheel was turned, and the application does not tell whether what is shown moved.
    ScrolledUnseen,
    /// The wheel was turned, and nothing moved: it is at its end, or does not scroll.
    NothingScrolled,
    /// Of the desktop itself.
    Desktop(DesktopPhrase),
    /// It changed, but not as wished.
    NotAsWished {
        target: String,
    },
    /// It was done, and nothing shows that it had an effect.
    NothingChanged {
        target: String,
    },
    /// The application did not answer; it may have happened.
    MayBeDone {
        target: String,
    },
    Cannot {
        why: CannotAct,
        target: String,
    },
    /// No element fits.
    NotFound {
        what: String,
    },
    /// No element fits of those that the application told in time.
    NotAllRead {
        what: String,
    },
    /// No option of a list fits.
    NoOption {
        what: String,
        list: String,
    },
    /// The screen can't be read.
    NoScreen,
    /// The element went away, or is not what it was.
    Changed,
    NotUnderstood,
    /// It may mean two different things.
    Unclear,
    /// It was taken back, or not confirmed.
    Forgone,
    /// A stop came when something was done already, or under way.
    StoppedLate,
    /// Another order came before the last step.
    Superseded,
    /// Which one is meant?
    Which {
        options: Vec<String>,
        more: usize,
    },
    /// Is this what was meant?
    Proposed {
        /// What is done to what.
        steps: Vec<ProposedStep>,
    },
    /// May it be done?
    Confirm {
        action: DoneAction,
        target: String,
        needs_call: Option<String>,
    },
    /// May a program do this?
    MayProgram {
        action: RequestedAction,
        dangerous: bool,
        needs_call: Option<String>,
    },
    /// A program answered a question that only a person may.
    NotByPrograms,
    /// Nobody asked.
    NoQuestion,
}

impl ExecutorPhrase {
    /// The words.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        match lang {
            Lang::Ko => self.korean(),
            Lang::En => self.english(),
        }
    }

    fn korean(&self) -> String {
        match self {
            Self::Done { action, target } => told(action.past(Lang::Ko), target),
            Self::AlreadySo { target } => told("이미 그래요", target),
            Self::EnteredSecret { action, target } => {
                told(&format!("{}. 보호된 칸이라 확인은 하지 않아요", action.past(Lang::Ko)), target)
            }
            Self::DoneUnseen { action, target } => {
                told(&format!("{}. 제대로 됐는지는 확인하지 못했어요", action.past(Lang::Ko)), target)
            }
            Self::KeysUnseen { keys } => told("눌렀는데 화면에서 달라진 건 없어요", keys),
            Self::Scrolled { direction: ScrollDirection::Down } => "내렸어요.".into(),
            Self::Scrolled { direction: ScrollDirection::Up } => "올렸어요.".into(),
            Self::ScrolledUnseen => "화면을 넘겼어요. 움직였는지는 확인하지 못했어요.".into(),
            Self::NothingScrolled => "더 움직이지 않아요. 끝이거나 넘길 수 없는 화면이에요.".into(),
            Self::Desktop(phrase) => phrase.text(Lang::Ko),
            Self::NotAsWished { target } => told("달라지긴 했는데 말한 대로는 아니에요. 화면을 확인해 주세요", target),
            Self::NothingChanged { target } => {
                told("했는데 달라진 게 없어요. 화면을 확인하고 다시 말해 주세요", target)
            }
            Self::MayBeDone { target } => {
                told("프로그램이 대답하지 않아요. 됐는지 확인한 뒤에 다시 말해 주세요", target)
            }
            Self::Cannot { why, target } => told(
                match why {
                    CannotAct::Disabled => "지금은 쓸 수 없는 상태예요",
                    CannotAct::NotOffered => "그렇게는 할 수 없는 요소예요",
                    CannotAct::Declined => "프로그램이 받아들이지 않았어요",
                    CannotAct::NotDelivered => "프로그램에 전해지지 않아서 하지 않았어요",
                    CannotAct::Covered => {
                        "다른 것에 가려져 있어서 누르지 않았어요. 가리는 창을 닫거나 옮긴 뒤에 다시 말해 주세요"
                    }
                    CannotAct::OutOfView => "보이는 곳에 없어서 누르지 않았어요. 화면을 넘긴 뒤에 다시 말해 주세요",
                    CannotAct::HoldsText => "이미 글이 있어요. 칸의 이름까지 말하면 바꿔 쓸게요",
                    CannotAct::Selected => {
                        "글이 선택되어 있을 수 있어서 쓰지 않았어요. 화살표를 한 번 누른 다음에 다시 말해 주세요"
                    }
                    CannotAct::HoldsLines => {
                        "여러 줄의 글이 있어서 바꿔 쓰지 않았어요. 그 칸으로 간 다음에 말하면 커서 자리에 쓸게요"
                    }
                    CannotAct::NoFocusedField => "초점이 글을 넣는 칸에 없어요. 어느 칸인지 말해 주세요",
                    CannotAct::NoValue => "무엇을 입력할지 말해 주세요",
                    CannotAct::OutOfRange => "정해진 범위를 벗어난 값이에요",
                    CannotAct::NotAnElement => "알아들었지만 아직 할 수 없어요",
                },
                target,
            ),
            Self::NotFound { what } if what.is_empty() => "무엇인지 못 찾았어요. 보이는 이름으로 말해 주세요.".into(),
            Self::NotFound { what } => format!("화면에서 못 찾았어요: {what}. 보이는 이름으로 말해 주세요."),
            Self::NotAllRead { what } => told("화면을 끝까지 읽지 못해서 못 찾았어요. 다시 말해 주세요", what),
            Self::NoOption { what, list } => {
                told(&format!("고를 것 가운데 없어요: {what}. 목록은 다시 닫았어요"), list)
            }
            Self::NoScreen => "프로그램이 화면을 알려 주지 않아요. 잠시 뒤에 다시 말해 주세요.".into(),
            Self::Changed => "화면이 바뀌어서 하지 않았어요. 다시 말해 주세요.".into(),
            Self::NotUnderstood => "못 알아들었어요.".into(),
            Self::Unclear => "두 가지로 들려서 하지 않았어요. 다르게 말해 주세요.".into(),
            Self::Forgone => "하지 않았어요.".into(),
            Self::StoppedLate => "멈췄어요. 이미 시작한 것은 되돌리지 않았어요.".into(),
            Self::Superseded => "앞의 것은 거기까지만 했어요.".into(),
            Self::Which { options, more } => {
                let count = options.len() + more;
                let numbered: Vec<String> =
                    options.iter().enumerate().map(|(at, option)| format!("{}번 {option}", at + 1)).collect();
                let rest = if *more == 0 { String::new() } else { format!(" 그 밖에 {more}개가 더 있어요.") };
                format!("{count}개가 있어요. {}.{rest} 몇 번?", numbered.join(", "))
            }
            Self::Proposed { steps } => {
                let asked: Vec<String> = steps.iter().map(|step| step.asked(Lang::Ko)).collect();
                format!("이 뜻인가요? {}? 맞으면 예라고 말해 주세요.", asked.join(", "))
            }
            Self::Confirm { action, target, needs_call } => {
                let target = if target.is_empty() { "이름 없는 요소" } else { target };
                let yes = needs_call.as_ref().map_or_else(|| "예".to_owned(), |name| format!("'{name}, 예'"));
                let asked = action.asked(Lang::Ko);
                format!("{target}: {asked}? 위험한 작업이에요. 정말 진행할까요? {yes}라고 말해 주세요.")
            }
            Self::MayProgram { action, dangerous, needs_call } => {
                permission::question(action, *dangerous, needs_call.as_deref(), Lang::Ko)
            }
            Self::NotByPrograms => "확인은 목소리나 키로만 할 수 있어요.".into(),
            Self::NoQuestion => "지금은 물어본 것이 없어요.".into(),
        }
    }

    fn english(&self) -> String {
        match self {
            Self::Done { action, target } if target.is_empty() => format!("{}.", action.past(Lang::En)),
            Self::Done { action, target } => format!("{} {target}.", action.past(Lang::En)),
            Self::AlreadySo { target } => told("it is so already", target),
            Self::EnteredSecret { action, target } => {
                let past = action.past(Lang::En).to_lowercase();
                told(&format!("{past}. It is protected, so I do not look at it"), target)
            }
            Self::DoneUnseen { action, target } => {
                let target = if target.is_empty() { String::new() } else { format!(" {target}") };
                format!("{}{target}. I could not check the effect.", action.past(Lang::En))
            }
            Self::KeysUnseen { keys } => format!("Pressed {keys}. Nothing changed on the screen."),
            Self::Scrolled { direction: ScrollDirection::Down } => "Scrolled down.".into(),
            Self::Scrolled { direction: ScrollDirection::Up } => "Scrolled up.".into(),
            Self::ScrolledUnseen => "Scrolled. I could not check whether it moved.".into(),
            Self::NothingScrolled => "Nothing moved. It is at its end, or does not scroll.".into(),
            Self::Desktop(phrase) => phrase.text(Lang::En),
            Self::NotAsWished { target } => told("it changed, but not as you said. Check the screen", target),
            Self::NothingChanged { target } => told("done, but nothing changed. Check the screen", target),
            Self::MayBeDone { target } => told("no answer. Check whether it was done", target),
            Self::Cannot { why, target } => told(
                match why {
                    CannotAct::Disabled => "it cannot be used now",
                    CannotAct::NotOffered => "it cannot do that",
                    CannotAct::Declined => "the program did not accept it",
                    CannotAct::NotDelivered => "it did not reach the program, so nothing was done",
                    CannotAct::Covered => {
                        "something covers it, so nothing was clicked. Close or move that, and say it again"
                    }
                    CannotAct::OutOfView => "it is out of view, so nothing was clicked. Scroll to it, and say it again",
                    CannotAct::HoldsText => "it holds a text already. Say the name of the field to replace it",
                    CannotAct::Selected => {
                        "some of it may be selected, so nothing was typed over it. Press an arrow key once and say it again"
                    }
                    CannotAct::HoldsLines => {
                        "it holds several lines, so nothing was replaced. Go there first, and what you say is written at the caret"
                    }
                    CannotAct::NoFocusedField => "the focus is in no text field. Tell me which field",
                    CannotAct::NoValue => "tell me what to enter",
                    CannotAct::OutOfRange => "that value is out of range",
                    CannotAct::NotAnElement => "understood, but I can't do that yet",
                },
                target,
            ),
            Self::NotFound { what } if what.is_empty() => "I did not find it. Say a name that is shown.".into(),
            Self::NotFound { what } => format!("Not on the screen: {what}. Say a name that is shown."),
            Self::NotAllRead { what } => told("the program was too slow to tell all that it shows. Say it again", what),
            Self::NoOption { what, list } => told(&format!("no such option: {what}. The list is closed again"), list),
            Self::NoScreen => "The program does not tell what it shows. Try again in a moment.".into(),
            Self::Changed => "The screen changed, so I did nothing. Say it again.".into(),
            Self::NotUnderstood => "I did not understand.".into(),
            Self::Unclear => "That may mean two things, so I did nothing. Say it in another way.".into(),
            Self::Forgone => "Not done.".into(),
            Self::StoppedLate => "Stopped. What had begun is not undone.".into(),
            Self::Superseded => "The earlier order stopped there.".into(),
            Self::Which { options, more } => {
                let count = options.len() + more;
                let numbered: Vec<String> =
                    options.iter().enumerate().map(|(at, option)| format!("{}, {option}", at + 1)).collect();
                let rest = if *more == 0 { String::new() } else { format!(" And {more} more.") };
                format!("There are {count}. {}.{rest} Which number?", numbered.join("; "))
            }
            Self::Proposed { steps } => {
                let asked: Vec<String> = steps.iter().map(|step| step.asked(Lang::En)).collect();
                format!("Do you mean this: {}? Say yes if so.", asked.join(", then "))
            }
            Self::Confirm { action, target, needs_call } => {
                let target = if target.is_empty() { "an element without a name" } else { target };
                let yes = needs_call.as_ref().map_or_else(|| "yes".to_owned(), |name| format!("'{name}, yes'"));
                let asked = action.asked(Lang::En);
                format!("{asked} {target}? This is dangerous. Do you really want to go on? Say {yes}.")
            }
            Self::MayProgram { action, dangerous, needs_call } => {
                permission::question(action, *dangerous, needs_call.as_deref(), Lang::En)
            }
            Self::NotByPrograms => "Only your voice or a key can confirm that.".into(),
            Self::NoQuestion => "There is no question to answer.".into(),
        }
    }
}

fn told(words: &str, target: &str) -> String {
    if target.is_empty() { format!("{words}.") } else { format!("{target}: {words}.") }
}
