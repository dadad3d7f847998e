//! Luna's composition root: the only place that knows everyone. The program in `main.rs` is a table of contents of this.

#![forbid(unsafe_code)]

pub mod cli;
pub mod config;

pub mod bounded;
pub mod logging;
pub mod reload;
pub mod run;
pub mod settings;

pub mod system;

pub mod outside;
pub mod tree;
pub mod wiring;

pub mod announce;
pub mod batch_commands;
pub mod bus;
pub mod doctor;
pub mod engines;

pub mod hot_keys;

pub mod control_file;
pub mod endpoint;
pub mod http;
pub mod lease;
pub mod one_luna;
pub mod peer;
