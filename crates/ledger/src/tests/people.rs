//! How holders behave and clients ask, in numbers, and the dice that decide.

use luna_messages::Lane;
use luna_messages::engine::EngineKind;

/// A small generator of random numbers (splitmix64), so that a seed tells everything.
#[derive(Debug, Clone)]
pub struct ClientDice(pub u64);

impl ClientDice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From `low` to `high`, both included.
    pub fn range(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    /// True in so many of a thousand cases.
    pub fn permille(&mut self, share: u64) -> bool {
        self.next() % 1000 < share
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let index = usize::try_from(self.next() % of.len() as u64).unwrap();
        &of[index]
    }
}

/// How holders are. Times in milliseconds, shares in thousandths.
#[derive(Debug, Clone, Copy)]
pub struct Manners {
    pub load: (u64, u64),
    pub work: (u64, u64),
    /// From an order to stop until the release.
    pub boundary: u64,
    pub unload: u64,
    /// From a kill until the program is gone and this is seen.
    pub kill: u64,
    pub ignores_stop: u64,
    pub ignores_unload: u64,
    pub load_hangs: u64,
    pub load_fails: u64,
    pub work_hangs: u64,
    /// In each load and each work.
    pub dies: u64,
    /// Whether a death or kill is told by nobody, so that only its absence is seen.
    pub dies_silently: u64,
}

pub const POLITE: Manners = Manners {
    load: (200, 3000),
    work: (100, 8000),
    boundary: 50,
    unload: 200,
    kill: 20,
    ignores_stop: 0,
    ignores_unload: 0,
    load_hangs: 0,
    load_fails: 0,
    work_hangs: 0,
    dies: 0,
    dies_silently: 0,
};

pub const ROUGH: Manners = Manners {
    ignores_stop: 200,
    ignores_unload: 200,
    load_hangs: 30,
    load_fails: 50,
    work_hangs: 30,
    dies: 60,
    dies_silently: 300,
    ..POLITE
};

/// Who asks, and for what.
#[derive(Debug, Clone)]
pub struct LedgerClient {
    pub holder: EngineKind,
    pub model: &'static str,
    pub bytes: u64,
    pub lanes: Vec<Lane>,
    /// Between two claims, or between the end of one and the next where it waits for the end.
    pub pause: (u64, u64),
    /// Whether it asks again only when the claim before is over.
    pub waits: bool,
    pub from: u64,
    pub until: u64,
    /// In so many of a thousand cases it changes its mind after some seconds.
    pub withdraws: u64,
}
