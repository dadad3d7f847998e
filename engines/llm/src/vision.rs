//! Pictures, for models with a projector that turns pictures into embeddings.

use std::ffi::CString;

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::mtmd::{MtmdBitmap, MtmdContext, MtmdContextParams, MtmdInputText};
use luna_engine_protocol::ModelFile;
use luna_engine_protocol::{CancelFlag, failure};
use luna_messages::engine::{ChatMessage, ChatRole, EngineError, EngineErrorKind, PictureSize, Prompt};

use crate::refusal::refused;
use crate::session::LlmSession;

/// Placeholder for a picture in a prompt.
const MARK: &str = "<__luna_picture__>";
/// Maximum pixels of a picture.
const MAX_PIXELS: u64 = 8192 * 8192;

/// A loaded projector.
pub struct Projector {
    context: MtmdContext,
}

impl Projector {
    /// # Errors
    /// The projector is damaged or belongs to another model.
    pub fn open(model: &LlamaModel, file: &ModelFile, threads: usize, on_card: bool) -> Result<Self, EngineError> {
        let path = file.path.to_str().ok_or_else(|| refused(file, "its name is no text"))?;
        let params = MtmdContextParams {
            use_gpu: on_card,
            print_timings: false,
            n_threads: i32::try_from(threads.max(1)).unwrap_or(1),
            media_marker: CString::new(MARK).unwrap_or_default(),
            ..MtmdContextParams::default()
        };
        let context =
            MtmdContext::init_from_file(path, model, &params).map_err(|error| refused(file, &error.to_string()))?;
        if !context.support_vision() {
            return Err(refused(file, "it is no projector for pictures"));
        }
        Ok(Self { context })
    }

    /// The prompt with its pictures before the text of its last message. Marks in the text are removed, so that messages can't place
    /// pictures.
    pub fn with_marks(&self, prompt: &Prompt, pictures: usize) -> Prompt {
        let clean = |text: &str| text.replace(MARK, "");
        let with = |text: &str| format!("{}{}", format!("{MARK}\n").repeat(pictures), clean(text));
        match prompt {
            Prompt::Text { text } => Prompt::Text { text: with(text) },
            Prompt::Chat { messages } => {
                let mut messages: Vec<ChatMessage> =
                    messages.iter().map(|part| ChatMessage { role: part.role, text: clean(&part.text) }).collect();
                match messages.last_mut() {
                    Some(last) => last.text = with(&last.text),
                    None => messages.push(ChatMessage { role: ChatRole::User, text: with("") }),
                }
                Prompt::Chat { messages }
            }
        }
    }

    /// Evaluates prompt and pictures. Returns the number of tokens; `None` if it was cancelled.
    ///
    /// # Errors
    /// Prompt and pictures don't fit into the context, or the projector failed.
    pub fn read_with_pictures(
        &mut self,
        session: &mut LlmSession,
        rendered: &str,
        pictures: &[MtmdBitmap],
        check_context_length: impl Fn(usize, usize) -> Result<(), EngineError>,
        cancel: &CancelFlag,
    ) -> Result<Option<usize>, EngineError> {
        let vocab = session.model().vocab();
        let begins = vocab.should_add_bos()
            && vocab.text(vocab.bos()).is_none_or(|begin| !rendered.starts_with(&*begin.to_string_lossy()));
        let text = MtmdInputText { text: rendered.to_owned(), add_special: begins, parse_special: true };
        let chunks =
            self.context.tokenize(text, &pictures.iter().collect::<Vec<_>>()).map_err(|error| unreadable(&error))?;
        let tokens = chunks.total_tokens();
        check_context_length(tokens, session.limit())?;
        session.forget();
        if cancel.is_set() {
            return Ok(None);
        }
        let batch_tokens = i32::try_from(session.batch_tokens()).unwrap_or(1);
        let done = chunks.eval_chunks(&mut self.context, session.context_mut(), 0, 0, batch_tokens, true);
        match done {
            Ok(past) => session.filled(usize::try_from(past).unwrap_or(0)),
            Err(error) => {
                session.forget();
                return Err(unreadable(&error));
            }
        }
        Ok((!cancel.is_set()).then_some(tokens))
    }
}

fn unreadable(error: &dyn std::error::Error) -> EngineError {
    failure(
        EngineErrorKind::BadInput,
        format!("The model could not read the pictures: {error}."),
        "Try a smaller picture; if that fails too, take another projector.",
    )
}

/// Decodes the pictures of a payload.
///
/// # Errors
/// A picture is empty or too large, or sizes and bytes don't match.
pub fn pictures(sizes: &[PictureSize], payload: &[u8]) -> Result<Vec<MtmdBitmap>, EngineError> {
    let bad = |message: String| failure(EngineErrorKind::BadInput, message, "Send 8-bit RGB, rows without padding.");
    let mut rest = payload;
    let mut pictures = Vec::new();
    for size in sizes {
        let pixels = u64::from(size.width) * u64::from(size.height);
        if pixels == 0 || pixels > MAX_PIXELS {
            return Err(bad(format!("A picture of {} × {} pixels can't be read.", size.width, size.height)));
        }
        let bytes = usize::try_from(pixels * 3).unwrap_or(usize::MAX);
        let Some((picture, after)) = rest.split_at_checked(bytes) else {
            return Err(bad(format!("The pictures need more than the {} bytes that came.", payload.len())));
        };
        rest = after;
        pictures
            .push(MtmdBitmap::from_image_data(size.width, size.height, picture).map_err(|error| unreadable(&error))?);
    }
    if rest.is_empty() {
        Ok(pictures)
    } else {
        Err(bad(format!("The pictures need {} bytes, and {} came.", payload.len() - rest.len(), payload.len())))
    }
}
