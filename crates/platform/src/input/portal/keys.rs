//! Keys and hotkeys (EXE-4): whatever is pressed is let go of.

use luna_messages::input::{InputRefusal, InputResult};
use luna_messages::keyboard::KeyChord;
use x11rb::protocol::xproto::Keysym;

use super::failure::PortalFailure;
use super::session::PortalSession;
use super::target::{KeyTarget, new_obstacle};
use crate::accessibility::actions::ActBarrier;
use crate::input::linux::{SentCount, symbols};

/// The keys that Luna holds.
pub(super) struct PortalKeys<'a> {
    session: &'a PortalSession,
    down: Vec<Keysym>,
}

impl<'a> PortalKeys<'a> {
    pub(super) const fn new(session: &'a PortalSession) -> Self {
        Self { session, down: Vec::new() }
    }

    async fn press(&mut self, key: Keysym, count: &mut SentCount) -> Result<(), PortalFailure> {
        // It may be down even if the call fails.
        self.down.push(key);
        let sent = self.session.key(key, true).await;
        count.is_begun |= sent.map_or_else(PortalFailure::is_uncertain, |()| true);
        sent
    }

    async fn release_last(&mut self) -> Result<(), PortalFailure> {
        let Some(&key) = self.down.last() else { return Ok(()) };
        self.session.key(key, false).await?;
        self.down.pop();
        Ok(())
    }

    /// Presses a key and lets go of it.
    pub(super) async fn tap(&mut self, key: Keysym, count: &mut SentCount) -> Result<(), PortalFailure> {
        self.press(key, count).await?;
        self.release_last().await
    }

    /// Lets go of all keys, the last one first. If the portal does not do so, the session ends, and with it the keys.
    pub(super) async fn release_all(mut self) {
        while !self.down.is_empty() {
            if self.release_last().await.is_err() {
                self.session.release(&self.down).await;
                return;
            }
        }
    }
}

pub(super) async fn press(
    session: &PortalSession,
    target: &dyn KeyTarget,
    chord: &KeyChord,
    times: u8,
    window: u64,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<InputResult, PortalFailure> {
    let mut keys = PortalKeys::new(session);
    let pressed = press_times(&mut keys, target, chord, times, window, barrier, count).await;
    keys.release_all().await;
    Ok(pressed?.map_or(InputResult::Done, |refusal| count.refused(refusal)))
}

async fn press_times(
    keys: &mut PortalKeys<'_>,
    target: &dyn KeyTarget,
    chord: &KeyChord,
    times: u8,
    window: u64,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<Option<InputRefusal>, PortalFailure> {
    for turn in 0..times {
        if let Some(refusal) = new_obstacle(target, window, barrier).await {
            return Ok(Some(refusal));
        }
        if turn == 0 {
            for modifier in chord.modifiers.iter() {
                keys.press(symbols::of_modifier(modifier)[0], count).await?;
            }
        }
        keys.tap(symbols::of_key(chord.key), count).await?;
        count.sent += 1;
    }
    Ok(None)
}
