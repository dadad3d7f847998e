//! `#[derive(Message)]`: lane, kind, overflow and retries of a message, as attributes of its enum's variants.
//!
//! `luna_messages::lane` documents the trait and the attributes; the generated code is constants and copies of fields.

#![forbid(unsafe_code)]

mod attributes;
mod expand;

use proc_macro::TokenStream;

/// Implements `luna_messages::Message` for an enum.
#[proc_macro_derive(Message, attributes(message))]
pub fn derive_message(input: TokenStream) -> TokenStream {
    let expanded = syn::parse(input).and_then(|input| expand::expand(&input));
    expanded.unwrap_or_else(|error| error.to_compile_error()).into()
}
