//! The sound of the room that fades after Luna's voice: it lasts longer than the filter of the echo canceller reaches.

/// What remains of the sound of a room after 16 ms: it fades by 60 dB in 0.6 s, as in a living room with few curtains.
const FADES: f32 = 0.76;
/// How much weaker the room is than what sounded, 8 dB.
const ROOM: f32 = 0.16;

#[derive(Default)]
pub(super) struct FadingEcho {
    power: f32,
}

impl FadingEcho {
    /// Takes the power of a block that the canceller explains, and whether the rest is no more than what the room still sounds of the blocks before.
    pub fn is_of_room(&mut self, rest: f32, explained: f32) -> bool {
        self.power *= FADES;
        let is_of_room = rest < ROOM * self.power;
        self.power = self.power.max(explained);
        is_of_room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // BRG-4, BRG-6
    #[test]
    fn what_fades_is_of_the_room_and_a_person_is_not_brg_4_brg_6() {
        let mut fading = FadingEcho::default();
        assert!(!fading.is_of_room(1e-6, 1e-2), "nothing sounded before");
        // The room fades by 60 dB in 0.4 s, 14 dB below what sounded.
        let tail = |block: u32| 4e-4 * 0.575_f32.powi(block as i32);
        assert!((0..20).all(|block| fading.is_of_room(tail(block), 0.0)));
        assert!(!fading.is_of_room(1e-4, 0.0), "a person");
        let mut fading = FadingEcho::default();
        fading.is_of_room(1e-5, 1e-2);
        assert!(!fading.is_of_room(5e-3, 1e-2), "a person who is nearly as loud as Luna");
    }
}
