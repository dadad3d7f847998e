//! Texts, character by character.
//!
//! Some desktops (GNOME, KDE Plasma) know only the characters of the keyboard's layout and drop all others without a word, Hangul
//! among them. So the first characters of each script that no layout need have are looked for in the field: what does not
//! arrive is not said to be typed.

use std::time::Duration;

use luna_messages::input::{InputInterruption, InputResult};
use tokio::time::{Instant, sleep};

use super::PortalLimits;
use super::failure::PortalFailure;
use super::keys::PortalKeys;
use super::session::PortalSession;
use super::target::{FieldState, KeyTarget, new_obstacle};
use crate::accessibility::actions::ActBarrier;
use crate::input::linux::{SentCount, symbols};

/// Pause between two looks at a field.
const LOOK: Duration = Duration::from_millis(15);
/// Characters whose numbers are equal without these bits are taken for one script.
const SCRIPT_SHIFT: u32 = 12;

pub(super) async fn type_all(
    session: &PortalSession,
    (target, limits): (&dyn KeyTarget, PortalLimits),
    characters: &[char],
    window: u64,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<InputResult, PortalFailure> {
    let mut arrived: Vec<u32> = Vec::new();
    for &character in characters {
        let script = script_to_look_for(character).filter(|script| !arrived.contains(script));
        let before = if script.is_some() { target.field().await } else { None };
        if let Some(refusal) = new_obstacle(target, window, barrier).await {
            return Ok(count.refused(refusal));
        }
        let mut keys = PortalKeys::new(session);
        let tapped = keys.tap(symbols::of_character(character, false), count).await;
        keys.release_all().await;
        tapped?;
        count.sent += 1;
        if let Some(before) = before
            && !has_changed(target, before, limits.arrival).await
        {
            return Ok(InputResult::Partly { sent: count.sent, why: InputInterruption::NoAnswer });
        }
        arrived.extend(script);
    }
    Ok(InputResult::Done)
}

/// The script of a character that the layout of a keyboard need not have. Pure.
fn script_to_look_for(character: char) -> Option<u32> {
    (!character.is_ascii()).then(|| u32::from(character) >> SCRIPT_SHIFT)
}

/// Whether the field is not as it was, soon.
async fn has_changed(target: &dyn KeyTarget, before: FieldState, limit: Duration) -> bool {
    let until = Instant::now() + limit;
    loop {
        if target.field().await != Some(before) {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        sleep(LOOK).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // EXE-2
    #[test]
    fn only_characters_that_a_layout_need_not_have_are_looked_for_exe_2() {
        for (character, expect) in [('a', None), ('\n', None), ('안', Some(0xc)), ('é', Some(0)), ('😀', Some(0x1f))]
        {
            assert_eq!(script_to_look_for(character), expect, "{character:?}");
        }
    }
}
