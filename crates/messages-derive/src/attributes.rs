//! Parses `#[message(…)]`.

use proc_macro2::Span;
use syn::parse::{Parse as _, ParseStream};
use syn::{Attribute, Error, Ident, LitInt, LitStr, Member, Path, Result, Token, parenthesized, token};

/// All keys, for error messages.
const KEYS: &str = "lane, kind, coalesce, drop_oldest, retry, retry_as, class_of, survives_restart";

/// What happens when the lane is full, other than refusing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverflowAttribute {
    Coalesce,
    DropOldest,
}

/// How often a message is retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAttribute {
    Times(u32),
    Always,
    /// As often as the field named by `class_of` allows.
    Class,
}

/// The tuple variant that is retried instead, made of these fields.
pub struct RetryAs {
    pub variant: Ident,
    pub fields: Vec<Member>,
}

/// The attributes of a variant.
#[derive(Default)]
pub struct VariantAttributes {
    pub lane: Option<Path>,
    pub kind: Option<LitStr>,
    pub overflow: Option<OverflowAttribute>,
    pub retry: Option<RetryAttribute>,
    pub retry_as: Option<RetryAs>,
    pub class_of: Option<Member>,
    pub survives_restart: bool,
}

impl VariantAttributes {
    /// Parses all `#[message(…)]` of the variant `name`.
    pub fn read(attributes: &[Attribute], name: &Ident) -> Result<Self> {
        let mut found = Self::default();
        each_key(attributes, |key, input| {
            match key.to_string().as_str() {
                "lane" => found.lane = Some(lane(input)?),
                "kind" => found.kind = Some(kind(input)?),
                "coalesce" => found.set_overflow(key, OverflowAttribute::Coalesce)?,
                "drop_oldest" => found.set_overflow(key, OverflowAttribute::DropOldest)?,
                "retry" => found.retry = Some(retry(input)?),
                "retry_as" => found.retry_as = Some(retry_as(input)?),
                "class_of" => {
                    input.parse::<Token![=]>()?;
                    found.class_of = Some(input.parse()?);
                }
                "survives_restart" => found.survives_restart = true,
                other => return Err(Error::new(key.span(), format!("unknown key `{other}`; there are {KEYS}"))),
            }
            Ok(())
        })?;
        found.check(name)?;
        Ok(found)
    }

    fn set_overflow(&mut self, key: &Ident, overflow: OverflowAttribute) -> Result<()> {
        match self.overflow.replace(overflow) {
            Some(_) => Err(Error::new(key.span(), "`coalesce` and `drop_oldest` exclude each other")),
            None => Ok(()),
        }
    }

    /// Rejects keys that exclude each other, and keys whose prerequisite is missing.
    fn check(&self, name: &Ident) -> Result<()> {
        let wrong = |why: &str| Err(Error::new(name.span(), format!("`{name}`: {why}")));
        match self {
            Self { class_of: Some(_), overflow: Some(_), .. } => {
                wrong("the class says what happens when the lane is full")
            }
            Self { class_of: None, retry: Some(RetryAttribute::Class), .. } => {
                wrong("`retry = class` needs `class_of`")
            }
            Self { retry: None, retry_as: Some(_), .. } => wrong("`retry_as` needs `retry`"),
            _ => Ok(()),
        }
    }
}

/// The default lane of an enum: the only key that an enum may have.
pub fn lane_of_enum(attributes: &[Attribute]) -> Result<Option<Path>> {
    let mut found = None;
    each_key(attributes, |key, input| {
        if key != "lane" {
            return Err(Error::new(key.span(), format!("`{key}` belongs to a variant; an enum has only `lane`")));
        }
        found = Some(lane(input)?);
        Ok(())
    })?;
    Ok(found)
}

/// Rejects `#[message]` on a field.
pub fn refuse_on_field(attributes: &[Attribute]) -> Result<()> {
    match attributes.iter().find(|attribute| attribute.path().is_ident("message")) {
        Some(_) => Err(Error::new(Span::call_site(), "#[message] belongs to the enum or to a variant, not to a field")),
        None => Ok(()),
    }
}

/// Calls `read` after each key of all `#[message(…)]`; `read` consumes the value, if the key has one.
fn each_key(attributes: &[Attribute], mut read: impl FnMut(&Ident, ParseStream<'_>) -> Result<()>) -> Result<()> {
    let mut seen: Vec<Ident> = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("message")) {
        attribute.parse_args_with(|input: ParseStream<'_>| {
            while !input.is_empty() {
                let key: Ident = input.parse()?;
                if seen.contains(&key) {
                    return Err(Error::new(key.span(), format!("`{key}` is said twice")));
                }
                read(&key, input)?;
                seen.push(key);
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Parses `= PATH`. The lane comes from the message's type (KER-3), so the value must be the path of a constant, not an expression.
fn lane(input: ParseStream<'_>) -> Result<Path> {
    input.parse::<Token![=]>()?;
    let begin = input.span();
    let path = Path::parse_mod_style(input).ok().filter(|_| input.is_empty() || input.peek(Token![,]));
    let is_value = |path: &Path| path.segments.first().is_some_and(|first| first.ident == "self");
    path.filter(|path| !is_value(path)).ok_or_else(|| Error::new(begin, "a lane is a constant, such as Lane::Uia"))
}

fn kind(input: ParseStream<'_>) -> Result<LitStr> {
    input.parse::<Token![=]>()?;
    let word: LitStr = input.parse()?;
    let value = word.value();
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if value.starts_with(|c: char| c.is_ascii_lowercase()) && value.chars().all(is_part) {
        return Ok(word);
    }
    Err(Error::new(word.span(), "a kind is a word of small letters, digits and _: it is a label of metrics"))
}

fn retry(input: ParseStream<'_>) -> Result<RetryAttribute> {
    const WRONG: &str = "`retry` is a number from 1 on, `always` or `class`";
    input.parse::<Token![=]>()?;
    let begin = input.span();
    if input.peek(LitInt) {
        let times = input.parse::<LitInt>()?.base10_parse()?;
        return if times == 0 { Err(Error::new(begin, WRONG)) } else { Ok(RetryAttribute::Times(times)) };
    }
    match Ident::parse(input).map(|word| word.to_string()).as_deref() {
        Ok("always") => Ok(RetryAttribute::Always),
        Ok("class") => Ok(RetryAttribute::Class),
        _ => Err(Error::new(begin, WRONG)),
    }
}

/// Parses `= Variant(field, …)`.
fn retry_as(input: ParseStream<'_>) -> Result<RetryAs> {
    input.parse::<Token![=]>()?;
    let variant: Ident = input.parse()?;
    if !input.peek(token::Paren) {
        return Err(Error::new(variant.span(), "write `retry_as = Variant(field, …)`"));
    }
    let inside;
    parenthesized!(inside in input);
    let fields = inside.parse_terminated(Member::parse, Token![,])?;
    Ok(RetryAs { variant, fields: fields.into_iter().collect() })
}
