//! Handles messages: passes them to the player and performs its effects.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::Arc;

use luna_actor_runtime::metric_names::SPEECH_SENTENCES;
use luna_actor_runtime::stages::{Stage, record_stage};
use luna_actor_runtime::{Actor as _, Capabilities, Cause, Inbox};
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::tts::{SpeechEvent, SpeechSettings, TtsMessage};
use luna_messages::{Reply, RequestId};
use luna_speech::player::{PieceId, PlayRequest, Player, PlayerEffect, PlayerInput, Rates, StreamedPart};
use luna_speech::script::{self, Sentence};
use tokio::time::Instant;

use crate::audio::{Audio, AudioDependencies};
use crate::clip::{Clip, ClipEnd};
use crate::report::{PlaybackReport, Reports};
use crate::voice::{self, VoiceDependencies, VoiceQueue, VoiceTable};
use crate::{TtsActor, TtsDependencies, TtsSettings};

/// Maximum clips kept: the previous, current and next sentence.
const MAX_CLIPS: usize = 3;

/// The player with its clips, the queue to the engine, and the audio thread.
pub struct TtsState {
    player: Player,
    audio: Audio,
    voice: VoiceQueue,
    /// Voices by language; the engine's task reads them for each part of a sentence.
    voices: VoiceTable,
    clips: VecDeque<(PieceId, Arc<Clip>)>,
    reports: Reports,
    capabilities: Capabilities,
    events: Arc<dyn Fn(SpeechEvent) + Send + Sync>,
    /// Callers that wait for silence.
    idle: Vec<Reply<()>>,
    /// When the current text was requested; `None` once its first sound was played.
    requested_at: Option<Instant>,
    /// The last play order with its cause, until it is audible (KER-12).
    unheard: Option<Unheard>,
    /// Id of the latest stop that was not resumed; it also ends what an earlier command asked for and that arrives after it.
    last_stop: RequestId,
}

/// A play order that is not audible yet. Its trace ends at the first sound; the cause is kept here, so that neither the audio thread nor the device's
/// thread ever drops the last reference to a trace.
struct Unheard {
    play: PlayRequest,
    piece: PieceId,
    cause: Cause,
}

impl TtsState {
    /// The silent initial state, and the engine's task.
    ///
    /// # Errors
    /// The system can't start a thread.
    pub fn start(
        settings: &TtsSettings,
        dependencies: &TtsDependencies,
        inbox: Inbox<TtsMessage>,
    ) -> std::io::Result<(Self, impl Future<Output = ()> + Send + 'static)> {
        let reports = Reports::new(inbox);
        let player = Player::new(rates(&settings.speech));
        let audio = AudioDependencies {
            output: dependencies.audio.clone(),
            device: settings.device.clone(),
            buffer_frames: settings.buffer_frames,
            capabilities: dependencies.capabilities.clone(),
            reports: reports.clone(),
            mute: dependencies.mute.clone(),
            tap: dependencies.tap.clone(),
        };
        let voice_dependencies = VoiceDependencies {
            program: dependencies.engine.clone(),
            load: dependencies.load.clone(),
            voices: VoiceTable::new(settings.speech.voices.clone()),
            capabilities: dependencies.capabilities.clone(),
        };
        let voices = voice_dependencies.voices.clone();
        let voice = VoiceQueue::default();
        // Starts the engine early, so that the first sentence need not wait for it.
        voice.start_engine();
        let task = voice::run(voice_dependencies, voice.clone());
        let state = Self {
            audio: Audio::start(audio, player.rate())?,
            player,
            voice,
            voices,
            clips: VecDeque::new(),
            reports,
            capabilities: dependencies.capabilities.clone(),
            events: dependencies.events.clone(),
            idle: Vec::new(),
            requested_at: None,
            unheard: None,
            last_stop: RequestId::default(),
        };
        Ok((state, task))
    }

    /// Handles a message; never blocks.
    pub fn handle(&mut self, message: TtsMessage) {
        match message {
            TtsMessage::Stop { at } => {
                self.last_stop = self.last_stop.max(at);
                self.step(PlayerInput::Stop);
            }
            TtsMessage::Pause => self.step(PlayerInput::Pause),
            TtsMessage::Resume => self.resume(PlayerInput::Resume),
            TtsMessage::PauseToggle => self.resume(PlayerInput::PauseToggle),
            TtsMessage::Repeat => self.step(PlayerInput::Repeat),
            TtsMessage::Next { id } => self.step_as_of(id, PlayerInput::Next),
            TtsMessage::Previous { id } => self.step_as_of(id, PlayerInput::Previous),
            TtsMessage::Slower => self.step(PlayerInput::Slower),
            TtsMessage::Faster => self.step(PlayerInput::Faster),
            TtsMessage::Forget => self.step(PlayerInput::Forget),
            TtsMessage::Read(request) => {
                self.requested_at = Some(Instant::now());
                self.step_as_of(request.id, PlayerInput::Read(script::from_request(&request)));
            }
            TtsMessage::ReadOn(part) => {
                if part.first {
                    self.requested_at = Some(Instant::now());
                }
                let utterance = script::from_part(&part);
                let (first, last, stop) = (part.first, part.last, part.stop);
                self.step_as_of(part.asked, PlayerInput::Part(StreamedPart { utterance, first, last, stop }));
            }
            TtsMessage::Say(notice) => self.step(PlayerInput::Say(script::from_notice(&notice), notice.timing)),
            TtsMessage::Configure(speech) => {
                self.voices.set(speech.voices.clone());
                self.step(PlayerInput::Configure(rates(&speech)));
            }
            TtsMessage::Wake => self.take_reports(),
            TtsMessage::Tick => self.tick(),
            TtsMessage::Idle { reply } => self.idle.push(reply),
        }
        if self.player.is_silent() {
            for reply in self.idle.drain(..) {
                reply.answer(());
            }
        }
    }

    fn take_reports(&mut self) {
        while let Some(report) = self.reports.take() {
            match report {
                PlaybackReport::Started(play, at) => {
                    if let Some(requested_at) = self.requested_at.take() {
                        record_stage(Stage::FirstSound, at.saturating_duration_since(requested_at));
                    }
                    let unheard = self.unheard.take_if(|unheard| unheard.play == play);
                    let cause = unheard.map(|unheard| unheard.cause).unwrap_or_default();
                    cause.mark(TtsActor::NAME, "first_sound", at);
                    cause.scope(|| self.step(PlayerInput::Started(play)));
                }
                PlaybackReport::Ended(play) => self.step(PlayerInput::Ended(play)),
                PlaybackReport::Broken(play) => self.step(PlayerInput::Broken(play)),
                PlaybackReport::Unheard(play) => self.step(PlayerInput::Unheard(play)),
                PlaybackReport::Unspoken(play) => self.step(PlayerInput::Unspoken(play)),
            }
        }
    }

    /// Retries a missing engine or device (KER-9).
    fn tick(&self) {
        let missing = |capability| matches!(self.capabilities.get(capability), CapabilityState::Unavailable(_));
        if missing(Capability::SpeechSynthesis) {
            self.voice.start_engine();
        }
        if missing(Capability::AudioOutput) {
            self.audio.probe();
        }
    }

    /// Handles an input that results from `id`. If a later stop overtook it, speech ends as if they had arrived in order (FOC-6).
    fn step_as_of(&mut self, id: RequestId, input: PlayerInput) {
        self.step(input);
        if id < self.last_stop {
            self.step(PlayerInput::Stop);
        }
    }

    /// What was asked for before the stop may sound again: in their order it would have been stopped and resumed, too.
    fn resume(&mut self, input: PlayerInput) {
        self.last_stop = RequestId::default();
        self.step(input);
    }

    fn step(&mut self, input: PlayerInput) {
        let heard = matches!(input, PlayerInput::Started(_));
        for effect in self.player.step(input) {
            match effect {
                PlayerEffect::Play { play, piece, sentence } => self.play(play, piece, sentence),
                PlayerEffect::Prepare { piece, sentence } => {
                    self.clip(piece, sentence, false);
                }
                PlayerEffect::Silence => {
                    self.audio.silence();
                    self.drop_unfinished(None);
                    (self.requested_at, self.unheard) = (None, None);
                }
                PlayerEffect::Pause => self.audio.set_paused(true),
                PlayerEffect::Continue => self.audio.set_paused(false),
                PlayerEffect::Tempo(rate) => self.audio.set_rate(rate),
                PlayerEffect::Wipe => self.wipe(),
                PlayerEffect::Publish(event) => {
                    if let SpeechEvent::Sentence { lang, .. } = &event
                        && heard
                    {
                        metrics::counter!(SPEECH_SENTENCES, "lang" => lang.code()).increment(1);
                    }
                    (self.events)(event);
                }
            }
        }
    }

    fn play(&mut self, play: PlayRequest, piece: PieceId, sentence: Sentence) {
        // Unfinished clips of other sentences must not delay the engine.
        self.drop_unfinished(Some(piece));
        let clip = self.clip(piece, sentence, true);
        let before = self.unheard.take().filter(|unheard| unheard.piece == piece).map(|unheard| unheard.cause);
        let now = Cause::current();
        // A sentence repeated after a failure of engine or device keeps its cause.
        let cause = if now.is_none() { before.unwrap_or_default() } else { now };
        self.unheard = Some(Unheard { play, piece, cause });
        self.audio.play(play, clip);
    }

    /// The sound of `piece`: a kept clip, or a new one that is requested from the engine, ahead of others if it plays `now`.
    fn clip(&mut self, piece: PieceId, sentence: Sentence, now: bool) -> Arc<Clip> {
        let usable = |clip: &Clip| !clip.is_cancelled() && matches!(clip.ended(), None | Some(ClipEnd::Done));
        if let Some(at) = self.clips.iter().position(|(kept, _)| *kept == piece)
            && let Some((_, clip)) = self.clips.remove(at)
            && usable(&clip)
        {
            self.clips.push_back((piece, clip.clone()));
            return clip;
        }
        let clip = self.audio.new_clip();
        self.voice.enqueue(sentence, clip.clone(), now);
        self.clips.push_back((piece, clip.clone()));
        if self.clips.len() > MAX_CLIPS
            && let Some((_, oldest)) = self.clips.pop_front()
        {
            oldest.cancel();
        }
        clip
    }

    fn drop_unfinished(&mut self, but: Option<PieceId>) {
        self.clips.retain(|(piece, clip)| {
            let keep = Some(*piece) == but || clip.ended() == Some(ClipEnd::Done);
            if !keep {
                clip.cancel();
            }
            keep
        });
    }

    fn wipe(&mut self) {
        self.audio.forget();
        self.voice.clear();
        for (_, clip) in self.clips.drain(..) {
            clip.wipe();
        }
        (self.requested_at, self.unheard) = (None, None);
    }
}

impl Drop for TtsState {
    fn drop(&mut self) {
        self.wipe();
    }
}

fn rates(speech: &SpeechSettings) -> Rates {
    let thousandths = |rate: f32| (rate.clamp(0.25, 4.0) * 1000.0).round() as u32;
    Rates {
        rate: thousandths(speech.rate),
        step: (speech.rate_step.clamp(0.0, 4.0) * 1000.0).round() as u32,
        min: thousandths(speech.rate_min),
        max: thousandths(speech.rate_max),
    }
}
