//! One file per fault (KER-7 to KER-10, ENG-2 to ENG-4). Each test shows that reflex commands still work, that the failed part is restarted or
//! announced as degraded, that accepted work is done or refused, and that the matching metric increases by exactly one.
//!
//! Faults of Luna itself run the tree of `src/tree.rs` under a paused clock (`support/world.rs`); faults of the system run the real program
//! on the desktop of `make test`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/desktop.rs"]
mod desktop;
#[path = "support/world.rs"]
mod world;

#[path = "faults/moved.rs"]
mod moved;

// Faults of Luna itself.
#[path = "faults/call_cycle.rs"]
mod call_cycle;
#[path = "faults/clock_jump.rs"]
mod clock_jump;
#[path = "faults/handler_hangs.rs"]
mod handler_hangs;
#[path = "faults/handler_panics.rs"]
mod handler_panics;
#[path = "faults/late_reply.rs"]
mod late_reply;
#[path = "faults/lost_reply.rs"]
mod lost_reply;
#[path = "faults/melt_down.rs"]
mod melt_down;
#[path = "faults/message_storm.rs"]
mod message_storm;
#[path = "faults/start_fails.rs"]
mod start_fails;
#[path = "faults/task_panics.rs"]
mod task_panics;

// Faults of engines.
#[path = "faults/engine_aborts.rs"]
mod engine_aborts;
#[path = "faults/engine_freezes.rs"]
mod engine_freezes;
#[path = "faults/engine_ignores_cancel.rs"]
mod engine_ignores_cancel;
#[path = "faults/engine_is_killed.rs"]
mod engine_is_killed;
#[path = "faults/model_is_corrupt.rs"]
mod model_is_corrupt;
#[path = "faults/out_of_memory.rs"]
mod out_of_memory;

// Faults of the machine.
#[path = "faults/apps_come_and_go.rs"]
mod apps_come_and_go;
#[path = "faults/bus_gone.rs"]
mod bus_gone;
#[path = "faults/device_gone.rs"]
mod device_gone;
#[path = "faults/disk_full.rs"]
mod disk_full;
#[path = "faults/display_hangs.rs"]
mod display_hangs;
#[path = "faults/keys_lost.rs"]
mod keys_lost;
#[path = "faults/luna_is_ended.rs"]
mod luna_is_ended;
#[path = "faults/port_taken.rs"]
mod port_taken;
#[path = "faults/slow_disk.rs"]
mod slow_disk;
