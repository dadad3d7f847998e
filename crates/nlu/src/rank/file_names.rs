//! Names of files as labels: what is said is the name without its ending, in any order of its words, and that it is a file (NLU-7).

/// Letters of the longest ending of a file's name.
const LONGEST_ENDING: usize = 5;

/// A file's name without its ending: "Budget_2024" of "Budget_2024.xlsx". None if a label is no file's name.
#[must_use]
pub fn without_ending(label: &str) -> Option<&str> {
    let (name, ending) = label.trim().rsplit_once('.')?;
    let is_ending = (2..=LONGEST_ENDING).contains(&ending.len())
        && ending.chars().all(|c| c.is_ascii_alphanumeric())
        && ending.chars().any(|c| c.is_ascii_alphabetic());
    let is_name = name.chars().next_back().is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | ']' | '_' | '-'));
    (is_ending && is_name).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    // NLU-7
    #[test]
    fn a_file_is_named_without_its_ending_nlu_7() {
        for (label, expect) in [
            ("Budget_2024.xlsx", Some("Budget_2024")),
            ("회의록_3월.docx", Some("회의록_3월")),
            ("backup.tar.gz", Some("backup.tar")),
            ("photo (2).jpg", Some("photo (2)")),
            ("song.mp3", Some("song")),
            ("Rename…", None),
            ("Save as...", None),
            ("Version 1.25", None),
            ("Mr. Kim", None),
            ("End of sentence. Next", None),
            (".bashrc", None),
            ("", None),
        ] {
            assert_eq!(without_ending(label), expect, "{label}");
        }
    }
}
