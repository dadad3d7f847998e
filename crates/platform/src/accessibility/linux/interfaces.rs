//! The interfaces of an element, by their short names.

/// The interfaces of an element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Interfaces(pub(super) Vec<String>);

impl Interfaces {
    /// Whether the element has the interface with this short name.
    pub(super) fn has(&self, short: &str) -> bool {
        self.0.iter().any(|name| name.rsplit('.').next() == Some(short))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interfaces_go_by_their_short_names() {
        let interfaces = Interfaces(vec!["org.a11y.atspi.Text".into(), "org.a11y.atspi.TableCell".into()]);
        assert!(interfaces.has("Text") && interfaces.has("TableCell") && !interfaces.has("Table"));
    }
}
