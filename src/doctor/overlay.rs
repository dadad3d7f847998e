//! Whether what is read and asked about can be marked on the screen (OVL).

use luna_messages::overlay::OverlaySupport;
use luna_platform::PlatformError;

use super::{CheckResult, CheckState};
use crate::system::System;
use luna_config::Config;

/// What the overlay can show here; shows nothing.
pub fn overlay(system: &System, config: &Config) -> CheckResult {
    const NAME: &str = "overlay";
    if !config.overlay.enabled {
        return CheckResult::works(NAME, "It is switched off (overlay.enabled).")
            .in_korean("꺼져 있어요(overlay.enabled).".to_owned(), None);
    }
    match system.overlay.support() {
        Ok(OverlaySupport::Translucent) if matches!(system.overlay.monitors(), Ok(Some(_))) => {
            CheckResult::works(NAME, "Wayland with the layer shell: box, numbers, mode, and a darkened rest.")
                .in_korean(
                    "Wayland, 레이어 셸 있음: 테두리, 번호, 모드를 보여 주고 나머지를 어둡게 해요.".to_owned(),
                    None,
                )
        }
        Ok(OverlaySupport::Translucent) => {
            CheckResult::works(NAME, "X11 with a compositing manager: box, numbers, mode, and a darkened rest.")
                .in_korean(
                    "X11, 합성 관리자 있음: 테두리, 번호, 모드를 보여 주고 나머지를 어둡게 해요.".to_owned(),
                    None,
                )
        }
        Ok(OverlaySupport::Opaque) => CheckResult::works(
            NAME,
            "X11 without a compositing manager: box, numbers and mode; the rest can't be darkened.",
        )
        .in_korean(
            "X11, 합성 관리자 없음: 테두리, 번호, 모드를 보여 줘요. 나머지를 어둡게 할 수는 없어요.".to_owned(),
            None,
        ),
        // Nothing that Luna says depends on it.
        Err(PlatformError::Unavailable(why)) => {
            CheckResult::with_remedy(NAME, CheckState::Limited, why.reason, why.remedy).in_korean(
                "화면에 표시할 수 없어요. 루나가 하는 말은 이와 상관없어요.".to_owned(),
                Some("X11 데스크톱 세션 안에서 루나를 시작하세요.".to_owned()),
            )
        }
        Err(error @ (PlatformError::NoAnswer | PlatformError::Gone | PlatformError::OutsideScreen)) => {
            CheckResult::with_remedy(NAME, CheckState::Limited, format!("It can't be tried: {error}."), "Try again.")
        }
    }
}
