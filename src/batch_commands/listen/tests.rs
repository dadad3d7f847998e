//! A microphone that fails, and the mode in which a key is held.

use luna_config::speech::CommandMode;
use luna_platform::microphone::fault::FaultyMicrophone;

use super::*;

/// Listens to the double until the sentences of the microphone are `count`; while it listens, `act` gets each.
async fn told(microphone: &FaultyMicrophone, count: usize, mut act: impl FnMut(&str)) -> Vec<&'static str> {
    let mut told = Vec::new();
    let system = System { microphone: Arc::new(microphone.clone()), ..System::of_this_machine() };
    let config = Config::built_in("default").unwrap();
    let tell = |news| {
        if let ListenNews::Microphone(sentence) = news {
            act(sentence);
            told.push(sentence);
        }
        told.len() < count
    };
    listen(&config, &system, ListenSource::Microphone(None), false, |_| {}, tell).await.unwrap();
    told
}

// KER-9, STT-3
#[tokio::test(flavor = "multi_thread")]
async fn a_microphone_that_gives_nothing_is_told_once_and_opened_again_ker_9_stt_3() {
    let microphone = FaultyMicrophone::new();
    microphone.stall(true);
    let told = told(&microphone, 2, |sentence| {
        if sentence.contains("no sound") {
            microphone.stall(false);
        }
    });
    let told = told.await;
    assert!(told[0].contains("no sound") && told[1].contains("heard again"), "{told:?}");
    assert_eq!(microphone.opens(), 2);
}

// KER-9, STT-3
#[tokio::test(flavor = "multi_thread")]
async fn a_microphone_that_goes_away_or_changes_is_opened_again_ker_9_stt_3() {
    let microphone = FaultyMicrophone::new();
    let dies = microphone.clone();
    let killer = std::thread::spawn(move || {
        while !dies.is_open() {
            std::thread::yield_now();
        }
        dies.die();
    });
    let told = told(&microphone, 2, |_| {}).await;
    killer.join().unwrap();
    assert!(told[0].contains("gone") && told[1].contains("heard again"), "{told:?}");
    assert_eq!(microphone.opens(), 2);
}

// KER-9
#[tokio::test(flavor = "multi_thread")]
async fn a_muted_microphone_is_told_ker_9() {
    let microphone = FaultyMicrophone::new();
    microphone.mute(true);
    let told = told(&microphone, 2, |sentence| {
        if sentence.contains("muted") {
            microphone.mute(false);
        }
    });
    let told = told.await;
    assert!(told[0].contains("muted") && told[1].contains("heard again"), "{told:?}");
}

// VOI-1
#[tokio::test(flavor = "multi_thread")]
async fn in_mode_hold_the_command_itself_is_the_key_voi_1() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/whisper.cpp/jfk.wav");
    let sound = super::super::transcribe::open(&file).unwrap();
    let mut config = Config::built_in("default").unwrap();
    config.voice.command_mode = CommandMode::Hold;
    config.models.tasks.stt = Some("/nowhere/model.bin".to_owned());
    let mut heard = Vec::new();
    let tell = |news| {
        heard.push(news);
        true
    };
    // There is no model: it is asked for as soon as a voice is listened to.
    let outcome = listen(&config, &System::of_this_machine(), ListenSource::Sound(sound), false, |_| {}, tell).await;
    let onset = |news: &ListenNews| matches!(news, ListenNews::Heard(HeardLine { event: BusEvent::SttOnset {}, .. }));
    assert!(heard.iter().any(onset), "{outcome:?} {heard:?}");
}
