//! What a language model is asked and what may come of its answer: the DSL and its schemas, prompts, budgets, tolerant answers,
//! translation and summaries. Pure.
//!
//! Read in this order: [`dsl`], [`prompt`], [`reasoning`], [`answer`], then [`translation`].

#![forbid(unsafe_code)]

pub mod dsl;

pub mod prompt;
pub mod reasoning;

pub mod answer;
pub mod schema_subset;

pub mod translation;
