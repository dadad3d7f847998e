//! Parameters of simulated holders and clients, and the random numbers that drive them.

use luna_messages::Lane;
use luna_messages::engine::EngineKind;

/// A small random number generator (splitmix64), so that a seed determines everything.
#[derive(Debug, Clone)]
pub struct ClientRandom(pub u64);

impl ClientRandom {
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

    /// True in `share` of a thousand cases.
    pub fn permille(&mut self, share: u64) -> bool {
        self.next() % 1000 < share
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let index = usize::try_from(self.next() % of.len() as u64).unwrap();
        &of[index]
    }
}

/// Behaviour of holders. Times in milliseconds, shares in thousandths.
#[derive(Debug, Clone, Copy)]
pub struct HolderBehaviour {
    pub load: (u64, u64),
    pub work: (u64, u64),
    /// Time from an order to stop until the release.
    pub boundary: u64,
    pub unload: u64,
    /// Time from a kill until the program is gone and this is noticed.
    pub kill: u64,
    pub ignores_stop: u64,
    pub ignores_unload: u64,
    pub load_hangs: u64,
    pub load_fails: u64,
    pub work_hangs: u64,
    /// Share of loads and of pieces of work in which the program dies.
    pub dies: u64,
    /// Share of deaths and kills that are not reported, so that only a check notices them.
    pub dies_silently: u64,
}

pub const POLITE: HolderBehaviour = HolderBehaviour {
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

pub const ROUGH: HolderBehaviour = HolderBehaviour {
    ignores_stop: 200,
    ignores_unload: 200,
    load_hangs: 30,
    load_fails: 50,
    work_hangs: 30,
    dies: 60,
    dies_silently: 300,
    ..POLITE
};

/// A client and its claims.
#[derive(Debug, Clone)]
pub struct LedgerClient {
    pub holder: EngineKind,
    pub model: &'static str,
    pub bytes: u64,
    pub lanes: Vec<Lane>,
    /// Time between two claims; if the client waits for the end of a claim, from that end to the next claim.
    pub pause: (u64, u64),
    /// Whether it claims again only when the previous claim is over.
    pub waits: bool,
    pub from: u64,
    pub until: u64,
    /// Share of claims, in thousandths, that it withdraws after some seconds.
    pub withdraws: u64,
}
