//! Whether Luna can listen.

use luna_config::Config;
use luna_config::speech::{HoldKey, ListenChoice};
use luna_platform::PlatformError;

use super::{CheckResult, CheckState};
use crate::control_protocol::SilenceStatus;
use crate::hot_keys::configured;
use crate::silence_keys::WITHOUT_TALK_KEY;
use crate::system::System;
use crate::{control_client, control_file, engines, peer};

/// Whether the key that is held to speak can be observed: without it, nothing that is said reaches Luna (VOI-1).
pub fn talk_key(system: &System, config: &Config) -> CheckResult {
    let reason = match running_keys() {
        // Two observers would disturb each other.
        Some(keys) => keys.reason,
        None => {
            let own: Vec<_> = configured(config).into_iter().map(|(_, key)| key).collect();
            let observed = system.hot_keys.observe_keyboard(&own, Box::new(|_| {}), Box::new(|| {}));
            observed.err().map(|error| error.to_string())
        }
    };
    talk_key_result(config.voice.hold_key, reason)
}

fn running_keys() -> Option<SilenceStatus> {
    let control = control_file::read(&control_file::path()).ok()?;
    peer::verify(&control).ok()?;
    Some(control_client::ask_status(&control).ok()?.silence).filter(|keys| keys.talk_key.is_some())
}

fn talk_key_result(key: HoldKey, reason: Option<String>) -> CheckResult {
    let (ko, en) = match key {
        HoldKey::RightCtrl => ("오른쪽 Ctrl", "Right Ctrl"),
        HoldKey::LeftCtrl => ("왼쪽 Ctrl", "Left Ctrl"),
    };
    match reason {
        None => CheckResult::works("talk_key", format!("Hold {en} while you speak."))
            .in_korean(format!("말하는 동안 {ko}을 누르고 계세요."), None),
        Some(reason) => CheckResult::with_remedy(
            "talk_key",
            CheckState::Missing,
            format!("Luna does not see that {en} is held, so nothing that you say reaches it: {reason}"),
            WITHOUT_TALK_KEY,
        )
        .in_korean(
            format!("{ko}을 눌러도 루나가 알 수 없어서 말이 닿지 않아요: {reason}"),
            Some("voice.command_mode를 wake-only나 auto로 바꾸고 루나의 이름을 부르세요.".to_owned()),
        ),
    }
}

/// The microphones, and whether Luna listens to one.
pub fn microphone(system: &System, config: &Config) -> CheckResult {
    let names = match system.microphone.devices() {
        Ok(names) => names,
        Err(PlatformError::Unavailable(why)) => {
            // Reading works without a microphone.
            return CheckResult::with_remedy("microphone", CheckState::Limited, why.reason, why.remedy);
        }
        Err(error) => {
            let detail = format!("It failed: {error}.");
            return CheckResult::with_remedy("microphone", CheckState::Limited, detail, "Try again.");
        }
    };
    let found = names.join(", ");
    let wanted = config.voice.device.as_ref();
    let there =
        wanted.is_none_or(|wanted| names.iter().any(|name| name.to_lowercase().contains(&wanted.to_lowercase())));
    if !there {
        let detail = format!("None has \"{}\" in its name: {found}.", wanted.map_or("", String::as_str));
        return CheckResult::with_remedy(
            "microphone",
            CheckState::Limited,
            detail,
            "Set voice.device to a part of one of these names, or to null.",
        );
    }
    match (config.voice.listen, engines::stt_model(config)) {
        (ListenChoice::Never, _) => {
            CheckResult::works("microphone", format!("{found}. Luna does not listen (voice.listen: never)."))
        }
        (_, Ok(_)) => CheckResult::works("microphone", format!("{found}. Luna listens.")),
        (ListenChoice::Auto | ListenChoice::Always, Err(why)) => CheckResult::with_remedy(
            "microphone",
            CheckState::Limited,
            format!("{found}. Luna does not understand speech: {}", why.reason),
            why.remedy,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // VOI-1, KER-9
    #[test]
    fn a_key_for_speaking_that_is_not_seen_is_missing_with_a_remedy_voi_1_ker_9() {
        let works = talk_key_result(HoldKey::RightCtrl, None);
        assert_eq!((works.state, works.detail.as_str()), (CheckState::Works, "Hold Right Ctrl while you speak."));
        let missing = talk_key_result(HoldKey::LeftCtrl, Some("No XInput.".to_owned()));
        assert_eq!(missing.state, CheckState::Missing);
        assert!(missing.detail.contains("Left Ctrl") && missing.detail.contains("No XInput."), "{missing:?}");
        assert!(missing.remedy.is_some_and(|remedy| remedy.contains("wake-only")));
        assert!(missing.korean.is_some_and(|korean| korean.remedy.is_some_and(|remedy| remedy.contains("wake-only"))));
    }
}
