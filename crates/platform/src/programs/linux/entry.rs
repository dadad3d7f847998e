//! A desktop file: what the menus show of a program, and how it is started.

use std::path::Path;

/// What Luna needs of a desktop file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct DesktopEntry {
    name: String,
    /// Names in other languages, such as `ko`.
    names: Vec<(String, String)>,
    exec: String,
    icon: String,
    /// The folder that it runs in.
    pub folder: Option<String>,
    pub in_terminal: bool,
    is_hidden: bool,
}

impl DesktopEntry {
    /// The main group of a desktop file; `None` if it is not the one of a program.
    pub fn parse(text: &str) -> Option<Self> {
        let mut entry = Self::default();
        let mut is_program = false;
        let lines = text.lines().map(str::trim).skip_while(|line| *line != "[Desktop Entry]").skip(1);
        for line in lines.take_while(|line| !line.starts_with('[')) {
            let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) else { continue };
            let (key, value) = (key.trim(), value.trim());
            match key {
                "Type" => is_program = value == "Application",
                "Name" => entry.name = unescaped(value),
                "Exec" => entry.exec = value.to_owned(),
                "Icon" => entry.icon = unescaped(value),
                "Path" => entry.folder = Some(unescaped(value)).filter(|folder| !folder.is_empty()),
                "Terminal" => entry.in_terminal = value == "true",
                "NoDisplay" | "Hidden" => entry.is_hidden |= value == "true",
                _ => {
                    let lang = key.strip_prefix("Name[").and_then(|rest| rest.strip_suffix(']'));
                    entry.names.extend(lang.map(|lang| (lang.to_owned(), unescaped(value))));
                }
            }
        }
        (is_program && !entry.name.is_empty()).then_some(entry)
    }

    /// Whether the menus show it.
    pub const fn is_shown(&self) -> bool {
        !self.is_hidden && !self.exec.is_empty()
    }

    /// Its names in all languages.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.names.iter().map(|(_, name)| name.as_str()))
    }

    pub fn name_in(&self, lang: &str) -> &str {
        self.names.iter().find(|(of, _)| of == lang).map_or(&self.name, |(_, name)| name)
    }

    /// The words of the command line, without files to open; no shell reads them. `None` if it can't be read.
    pub fn command(&self, name: &str, file: &Path) -> Option<Vec<String>> {
        let (mut words, mut word, mut begun) = (Vec::new(), String::new(), false);
        let text = unescaped(&self.exec);
        let mut characters = text.chars();
        let mut quoted = false;
        while let Some(c) = characters.next() {
            match c {
                '"' => (quoted, begun) = (!quoted, true),
                '\\' if quoted => word.push(characters.next()?),
                '%' if !quoted => match characters.next()? {
                    '%' => (word, begun) = (word + "%", true),
                    'c' => (word, begun) = (word + name, true),
                    'k' => (word, begun) = (word + &file.to_string_lossy(), true),
                    'i' if !self.icon.is_empty() => words.extend(["--icon".to_owned(), self.icon.clone()]),
                    // Files and addresses to open: there are none.
                    _ => {}
                },
                c if c.is_whitespace() && !quoted => {
                    if begun {
                        words.push(std::mem::take(&mut word));
                    }
                    begun = false;
                }
                c => {
                    word.push(c);
                    begun = true;
                }
            }
        }
        if begun {
            words.push(word);
        }
        (!quoted && words.first().is_some_and(|first| !first.is_empty())).then_some(words)
    }
}

/// A value with its escapes resolved.
fn unescaped(value: &str) -> String {
    let (mut read, mut characters) = (String::new(), value.chars());
    while let Some(c) = characters.next() {
        match (c, if c == '\\' { characters.clone().next() } else { None }) {
            ('\\', Some(escaped @ ('s' | 'n' | 't' | 'r' | '\\'))) => {
                characters.next();
                read.push(match escaped {
                    's' => ' ',
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    other => other,
                });
            }
            (other, _) => read.push(other),
        }
    }
    read
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn words(exec: &str) -> Option<Vec<String>> {
        let text = format!(
            "[Desktop Entry]\nType=Application\nName=A\nIcon=pic\nExec={exec}\n[Desktop Action new]\nExec=other\n"
        );
        DesktopEntry::parse(&text).unwrap().command("A b", Path::new("/a.desktop"))
    }

    // TOOL-3
    #[test]
    fn a_command_line_is_read_without_a_shell_tool_3() {
        for (exec, expect) in [
            ("edit %F", Some(vec!["edit"])),
            ("edit --new-window %u", Some(vec!["edit", "--new-window"])),
            (r#""/opt/my app/run" --x="a b" %%"#, Some(vec!["/opt/my app/run", "--x=a b", "%"])),
            (r#"sh -c "echo \\$HOME; rm x""#, Some(vec!["sh", "-c", "echo $HOME; rm x"])),
            ("run %i %c %k", Some(vec!["run", "--icon", "pic", "A b", "/a.desktop"])),
            ("a; touch /tmp/x", Some(vec!["a;", "touch", "/tmp/x"])),
            (r#"run "open"#, None),
            ("%F", None),
            ("run %", None),
        ] {
            let expect = expect.map(|words| words.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(words(exec), expect, "{exec}");
        }
    }

    // TOOL-3
    #[test]
    fn what_is_no_program_is_left_out_tool_3() {
        for text in [
            "",
            "[Desktop Entry]\nType=Link\nName=A\n",
            "[Desktop Entry]\nType=Application\nExec=a\n",
            "Name=A\nType=Application\n",
        ] {
            assert_eq!(DesktopEntry::parse(text), None, "{text:?}");
        }
    }
}
