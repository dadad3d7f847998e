//! The ledger beside a much simpler reference that only knows the reports, on any sequence of events, sensible or not.

use std::collections::{BTreeMap, BTreeSet};

use luna_messages::engine::EngineKind;
use luna_messages::gpu::{Lease, MemoryPlace, ResidencyOrder};
use luna_messages::{Lane, RequestId};
use proptest::prelude::*;

use super::super::{Ledger, LedgerEffect, LedgerEvent, Terms, decide};
use super::script::{MB, MS, claim, terms};

const HOLDERS: [EngineKind; 3] = [EngineKind::Llm, EngineKind::Stt, EngineKind::Ocr];
const MODELS: [(&str, u64); 4] = [("a", 4000), ("b", 6000), ("c", 1500), ("huge", 9000)];

/// Numbers of leases are taken modulo those that were granted, so that most reports are about a real lease, late or repeated.
#[derive(Debug, Clone)]
enum ReferenceEvent {
    Claim { holder: usize, model: usize, lane: usize },
    Withdraw(u64),
    Loaded(u64),
    Release(u64),
    Undelivered(u64),
    Unloaded(usize, u64),
    Gone(usize),
    Budget(u64),
    Wait(u64),
}

fn word() -> impl Strategy<Value = ReferenceEvent> {
    prop_oneof![
        6 => (0..3usize, 0..4usize, 0..5usize).prop_map(|(holder, model, lane)| ReferenceEvent::Claim { holder, model, lane }),
        1 => any::<u64>().prop_map(ReferenceEvent::Withdraw),
        4 => any::<u64>().prop_map(ReferenceEvent::Loaded),
        4 => any::<u64>().prop_map(ReferenceEvent::Release),
        1 => any::<u64>().prop_map(ReferenceEvent::Undelivered),
        4 => (0..3usize, any::<u64>()).prop_map(|(holder, number)| ReferenceEvent::Unloaded(holder, number)),
        2 => (0..3usize).prop_map(ReferenceEvent::Gone),
        1 => (0u64..9000).prop_map(ReferenceEvent::Budget),
        4 => (1u64..40_000).prop_map(ReferenceEvent::Wait),
    ]
}

/// What is known of an engine from reports.
#[derive(Debug, Clone)]
struct ReferenceResidency {
    loaded_by: Lease,
    mb: u64,
    /// The lease that was granted and has not ended.
    lease: Option<Lease>,
    loading: bool,
}

#[derive(Debug, Default)]
struct ReferenceLedger {
    residencies: BTreeMap<&'static str, ReferenceResidency>,
    waiting: BTreeMap<RequestId, (EngineKind, u64)>,
    by_claim: BTreeMap<RequestId, Lease>,
    given: BTreeSet<Lease>,
}

impl ReferenceLedger {
    fn hears(&mut self, event: &LedgerEvent) {
        match event {
            LedgerEvent::Claim(claim) => {
                self.waiting.insert(claim.id, (claim.holder, claim.bytes / MB));
            }
            LedgerEvent::Withdraw(id) => {
                self.waiting.remove(id);
                if let Some(lease) = self.by_claim.get(id).copied() {
                    self.releases(lease);
                }
            }
            LedgerEvent::Release(lease) => self.releases(*lease),
            LedgerEvent::Undelivered(lease) => {
                self.residencies.retain(|_, residency| !(residency.lease == Some(*lease) && residency.loading));
                self.releases(*lease);
            }
            LedgerEvent::Loaded(lease) => {
                for residency in self.residencies.values_mut().filter(|residency| residency.lease == Some(*lease)) {
                    residency.loading &= residency.loaded_by != *lease;
                }
            }
            LedgerEvent::Unloaded { holder, loaded_by } => {
                if self.residencies.get(holder.name()).is_some_and(|residency| residency.loaded_by == *loaded_by) {
                    self.residencies.remove(holder.name());
                }
            }
            LedgerEvent::Gone(holder) => {
                if self
                    .residencies
                    .get(holder.name())
                    .is_some_and(|residency| !(residency.loading && residency.lease.is_some()))
                {
                    self.residencies.remove(holder.name());
                }
            }
            LedgerEvent::Terms(_)
            | LedgerEvent::Tick
            | LedgerEvent::End
            | LedgerEvent::Ability { .. }
            | LedgerEvent::Used { .. } => {}
        }
    }

    fn releases(&mut self, lease: Lease) {
        for residency in self.residencies.values_mut().filter(|residency| residency.lease == Some(lease)) {
            residency.lease = None;
        }
    }

    fn sees(&mut self, effect: &LedgerEffect, budget: u64) -> Result<(), TestCaseError> {
        match effect {
            LedgerEffect::Grant { id, grant, .. } => {
                let (holder, mb) = self.waiting.remove(id).expect("only a waiting claim is granted");
                prop_assert!(self.given.insert(grant.lease), "no lease is given twice");
                self.by_claim.insert(*id, grant.lease);
                prop_assert_eq!(grant.place, MemoryPlace::Ram);
                if grant.load {
                    prop_assert!(!self.residencies.contains_key(holder.name()), "an engine holds one model");
                    prop_assert!(!self.residencies.values().any(|residency| residency.loading), "one load at a time");
                    let used: u64 = self.residencies.values().map(|residency| residency.mb).sum();
                    prop_assert!(used + mb <= budget, "{} + {} of {}", used, mb, budget);
                    let residency =
                        ReferenceResidency { loaded_by: grant.lease, mb, lease: Some(grant.lease), loading: true };
                    self.residencies.insert(holder.name(), residency);
                } else {
                    let residency = self.residencies.get_mut(holder.name()).expect("it is in memory");
                    prop_assert!(residency.lease.is_none() && !residency.loading, "an engine does one piece of work");
                    prop_assert!(residency.loaded_by == grant.loaded_by && residency.mb >= mb);
                    residency.lease = Some(grant.lease);
                }
            }
            LedgerEffect::Refuse { id, .. } => {
                let (_, mb) = self.waiting.remove(id).expect("only a waiting claim is refused");
                prop_assert!(mb > budget, "refused without a reason");
            }
            LedgerEffect::Order { holder, order, .. } => {
                let residency = self.residencies.get(holder.name()).expect("orders go to holders");
                match order {
                    ResidencyOrder::Stop { lease } => prop_assert_eq!(Some(*lease), residency.lease),
                    ResidencyOrder::Unload { loaded_by } => {
                        prop_assert_eq!(*loaded_by, residency.loaded_by);
                        prop_assert_eq!(residency.lease, None, "a working holder is not told to unload");
                    }
                }
            }
            LedgerEffect::End { holder } => {
                let residency =
                    self.residencies.get_mut(holder.name()).expect("only an engine that has something is ended");
                residency.lease = None;
            }
            LedgerEffect::RevokeStaleLoad { lease } => {
                prop_assert!(
                    self.residencies.values().all(|residency| residency.loaded_by != *lease),
                    "a residency that counts"
                );
            }
            LedgerEffect::Note(_) => {}
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    // GPU-1, GPU-2, GPU-3
    #[test]
    fn the_ledger_agrees_with_what_was_said_gpu_1_gpu_2_gpu_3(words in prop::collection::vec(word(), 1..120)) {
        let mut terms = terms();
        let (mut ledger, mut reference, mut now, mut ids) = (Ledger::new(terms), ReferenceLedger::default(), 0u64, 0u64);
        for word in words {
            let lease = |number: u64| Lease(1 + number % (reference.given.len() as u64 + 1));
            let event = match word {
                ReferenceEvent::Claim { holder, model, lane } => {
                    ids += 1;
                    let (model, mb) = MODELS[model];
                    claim(ids, HOLDERS[holder], model, mb, Lane::ALL[lane])
                }
                ReferenceEvent::Withdraw(number) => LedgerEvent::Withdraw(RequestId(1 + number % (ids + 1))),
                ReferenceEvent::Loaded(number) => LedgerEvent::Loaded(lease(number)),
                ReferenceEvent::Release(number) => LedgerEvent::Release(lease(number)),
                ReferenceEvent::Undelivered(number) => LedgerEvent::Undelivered(lease(number)),
                ReferenceEvent::Unloaded(holder, number) => LedgerEvent::Unloaded { holder: HOLDERS[holder], loaded_by: lease(number) },
                ReferenceEvent::Gone(holder) => LedgerEvent::Gone(HOLDERS[holder]),
                ReferenceEvent::Budget(mb) => {
                    terms = Terms { ram: mb * MB, ..terms };
                    LedgerEvent::Terms(terms)
                }
                ReferenceEvent::Wait(ms) => {
                    now += ms;
                    LedgerEvent::Tick
                }
            };
            now += 1;
            reference.hears(&event);
            let (next, effects) = decide(&ledger, event, MS(now));
            ledger = next;
            for effect in &effects {
                reference.sees(effect, terms.ram / MB)?;
            }
            // No claim is forgotten, and what is counted is exactly what is there.
            prop_assert_eq!(ledger.waiting(), reference.waiting.len());
            let used: u64 = reference.residencies.values().map(|residency| residency.mb).sum();
            prop_assert_eq!(ledger.used(MemoryPlace::Ram), used * MB);
            // A claim that can be granted does not wait: with nothing in memory no claim waits.
            prop_assert!(!reference.residencies.is_empty() || reference.waiting.is_empty());
            // A second step at the same time has no effect.
            let (again, more) = decide(&ledger, LedgerEvent::Tick, MS(now));
            prop_assert!(more.is_empty(), "{:?}", more);
            prop_assert_eq!(&again, &ledger);
            if let Some(wake) = ledger.wake_at(MS(now)) {
                prop_assert!(wake > MS(now));
            }
        }
    }
}
