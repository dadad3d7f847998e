//! The tools of Luna as one table (TOOL-1): what each is for, what it takes, whether it acts.
//!
//! [`CheckedCall::parse`] is the only way from what a program sent to a call. The limits stand once, in the schema that is published; the check reads them from
//! there. What a tool does, the Tools actor knows.

#![forbid(unsafe_code)]

pub mod call;
pub mod check;
pub mod input;
pub mod recognised;
pub mod table;

pub use call::CheckedCall;
pub use table::{ToolDescription, ToolEffect, describe, list};

#[cfg(test)]
mod tests;
