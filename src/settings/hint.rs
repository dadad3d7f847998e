//! The likely words that speech recognition is given (STT-2, VOI-2).
//!
//! Whisper uses the end of a hint, and a short window only its last two dozen tokens, because each costs time. So the words stand in the order of
//! their importance, the most important one last.

use luna_config::Config;
use luna_messages::Lang;
use luna_messages::control::Command;

/// What is said most while Luna reads, the most important command last: only silence lets a person be heard.
const BY_IMPORTANCE: [Command; 6] =
    [Command::Prev, Command::Resume, Command::Repeat, Command::Next, Command::Pause, Command::Stop];
/// Configured words of each command in the hint: more would push the commands before it out of what a window uses.
const MAX_SYNONYMS: usize = 2;

/// The likely words: commands, each after the person's own words for it, and the wake word last.
pub fn hint(config: &Config, lang: Lang) -> String {
    let words_of = |command: Command| synonyms(config, command).chain(usual_word(command, lang));
    BY_IMPORTANCE.into_iter().flat_map(words_of).chain(wake_word(config, lang)).collect::<Vec<_>>().join(", ")
}

fn usual_word(command: Command, lang: Lang) -> Option<&'static str> {
    command.spec().spoken.map(|spoken| spoken.phrase(lang))
}

/// The person's own words for a command, the first of them last. A word in another language is one they say, too.
fn synonyms(config: &Config, command: Command) -> impl Iterator<Item = &str> {
    let is_its_name = move |name: &str| command.name() == name || command.spec().aliases.contains(&name);
    let words = config.voice.synonyms.iter().filter(move |(name, _)| is_its_name(name)).flat_map(|(_, words)| words);
    let mut words: Vec<&str> =
        words.map(|word| word.trim()).filter(|word| !word.is_empty()).take(MAX_SYNONYMS).collect();
    words.reverse();
    words.into_iter()
}

/// The wake word as it is written in the language. Luna's own name is understood in both scripts.
fn wake_word(config: &Config, lang: Lang) -> Option<&str> {
    match (config.voice.wake_word.as_deref(), lang) {
        (Some("루나"), Lang::En) => Some("Luna"),
        (word, Lang::Ko | Lang::En) => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens of a hint that a window uses, as in the engine.
    const WINDOW_TOKENS: usize = 24;

    /// The most tokens that Whisper's vocabulary can need: it has a token for each byte, so a letter or mark of ASCII is one, a Hangul syllable three.
    fn most_tokens(text: &str) -> usize {
        text.len()
    }

    /// The words that a window gets whole, whatever the vocabulary.
    fn in_window(hint: &str) -> Vec<&str> {
        let fits = |from: usize| most_tokens(&hint[from..]) <= WINDOW_TOKENS;
        let starts = std::iter::once(0).chain(hint.match_indices(", ").map(|(at, comma)| at + comma.len()));
        let from = starts.into_iter().find(|from| fits(*from)).unwrap_or(hint.len());
        hint[from..].split(", ").collect()
    }

    fn with(wake_word: Option<&str>, synonyms: &[(&str, &[&str])]) -> Config {
        let mut config = Config::built_in("default").unwrap();
        config.voice.wake_word = wake_word.map(str::to_owned);
        for (name, words) in synonyms {
            let words = words.iter().map(|word| (*word).to_owned()).collect();
            config.voice.synonyms.insert((*name).to_owned(), words);
        }
        config
    }

    // STT-2
    #[test]
    fn name_and_stop_are_in_every_window_stt_2() {
        let check = |lang: Lang, wake_word: Option<&str>, synonyms: &[(&str, &[&str])], expect: &[&str]| {
            let config = with(wake_word, synonyms);
            let hint = hint(&config, lang);
            assert!(in_window(&hint).ends_with(expect), "{hint}: {:?}", in_window(&hint));
        };
        check(Lang::Ko, Some("루나"), &[], &["잠깐", "멈춰", "루나"]);
        check(Lang::En, Some("루나"), &[], &["pause", "stop", "Luna"]);
        check(Lang::Ko, None, &[], &["다음", "잠깐", "멈춰"]);
        check(Lang::Ko, Some("루나"), &[("stop", &["그만해", "조용히 해 줘", "끝"])], &["멈춰", "루나"]);
        check(Lang::Ko, Some("루나"), &[("stop", &["끝"])], &["끝", "멈춰", "루나"]);
        check(Lang::En, Some("Computer"), &[("stop", &["hush"])], &["hush", "stop", "Computer"]);
    }

    // STT-2, VOI-2
    #[test]
    fn the_persons_own_words_are_likely_voi_2() {
        let own: [(&str, &[&str]); 5] = [
            ("stop", &["끝", "쉿", "그만"]),
            ("wait", &["기다려"]),
            ("next", &["넘겨", " "]),
            ("again", &["again please"]),
            ("click", &["눌러"]),
        ];
        let expect = "이전, 계속, again please, 다시, 넘겨, 다음, 기다려, 잠깐, 쉿, 끝, 멈춰, 루나";
        assert_eq!(hint(&with(Some("루나"), &own), Lang::Ko), expect);
        assert_eq!(hint(&with(Some("루나"), &[]), Lang::En), "previous, go on, again, next, pause, stop, Luna");
    }
}
