//! Generates the `Message` impl of an enum.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Error, Fields, Ident, Member, Path, Result, Variant};

use crate::attributes::{OverflowAttribute, RetryAs, RetryAttribute, VariantAttributes, lane_of_enum, refuse_on_field};

#[cfg(test)]
mod tests;

/// A variant with its attributes.
struct MessageVariant<'a> {
    name: &'a Ident,
    fields: &'a Fields,
    lane: Path,
    attributes: VariantAttributes,
}

/// Generates the impl of `Message`.
///
/// # Errors
/// Missing or wrong attributes, or an item that can't be a message.
pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let Data::Enum(data) = &input.data else {
        return Err(Error::new(name.span(), "a message is an enum: one variant for each thing that an actor hears"));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new(name.span(), "a message has no generics: an actor hears one type"));
    }
    if data.variants.is_empty() {
        return Err(Error::new(name.span(), "a message has at least one variant"));
    }
    let default_lane = lane_of_enum(&input.attrs)?;
    let variants: Vec<_> =
        data.variants.iter().map(|variant| read(variant, default_lane.as_ref())).collect::<Result<_>>()?;

    let lanes = variants.iter().map(lane_arm);
    let kinds = variants.iter().map(kind_arm);
    let overflow = overflow(&variants);
    let retry = retry(&variants)?;
    let survives_restart = survives_restart(&variants);
    Ok(quote! {
        #[automatically_derived]
        impl ::luna_messages::Message for #name {
            fn lane(&self) -> ::luna_messages::Lane {
                match self { #(#lanes)* }
            }
            fn kind(&self) -> &'static str {
                match self { #(#kinds)* }
            }
            #overflow
            #retry
            #survives_restart
        }
    })
}

fn read<'a>(variant: &'a Variant, default_lane: Option<&Path>) -> Result<MessageVariant<'a>> {
    let (name, fields) = (&variant.ident, &variant.fields);
    fields.iter().try_for_each(|field| refuse_on_field(&field.attrs))?;
    let attributes = VariantAttributes::read(&variant.attrs, name)?;
    let Some(lane) = attributes.lane.as_ref().or(default_lane).cloned() else {
        let missing = format!("say the lane of `{name}`: #[message(lane = Lane::Uia)]");
        return Err(Error::new(name.span(), missing));
    };
    let retried = attributes.retry_as.iter().flat_map(|other| &other.fields);
    for field in attributes.class_of.iter().chain(retried) {
        if !fields.members().any(|member| member == *field) {
            let field = label(field);
            return Err(Error::new(name.span(), format!("`{name}` has no field `{field}`")));
        }
    }
    Ok(MessageVariant { name, fields, lane, attributes })
}

fn lane_arm(MessageVariant { name, lane, .. }: &MessageVariant<'_>) -> TokenStream {
    quote! { Self::#name { .. } => #lane, }
}

fn kind_arm(MessageVariant { name, attributes, .. }: &MessageVariant<'_>) -> TokenStream {
    match (&attributes.kind, &attributes.class_of) {
        (Some(kind), _) => quote! { Self::#name { .. } => #kind, },
        (None, Some(field)) => quote! {
            Self::#name { #field: class, .. } => ::luna_messages::MessageClass::kind(class),
        },
        (None, None) => {
            let kind = snake_case(&name.to_string());
            quote! { Self::#name { .. } => #kind, }
        }
    }
}

/// The method `overflow`; omitted if every variant refuses, which is the trait's default.
fn overflow(variants: &[MessageVariant<'_>]) -> Option<TokenStream> {
    if variants.iter().all(|variant| variant.attributes.overflow.is_none() && variant.attributes.class_of.is_none()) {
        return None;
    }
    let arms = variants.iter().map(|MessageVariant { name, attributes, .. }| {
        match (attributes.overflow, &attributes.class_of) {
            (Some(OverflowAttribute::Coalesce), _) => {
                quote! { Self::#name { .. } => ::luna_messages::Overflow::Coalesce, }
            }
            (Some(OverflowAttribute::DropOldest), _) => {
                quote! { Self::#name { .. } => ::luna_messages::Overflow::DropOldest, }
            }
            (None, Some(field)) => quote! {
                Self::#name { #field: class, .. } => ::luna_messages::MessageClass::overflow(class),
            },
            (None, None) => quote! { Self::#name { .. } => ::luna_messages::Overflow::Refuse, },
        }
    });
    Some(quote! {
        fn overflow(&self) -> ::luna_messages::Overflow {
            match self { #(#arms)* }
        }
    })
}

/// The method `retry`; omitted if no variant is retried.
fn retry(variants: &[MessageVariant<'_>]) -> Result<Option<TokenStream>> {
    if variants.iter().all(|variant| variant.attributes.retry.is_none()) {
        return Ok(None);
    }
    let arms: Vec<_> = variants.iter().map(|variant| retry_arm(variant, variants)).collect::<Result<_>>()?;
    Ok(Some(quote! {
        fn retry(&self, attempt: u32) -> ::core::option::Option<Self> {
            let _ = attempt;
            match self { #(#arms)* }
        }
    }))
}

fn retry_arm(variant: &MessageVariant<'_>, all: &[MessageVariant<'_>]) -> Result<TokenStream> {
    let MessageVariant { name, fields, attributes, .. } = variant;
    let never = quote! { Self::#name { .. } => ::core::option::Option::None, };
    let Some(retry) = attributes.retry else { return Ok(never) };
    // Each field is bound to its own name, so that tuple and struct variants are alike.
    let binding = |member: &Member| format_ident!("field_{}", label(member));
    let (retried, sources, targets) = match &attributes.retry_as {
        None => {
            let members: Vec<_> = fields.members().collect();
            (*name, members.clone(), members)
        }
        Some(other) => {
            let target = target(other, all)?;
            (target.name, other.fields.clone(), target.fields.members().collect())
        }
    };
    let class = attributes.class_of.iter().filter(|_| retry == RetryAttribute::Class);
    let mut bound: Vec<&Member> = Vec::new();
    for field in sources.iter().chain(class) {
        if !bound.contains(&field) {
            bound.push(field);
        }
    }
    let (guard, otherwise) = match (retry, &attributes.class_of) {
        (RetryAttribute::Times(times), _) => (Some(quote! { if attempt <= #times }), Some(never)),
        (RetryAttribute::Class, Some(field)) => {
            let class = binding(field);
            (Some(quote! { if attempt <= ::luna_messages::MessageClass::retries(#class) }), Some(never))
        }
        (RetryAttribute::Always | RetryAttribute::Class, _) => (None, None),
    };
    let bindings = bound.iter().copied().map(binding);
    let copies = sources.iter().map(binding);
    Ok(quote! {
        Self::#name { #(#bound: #bindings,)* .. } #guard => ::core::option::Option::Some(Self::#retried {
            #(#targets: ::core::clone::Clone::clone(#copies),)*
        }),
        #otherwise
    })
}

/// The variant that `retry_as` names.
fn target<'a>(other: &RetryAs, all: &'a [MessageVariant<'a>]) -> Result<&'a MessageVariant<'a>> {
    let wanted = &other.variant;
    let wrong = |why: String| Error::new(wanted.span(), why);
    let found = all.iter().find(|variant| variant.name == wanted);
    let found = found.ok_or_else(|| wrong(format!("there is no variant `{wanted}`")))?;
    match found.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == other.fields.len() => Ok(found),
        _ => Err(wrong(format!("`{wanted}` is no tuple of {} fields", other.fields.len()))),
    }
}

/// The method `survives_restart`; omitted if no variant has that attribute.
fn survives_restart(variants: &[MessageVariant<'_>]) -> Option<TokenStream> {
    if variants.iter().all(|variant| !variant.attributes.survives_restart) {
        return None;
    }
    let arms = variants.iter().map(|MessageVariant { name, attributes, .. }| {
        let survives = attributes.survives_restart;
        quote! { Self::#name { .. } => #survives, }
    });
    Some(quote! {
        fn survives_restart(&self) -> bool {
            match self { #(#arms)* }
        }
    })
}

/// A field's name, or its index.
fn label(member: &Member) -> String {
    match member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// `TranslationEnded` → `translation_ended`
fn snake_case(name: &str) -> String {
    let mut word = String::new();
    for (place, c) in name.char_indices() {
        if c.is_ascii_uppercase() && place > 0 {
            word.push('_');
        }
        word.push(c.to_ascii_lowercase());
    }
    word
}
