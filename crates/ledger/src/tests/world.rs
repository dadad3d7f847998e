//! Holders under virtual time that load slowly, ignore orders, die and report late; and what must hold in any case.
//!
//! The world knows the truth: which programs exist and what they have in memory. The ledger only gets the reports of holders.

use std::collections::BTreeMap;

use luna_messages::RequestId;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{Claim, Grant, Lease, MemoryPlace, ResidencyOrder};

use super::super::{Ledger, LedgerEffect, LedgerEvent, Terms, decide};
use super::behaviour::{ClientRandom, HolderBehaviour, LedgerClient};
use super::script::MS;

/// A program with its memory.
#[derive(Debug, Clone)]
struct SimulatedProgram {
    residency: Lease,
    model: String,
    bytes: u64,
    place: MemoryPlace,
    loading: bool,
}

#[derive(Debug, Clone)]
enum Act {
    /// A report to the ledger.
    Report(LedgerEvent),
    LoadDone(EngineKind, Lease),
    LoadFails(EngineKind, Lease),
    WorkDone(EngineKind, Lease),
    Stops(EngineKind, Lease),
    Unloads(EngineKind, Lease),
    Dies(EngineKind, Lease),
    /// A check whether the program exists.
    CheckProgram(EngineKind),
    /// A new claim of that client.
    NewClaim(usize),
}

/// The outcome of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimOutcome {
    Waits,
    Granted { waited: u64 },
    Refused,
    Withdrawn,
}

/// A ledger with simulated holders and programs, driven by a list of due events.
pub struct LedgerWorld {
    pub ledger: Ledger,
    pub now: u64,
    dice: ClientRandom,
    behaviour: HolderBehaviour,
    clients: Vec<LedgerClient>,
    acts: BTreeMap<(u64, u64), Act>,
    acts_made: u64,
    programs: BTreeMap<&'static str, SimulatedProgram>,
    /// The lease that each holder knows of.
    current: BTreeMap<&'static str, Lease>,
    pub outcomes: BTreeMap<RequestId, (usize, u64, ClaimOutcome)>,
    claims: u64,
    last_lease: u64,
    leased: BTreeMap<Lease, usize>,
    granted_to: BTreeMap<RequestId, (EngineKind, Lease)>,
    wake: Option<u64>,
    pub loads: u64,
}

impl LedgerWorld {
    pub fn new(terms: Terms, behaviour: HolderBehaviour, clients: Vec<LedgerClient>, seed: u64) -> Self {
        let mut world = Self {
            ledger: Ledger::new(terms),
            now: 0,
            dice: ClientRandom(seed),
            behaviour,
            clients,
            acts: BTreeMap::new(),
            acts_made: 0,
            programs: BTreeMap::new(),
            current: BTreeMap::new(),
            outcomes: BTreeMap::new(),
            claims: 0,
            last_lease: 0,
            leased: BTreeMap::new(),
            granted_to: BTreeMap::new(),
            wake: None,
            loads: 0,
        };
        for index in 0..world.clients.len() {
            let from = world.clients[index].from;
            world.after(from, Act::NewClaim(index));
        }
        world
    }

    fn after(&mut self, wait: u64, act: Act) {
        self.acts_made += 1;
        self.acts.insert((self.now + wait, self.acts_made), act);
    }

    /// Lets time pass until nothing more happens, or it is `until`.
    pub fn run(&mut self, until: u64) {
        loop {
            let next = self.acts.keys().next().map(|(at, _)| *at);
            let at = match (next, self.wake) {
                (Some(next), Some(wake)) => next.min(wake),
                (Some(at), None) | (None, Some(at)) => at,
                (None, None) => return,
            };
            if at > until {
                self.now = until;
                return;
            }
            self.now = at;
            if self.wake.is_some_and(|wake| wake <= at) {
                self.apply_event(LedgerEvent::Tick);
            } else if let Some((_, act)) = self.acts.pop_first() {
                self.act(act);
            }
        }
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Report(event) => self.apply_event(event),
            Act::NewClaim(client) => self.ask(client),
            Act::LoadDone(holder, lease) => {
                let Some(program) = self.programs.get_mut(holder.name()).filter(|program| program.residency == lease)
                else {
                    return;
                };
                program.loading = false;
                self.apply_event(LedgerEvent::Loaded(lease));
                if self.current.get(holder.name()) == Some(&lease) {
                    self.work(holder, lease);
                }
            }
            Act::LoadFails(holder, lease) => {
                if let Some(program) = self.programs.get_mut(holder.name()).filter(|program| program.residency == lease)
                {
                    program.loading = false;
                    self.end_work(holder, lease);
                }
            }
            Act::WorkDone(holder, lease) => self.end_work(holder, lease),
            Act::Stops(holder, lease) => {
                if let Some(program) = self.programs.get_mut(holder.name()).filter(|program| program.residency == lease)
                {
                    program.loading = false;
                }
                self.end_work(holder, lease);
            }
            Act::Unloads(holder, residency) => {
                if self.programs.get(holder.name()).is_some_and(|program| program.residency == residency) {
                    self.programs.remove(holder.name());
                }
                self.apply_event(LedgerEvent::Unloaded { holder, loaded_by: residency });
            }
            Act::Dies(holder, residency) => self.die(holder, residency),
            Act::CheckProgram(holder) => {
                let should = self.ledger.should_live().any(|engine| engine == holder);
                if should && !self.programs.contains_key(holder.name()) {
                    self.apply_event(LedgerEvent::Gone(holder));
                }
            }
        }
    }

    fn ask(&mut self, index: usize) {
        let client = self.clients[index].clone();
        if self.now > client.until {
            return;
        }
        self.claims += 1;
        let id = RequestId(self.claims);
        let lane = *self.dice.pick(&client.lanes);
        self.outcomes.insert(id, (index, self.now, ClaimOutcome::Waits));
        if !client.waits {
            let pause = self.dice.range(client.pause.0, client.pause.1);
            self.after(pause, Act::NewClaim(index));
        }
        if self.dice.permille(client.withdraws) {
            let wait = self.dice.range(0, 20_000);
            self.after(wait, Act::Report(LedgerEvent::Withdraw(id)));
        }
        let (holder, model, bytes) = (client.holder, client.model.to_owned(), client.bytes);
        self.apply_event(LedgerEvent::Claim(Claim { id, holder, model, bytes, lane }));
    }

    /// Ends the holder's work under that lease.
    fn end_work(&mut self, holder: EngineKind, lease: Lease) {
        if self.current.get(holder.name()) == Some(&lease) {
            self.current.remove(holder.name());
            self.ask_again(lease);
        }
        // Reported in any case: repeated and late releases must do no harm.
        self.apply_event(LedgerEvent::Release(lease));
    }

    fn ask_again(&mut self, lease: Lease) {
        if let Some(client) = self.leased.remove(&lease)
            && self.clients[client].waits
        {
            let pause = self.clients[client].pause;
            let pause = self.dice.range(pause.0, pause.1);
            self.after(pause, Act::NewClaim(client));
        }
    }

    fn die(&mut self, holder: EngineKind, residency: Lease) {
        if self.programs.get(holder.name()).is_none_or(|program| program.residency != residency) {
            return;
        }
        self.programs.remove(holder.name());
        if let Some(lease) = self.current.remove(holder.name()) {
            self.ask_again(lease);
        }
        self.after(self.behaviour.kill, Act::CheckProgram(holder));
        self.after(1000, Act::CheckProgram(holder));
        let silent = self.dice.permille(self.behaviour.dies_silently);
        let late = self.dice.range(0, 3000);
        let told = LedgerEvent::Unloaded { holder, loaded_by: residency };
        if silent {
            // Stale reports, when a new lease may be out.
            self.after(late, Act::Report(LedgerEvent::Loaded(residency)));
            self.after(late, Act::Report(LedgerEvent::Release(residency)));
            self.after(late, Act::Report(told));
        } else {
            self.apply_event(told);
        }
    }

    fn work(&mut self, holder: EngineKind, lease: Lease) {
        let took = self.dice.range(self.behaviour.work.0, self.behaviour.work.1);
        let residency = self.programs[holder.name()].residency;
        if self.dice.permille(self.behaviour.dies) {
            self.after(took, Act::Dies(holder, residency));
        } else if self.dice.permille(self.behaviour.work_hangs) {
            // A kill ends the program, or finally its own deadline.
            self.after(120_000, Act::Dies(holder, residency));
        } else {
            self.after(took, Act::WorkDone(holder, lease));
        }
    }

    fn apply_event(&mut self, event: LedgerEvent) {
        if let LedgerEvent::Withdraw(id) = event {
            // A claimant that withdraws a granted claim drops the work.
            if let Some((holder, lease)) = self.granted_to.get(&id).copied()
                && self.current.get(holder.name()) == Some(&lease)
            {
                self.current.remove(holder.name());
                self.ask_again(lease);
            }
            let outcome = &mut self.outcomes.get_mut(&id).unwrap().2;
            if *outcome == ClaimOutcome::Waits {
                *outcome = ClaimOutcome::Withdrawn;
                let client = self.outcomes[&id].0;
                if self.clients[client].waits {
                    self.after(1000, Act::NewClaim(client));
                }
            }
        }
        let (next, effects) = decide(&self.ledger, event.clone(), MS(self.now));
        self.ledger = next;
        for effect in effects {
            self.perform(effect, &event);
        }
        // This world counts time in whole milliseconds.
        let wake = self.ledger.wake_at(MS(self.now));
        self.wake = wake.map(|at| u64::try_from(at.as_micros()).unwrap().div_ceil(1000));
        self.assert_truth(&event);
    }

    fn perform(&mut self, effect: LedgerEffect, event: &LedgerEvent) {
        match effect {
            LedgerEffect::Grant { id, grant, waited, .. } => {
                self.granted(id, grant, u64::try_from(waited.as_millis()).unwrap())
            }
            LedgerEffect::Refuse { id, .. } => {
                let (client, _, outcome) = self.outcomes.get_mut(&id).unwrap();
                assert_eq!(*outcome, ClaimOutcome::Waits, "claim {id} is refused after {event:?}");
                *outcome = ClaimOutcome::Refused;
                let client = *client;
                if self.clients[client].waits {
                    self.after(1000, Act::NewClaim(client));
                }
            }
            LedgerEffect::Order { holder, order: ResidencyOrder::Stop { lease }, .. } => {
                if !self.dice.permille(self.behaviour.ignores_stop) {
                    self.after(self.behaviour.boundary, Act::Stops(holder, lease));
                }
            }
            LedgerEffect::Order { holder, order: ResidencyOrder::Unload { loaded_by }, .. } => {
                let mine = self.programs.get(holder.name()).is_some_and(|program| program.residency == loaded_by);
                if !mine {
                    self.after(1, Act::Report(LedgerEvent::Unloaded { holder, loaded_by }));
                } else if !self.dice.permille(self.behaviour.ignores_unload) {
                    self.after(self.behaviour.unload, Act::Unloads(holder, loaded_by));
                }
            }
            LedgerEffect::End { holder } => match self.programs.get(holder.name()) {
                Some(program) => {
                    let residency = program.residency;
                    self.after(self.behaviour.kill, Act::Dies(holder, residency));
                }
                None => self.after(self.behaviour.kill, Act::CheckProgram(holder)),
            },
            LedgerEffect::RevokeStaleLoad { lease } => {
                let owned = self.programs.values().any(|program| program.residency == lease);
                assert!(!owned, "{lease:?} has a program, and the ledger knows nothing of it");
            }
            LedgerEffect::Note(_) => {}
        }
    }

    fn granted(&mut self, id: RequestId, grant: Grant, waited: u64) {
        assert!(grant.lease.0 > self.last_lease, "no lease is given twice");
        self.last_lease = grant.lease.0;
        let (index, since, outcome) = self.outcomes.get_mut(&id).unwrap();
        assert_eq!(*outcome, ClaimOutcome::Waits, "claim {id} is granted");
        assert_eq!(self.now - *since, waited);
        *outcome = ClaimOutcome::Granted { waited };
        let index = *index;
        let client = self.clients[index].clone();
        let name = client.holder.name();
        assert!(!self.current.contains_key(name), "{name} works already");
        self.current.insert(name, grant.lease);
        self.leased.insert(grant.lease, index);
        self.granted_to.insert(id, (client.holder, grant.lease));
        if !grant.load {
            match self.programs.get(name) {
                Some(program) => {
                    assert_eq!((program.residency, program.model.as_str()), (grant.loaded_by, client.model));
                    assert!(program.bytes >= client.bytes && program.place == grant.place && !program.loading);
                    self.work(client.holder, grant.lease);
                }
                None => {
                    // The program died unnoticed; the holder reports it.
                    self.current.remove(name);
                    self.ask_again(grant.lease);
                    self.after(
                        1,
                        Act::Report(LedgerEvent::Unloaded { holder: client.holder, loaded_by: grant.loaded_by }),
                    );
                }
            }
            return;
        }
        self.loads += 1;
        assert!(!self.programs.contains_key(name), "{name} has a program still");
        assert_eq!(grant.loaded_by, grant.lease);
        let program = SimulatedProgram {
            residency: grant.lease,
            model: client.model.to_owned(),
            bytes: client.bytes,
            place: grant.place,
            loading: true,
        };
        self.programs.insert(name, program);
        let took = self.dice.range(self.behaviour.load.0, self.behaviour.load.1);
        if self.dice.permille(self.behaviour.dies) {
            self.after(took, Act::Dies(client.holder, grant.lease));
        } else if self.dice.permille(self.behaviour.load_hangs) {
            self.after(120_000, Act::Dies(client.holder, grant.lease));
        } else if self.dice.permille(self.behaviour.load_fails) {
            self.after(took, Act::LoadFails(client.holder, grant.lease));
        } else {
            self.after(took, Act::LoadDone(client.holder, grant.lease));
        }
    }

    /// GPU-1, on what really is in memory.
    fn assert_truth(&self, event: &LedgerEvent) {
        let loading: Vec<_> = self.programs.iter().filter(|(_, program)| program.loading).collect();
        assert!(loading.len() <= 1, "two loads after {event:?} at {} ms: {loading:?}", self.now);
        for place in [MemoryPlace::Card, MemoryPlace::Ram] {
            let programs = self.programs.values().filter(|program| program.place == place);
            let real: u64 = programs.map(|program| program.bytes).sum();
            let budget = self.ledger.terms().budget(place);
            assert!(real <= budget, "{real} of {budget} after {event:?} at {} ms: {:?}", self.now, self.programs);
            assert!(self.ledger.used(place) >= real, "memory is believed free that is not, after {event:?}");
        }
        let waiting = self.outcomes.values().filter(|(_, _, outcome)| *outcome == ClaimOutcome::Waits).count();
        assert_eq!(self.ledger.waiting(), waiting, "a claim was lost after {event:?} at {} ms", self.now);
    }

    /// The longest wait of that client's granted claims.
    pub fn longest_wait(&self, client: usize) -> Option<u64> {
        let of = |(index, _, outcome): &(usize, u64, ClaimOutcome)| match outcome {
            ClaimOutcome::Granted { waited } if *index == client => Some(*waited),
            _ => None,
        };
        self.outcomes.values().filter_map(of).max()
    }

    pub fn granted_count(&self, client: usize) -> usize {
        let of = |outcome: &&(usize, u64, ClaimOutcome)| {
            outcome.0 == client && matches!(outcome.2, ClaimOutcome::Granted { .. })
        };
        self.outcomes.values().filter(of).count()
    }

    /// Checks that every claim ended, and nothing is left in memory.
    pub fn assert_at_rest(&self) {
        let waiting: Vec<_> =
            self.outcomes.iter().filter(|(_, (_, _, outcome))| *outcome == ClaimOutcome::Waits).collect();
        assert!(waiting.is_empty(), "claims that never ended: {waiting:?}; {:#?}", self.ledger);
        assert_eq!(self.ledger.waiting(), 0);
        assert!(self.ledger.resident().is_empty() && self.programs.is_empty(), "{:#?}", self.ledger);
    }
}
