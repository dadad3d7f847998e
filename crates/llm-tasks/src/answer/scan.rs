//! Scans an answer once and collects calls, values and prose.

use super::call::{self, ToolCall};
use super::parse::{Parser, name_begins};
use super::tags::{self, OpenCall, TagMeaning};
use super::thought;
use super::value::LooseValue;
use super::{AnswerPart, Cut, ParsedAnswer};

/// Fence languages for program text.
const PROGRAMS: [&str; 6] = ["tool_code", "python", "py", "tool_call", "tool_calls", "function_call"];

struct AnswerScan<'a> {
    parser: Parser<'a>,
    answer: ParsedAnswer,
    /// The language of the open fence.
    fence: Option<&'a str>,
    /// Whether a tag announced a call.
    expected: bool,
    /// Whether a tag announced program text.
    program: bool,
    /// The name of the call whose arguments follow.
    name: Option<String>,
    /// Whether a call in program text may begin here: only whitespace since a line start, a `;`, a fence or a value.
    at_line_start: bool,
}

/// Parses a whole answer.
pub fn scan(text: &str) -> ParsedAnswer {
    let mut scan = AnswerScan::new(text);
    while let Some(c) = scan.parser.peek() {
        scan.step(c);
    }
    scan.answer.cut = scan.answer.cut.max(scan.parser.cut);
    scan.answer
}

/// How many characters are consumed for a text; tests use it to prove linear time.
#[cfg(test)]
pub fn steps(text: &str) -> usize {
    let mut scan = AnswerScan::new(text);
    while let Some(c) = scan.parser.peek() {
        scan.step(c);
    }
    scan.parser.steps
}

impl<'a> AnswerScan<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            parser: Parser::new(text, 0),
            answer: ParsedAnswer::default(),
            fence: None,
            expected: false,
            program: false,
            name: None,
            at_line_start: true,
        }
    }

    fn step(&mut self, c: char) {
        let begin = self.parser.at;
        let took = match c {
            '<' | '[' if self.thought() => true,
            '<' => self.tag(),
            '[' if self.tag() => true,
            '{' | '[' => self.value(c),
            '`' => self.fence(),
            c if (self.at_line_start || self.program) && name_begins(c) => self.line(),
            _ => false,
        };
        if !took && self.parser.at == begin {
            self.parser.bump();
            self.word(c);
        }
    }

    /// Handles a character of the prose.
    fn word(&mut self, c: char) {
        match c {
            '\n' => self.at_line_start = true,
            ';' => self.at_line_start = true,
            c if c.is_whitespace() => {}
            _ => self.at_line_start = false,
        }
        self.answer.text.push(c);
    }

    fn thought(&mut self) -> bool {
        for (open, close) in thought::MARKS {
            if self.parser.eat(open) {
                let rest = self.parser.rest();
                match rest.find(close) {
                    Some(at) => {
                        self.parser.eat(rest.get(..at + close.len()).unwrap_or_default());
                    }
                    None => {
                        // The thought is unclosed: everything after it is thinking.
                        self.parser.eat(rest);
                        self.answer.cut = Cut::Value;
                    }
                }
                return true;
            }
            if close.starts_with("</") && self.parser.eat(close) {
                // Everything before was a thought; its opening tag was in the prompt.
                self.answer = ParsedAnswer::default();
                return true;
            }
        }
        false
    }

    fn tag(&mut self) -> bool {
        match tags::elements(&mut self.parser) {
            Some(OpenCall::Call(call, cut)) => {
                if cut {
                    self.answer.cut = Cut::Value;
                }
                self.call(call);
                return true;
            }
            Some(OpenCall::Name(name)) => {
                self.name = Some(name);
                return true;
            }
            None => {}
        }
        match tags::mark(&mut self.parser) {
            Some(TagMeaning::Call) => self.expected = true,
            Some(TagMeaning::Program) => (self.program, self.expected) = (true, true),
            Some(TagMeaning::Name) => {
                self.expected = true;
                self.parser.blanks();
                self.take_name();
            }
            Some(TagMeaning::Nothing) => self.program = false,
            None => return false,
        }
        true
    }

    /// Reads the name of a call and what may stand before its arguments.
    fn take_name(&mut self) {
        let name = self.parser.name_ahead();
        if name.is_empty() {
            return;
        }
        self.parser.eat(name);
        let mut plain = name;
        // `functions.name:0` is how one family numbers its calls.
        if self.parser.eat(":") {
            plain = name.strip_prefix("functions.").unwrap_or(name);
            while self.parser.peek().is_some_and(|c| c.is_ascii_digit()) {
                self.parser.bump();
            }
        }
        self.name = Some(plain.to_owned());
    }

    fn fence(&mut self) -> bool {
        if !self.parser.eat("```") {
            return false;
        }
        if self.fence.take().is_some() {
            self.at_line_start = true;
            return true;
        }
        let rest = self.parser.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '+'))).unwrap_or(rest.len());
        let language = rest.get(..end).unwrap_or_default();
        self.parser.eat(language);
        self.fence = Some(language);
        self.at_line_start = true;
        true
    }

    /// Reads a call that is alone on its line, or `Action: name`; returns whether any text was consumed.
    fn line(&mut self) -> bool {
        let rest = self.parser.rest();
        for (label, named) in [("Action Input:", false), ("Action:", true)] {
            if rest.starts_with(label) {
                self.parser.eat(label);
                while self.parser.peek().is_some_and(|c| c == ' ' || c == '\t') {
                    self.parser.bump();
                }
                if named {
                    self.take_name();
                }
                self.at_line_start = true;
                return true;
            }
        }
        let name = self.parser.name_ahead();
        let behind = rest.get(name.len()..).unwrap_or_default();
        let is_program = self.program || self.fence.is_some_and(|language| PROGRAMS.contains(&language));
        let opens = behind.starts_with('(') || is_program && behind.trim_start_matches(' ').starts_with(['=', '(']);
        if name.is_empty() || !opens {
            // The whole name is a word of the prose.
            self.parser.eat(name);
            self.answer.text.push_str(name);
            self.at_line_start = false;
            return !name.is_empty();
        }
        let begin = self.parser.at;
        let found = call::parse_program_call(&mut self.parser);
        let end = self.parser.at;
        self.parser.has_complete_part = false;
        match found {
            Ok(Some(call)) if self.is_alone(&call, is_program) => self.call(call),
            Ok(None) => {}
            Ok(Some(_)) | Err(_) => {
                self.parser.reset();
                self.words(begin, end);
                self.at_line_start = false;
            }
        }
        true
    }

    /// Whether the call is alone on its line. Outside of program text, a call without named arguments is more
    /// likely a figure of speech.
    fn is_alone(&self, call: &ToolCall, is_program: bool) -> bool {
        let rest = self.parser.rest().trim_start_matches([' ', '\t']);
        let ends = rest.is_empty() || rest.starts_with(['\n', '\r', ';', '<', '`']);
        ends && (is_program || !call.arguments.is_empty())
    }

    fn value(&mut self, first: char) -> bool {
        let begin = self.parser.at;
        self.parser.has_complete_part = false;
        let found = if first == '[' && self.is_program_list() {
            self.program_list()
        } else {
            self.parser.value().map(|value| value.into_iter().flat_map(|value| self.parts(value)).collect())
        };
        let whole = std::mem::take(&mut self.parser.has_complete_part);
        let cut = self.parser.peek().is_none();
        match found {
            Ok(parts) => {
                // An opening bracket with nothing after it carries no information.
                self.answer.parts.extend(parts);
                self.at_line_start = true;
            }
            Err(_) => {
                self.answer.damaged |= whole;
                let end = self.parser.at.max(begin);
                self.words(begin, end);
                self.parser.reset();
                if end == begin {
                    return false;
                }
            }
        }
        if cut && self.parser.cut != Cut::Nothing {
            self.answer.cut = self.answer.cut.max(self.parser.cut);
        }
        true
    }

    /// Classifies a whole value: the arguments of the call named before, calls, or a plain value.
    fn parts(&mut self, value: LooseValue) -> Vec<AnswerPart> {
        if let Some(name) = self.name.take()
            && let LooseValue::Object(arguments) = value
        {
            return vec![AnswerPart::Call(ToolCall::new(name, arguments))];
        }
        let in_program = self.fence.is_some_and(|language| PROGRAMS.contains(&language));
        match call::calls_in_value(&value, self.expected || in_program) {
            Some(calls) => calls.into_iter().map(AnswerPart::Call).collect(),
            None if value == LooseValue::Object(Vec::new()) || value == LooseValue::List(Vec::new()) => Vec::new(),
            None => vec![AnswerPart::Value(value)],
        }
    }

    /// Whether a list of calls in program text follows: `[f(a=1), g(b=2)]`.
    fn is_program_list(&self) -> bool {
        let rest = self.parser.rest().get(1..).unwrap_or_default().trim_start();
        let ahead = Parser::new(rest, 0);
        let name = ahead.name_ahead();
        !name.is_empty() && rest.get(name.len()..).is_some_and(|behind| behind.starts_with('('))
    }

    fn program_list(&mut self) -> Result<Vec<AnswerPart>, super::parse::AnswerSyntaxError> {
        self.parser.bump();
        let mut parts = Vec::new();
        loop {
            self.parser.blanks();
            match self.parser.peek() {
                None => {
                    self.parser.cut = Cut::Brackets.max(self.parser.cut);
                    return Ok(parts);
                }
                Some(']') => {
                    self.parser.bump();
                    return Ok(parts);
                }
                Some(',' | ';') => {
                    self.parser.bump();
                }
                Some(_) => match call::parse_program_call(&mut self.parser)? {
                    Some(call) => {
                        self.parser.has_complete_part = true;
                        parts.push(AnswerPart::Call(call));
                    }
                    None => return Ok(parts),
                },
            }
        }
    }

    fn call(&mut self, call: ToolCall) {
        self.answer.parts.push(AnswerPart::Call(call));
        self.at_line_start = true;
    }

    /// Malformed text is part of the prose.
    fn words(&mut self, begin: usize, end: usize) {
        let text = self.parser.text.get(begin..end).unwrap_or_default();
        self.answer.text.push_str(text);
        self.at_line_start = text.ends_with('\n');
    }
}
