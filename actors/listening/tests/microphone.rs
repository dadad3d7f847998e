//! The actor with a double of the microphone that fails on command: when it is open, what is said of its failures, and that a voice is heard.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_actor_listening::{ListeningActor, ListeningDependencies, ListeningSettings};
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::metric_names::MICROPHONE_LOST;
use luna_actor_runtime::{Capabilities, Inbox, InboxSettings, RestartPolicy, SupervisionTree, TraceLog};
use luna_listening::signal::{EchoReference, SignalSettings};
use luna_listening::turn::{NoRules, TurnSettings, UtteranceRules};
use luna_messages::bus::BusEvent;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::listening::{HeardOutcome, ListeningMessage};
use luna_messages::stt::SttMessage;
use luna_messages::tts::SpeechEvent;
use luna_messages::{Lang, RequestId};
use luna_platform::audio::tap::PlaybackTap;
use luna_platform::microphone::fault::FaultyMicrophone;
use luna_test_support::recorder::{metric, recorder};
use tokio::time::Instant;

const RECORDING: &str = "../../tests/samples/whisper.cpp/jfk.wav";
const LIMIT: Duration = Duration::from_secs(20);

/// Changes of the microphone's capability: the reason, or none if it is available.
type Told = Arc<Mutex<Vec<Option<String>>>>;

struct ListeningHarness {
    microphone: FaultyMicrophone,
    loopback: FaultyMicrophone,
    tap: PlaybackTap,
    inbox: Inbox<ListeningMessage>,
    stt: Inbox<SttMessage>,
    settings: Arc<Mutex<ListeningSettings>>,
    events: Arc<Mutex<Vec<BusEvent>>>,
    ducks: Arc<Mutex<Vec<&'static str>>>,
    told: Told,
    _tree: SupervisionTree,
}

impl ListeningHarness {
    fn new(listens: bool) -> Self {
        let (microphone, loopback, tap) = (FaultyMicrophone::new(), FaultyMicrophone::new(), PlaybackTap::new());
        let settings = Arc::new(Mutex::new(ListeningSettings {
            listens,
            device: None,
            reference: EchoReference::Own,
            signal: SignalSettings::default(),
            turns: TurnSettings::default(),
        }));
        let (events, ducks, told): (Arc<Mutex<Vec<_>>>, Arc<Mutex<Vec<_>>>, Told) = Default::default();
        let (publish, observe) = (events.clone(), told.clone());
        let (ducked, unducked, current) = (ducks.clone(), ducks.clone(), settings.clone());
        let stt = Inbox::new("stt", InboxSettings::default());
        let dependencies = ListeningDependencies {
            microphone: BlockingService::new("microphone", Duration::from_secs(3), Arc::new(microphone.clone())),
            loopback: BlockingService::new("loopback", Duration::from_secs(3), Arc::new(loopback.clone())),
            tap: tap.clone(),
            stt: stt.clone(),
            reflex: Inbox::new("reflex", InboxSettings::default()),
            focus: Inbox::new("focus", InboxSettings::default()),
            tts: Inbox::new("tts", InboxSettings::default()),
            executor: Inbox::new("executor", InboxSettings::default()),
            language_tasks: Inbox::new("mind", InboxSettings::default()),
            rules: Arc::new(|| Some(Arc::new(NoRules) as Arc<dyn UtteranceRules + Send + Sync>)),
            duck: Arc::new(move || ducked.lock().unwrap().push("duck")),
            unduck: Arc::new(move |_| unducked.lock().unwrap().push("unduck")),
            mute: Arc::new(|| {}),
            pause: Arc::new(|| {}),
            mode: Arc::new(|_| {}),
            capabilities: Capabilities::new(Arc::new(move |capability, state| {
                if capability == Capability::Microphone {
                    observe.lock().unwrap().push(match state {
                        CapabilityState::Unavailable(why) => Some(why.reason.clone()),
                        CapabilityState::Available | CapabilityState::Unknown => None,
                    });
                }
            })),
            traces: TraceLog::default(),
            publish: Arc::new(move |event| publish.lock().unwrap().push(event)),
            settings: Arc::new(move || current.lock().unwrap().clone()),
        };
        let inbox = Inbox::new("listening", InboxSettings::default());
        let tree = SupervisionTree::new(Arc::new(|_| {}));
        tree.add(RestartPolicy::default(), inbox.clone(), move || ListeningActor::new(dependencies.clone()));
        Self { microphone, loopback, tap, inbox, stt, settings, events, ducks, told, _tree: tree }
    }

    async fn wait(&self, what: &str, is: impl Fn(&Self) -> bool) {
        let waiting = async {
            while !is(self) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let told = || format!("{what}: {:?} {:?}", self.told.lock().unwrap(), self.events.lock().unwrap());
        tokio::time::timeout(LIMIT, waiting).await.unwrap_or_else(|_| panic!("{}", told()));
    }

    fn told(&self) -> Vec<Option<String>> {
        self.told.lock().unwrap().clone()
    }

    fn has(&self, event: &BusEvent) -> bool {
        self.events.lock().unwrap().contains(event)
    }
}

/// A real recording at 48,000 samples per second.
fn recording() -> Vec<f32> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(RECORDING);
    let reader = hound::WavReader::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let samples: Vec<f32> = reader.into_samples::<i16>().map(|sample| f32::from(sample.unwrap()) / 32_768.0).collect();
    let three_times = samples.into_iter().flat_map(|sample| [sample; 3]);
    three_times.take(48_000 * 3).collect()
}

// STT-3, PRV-1
#[tokio::test(flavor = "multi_thread")]
async fn the_microphone_is_open_only_while_luna_listens_stt_3_prv_1() {
    let luna = ListeningHarness::new(false);
    // The settings are looked at once a second.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!((luna.microphone.opens(), luna.microphone.is_open()), (0, false));
    luna.settings.lock().unwrap().listens = true;
    luna.wait("it is opened", |luna| luna.microphone.is_open()).await;
    luna.settings.lock().unwrap().listens = false;
    luna.wait("it is closed", |luna| !luna.microphone.is_open()).await;
}

// STT-3, KER-9
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_microphone_is_told_once_and_opened_again_at_its_new_rate_stt_3_ker_9() {
    let luna = ListeningHarness::new(true);
    luna.wait("it is opened", |luna| luna.microphone.is_open() && luna.told() == [None]).await;
    luna.microphone.fail_opening(2);
    luna.microphone.set_rate(44_100);
    luna.microphone.die();
    luna.wait("it is opened again", |luna| luna.told().len() == 3 && luna.told()[2].is_none()).await;
    assert!(luna.told()[1].is_some(), "{:?}", luna.told());
    assert_eq!(luna.microphone.opens(), 4);
    // A voice is heard as before.
    luna.microphone.hear(&recording());
    luna.wait("the voice is noticed", |luna| luna.has(&BusEvent::SttOnset {})).await;
}

// KER-9
#[tokio::test(flavor = "multi_thread")]
async fn a_microphone_that_gives_nothing_is_opened_again_ker_9() {
    let luna = ListeningHarness::new(true);
    luna.wait("it is opened", |luna| luna.microphone.is_open()).await;
    luna.wait("it is heard", |luna| luna.told() == [None]).await;
    luna.microphone.stall(true);
    luna.wait("it is told", |luna| luna.told().len() == 2).await;
    assert!(luna.told()[1].as_ref().is_some_and(|reason| reason.contains("no sound")), "{:?}", luna.told());
    assert!(luna.microphone.opens() >= 2);
    luna.microphone.stall(false);
    luna.wait("it is back", |luna| luna.told().len() == 3 && luna.told()[2].is_none()).await;
}

// KER-9
#[tokio::test(flavor = "multi_thread")]
async fn a_muted_microphone_is_told_once_ker_9() {
    let luna = ListeningHarness::new(true);
    luna.wait("it is opened", |luna| luna.microphone.is_open() && luna.told() == [None]).await;
    luna.microphone.mute(true);
    luna.wait("it is told", |luna| luna.told().len() == 2).await;
    assert!(luna.told()[1].as_ref().is_some_and(|reason| reason.contains("muted")), "{:?}", luna.told());
    luna.microphone.mute(false);
    luna.wait("it is back", |luna| luna.told().len() == 3 && luna.told()[2].is_none()).await;
}

// MET-1
#[tokio::test(flavor = "multi_thread")]
async fn sound_that_nobody_could_take_is_counted_met_1() {
    recorder();
    let luna = ListeningHarness::new(true);
    luna.wait("it is heard", |luna| luna.told() == [None]).await;
    // Two seconds find room.
    luna.microphone.burst(48_000 * 10);
    luna.wait("it is counted", |_| metric(MICROPHONE_LOST, &[]) > 48_000.0 * 6.0).await;
    assert!(metric(MICROPHONE_LOST, &[]) < 48_000.0 * 9.0, "{}", metric(MICROPHONE_LOST, &[]));
}

// BRG-1, STT-1, BUF-2
#[tokio::test(flavor = "multi_thread")]
async fn a_voice_makes_luna_quiet_and_its_sound_is_transcribed_brg_1_stt_1_buf_2() {
    let luna = ListeningHarness::new(true);
    luna.wait("it is opened", |luna| luna.microphone.is_open()).await;
    let (id, text) = (RequestId::next(), "Luna reads.".to_owned());
    let reads = SpeechEvent::Sentence { id, idx: 0, of: 1, text, lang: Lang::En, notice: false };
    assert!(luna.inbox.post(ListeningMessage::Speech(reads)).is_ok());
    luna.microphone.hear(&recording());
    luna.wait("Luna becomes quiet", |luna| luna.ducks.lock().unwrap().contains(&"duck")).await;
    // What is taken is dropped unanswered, so the next window is requested; the first ones may be too early to be loud.
    let is_loud = |message: SttMessage| match message {
        SttMessage::Transcribe(request) => request.sound.samples.iter().any(|sample| sample.unsigned_abs() > 1000),
        SttMessage::Cancel { .. } | SttMessage::Order(_) | SttMessage::CommandOrder(_) | SttMessage::Tick => false,
    };
    luna.wait("the sound of the voice is to be transcribed", |luna| luna.stt.take_all().into_iter().any(is_loud)).await;
    // Nobody answers, and Luna goes on.
    luna.wait("Luna goes on", |luna| luna.ducks.lock().unwrap().last() == Some(&"unduck")).await;
}

fn loopback() -> EchoReference {
    EchoReference::Loopback { output: None }
}

// BRG-4, PRV-1
#[tokio::test(flavor = "multi_thread")]
async fn the_loopback_is_open_only_while_luna_listens_and_is_to_use_it_brg_4_prv_1() {
    let luna = ListeningHarness::new(true);
    luna.wait("the microphone is open", |luna| luna.microphone.is_open()).await;
    // The settings are looked at once a second.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(luna.loopback.opens(), 0);
    luna.settings.lock().unwrap().reference = loopback();
    luna.wait("the loopback is open", |luna| luna.loopback.is_open()).await;
    luna.settings.lock().unwrap().listens = false;
    luna.wait("both are closed", |luna| !luna.loopback.is_open() && !luna.microphone.is_open()).await;
    {
        let mut settings = luna.settings.lock().unwrap();
        (settings.listens, settings.reference) = (true, EchoReference::Own);
    }
    luna.wait("the microphone is open again", |luna| luna.microphone.is_open()).await;
    assert!(!luna.loopback.is_open() && luna.loopback.opens() == 1);
}

/// What the microphone takes of a loudspeaker that says the recording, and of the silence afterwards.
fn echo() -> Vec<f32> {
    let mut echo = vec![0.0; 48_000 / 20];
    echo.extend(recording().into_iter().map(|sample| sample * 0.5));
    echo.resize(echo.len() + 48_000, 0.0);
    echo
}

impl ListeningHarness {
    /// What became of the voices that were noticed, if all are decided. Nothing that is to be transcribed gets an answer.
    fn decided(&self) -> Option<Vec<HeardOutcome>> {
        drop(self.stt.take_all());
        let onsets = self.onsets();
        let events = self.events.lock().unwrap();
        let outcome = |event: &BusEvent| match event {
            BusEvent::SttUnderstood { outcome, .. } => Some(*outcome),
            _ => None,
        };
        Some(events.iter().filter_map(outcome).collect::<Vec<_>>()).filter(|outcomes| outcomes.len() == onsets)
    }

    fn onsets(&self) -> usize {
        self.events.lock().unwrap().iter().filter(|event| **event == BusEvent::SttOnset {}).count()
    }

    fn all_is_own(&self) -> bool {
        self.decided().is_some_and(|outcomes| outcomes.iter().all(|outcome| *outcome == HeardOutcome::OwnVoice))
    }

    /// The machine says the recording, by what `plays` does, and the microphone takes it. Blocks the test's own thread only.
    fn hears_the_machine(&self, plays: impl FnOnce()) {
        self.microphone.hear(&echo());
        plays();
        assert!(self.microphone.wait_until_heard(LIMIT));
    }
}

// BRG-4: the voice of another program is in what the machine plays and in the microphone.
#[tokio::test(flavor = "multi_thread")]
async fn what_another_program_says_is_no_person_with_the_loopback_brg_4() {
    let luna = ListeningHarness::new(true);
    luna.settings.lock().unwrap().reference = loopback();
    luna.wait("both are open", |luna| luna.loopback.is_open() && luna.microphone.is_open()).await;
    luna.hears_the_machine(|| luna.loopback.hear(&recording()));
    // A lost loopback is opened again at once, and its sound is removed as before.
    luna.loopback.die();
    luna.wait("the loopback is opened again", |luna| luna.loopback.opens() == 2 && luna.loopback.is_open()).await;
    luna.hears_the_machine(|| luna.loopback.hear(&recording()));
    luna.wait("it was nobody", ListeningHarness::all_is_own).await;
    // Without the loopback it is a person.
    luna.settings.lock().unwrap().reference = EchoReference::Own;
    luna.wait("the loopback is closed", |luna| !luna.loopback.is_open()).await;
    luna.hears_the_machine(|| {});
    luna.wait("a person is heard", |luna| luna.decided().is_some() && !luna.all_is_own()).await;
}

// BRG-4, KER-9
#[tokio::test(flavor = "multi_thread")]
async fn what_luna_plays_is_the_reference_while_the_loopback_fails_or_is_deaf_brg_4_ker_9() {
    let luna = ListeningHarness::new(true);
    luna.loopback.fail_opening(1);
    luna.settings.lock().unwrap().reference = loopback();
    luna.wait("the loopback was tried", |luna| luna.loopback.opens() == 1 && luna.microphone.is_open()).await;
    let own = || {
        let start = Instant::now();
        for (part, n) in recording().chunks(480).zip(1_u32..) {
            luna.tap.put(part, 48_000);
            std::thread::sleep((Duration::from_millis(10) * n).saturating_sub(start.elapsed()));
        }
    };
    luna.hears_the_machine(own);
    luna.wait("it is tried again", |luna| luna.loopback.is_open()).await;
    // It works, but it is that of another device.
    luna.hears_the_machine(own);
    luna.wait("a deaf loopback is closed", |luna| !luna.loopback.is_open()).await;
    assert_eq!(luna.loopback.opens(), 2);
    // The canceller begins anew with another source, so that what is said at the change may be listened to; it is not what a person says.
    // Once the bound on the loudness of an echo holds, nothing is noticed at all.
    let nobody = |luna: &ListeningHarness| {
        let of_nobody = |outcome: &HeardOutcome| matches!(outcome, HeardOutcome::OwnVoice | HeardOutcome::NoWords);
        luna.decided().is_some_and(|outcomes| outcomes.iter().all(of_nobody))
    };
    luna.wait("it was nobody", nobody).await;
    // The same sound is noticed as soon as Luna does not play it.
    let before = luna.onsets();
    luna.hears_the_machine(|| {});
    luna.wait("a person is noticed", |luna| luna.onsets() > before).await;
}
