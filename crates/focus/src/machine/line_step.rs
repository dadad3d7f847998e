//! Stepping by line while pinned (FOC-4).

use luna_messages::bus::BusEvent;
use luna_messages::element::ElementProperties;
use luna_messages::pick::{PickFailure, PickMethod};
use luna_messages::reading::Style;
use luna_messages::uia::{LinesRequest, TextLine, WindowLines};
use luna_messages::{NoReply, Rect, RequestId};
use zeroize::Zeroize;

use super::effect::FocusEffect;
use super::lines::{LineDirection, LineWindow};
use super::pending::PendingStep;
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

impl Focus {
    /// `reading` is as old as the command for the line, so that a later stop ends it however late the line is found (FOC-6).
    pub(super) fn read_line(&mut self, reading: RequestId, line: TextLine) -> Vec<FocusEffect> {
        let FocusState::Pinned(target) = &mut self.state else { return Vec::new() };
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
        let target = target.clone();
        vec![
            FocusEffect::Publish(BusEvent::Highlight { bbox: Some(target.pick.bbox), pinned: true }),
            self.read(&target),
        ]
    }

    pub(super) fn lines(
        &mut self,
        id: RequestId,
        answer: Result<Result<WindowLines, PickFailure>, NoReply>,
    ) -> Vec<FocusEffect> {
        let wanted = self.pending_step.filter(|wanted| wanted.id == id);
        let FocusState::Pinned(target) = &mut self.state else { return Vec::new() };
        let WindowLines { window, lines, is_complete } = match answer {
            Ok(Ok(lines)) => lines,
            Ok(Err(failure)) => return wanted.map(|_| say(Phrase::NothingToRead(failure))).into_iter().collect(),
            Err(NoReply::Crashed) => {
                return wanted.map(|_| say(Phrase::NothingToRead(PickFailure::Failed))).into_iter().collect();
            }
        };
        target.window = Some(window);
        let (before, after) = (self.settings.lines_before, self.settings.lines_after);
        let around = LineWindow::around(&lines, target.pick.bbox, &target.pick.text, before, after);
        let Some(PendingStep { direction, is_beyond, .. }) = wanted else {
            target.lines = Some(around);
            return Vec::new();
        };
        let neighbour = around.neighbour(direction).cloned();
        target.lines = Some(around);
        if let Some(line) = neighbour {
            self.pending_step = None;
            let text = line.text.clone();
            let bbox = line.bbox;
            let effects = self.read_line(id, line);
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
            let request = LinesRequest { part: beyond(target, direction), ..request };
            self.pending_step = Some(PendingStep { id, direction, is_beyond: true });
            return vec![FocusEffect::AskLines { id, request }];
        }
        match direction {
            LineDirection::Down => self.border(Phrase::LastLine),
            LineDirection::Up => self.border(Phrase::FirstLine),
        }
    }

    fn border(&mut self, phrase: Phrase) -> Vec<FocusEffect> {
        self.pending_step = None;
        vec![say(phrase)]
    }
}
