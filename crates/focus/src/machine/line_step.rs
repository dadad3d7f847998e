//! Stepping by line while pinned (FOC-4).

use luna_messages::bus::BusEvent;
use luna_messages::pick::PickFailure;
use luna_messages::reading::Style;
use luna_messages::uia::TextLine;
use luna_messages::{NoReply, RequestId};
use zeroize::Zeroize;

use super::effect::FocusEffect;
use super::lines::{LineDirection, LineWindow};
use super::say::say;
use super::state::{Focus, FocusState};
use crate::phrases::Phrase;
use luna_text::language;

impl Focus {
    /// `reading` is as old as the command for the line, so that a later stop ends it however late the line is found (FOC-6).
    pub(super) fn read_line(&mut self, reading: RequestId, line: TextLine) -> Vec<FocusEffect> {
        let FocusState::Pinned(target) = &mut self.state else { return Vec::new() };
        target.pick.lang = language::by_script(&line.text, target.pick.lang);
        target.pick.text.zeroize();
        target.pick.text = line.text;
        target.pick.bbox = line.bbox;
        target.pick.offset = None;
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
        answer: Result<Result<Vec<TextLine>, PickFailure>, NoReply>,
    ) -> Vec<FocusEffect> {
        let wanted = self.pending_step.filter(|(wanted, _)| *wanted == id).map(|(_, direction)| direction);
        let FocusState::Pinned(target) = &mut self.state else { return Vec::new() };
        let lines = match answer {
            Ok(Ok(lines)) => lines,
            Ok(Err(failure)) => return wanted.map(|_| say(Phrase::NothingToRead(failure))).into_iter().collect(),
            Err(NoReply::Crashed) => {
                return wanted.map(|_| say(Phrase::NothingToRead(PickFailure::Failed))).into_iter().collect();
            }
        };
        let (before, after) = (self.settings.lines_before, self.settings.lines_after);
        let window = LineWindow::around(&lines, target.pick.bbox, &target.pick.text, before, after);
        let neighbour = wanted.map(|direction| (direction, window.neighbour(direction).cloned()));
        target.lines = Some(window);
        match neighbour {
            None => Vec::new(),
            Some((_, Some(line))) => {
                self.pending_step = None;
                let text = line.text.clone();
                let bbox = line.bbox;
                let effects = self.read_line(id, line);
                if let FocusState::Pinned(target) = &mut self.state {
                    target.lines = Some(LineWindow::around(&lines, bbox, &text, before, after));
                }
                effects
            }
            Some((LineDirection::Down, None)) => self.border(Phrase::LastLine),
            Some((LineDirection::Up, None)) => self.border(Phrase::FirstLine),
        }
    }

    fn border(&mut self, phrase: Phrase) -> Vec<FocusEffect> {
        self.pending_step = None;
        vec![say(phrase)]
    }
}
