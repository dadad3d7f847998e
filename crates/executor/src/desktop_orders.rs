//! Which steps ask something of the desktop itself: windows as a whole, volume, time, battery (DSL-6).

use luna_messages::desktop_order::{DesktopOrder, VolumeChange, WindowArrangement};
use luna_messages::dsl::Action;
use luna_messages::understanding::ParsedCommand;

/// Words for the window itself, with which no other one is named.
const THIS_WINDOW: [&str; 8] = ["", "창", "이 창", "윈도우", "화면", "window", "this window", "it"];

/// Words that name no program, though a program may have them in its name.
const NO_PROGRAMS: [&str; 16] = [
    "file",
    "파일",
    "document",
    "문서",
    "folder",
    "폴더",
    "page",
    "페이지",
    "link",
    "링크",
    "menu",
    "메뉴",
    "tab",
    "탭",
    "this",
    "that",
];

/// What a step asks of the desktop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DesktopWish {
    /// What needs nothing else to be known.
    Order(DesktopOrder),
    /// Where the person is: the window and what has the focus.
    WhereAmI,
    /// The window of that name gets the keyboard.
    SwitchTo(String),
    /// The program of that name is started.
    Open(String),
    /// The active window, or the one of that name.
    Arrange(WindowArrangement, Option<String>),
}

impl DesktopWish {
    /// What is asked first.
    #[must_use]
    pub fn first(&self) -> DesktopOrder {
        match self {
            Self::Order(order) => order.clone(),
            Self::Open(name) => DesktopOrder::Open { name: name.clone() },
            Self::WhereAmI | Self::SwitchTo(_) | Self::Arrange(..) => DesktopOrder::Windows,
        }
    }
}

/// What a step asks of the desktop, if it does. An element of the screen goes before: a slider that is called so.
#[must_use]
pub fn desktop_wish(step: &ParsedCommand) -> Option<DesktopWish> {
    let is_usual = matches!(step.action, Some(Action::Desktop | Action::SetValue));
    // "메모장 켜" is a switch of that name, or else a program.
    let may_be_program = step.order.as_deref() == Some("open") && is_named_alone(step);
    let order = step.order.as_deref().filter(|_| is_usual || may_be_program)?;
    let argument = step.argument.as_deref().or(step.value.as_deref()).unwrap_or_default().trim();
    let named = || Some(argument.to_owned()).filter(|name| !THIS_WINDOW.contains(&name.as_str()));
    match order {
        "time" => Some(DesktopWish::Order(DesktopOrder::Time)),
        "battery" => Some(DesktopWish::Order(DesktopOrder::Battery)),
        "where_am_i" => Some(DesktopWish::WhereAmI),
        "volume" | "mute" => Some(DesktopWish::Order(DesktopOrder::Volume(volume_change(order, argument)?))),
        "open" => named().filter(|name| !NO_PROGRAMS.contains(&name.as_str())).map(DesktopWish::Open),
        "switch_to" => named().map(DesktopWish::SwitchTo),
        "minimise" => Some(DesktopWish::Arrange(WindowArrangement::Minimise, named())),
        "maximise" => Some(DesktopWish::Arrange(WindowArrangement::Maximise, named())),
        _ => None,
    }
}

/// Whether nothing but a name was said of the thing: what has a role or a place is on the screen.
const fn is_named_alone(step: &ParsedCommand) -> bool {
    step.role.is_none() && step.ordinal.is_none() && step.zone.is_none() && step.relation.is_none()
}

fn volume_change(order: &str, argument: &str) -> Option<VolumeChange> {
    match (order, argument) {
        ("mute", "off") => Some(VolumeChange::Unmute),
        ("mute", _) => Some(VolumeChange::Mute),
        (_, "up") => Some(VolumeChange::Up),
        (_, "down") => Some(VolumeChange::Down),
        (_, percent) => {
            let percent: u8 = percent.trim_end_matches('%').trim().parse().ok()?;
            (percent <= 100).then_some(VolumeChange::Percent(percent))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DSL-6
    #[test]
    fn usual_orders_are_asked_of_the_desktop_dsl_6() {
        let volume = |change| Some(DesktopWish::Order(DesktopOrder::Volume(change)));
        for (order, argument, expect) in [
            ("time", "", Some(DesktopWish::Order(DesktopOrder::Time))),
            ("battery", "", Some(DesktopWish::Order(DesktopOrder::Battery))),
            ("volume", "up", volume(VolumeChange::Up)),
            ("volume", "30", volume(VolumeChange::Percent(30))),
            ("volume", "30%", volume(VolumeChange::Percent(30))),
            ("volume", "300", None),
            ("volume", "", None),
            ("mute", "on", volume(VolumeChange::Mute)),
            ("mute", "off", volume(VolumeChange::Unmute)),
            ("switch_to", "Firefox", Some(DesktopWish::SwitchTo("Firefox".into()))),
            ("switch_to", "", None),
            ("minimise", "창", Some(DesktopWish::Arrange(WindowArrangement::Minimise, None))),
            ("maximise", "메모장", Some(DesktopWish::Arrange(WindowArrangement::Maximise, Some("메모장".into())))),
            ("open", "메모장", Some(DesktopWish::Open("메모장".into()))),
            ("open", "", None),
            ("open", "파일", None),
            ("copy", "", None),
        ] {
            let step = ParsedCommand {
                action: Some(Action::Desktop),
                order: Some(order.to_owned()),
                argument: Some(argument.to_owned()),
                ..ParsedCommand::default()
            };
            assert_eq!(desktop_wish(&step), expect, "{order} {argument}");
        }
    }
}
