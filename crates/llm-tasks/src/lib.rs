//! Requests to a language model and the answers accepted from it: the DSL and its schemas, prompts, budgets, tolerant parsing, translation and
//! summaries. Pure.
//!
//! Read in this order: [`dsl`], [`prompt`], [`reasoning`], [`answer`], then [`translation`].

#![forbid(unsafe_code)]

pub mod dsl;

pub mod prompt;
pub mod reasoning;

pub mod answer;
pub mod schema_subset;

pub mod translation;
