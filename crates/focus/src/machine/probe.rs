//! Small moves of the pointer: does it rest on another element or line than the one being read (FOC-2)?
//!
//! The question is asked without leaving the state, so that a trembling hand interrupts nothing: at most once for each rest, and not at all on the
//! line that was recognised.

use luna_messages::ocr::OcrPick;
use luna_messages::pick::{Pick, PickFailure, PickMethod, PickRequest};
use luna_messages::uia::TreeAnswer;
use luna_messages::{NoReply, Point, Rect, RequestId};

use super::effect::FocusEffect;
use super::pending::MoveProbe;
use super::say::say_after_sentence;
use super::state::{Focus, FocusState, ReadingTarget, TargetSource};
use super::step::pick_of;
use crate::announce::{announce_change, is_same};
use crate::phrases::Phrase;

/// Recognition is asked again only this far from where it was asked last, in pixels: half of the distance between the tightest lines (16 px).
const RECOGNITION_STEP: f64 = 8.0;
/// How far from a recognised line the pointer is still on it, in pixels: recognition cuts boxes close to the letters.
const LINE_MARGIN: i32 = 4;

impl Focus {
    /// Whether a rest at `point`, within the threshold, deserves a question.
    pub(super) fn is_probed_at(&self, point: Point) -> bool {
        if self.probe.is_quiet || self.probe.at == Some(point) {
            return false;
        }
        match &self.state {
            FocusState::Reading(target) if target.source == TargetSource::Pointer => {
                target.pick.method == PickMethod::Uia || !target.pick.bbox.contains(point)
            }
            FocusState::WaitCommand { .. } => true,
            FocusState::Idle | FocusState::Targeting { .. } | FocusState::Pinned(_) | FocusState::Reading(_) => false,
        }
    }

    /// Asks what is at `cursor`.
    pub(super) fn ask_probe(&mut self, cursor: Point) -> Vec<FocusEffect> {
        if !self.is_probed_at(cursor) {
            return Vec::new();
        }
        let (id, request) = (RequestId::next(), PickRequest { cursor, enlarge: 1.0 });
        self.probe.pending = Some((id, request));
        self.probe.at = Some(cursor);
        vec![FocusEffect::AskTree { id, request }]
    }

    /// Forgets a question without an answer.
    pub(super) fn end_probe(&mut self) -> Option<FocusEffect> {
        self.probe.pending.take().map(|_| FocusEffect::EndSearch)
    }

    /// The tree's answer after a small move.
    pub(super) fn probed(&mut self, id: RequestId, answer: Result<TreeAnswer, NoReply>) -> Vec<FocusEffect> {
        let Some((_, request)) = self.probe.pending.filter(|(asked, _)| *asked == id) else { return Vec::new() };
        if let Ok(TreeAnswer::NoText(searched)) = answer {
            if !self.deserves_recognition(request.cursor) {
                self.probe.pending = None;
                return Vec::new();
            }
            self.probe.recognised_at = Some(request.cursor);
            return vec![FocusEffect::AskRecognition { id, request, searched }];
        }
        self.probe.pending = None;
        match answer {
            Ok(TreeAnswer::Found(element)) => self.probed_element(id, request, pick_of(element)),
            Ok(TreeAnswer::Protected(field)) => {
                self.arrive(request);
                self.protected(request, &field)
            }
            Ok(TreeAnswer::Refused(PickFailure::Protected)) => {
                self.arrive(request);
                self.nothing(request, PickFailure::Protected)
            }
            // A hand that slips off the text has not left it.
            Ok(TreeAnswer::Refused(_) | TreeAnswer::NoText(_)) | Err(NoReply::Crashed) => Vec::new(),
        }
    }

    fn deserves_recognition(&self, point: Point) -> bool {
        let is_far = self.probe.recognised_at.is_none_or(|last| point.distance(last) >= RECOGNITION_STEP);
        let is_outside = |target: &ReadingTarget| !target.pick.bbox.contains(point);
        is_far && self.current().is_none_or(is_outside)
    }

    fn probed_element(&mut self, id: RequestId, request: PickRequest, pick: Pick) -> Vec<FocusEffect> {
        let style = self.announcement_style(TargetSource::Pointer);
        if let FocusState::Reading(target) = &mut self.state {
            let Some(said) = announce_change(&target.pick, &pick, style) else {
                return Vec::new();
            };
            let is_same_text = target.pick.method == PickMethod::Ocr && target.pick.text.trim() == pick.text.trim();
            if is_same_text {
                return Vec::new();
            }
            if is_same(&target.pick, &pick) {
                let reading = said.reading(&[]);
                self.arrive(request);
                return self.begin_reading(id, request, pick, TargetSource::Pointer, reading);
            }
        }
        self.arrive(request);
        self.found(id, request, pick)
    }

    /// The answer of recognition after a small move. Only the line that the pointer is on counts: what is near has been read.
    pub(super) fn probed_by_recognition(
        &mut self,
        id: RequestId,
        answer: Result<Result<OcrPick, PickFailure>, NoReply>,
    ) -> Vec<FocusEffect> {
        let Some((_, request)) = self.probe.pending.take_if(|(asked, _)| *asked == id) else { return Vec::new() };
        let Ok(Ok(found)) = answer else { return Vec::new() };
        let is_known = self.current().is_some_and(|target| {
            target.pick.bbox.contains(found.pick.bbox.center()) || target.pick.text.trim() == found.pick.text.trim()
        });
        if is_known || !with_margin(found.pick.bbox).contains(request.cursor) {
            return Vec::new();
        }
        self.arrive(request);
        let mut effects = self.found(id, request, found.pick);
        if found.low_quality {
            effects.push(say_after_sentence(Phrase::LowQuality));
        }
        effects
    }

    /// What is at `request` becomes the target, without a search in the state Targeting.
    pub(super) fn arrive(&mut self, request: PickRequest) {
        self.remember_target();
        self.state = FocusState::Idle;
        self.found_at_once = Some(request);
        self.origin = request.cursor;
        self.probe = MoveProbe { recognised_at: self.probe.recognised_at, ..MoveProbe::begun_at(request.cursor) };
        self.settling = None;
        (self.pending_step, self.pending_rows) = (None, None);
    }
}

const fn with_margin(line: Rect) -> Rect {
    Rect::new(line.x - LINE_MARGIN, line.y - LINE_MARGIN, line.width + 2 * LINE_MARGIN, line.height + 2 * LINE_MARGIN)
}
