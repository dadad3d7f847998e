//! Luna's own sentences, in Korean and English. Each is short and, if something failed, says what can be done.

use luna_messages::Lang;
use luna_messages::capability::Capability;
use luna_messages::pick::PickFailure;

/// A sentence of Luna's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phrase {
    /// Luna has started.
    Ready,
    /// Focus mode was switched on.
    FocusOn,
    /// Focus mode was switched off.
    FocusOff,
    /// Focus mode ended because the person did not answer.
    FocusTimedOut,
    /// The person did not answer; the next move of the cursor is followed (FOC-5).
    WaitTimedOut,
    /// Why there is nothing to read.
    NothingToRead(PickFailure),
    /// Recognition was poor (OCR-3).
    LowQuality,
    /// The text is pinned.
    Pinned,
    /// The text is no longer pinned.
    Unpinned,
    /// The element with the keyboard focus tells neither a name nor what it is.
    Nameless,
    /// The target is in no table and no list.
    NoTable,
    /// There is no line below.
    LastLine,
    /// There is no line above.
    FirstLine,
    /// The command needs something that is being read.
    NothingIsRead,
    /// The command needs focus mode, which is off.
    FocusIsOff,
    /// Translation and summary need a language model, and there is none.
    NoLanguageModel,
    /// A requested translation begins.
    Translating,
    /// A requested summary begins.
    Summarizing,
    /// The text exceeds the model's context: only its beginning was summarised.
    SummaryOfBeginning,
    /// The language model gave no result.
    ModelFailed,
    /// A capability became unavailable.
    Lost(Capability),
    Back(Capability),
    /// A part of Luna crashed and runs again.
    PartRestarted,
    /// A part of Luna can't run now; it will be retried.
    PartDegraded,
    /// The configuration file was changed and is invalid; the old settings stay in effect.
    ConfigurationBroken,
    /// The configuration file was changed and reloaded.
    ConfigurationReloaded,
    /// The configuration file was changed in keys that are read only at startup.
    ConfigurationNeedsRestart,
    /// The configuration file was changed in keys that this version does not use (CFG-5).
    ConfigurationWithoutEffect,
}

impl Phrase {
    /// The text of the phrase.
    #[must_use]
    pub const fn text(self, lang: Lang) -> &'static str {
        let (ko, en) = self.both();
        match lang {
            Lang::Ko => ko,
            Lang::En => en,
        }
    }

    const fn both(self) -> (&'static str, &'static str) {
        match self {
            Self::Ready => ("루나가 준비됐어요.", "Luna is ready."),
            Self::FocusOn => ("집중 모드를 켰어요.", "Focus mode on."),
            Self::FocusOff => ("집중 모드를 껐어요.", "Focus mode off."),
            Self::FocusTimedOut => ("대답이 없어서 집중 모드를 껐어요.", "No answer, so focus mode is off."),
            Self::WaitTimedOut => (
                "대답이 없어서 그만 기다릴게요. 커서를 옮기면 다시 읽어요.",
                "No answer. Move the pointer and I read again.",
            ),
            Self::NothingToRead(failure) => nothing_to_read(failure),
            Self::LowQuality => (
                "OCR 품질이 낮아요. 확대해서 다시 시도할까요?",
                "The text is hard to recognise. Shall I try again, magnified?",
            ),
            Self::Pinned => ("고정했어요.", "Pinned."),
            Self::Unpinned => ("고정을 풀었어요.", "Unpinned."),
            Self::Nameless => ("이름이 없는 항목이에요.", "This has no name."),
            Self::NoTable => ("여기에는 표나 목록이 없어요.", "There is no table or list here."),
            // The tree and recognition tell the visible lines only; the text may go on.
            Self::LastLine => ("보이는 마지막 줄이에요.", "That is the last line in view."),
            Self::FirstLine => ("보이는 첫 줄이에요.", "That is the first line in view."),
            Self::NothingIsRead => {
                ("읽고 있는 글이 없어요. 글 위에 커서를 놓아 주세요.", "Nothing is being read. Point at a text.")
            }
            Self::FocusIsOff => ("집중 모드가 꺼져 있어요. 먼저 켜 주세요.", "Focus mode is off. Switch it on first."),
            Self::NoLanguageModel => {
                ("언어 모델이 없어서 아직 할 수 없어요.", "This needs a language model, and none is available yet.")
            }
            Self::Translating => ("번역할게요.", "Translating."),
            Self::Summarizing => ("요약할게요.", "Summarizing."),
            Self::SummaryOfBeginning => {
                ("글이 길어서 앞부분만 요약했어요.", "The text is long, so this is a summary of its beginning.")
            }
            Self::ModelFailed => (
                "언어 모델이 답하지 못했어요. 다시 시도해 주세요.",
                "The language model gave no result. Please try again.",
            ),
            Self::Lost(capability) => lost(capability),
            Self::Back(capability) => back(capability),
            Self::PartRestarted => (
                "문제가 생겨 한 부분을 다시 시작했어요. 다시 시도해 주세요.",
                "A part of me had to restart. Please try again.",
            ),
            Self::PartDegraded => (
                "한 부분이 작동하지 않아요. 나머지는 계속 쓸 수 있어요.",
                "A part of me is not working. The rest goes on.",
            ),
            Self::ConfigurationBroken => (
                "설정 파일에 잘못된 곳이 있어서 이전 설정을 그대로 써요.",
                "The settings file has a mistake, so I keep the old settings.",
            ),
            Self::ConfigurationReloaded => ("바뀐 설정을 적용했어요.", "I took over the changed settings."),
            Self::ConfigurationNeedsRestart => {
                ("바뀐 설정은 루나를 다시 시작하면 적용돼요.", "The changed settings count once I am started again.")
            }
            Self::ConfigurationWithoutEffect => (
                "바뀐 설정은 이 버전에서는 아직 쓰이지 않아요.",
                "The changed settings have no effect in this version yet.",
            ),
        }
    }
}

const fn nothing_to_read(failure: PickFailure) -> (&'static str, &'static str) {
    match failure {
        // This wording is product data of FOC-1.
        PickFailure::NoText => ("텍스트가 없어요. 더 크게 할까요?", "There is no text here. Shall I look wider?"),
        PickFailure::Protected => ("보호된 입력란이라 읽지 않아요.", "This field is protected, so I don't read it."),
        PickFailure::NoWindow => {
            ("여기에는 창이 없어요. 다른 곳을 가리켜 주세요.", "There is no window here. Point somewhere else.")
        }
        PickFailure::WindowGone => {
            ("읽는 동안 창이 사라졌어요. 다시 가리켜 주세요.", "The window went away while I was reading. Point again.")
        }
        PickFailure::Changed => {
            ("읽는 동안 화면이 바뀌었어요. 다시 가리켜 주세요.", "The screen changed while I was reading. Point again.")
        }
        PickFailure::NoAnswer => (
            "프로그램이 응답하지 않아요. 잠시 뒤에 다시 해 주세요.",
            "The program does not answer. Try again in a moment.",
        ),
        PickFailure::Unavailable => (
            "지금은 화면을 읽을 수 없어요. 루나 닥터로 확인해 주세요.",
            "I can't read the screen now. Run luna doctor to see why.",
        ),
        PickFailure::Failed => ("읽지 못했어요. 다시 시도해 주세요.", "Reading failed. Please try again."),
    }
}

const fn lost(capability: Capability) -> (&'static str, &'static str) {
    match capability {
        Capability::Accessibility => (
            "접근성 정보를 쓸 수 없어서 화면의 글자를 인식해 읽을게요.",
            "Accessibility is not available, so I read by text recognition.",
        ),
        Capability::ScreenCapture => ("화면을 찍을 수 없어요.", "I can't take pictures of the screen."),
        Capability::Pointer => ("커서의 위치를 알 수 없어요.", "I can't tell where the pointer is."),
        Capability::TextRecognition => (
            "글자 인식을 쓸 수 없어요. 루나 닥터로 확인해 주세요.",
            "Text recognition is not available. Run luna doctor to see why.",
        ),
        Capability::KoreanTextRecognition => (
            "한국어 글자 인식을 쓸 수 없어요. 루나 닥터로 확인해 주세요.",
            "Korean text recognition is not available. Run luna doctor to see why.",
        ),
        Capability::SpeechSynthesis => ("음성을 만들 수 없어요.", "Speech synthesis is not available."),
        Capability::AudioOutput => ("소리를 낼 장치가 없어요.", "There is no sound device."),
        Capability::HotKey => ("단축키를 쓸 수 없어요.", "Hot keys are not available."),
        Capability::Http => ("로컬 제어 연결을 열 수 없어요.", "The local control connection could not be opened."),
        Capability::LanguageModel => (
            "언어 모델을 쓸 수 없어요. 루나 닥터로 확인해 주세요.",
            "The language model is not available. Run luna doctor to see why.",
        ),
        Capability::SpeechRecognition => (
            "말을 알아들을 수 없어요. 루나 닥터로 확인해 주세요.",
            "Speech recognition is not available. Run luna doctor to see why.",
        ),
        Capability::Microphone => ("마이크가 들리지 않아요.", "The microphone is not available."),
        Capability::CommandRecognition => (
            "명령을 위한 음성 모델을 쓸 수 없어서 큰 모델로 들을게요. 루나 닥터로 확인해 주세요.",
            "I hear commands with the large speech model. Luna doctor tells why.",
        ),
        Capability::TalkKey => (
            "말할 때 누르는 키를 쓸 수 없어요. 명령 방식을 wake-only로 바꾸면 이름을 불러서 말할 수 있어요.",
            "I can't see the talk key. Set command_mode to wake-only and say my name.",
        ),
    }
}

const fn back(capability: Capability) -> (&'static str, &'static str) {
    match capability {
        Capability::Accessibility => ("접근성 정보를 다시 쓸 수 있어요.", "Accessibility is back."),
        Capability::ScreenCapture => ("화면을 다시 볼 수 있어요.", "I can see the screen again."),
        Capability::Pointer => ("커서를 다시 따라갈 수 있어요.", "I can follow the pointer again."),
        Capability::TextRecognition => ("글자 인식을 다시 쓸 수 있어요.", "Text recognition is back."),
        Capability::KoreanTextRecognition => {
            ("한국어 글자 인식을 다시 쓸 수 있어요.", "Korean text recognition is back.")
        }
        Capability::SpeechSynthesis => ("음성을 다시 낼 수 있어요.", "Speech is back."),
        Capability::AudioOutput => ("소리 장치가 다시 연결됐어요.", "The sound device is back."),
        Capability::HotKey => ("단축키를 다시 쓸 수 있어요.", "Hot keys are back."),
        Capability::Http => ("로컬 제어 연결이 다시 열렸어요.", "The local control connection is back."),
        Capability::LanguageModel => ("언어 모델을 다시 쓸 수 있어요.", "The language model is back."),
        Capability::SpeechRecognition => ("말을 다시 알아들을 수 있어요.", "Speech recognition is back."),
        Capability::Microphone => ("마이크가 다시 들려요.", "The microphone is back."),
        Capability::CommandRecognition => {
            ("명령을 위한 음성 모델을 다시 쓸 수 있어요.", "The speech model for commands is back.")
        }
        Capability::TalkKey => ("말할 때 누르는 키를 다시 쓸 수 있어요.", "The talk key works again."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use luna_text::language;

    #[test]
    fn every_sentence_exists_in_both_languages_and_ends() {
        let failures = [
            PickFailure::NoText,
            PickFailure::Protected,
            PickFailure::NoWindow,
            PickFailure::WindowGone,
            PickFailure::Changed,
            PickFailure::NoAnswer,
            PickFailure::Unavailable,
            PickFailure::Failed,
        ];
        let phrases = failures
            .map(Phrase::NothingToRead)
            .into_iter()
            .chain(Capability::ALL.into_iter().flat_map(|c| [Phrase::Lost(c), Phrase::Back(c)]))
            .chain([
                Phrase::Ready,
                Phrase::FocusTimedOut,
                Phrase::WaitTimedOut,
                Phrase::LowQuality,
                Phrase::Nameless,
                Phrase::NoTable,
                Phrase::FirstLine,
                Phrase::LastLine,
                Phrase::NoLanguageModel,
                Phrase::Translating,
                Phrase::Summarizing,
                Phrase::SummaryOfBeginning,
                Phrase::ModelFailed,
                Phrase::ConfigurationNeedsRestart,
                Phrase::ConfigurationWithoutEffect,
            ]);
        for phrase in phrases {
            for lang in [Lang::Ko, Lang::En] {
                let text = phrase.text(lang);
                assert_eq!(language::by_script(text, Lang::En), lang, "{text}");
                assert!(text.ends_with(['.', '?']), "{text}");
                assert!(text.chars().count() < 80, "short enough to be heard out: {text}");
            }
        }
    }

    // FOC-1, OCR-3
    #[test]
    fn product_data_is_used_as_written_foc_1_ocr_3() {
        assert_eq!(Phrase::NothingToRead(PickFailure::NoText).text(Lang::Ko), "텍스트가 없어요. 더 크게 할까요?");
        assert_eq!(Phrase::LowQuality.text(Lang::Ko), "OCR 품질이 낮아요. 확대해서 다시 시도할까요?");
    }
}
