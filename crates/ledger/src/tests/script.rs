//! A ledger driven by short lines: events with their milliseconds, and the expected effects.

use std::time::Duration;

use luna_messages::engine::EngineKind;
use luna_messages::gpu::{Claim, Lease, MemoryPlace, ResidencyOrder};
use luna_messages::{Lane, RequestId};

use super::super::{Ledger, LedgerEffect, LedgerEvent, Terms, decide};

pub const MS: fn(u64) -> Duration = Duration::from_millis;
pub const MB: u64 = 1 << 20;

/// No card, 8000 MB of RAM; models linger for a minute, the grace period is two seconds, the wait bound half a minute.
pub fn terms() -> Terms {
    Terms {
        card: None,
        ram: 8000 * MB,
        listening_full: false,
        linger: MS(60_000),
        grace: MS(2000),
        wait_bound: MS(30_000),
    }
}

pub fn claim(id: u64, holder: EngineKind, model: &str, mb: u64, lane: Lane) -> LedgerEvent {
    LedgerEvent::Claim(Claim { id: RequestId(id), holder, model: model.to_owned(), bytes: mb * MB, lane })
}

/// Reads `claim 1 llm a 4000 uia`, `withdraw 1`, `loaded 1`, `release 1`, `lost 1`, `unloaded llm 1`, `gone llm`, `tick`, `end`,
/// `ram 4000`, `card 4000`, `card none`, `full`, `commands`, `built llm cpu`, `built llm card`, `used 1 ram 5000`.
pub fn event(text: &str, terms: &mut Terms) -> LedgerEvent {
    let words: Vec<&str> = text.split(' ').collect();
    let number = |index: usize| words[index].parse::<u64>().expect(text);
    let holder = |index: usize| match words[index] {
        "llm" => EngineKind::Llm,
        "stt" => EngineKind::Stt,
        "ocr" => EngineKind::Ocr,
        "speech" => EngineKind::Speech,
        other => panic!("no engine {other}"),
    };
    match words[0] {
        "claim" => {
            let lane = words.get(5).map_or(Lane::Llm, |name| {
                Lane::ALL.into_iter().find(|lane| lane.name() == *name).expect("a lane's name")
            });
            claim(number(1), holder(2), words[3], number(4), lane)
        }
        "withdraw" => LedgerEvent::Withdraw(RequestId(number(1))),
        "loaded" => LedgerEvent::Loaded(Lease(number(1))),
        "release" => LedgerEvent::Release(Lease(number(1))),
        "lost" => LedgerEvent::Undelivered(Lease(number(1))),
        "unloaded" => LedgerEvent::Unloaded { holder: holder(1), loaded_by: Lease(number(2)) },
        "gone" => LedgerEvent::Gone(holder(1)),
        "tick" => LedgerEvent::Tick,
        "end" => LedgerEvent::End,
        "built" => LedgerEvent::Ability { holder: holder(1), card: words[2] == "card" },
        "used" => {
            let place = if words[2] == "card" { MemoryPlace::Card } else { MemoryPlace::Ram };
            LedgerEvent::Used { loaded_by: Lease(number(1)), place, bytes: number(3) * MB }
        }
        "ram" | "card" | "full" | "commands" => {
            match words[0] {
                "ram" => terms.ram = number(1) * MB,
                "card" => terms.card = (words[1] != "none").then(|| number(1) * MB),
                other => terms.listening_full = other == "full",
            }
            LedgerEvent::Terms(*terms)
        }
        other => panic!("no event {other}"),
    }
}

/// Metrics are left out: tests of their own check them.
pub fn show(effects: &[LedgerEffect]) -> String {
    let one = |effect: &LedgerEffect| match effect {
        LedgerEffect::Grant { id, grant, .. } => {
            let load = if grant.load { " load" } else { "" };
            let card = if grant.place == MemoryPlace::Card { " card" } else { "" };
            Some(format!("#{id} L{}{load}{card}", grant.lease.0))
        }
        LedgerEffect::Refuse { id, why } => Some(format!("#{id} refused: {why}")),
        LedgerEffect::Order { holder, order: ResidencyOrder::Stop { lease }, .. } => {
            Some(format!("{} stop L{}", holder.name(), lease.0))
        }
        LedgerEffect::Order { holder, order: ResidencyOrder::Unload { loaded_by }, .. } => {
            Some(format!("{} unload L{}", holder.name(), loaded_by.0))
        }
        LedgerEffect::End { holder } => Some(format!("{} end", holder.name())),
        LedgerEffect::RevokeStaleLoad { lease } => Some(format!("disown L{}", lease.0)),
        LedgerEffect::Note(_) => None,
    };
    effects.iter().filter_map(one).collect::<Vec<_>>().join(", ")
}

/// Plays lines of (millisecond, event, expected effects).
pub fn check(terms: Terms, lines: &[(u64, &str, &str)]) -> Ledger {
    let mut terms = terms;
    let mut ledger = Ledger::new(terms);
    for (index, (at, text, expect)) in lines.iter().enumerate() {
        let (next, effects) = decide(&ledger, event(text, &mut terms), MS(*at));
        assert_eq!(show(&effects), *expect, "line {index}: at {at} ms, {text}; before: {ledger:#?}");
        ledger = next;
    }
    ledger
}
