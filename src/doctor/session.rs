//! The desktop session, and what of Luna can work in it, each part by its outcome (SES-1). In Korean and English, because a person who can't use
//! Luna here has to understand why.

use luna_messages::Rect;
use luna_platform::accessibility::AtPoint;
use luna_platform::session::DesktopSession;

use super::checks::platform_failure;
use super::{CheckResult, CheckState};
use crate::system::System;

/// The kind of session, and what is impossible in it whatever else works.
pub fn session(session: &DesktopSession) -> CheckResult {
    match session {
        DesktopSession::X11 { window_manager, composited } => {
            let manager = window_manager.as_deref().unwrap_or("no window manager");
            let pictures = if *composited { "keeps a picture of every window" } else { "keeps no pictures of windows" };
            let result = CheckResult::works("session", format!("X11 with {manager}, which {pictures}."));
            let manager = window_manager.as_deref().unwrap_or("창 관리자 없음");
            let pictures = if *composited {
                "가려진 창도 바로 찍을 수 있어요"
            } else {
                "가려진 창은 다시 그리게 해서 찍어요"
            };
            result.in_korean(format!("X11, {manager}. {pictures}."), None)
        }
        DesktopSession::Wayland { compositor, has_xwayland } => wayland(compositor.as_deref(), *has_xwayland),
        DesktopSession::Windows => CheckResult::works("session", "Windows.").in_korean("윈도우.".to_owned(), None),
        DesktopSession::Headless => CheckResult::with_remedy(
            "session",
            CheckState::Missing,
            "Neither an X display nor a Wayland one answers.",
            "Start Luna inside a desktop session (DISPLAY or WAYLAND_DISPLAY names it).",
        )
        .in_korean(
            "X 화면도 Wayland 화면도 답하지 않아요.".to_owned(),
            Some("데스크톱 세션 안에서 루나를 시작하세요(DISPLAY나 WAYLAND_DISPLAY가 화면의 이름이에요).".to_owned()),
        ),
    }
}

fn wayland(compositor: Option<&str>, has_xwayland: bool) -> CheckResult {
    let name = compositor.unwrap_or("an unknown compositor");
    let (programs, programs_ko) = if has_xwayland {
        (
            "Only windows of X programs can be read at the pointer, and only while the pointer is over them; Wayland tells Luna neither the pointer nor \
             the places and pixels of other windows",
            "커서 아래 읽기는 X 프로그램의 창에서만, 커서가 그 위에 있을 때만 돼요. Wayland는 커서도, 다른 창의 자리와 화면도 루나에게 알려 주지 않아요",
        )
    } else {
        (
            "Nothing can be read at the pointer: Wayland tells Luna neither the pointer nor the places and pixels of windows",
            "커서 아래는 읽을 수 없어요. Wayland는 커서도, 창의 자리와 화면도 루나에게 알려 주지 않아요",
        )
    };
    let detail = format!(
        "Wayland with {name}. {programs}. The keyboard focus, speech, translation and the language models don't depend on it; the checks below say \
         what works. For keys that Luna presses, the desktop's portal asks you at the first one; Luna uses no mouse there."
    );
    let remedy = "For reading at the pointer choose a session with X11 (Xorg) at login. Bind keys to `luna ctl …` in the desktop's settings: Luna can't \
                  take them itself.";
    let name = compositor.unwrap_or("이름 모를 합성기");
    let detail_ko = format!(
        "Wayland, {name}. {programs_ko}. 키보드 초점, 음성, 번역, 언어 모델은 이와 상관없고, 되는 것은 아래 항목이 말해요. 루나가 키를 눌러야 할 때는 \
         데스크톱의 포털이 처음에 한 번 허락을 구해요. 마우스는 쓰지 않아요."
    );
    let remedy_ko = "커서 아래를 읽으려면 로그인할 때 X11(Xorg) 세션을 고르세요. 단축키는 루나가 잡을 수 없으니 데스크톱 설정에서 `luna ctl …`에 이어 \
                     두세요.";
    CheckResult::with_remedy("session", CheckState::Limited, detail, remedy)
        .in_korean(detail_ko, Some(remedy_ko.to_owned()))
}

/// What a result is worth under Wayland: what was got through Xwayland is true of X programs only, and what failed will do so in every session of this
/// kind. Other results stay as they are.
pub fn within(session: &DesktopSession, result: CheckResult) -> CheckResult {
    let DesktopSession::Wayland { has_xwayland, .. } = session else { return result };
    // `Some` of what still works.
    let limits: (Option<(&str, &str)>, &str, &str) = match result.name {
        "reading" => (
            Some(("Under Wayland this is so for X programs only.", "Wayland에서는 X 프로그램에서만 그래요.")),
            "Wayland tells Luna neither the pointer nor the places of windows.",
            "Wayland는 커서도 창의 자리도 루나에게 알려 주지 않아요.",
        ),
        "screen_capture" => (
            None,
            "Wayland shows Luna no windows but those of X programs, so that text recognition does not work.",
            "Wayland는 X 프로그램 말고는 화면을 보여 주지 않아서 글자 인식이 되지 않아요.",
        ),
        "pointer" => (
            Some((
                "Under Wayland its place is known only while it is over a window of an X program.",
                "Wayland에서는 X 프로그램의 창 위에 있을 때만 자리를 알 수 있어요.",
            )),
            "Wayland does not tell Luna where the pointer is.",
            "Wayland는 커서의 자리를 루나에게 알려 주지 않아요.",
        ),
        "overlay" => return marks(*has_xwayland, result),
        "hot_key" => (
            Some((
                "Under Wayland they work only while an X program has the keyboard focus.",
                "Wayland에서는 X 프로그램에 키보드 초점이 있을 때만 들려요.",
            )),
            "Wayland lets no program take keys.",
            "Wayland에서는 프로그램이 단축키를 잡을 수 없어요.",
        ),
        "talk_key" => (
            Some((
                "Under Wayland it is seen only while an X program has the keyboard focus.",
                "Wayland에서는 X 프로그램에 키보드 초점이 있을 때만 알 수 있어요.",
            )),
            "Wayland tells Luna nothing of keys that are held, so nothing that you say reaches it.",
            "Wayland는 누르고 있는 키를 루나에게 알려 주지 않아서 말이 닿지 않아요.",
        ),
        _ => return result,
    };
    let (works, fails, fails_ko) = limits;
    let failure = if result.name == "hot_key" { CheckState::Limited } else { CheckState::Missing };
    let (state, detail, detail_ko) = match works {
        Some((limit, limit_ko)) if *has_xwayland && result.state != CheckState::Missing => {
            (CheckState::Limited, format!("{} {limit}", result.detail), limit_ko)
        }
        _ => (failure, fails.to_owned(), fails_ko),
    };
    let (remedy, remedy_ko) = if result.name == "hot_key" {
        (
            "Bind keys to `luna ctl …` in the desktop's settings, or choose a session with X11 (Xorg) at login.",
            "데스크톱 설정에서 단축키를 `luna ctl …`에 이어 두거나, 로그인할 때 X11(Xorg) 세션을 고르세요.",
        )
    } else if result.name == "talk_key" {
        (
            "Set voice.command_mode to wake-only or auto and say Luna's name, or choose a session with X11 (Xorg) at login.",
            "voice.command_mode를 wake-only나 auto로 바꾸고 루나의 이름을 부르거나, 로그인할 때 X11(Xorg) 세션을 고르세요.",
        )
    } else {
        ("Choose a session with X11 (Xorg) at login.", "로그인할 때 X11(Xorg) 세션을 고르세요.")
    };
    CheckResult::with_remedy(result.name, state, detail, remedy)
        .in_korean(detail_ko.to_owned(), Some(remedy_ko.to_owned()))
}

/// What can be shown at all, the compositor tells; what can be marked, those programs that tell places.
fn marks(has_xwayland: bool, result: CheckResult) -> CheckResult {
    if result.state != CheckState::Works {
        return result;
    }
    let (limit, limit_ko) = if has_xwayland {
        ("Under Wayland only what X programs show is marked.", "Wayland에서는 X 프로그램에만 표시돼요.")
    } else {
        (
            "Under Wayland no program tells where its texts are, so that only the mode is shown.",
            "Wayland에서는 프로그램이 글의 자리를 알려 주지 않아서 모드만 보여 줘요.",
        )
    };
    let detail = format!("{} {limit}", result.detail);
    CheckResult::with_remedy(result.name, CheckState::Limited, detail, "Choose a session with X11 (Xorg) at login.")
        .in_korean(limit_ko.to_owned(), Some("로그인할 때 X11(Xorg) 세션을 고르세요.".to_owned()))
}

/// Reads what is under the pointer, as focus mode does. What it says is not told, because it may be private.
pub async fn reading(system: &System) -> CheckResult {
    const NAME: &str = "reading";
    let point = match system.pointer.position() {
        Ok(point) => point,
        Err(error) => return platform_failure(NAME, &error),
    };
    let place = format!("{}, {}", point.x, point.y);
    match system.accessibility.at_point(point, Rect::default()).await {
        Ok(AtPoint::Element(element)) => {
            let (role, length) = (element.role.name(), element.text.chars().count());
            CheckResult::works(
                NAME,
                format!("An element at the pointer ({place}) was read: {role}, {length} characters."),
            )
            .in_korean(format!("커서({place}) 아래의 요소를 읽었어요: {role}, {length}자."), None)
        }
        Ok(AtPoint::Protected(_)) => {
            CheckResult::works(NAME, format!("There is a protected field at the pointer ({place})."))
                .in_korean(format!("커서({place}) 아래는 보호된 칸이에요."), None)
        }
        Ok(AtPoint::NoText { .. }) => {
            let detail =
                format!("The window at the pointer ({place}) tells nothing there; text recognition reads such places.");
            CheckResult::works(NAME, detail)
                .in_korean(format!("커서({place}) 아래의 창이 그 자리를 알려 주지 않아서 글자 인식으로 읽어요."), None)
        }
        Ok(AtPoint::NoWindow) => CheckResult::with_remedy(
            NAME,
            CheckState::Limited,
            format!("There is no window at the pointer ({place}), so that reading was not tried."),
            "Run `luna doctor` while the pointer is over a window.",
        )
        .in_korean(
            format!("커서({place}) 아래에 창이 없어서 읽기를 해 보지 못했어요."),
            Some("창 위에 커서를 두고 `luna doctor`를 다시 실행하세요.".to_owned()),
        ),
        Err(error) => platform_failure(NAME, &error),
    }
}

/// Asks for events of the keyboard focus.
pub async fn keyboard_focus(system: &System) -> CheckResult {
    const NAME: &str = "keyboard_focus";
    let programs = match system.accessibility.try_focus_events().await {
        Ok(()) => system.accessibility.programs().await,
        Err(error) => Err(error),
    };
    match programs {
        Ok(programs) => CheckResult::works(
            NAME,
            format!("Events of the focus can be had; {programs} program(s) show their trees now."),
        )
        .in_korean(
            format!("키보드 초점이 옮겨 가면 알 수 있어요. 지금 트리를 보여 주는 프로그램은 {programs}개예요."),
            None,
        ),
        Err(error) => platform_failure(NAME, &error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SES-1
    #[test]
    fn under_wayland_it_says_what_cannot_work_in_both_languages_ses_1() {
        let sway = |has_xwayland| DesktopSession::Wayland { compositor: Some("sway".into()), has_xwayland };
        for has_xwayland in [true, false] {
            let result = session(&sway(has_xwayland));
            assert_eq!(result.state, CheckState::Limited);
            assert!(result.detail.contains("sway") && result.remedy.unwrap().contains("X11"));
            let korean = result.korean.unwrap();
            assert!(korean.detail.contains("sway") && korean.remedy.unwrap().contains("X11"));
        }
        let x11 = DesktopSession::X11 { window_manager: None, composited: false };
        for (name, with_x, without_x) in [
            ("reading", CheckState::Limited, CheckState::Missing),
            ("screen_capture", CheckState::Missing, CheckState::Missing),
            ("pointer", CheckState::Limited, CheckState::Missing),
            ("hot_key", CheckState::Limited, CheckState::Limited),
            ("overlay", CheckState::Limited, CheckState::Limited),
            ("audio_output", CheckState::Works, CheckState::Works),
        ] {
            for (has_xwayland, state) in [(true, with_x), (false, without_x)] {
                let result = within(&sway(has_xwayland), CheckResult::works(name, "Tried."));
                assert_eq!(result.state, state, "{name}");
                assert_eq!(result.remedy.is_some(), state != CheckState::Works, "{name}");
                assert_eq!(result.korean.is_some(), state != CheckState::Works, "{name}");
            }
            assert_eq!(within(&x11, CheckResult::works(name, "Tried.")).state, CheckState::Works, "{name}");
        }
    }
}
