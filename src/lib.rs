//! Luna's composition root: the only place that knows everyone. The program in `main.rs` is a table of contents of this.

#![forbid(unsafe_code)]

// What is typed.
pub mod cli;

// One life of Luna.
pub mod logging;
pub mod one_luna;
pub mod reload;
pub mod run;
pub mod settings;

// Who is there, and what each is handed.
pub mod engines;
pub mod outside;
pub mod system;
pub mod tree;
pub mod wiring;

// What Luna tells, and what is told by keys.
pub mod announce;
pub mod bus;
pub mod hot_keys;

// The local endpoint, and how commands find and ask it.
pub mod control_client;
pub mod control_file;
pub mod control_protocol;
pub mod endpoint;
pub mod http;
pub mod lease;
pub mod peer;

// What is done once, without a running Luna.
pub mod batch_commands;
pub mod doctor;
