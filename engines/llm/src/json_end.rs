//! Detects the end of a JSON object or array, so that generation stops there.

/// Tracks a JSON text that matches a grammar.
#[derive(Debug, Default)]
pub struct JsonEnd {
    depth: u32,
    in_string: bool,
    escaped: bool,
}

impl JsonEnd {
    /// Returns whether the outermost object or array is complete. Other values end when the model ends them.
    pub fn push(&mut self, text: &str) -> bool {
        for character in text.chars() {
            if self.in_string {
                match character {
                    _ if self.escaped => self.escaped = false,
                    '\\' => self.escaped = true,
                    '"' => self.in_string = false,
                    _ => {}
                }
                continue;
            }
            match character {
                '"' => self.in_string = true,
                '{' | '[' => self.depth += 1,
                '}' | ']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DSL-3
    #[test]
    fn the_end_of_an_object_is_noticed_dsl_3() {
        for (parts, expect) in [
            (&["{}"][..], true),
            (&["{\"a\":", "[1,{}]"], false),
            (&["{\"a\":", "[1,{}]", "}"], true),
            (&["{\"}", "\\\"}"], false),
            (&["\"}\""], false),
            (&["12"], false),
        ] {
            let mut end = JsonEnd::default();
            let complete = parts.iter().map(|part| end.push(part)).last();
            assert_eq!(complete, Some(expect), "{parts:?}");
        }
    }
}
