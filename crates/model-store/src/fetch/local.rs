//! Sources on this machine.

use std::fs::File;
use std::io::{self, Read, Write};

use super::{FetchRequest, http};
use crate::error::{ModelError, SourceError};
use crate::progress::ProgressSink;

pub(super) fn get(
    text: &str,
    var: &dyn Fn(&str) -> Option<String>,
    wanted: &FetchRequest<'_>,
    sink: &mut dyn ProgressSink,
) -> Result<(), SourceError> {
    let path = expand(text, var)?;
    let mut from = match File::open(&path) {
        Ok(file) => file,
        Err(_) => return Err(SourceError::NoFile),
    };
    let total = from.metadata().map_or(0, |meta| meta.len());
    sink.begin(wanted.name, &path, Some(total), 0);
    copy(&mut from, wanted, sink)
}

/// Copies a reader to the part.
pub(super) fn copy(
    from: &mut dyn Read,
    wanted: &FetchRequest<'_>,
    sink: &mut dyn ProgressSink,
) -> Result<(), SourceError> {
    http::discard(wanted.part);
    let needed = wanted.bytes.or(wanted.about).unwrap_or(0);
    let target = |error| {
        http::discard(wanted.part);
        SourceError::Target(Box::new(ModelError::io(wanted.part, needed, error)))
    };
    let mut to = File::create(wanted.part).map_err(target)?;
    let mut buffer = vec![0; 1 << 18];
    let mut done = 0;
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                drop(to);
                http::discard(wanted.part);
                return Err(SourceError::Wheel { message: error.to_string() });
            }
        };
        done += count as u64;
        if let Some(expected) = wanted.bytes.filter(|expected| done > *expected) {
            drop(to);
            http::discard(wanted.part);
            return Err(SourceError::WrongSize { found: done, expected });
        }
        to.write_all(&buffer[..count]).map_err(target)?;
        sink.advance(done);
    }
}

/// Replaces each `${NAME}` by the variable's value.
fn expand(text: &str, var: &dyn Fn(&str) -> Option<String>) -> Result<String, SourceError> {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        let value = var(name).filter(|value| !value.is_empty());
        out.push_str(before);
        out.push_str(&value.ok_or_else(|| SourceError::Variable { name: name.to_owned() })?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_expanded_once() {
        let var = |name: &str| (name == "A").then(|| "${B}".to_owned());
        assert_eq!(expand("x/${A}/y", &var).unwrap(), "x/${B}/y");
        assert_eq!(expand("x/${A", &var).unwrap(), "x/${A");
        assert!(matches!(expand("${B}", &var), Err(SourceError::Variable { name }) if name == "B"));
    }
}
