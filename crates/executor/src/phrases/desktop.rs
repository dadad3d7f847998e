//! What Luna says of the desktop itself.

use luna_messages::Lang;
use luna_messages::desktop_order::{BatteryState, LocalTime, VolumeState, WindowArrangement};

/// What was told or done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DesktopPhrase {
    Time(LocalTime),
    Battery(Option<BatteryState>),
    Volume(VolumeState),
    WhereAmI {
        /// The title of the active window; empty if there is none.
        window: String,
        /// What has the keyboard focus; empty if nothing that has a name.
        focused: String,
    },
    Arranged {
        window: String,
        how: WindowArrangement,
    },
    /// A window was to be closed, and is still there.
    StillOpen {
        window: String,
    },
    /// No window has that name; empty if none is active.
    NoWindow {
        said: String,
    },
    /// A program was started. `seen`: whether its window came.
    Opened {
        name: String,
        seen: bool,
    },
    /// None has that name, or several have it.
    NotOneProgram {
        said: String,
        names: Vec<String>,
    },
    /// The system does not tell, or does not do it.
    Unavailable,
}

const KOREAN_DAYS: [&str; 7] = ["일", "월", "화", "수", "목", "금", "토"];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl DesktopPhrase {
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
            Self::Time(time) => {
                let half = if time.hour < 12 { "오전" } else { "오후" };
                let ending =
                    if time.minute == 0 { "예요".to_owned() } else { format!(" {}분이에요", time.minute) };
                let day = KOREAN_DAYS.get(usize::from(time.weekday)).copied().unwrap_or_default();
                let hour = twelve(time.hour);
                format!("{half} {hour}시{ending}. {}월 {}일 {day}요일이에요.", time.month, time.day)
            }
            Self::Battery(None) => "이 컴퓨터에는 배터리가 없어요.".into(),
            Self::Battery(Some(battery)) => {
                let source = if battery.plugged_in {
                    "전원에 연결되어 있어요"
                } else {
                    "전원이 연결되어 있지 않아요"
                };
                format!("배터리 {}퍼센트, {source}.", battery.percent)
            }
            Self::Volume(volume) if volume.muted => "음소거했어요.".into(),
            Self::Volume(volume) => format!("볼륨 {}.", volume.percent),
            Self::WhereAmI { window, .. } if window.is_empty() => "열린 창이 없어요.".into(),
            Self::WhereAmI { window, focused } if focused.is_empty() => format!("{window} 창이에요."),
            Self::WhereAmI { window, focused } => format!("{window} 창, {focused}에 있어요."),
            Self::Arranged { window, how } => {
                let done = match how {
                    WindowArrangement::Activate => "앞으로 가져왔어요",
                    WindowArrangement::Minimise => "창을 내렸어요",
                    WindowArrangement::Maximise => "창을 크게 했어요",
                    WindowArrangement::Close => "닫았어요",
                };
                format!("{window}: {done}.")
            }
            Self::StillOpen { window } => {
                format!("{window}: 닫으라고 했는데 아직 열려 있어요. 저장할지 묻고 있을 수 있어요.")
            }
            Self::NoWindow { said } if said.is_empty() => "열린 창이 없어요.".into(),
            Self::NoWindow { said } => format!("그런 창이 없어요: {said}. 열려 있는 창의 이름으로 말해 주세요."),
            Self::Opened { name, seen: true } => format!("{name}: 열었어요."),
            Self::Opened { name, seen: false } => format!("{name}: 실행했는데 아직 창이 없어요. 잠시 기다려 주세요."),
            Self::NotOneProgram { said, names } if names.is_empty() => {
                format!("그런 프로그램이 없어요: {said}. 설치된 프로그램의 이름으로 말해 주세요.")
            }
            Self::NotOneProgram { names, .. } => format!("여럿이 있어요: {}. 이름을 끝까지 말해 주세요.", few(names)),
            Self::Unavailable => "시스템이 알려 주지 않아요. 잠시 뒤에 다시 말해 주세요.".into(),
        }
    }

    fn english(&self) -> String {
        match self {
            Self::Time(time) => {
                let half = if time.hour < 12 { "AM" } else { "PM" };
                let day = DAYS.get(usize::from(time.weekday)).copied().unwrap_or_default();
                let month = usize::from(time.month).checked_sub(1).and_then(|at| MONTHS.get(at)).copied();
                let (hour, minute) = (twelve(time.hour), time.minute);
                format!("It is {hour}:{minute:02} {half}, {day}, {} {}.", month.unwrap_or_default(), time.day)
            }
            Self::Battery(None) => "This computer has no battery.".into(),
            Self::Battery(Some(battery)) => {
                let source = if battery.plugged_in { "plugged in" } else { "not plugged in" };
                format!("Battery at {} percent, {source}.", battery.percent)
            }
            Self::Volume(volume) if volume.muted => "Muted.".into(),
            Self::Volume(volume) => format!("Volume {}.", volume.percent),
            Self::WhereAmI { window, .. } if window.is_empty() => "No window is open.".into(),
            Self::WhereAmI { window, focused } if focused.is_empty() => format!("The window {window}."),
            Self::WhereAmI { window, focused } => format!("The window {window}, at {focused}."),
            Self::Arranged { window, how } => match how {
                WindowArrangement::Activate => format!("Switched to {window}."),
                WindowArrangement::Minimise => format!("Minimised {window}."),
                WindowArrangement::Maximise => format!("Maximised {window}."),
                WindowArrangement::Close => format!("Closed {window}."),
            },
            Self::StillOpen { window } => {
                format!("{window} was asked to close and is still open. It may be asking whether to save.")
            }
            Self::NoWindow { said } if said.is_empty() => "No window is open.".into(),
            Self::NoWindow { said } => format!("No window is called {said}. Say the name of an open window."),
            Self::Opened { name, seen: true } => format!("Opened {name}."),
            Self::Opened { name, seen: false } => {
                format!("Started {name}. Its window is not there yet; wait a moment.")
            }
            Self::NotOneProgram { said, names } if names.is_empty() => {
                format!("No program is called {said}. Say the name of an installed program.")
            }
            Self::NotOneProgram { names, .. } => format!("There are several: {}. Say the whole name.", few(names)),
            Self::Unavailable => "The system does not tell. Try again in a moment.".into(),
        }
    }
}

/// As many names as can be remembered.
fn few(names: &[String]) -> String {
    const MOST: usize = 4;
    names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// The hour on a clock of twelve.
const fn twelve(hour: u8) -> u8 {
    match hour % 12 {
        0 => 12,
        hour => hour,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DSL-6
    #[test]
    fn the_time_is_told_as_people_say_it_dsl_6() {
        let time = |hour, minute| LocalTime { year: 2026, month: 3, day: 4, weekday: 3, hour, minute };
        for (time, korean, english) in [
            (time(0, 5), "오전 12시 5분이에요. 3월 4일 수요일이에요.", "It is 12:05 AM, Wednesday, March 4."),
            (time(12, 0), "오후 12시예요. 3월 4일 수요일이에요.", "It is 12:00 PM, Wednesday, March 4."),
            (time(15, 7), "오후 3시 7분이에요. 3월 4일 수요일이에요.", "It is 3:07 PM, Wednesday, March 4."),
        ] {
            let phrase = DesktopPhrase::Time(time);
            assert_eq!((phrase.text(Lang::Ko).as_str(), phrase.text(Lang::En).as_str()), (korean, english));
        }
    }
}
