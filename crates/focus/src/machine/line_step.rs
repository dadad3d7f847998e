//! Stepping by line while pinned (FOC-4).

use luna_messages::bus::BusEvent;
use luna_messages::element::ElementProperties;
use luna_messages::pick::{PickFailure, PickMethod};
use luna_messages::reading::Style;
use luna_messages::uia::{LinesRequest, TextLine, WindowLines};
use luna_messages::{NoReply, Rect, RequestId};
use zeroize::Zeroize;

use super::effect::FocusEffect;
use super::lines::{LineDirection, LineStep, LineWindow};
use super::pending::{MoveProbe, PendingStep};
use super::requested_reading::RequestedReading;
use super::say::say;
use super::state::{Focus, FocusState, ReadingTarget};
use crate::phrases::Phrase;
use luna_text::language;

/// Lines are requested at the target, not at the cursor: the cursor may be over another window by now. Once known, the window itself is named: another
/// one may cover it.
/// `None` if nobody tells where the target is.
pub(super) fn lines_around(target: &ReadingTarget) -> Option<LinesRequest> {
    Some(LinesRequest {
        cursor: target.place()?,
        window: target.window.clone(),
        part: None,
        recognised: target.pick.method == PickMethod::Ocr,
    })
}

/// The part of a window from the target on.
fn beyond(target: &ReadingTarget, direction: LineDirection) -> Option<Rect> {
    let (here, window) = (target.pick.bbox, target.window.as_ref()?.bounds);
    Some(match direction {
        LineDirection::Down => Rect::new(window.x, here.y, window.width, window.bottom() - here.y),
        LineDirection::Up => Rect::new(window.x, window.y, window.width, here.bottom() - window.y),
    })
}

/// Nobody tells where the element with the keyboard focus is, so that nothing around it can be read.
pub(super) const NO_PLACE: Phrase = Phrase::NothingToRead(PickFailure::NoWindow);

impl Focus {
    /// Goes to another line, and does with it what was `requested`, or reads it. Pinned or not stays as it is.
    pub(super) fn step_lines(
        &mut self,
        id: RequestId,
        step: LineStep,
        requested: Option<RequestedReading>,
    ) -> Vec<FocusEffect> {
        let Some(target) = self.current() else { return self.nothing_is_read() };
        let request = lines_around(target);
        if let Some(line) = target.lines.as_ref().and_then(|lines| lines.at(step).cloned()) {
            self.pending_step = None;
            // The known line immediately, and the lines around it at the same time.
            let mut effects = self.read_line(id, line, requested);
            if let FocusState::Pinned(target) = &self.state {
                effects.extend(lines_around(target).map(|request| FocusEffect::AskLines { id, request }));
            }
            return effects;
        }
        let Some(request) = request else { return vec![say(NO_PLACE)] };
        self.pending_step = Some(PendingStep { id, step, requested, is_beyond: false });
        vec![FocusEffect::AskLines { id, request }]
    }

    /// `reading` is as old as the command for the line, so that a later stop ends it however late the line is found (FOC-6).
    fn read_line(
        &mut self,
        reading: RequestId,
        line: TextLine,
        requested: Option<RequestedReading>,
    ) -> Vec<FocusEffect> {
        let Some(mut target) = self.current().cloned() else { return Vec::new() };
        let pinned = matches!(self.state, FocusState::Pinned(_));
        target.pick.lang = language::by_script(&line.text, target.pick.lang);
        target.pick.text.zeroize();
        target.pick.text = line.text;
        target.pick.bbox = line.bbox;
        target.pick.offset = None;
        // A line is text, whatever the element was that was pinned.
        (target.pick.id, target.pick.role) = (None, None);
        target.pick.label.zeroize();
        target.pick.properties = ElementProperties::default();
        target.pick.is_table = false;
        target.pick.rows.zeroize();
        target.lines = None;
        target.style = Style::News;
        target.reading = reading;
        let highlight = BusEvent::Highlight { bbox: Some(target.pick.bbox), pinned };
        let read = self.read(&target);
        self.set_current(target);
        if !pinned {
            // The pointer is still where the line before was found: a trembling hand must not lead back there.
            self.probe = MoveProbe::quiet();
        }
        let mut effects = vec![FocusEffect::Publish(highlight)];
        match requested {
            Some(requested) => effects.extend(self.read_as_requested(reading, requested)),
            None => effects.push(read),
        }
        effects
    }

    pub(super) fn lines(
        &mut self,
        id: RequestId,
        answer: Result<Result<WindowLines, PickFailure>, NoReply>,
    ) -> Vec<FocusEffect> {
        let wanted = self.pending_step.filter(|wanted| wanted.id == id);
        let target = match &mut self.state {
            FocusState::Pinned(target) => target,
            FocusState::Reading(target) if wanted.is_some() => target,
            FocusState::Reading(_)
            | FocusState::Idle
            | FocusState::Targeting { .. }
            | FocusState::WaitCommand { .. } => return Vec::new(),
        };
        let WindowLines { window, lines, is_complete } = match answer {
            Ok(Ok(lines)) => lines,
            Ok(Err(failure)) => return wanted.map(|_| say(Phrase::NothingToRead(failure))).into_iter().collect(),
            Err(NoReply::Crashed) => {
                return wanted.map(|_| say(Phrase::NothingToRead(PickFailure::Failed))).into_iter().collect();
            }
        };
        target.window = Some(window);
        let (before, after) = (self.settings.lines_before, self.settings.lines_after);
        let (here, text) = (target.pick.bbox, target.pick.text.as_str());
        let Some(PendingStep { step, requested, is_beyond, .. }) = wanted else {
            target.lines = Some(LineWindow::around(&lines, here, text, before, after));
            return Vec::new();
        };
        let reached = LineWindow::around(&lines, here, text, before.max(step.count), after.max(step.count));
        let line = reached.at(step).cloned();
        target.lines = Some(LineWindow::around(&lines, here, text, before, after));
        if let Some(line) = line {
            self.pending_step = None;
            let text = line.text.clone();
            let bbox = line.bbox;
            let effects = self.read_line(id, line, requested);
            if let FocusState::Pinned(target) = &mut self.state {
                target.lines = Some(LineWindow::around(&lines, bbox, &text, before, after));
            }
            return effects;
        }
        // An incomplete list does not tell where the text ends: the part beyond the target is asked for.
        if !is_complete
            && !is_beyond
            && let Some(request) = lines_around(target)
        {
            let request = LinesRequest { part: beyond(target, step.direction), ..request };
            self.pending_step = Some(PendingStep { id, step, requested, is_beyond: true });
            return vec![FocusEffect::AskLines { id, request }];
        }
        match step.direction {
            LineDirection::Down => self.border(Phrase::LastLine),
            LineDirection::Up => self.border(Phrase::FirstLine),
        }
    }

    fn border(&mut self, phrase: Phrase) -> Vec<FocusEffect> {
        self.pending_step = None;
        vec![say(phrase)]
    }
}
