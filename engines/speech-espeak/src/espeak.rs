//! Safe bindings to the few functions of libespeak-ng that are needed.

use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_short, c_uint, c_void};
use std::path::Path;
use std::ptr;

use libloading::Library;

/// `AUDIO_OUTPUT_SYNCHRONOUS`: samples go to the callback, on the calling thread.
const SYNCHRONOUS: c_int = 2;
/// `espeakINITIALIZE_DONT_EXIT`: without this flag a missing data folder ends the process.
const DONT_EXIT: c_int = 0x8000;
/// `espeakCHARS_UTF8`, without the flags that interpret mark-up and phoneme codes in the text.
const UTF8: c_uint = 1;
/// `POS_CHARACTER`: the start position counts characters.
const BY_CHARACTER: c_uint = 1;
/// Sound per callback in milliseconds: bounds the delay of the first sound and of a cancel.
const CALLBACK_MS: c_int = 60;

type Callback = unsafe extern "C" fn(*mut c_short, c_int, *const Event) -> c_int;
type Initialize = unsafe extern "C" fn(c_int, c_int, *const c_char, c_int) -> c_int;
type SetSynthCallback = unsafe extern "C" fn(Callback);
type SetVoiceByName = unsafe extern "C" fn(*const c_char) -> c_int;
type Synth =
    unsafe extern "C" fn(*const c_void, usize, c_uint, c_uint, c_uint, c_uint, *mut c_uint, *mut c_void) -> c_int;
type Terminate = unsafe extern "C" fn() -> c_int;

/// `espeakEVENT_LIST_TERMINATED` and `espeakEVENT_WORD`.
const LAST_EVENT: c_int = 0;
const WORD_EVENT: c_int = 1;
/// Maximum events read of one callback; the library has space for 32 with callbacks of 60 ms.
const MAX_EVENTS: usize = 256;

/// `espeak_EVENT`.
#[repr(C)]
struct Event {
    kind: c_int,
    unique_identifier: c_uint,
    text_position: c_int,
    length: c_int,
    /// Milliseconds; `sample` is exact.
    audio_position: c_int,
    /// Samples from the beginning of the text.
    sample: c_int,
    user_data: *mut c_void,
    id: EventId,
}

#[repr(C)]
union EventId {
    number: c_int,
    name: *const c_char,
    string: [c_char; 8],
}

/// Bytes of text that the library keeps in its buffers: the current clause (800), its words and its phonemes.
const BUFFER_BYTES: usize = 4096;

/// Receives samples while `speak` runs, and the places at which words begin, in samples from the beginning of the text; returns whether to continue.
type SampleSink<'a> = dyn FnMut(&[i16], &[u64]) -> bool + 'a;

thread_local! {
    /// The receiver of the running `speak` of this thread; null outside of it.
    static SINK: Cell<*mut c_void> = const { Cell::new(ptr::null_mut()) };
}

/// Why the library can't be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum OpenError {
    #[error("{0}")]
    Library(#[from] libloading::Error),
    #[error("the name of the data folder can't be handed over")]
    DataName,
    #[error("espeak-ng finds no data ({code})")]
    Data { code: c_int },
}

/// The loaded library. It keeps its state in globals: one instance at a time, on one thread.
pub struct Espeak {
    set_voice: SetVoiceByName,
    synth: Synth,
    terminate: Terminate,
    /// Samples per second.
    pub sample_rate: u32,
    // Keeps the functions above valid.
    _library: Library,
}

impl Espeak {
    /// Loads the library from `library` and its data from `data`; `None` means the system's data.
    ///
    /// # Errors
    /// The library is missing or not espeak-ng, or its data can't be read.
    pub fn open(library: &Path, data: Option<&Path>) -> Result<Self, OpenError> {
        let data = match data {
            Some(path) => Some(path.to_str().and_then(|p| CString::new(p).ok()).ok_or(OpenError::DataName)?),
            None => None,
        };
        let path = data.as_ref().map_or(ptr::null(), |p| p.as_ptr());
        // SAFETY: the initialisers of libespeak-ng do nothing that this program must uphold; the signatures are those of speak_lib.h 1.51
        // and 1.52, and so is the layout of the events. `path` lives through the call.
        unsafe {
            let library = Library::new(library)?;
            let initialize = *library.get::<Initialize>(b"espeak_Initialize\0")?;
            let set_callback = *library.get::<SetSynthCallback>(b"espeak_SetSynthCallback\0")?;
            let set_voice = *library.get::<SetVoiceByName>(b"espeak_SetVoiceByName\0")?;
            let synth = *library.get::<Synth>(b"espeak_Synth\0")?;
            let terminate = *library.get::<Terminate>(b"espeak_Terminate\0")?;
            let rate = initialize(SYNCHRONOUS, CALLBACK_MS, path, DONT_EXIT);
            let Some(sample_rate) = u32::try_from(rate).ok().filter(|r| *r > 0) else {
                return Err(OpenError::Data { code: rate });
            };
            set_callback(on_samples);
            Ok(Self { set_voice, synth, terminate, sample_rate, _library: library })
        }
    }

    /// Selects a voice by name or language; returns `false` if there is none.
    pub fn set_voice(&mut self, name: &str) -> bool {
        let Ok(name) = CString::new(name) else { return false };
        // SAFETY: `name` is a C string and lives through the call.
        unsafe { (self.set_voice)(name.as_ptr()) == 0 }
    }

    /// Speaks `text`: passes samples to `sink` as they are made, until it returns `false`. Returns `false` if the library reports an error.
    pub fn speak(&mut self, text: &str, sink: &mut SampleSink<'_>) -> bool {
        // A NUL would end the text.
        let Ok(text) = CString::new(text.replace('\0', " ")) else { return false };
        let mut sink = sink;
        SINK.set((&raw mut sink).cast());
        // SAFETY: `text` lives through the call; the length counts its final zero. The callback runs on this thread before the call
        // returns, and finds `sink`, which outlives the call.
        let code = unsafe {
            let bytes = text.as_bytes_with_nul();
            (self.synth)(bytes.as_ptr().cast(), bytes.len(), 0, BY_CHARACTER, 0, UTF8, ptr::null_mut(), ptr::null_mut())
        };
        SINK.set(ptr::null_mut());
        code == 0
    }

    /// Overwrites the library's buffers of the last text (BUF-2) with a meaningless text, without sound.
    pub fn forget(&mut self) {
        let nothing = "o ".repeat(BUFFER_BYTES / 2);
        // The first samples come when the whole clause is processed.
        self.speak(&nothing, &mut |_, _| false);
    }
}

impl Drop for Espeak {
    fn drop(&mut self) {
        // SAFETY: it was initialised, and nothing runs: all calls need `&mut self` and are synchronous.
        unsafe { (self.terminate)() };
    }
}

/// The synthesis callback; returning 1 stops the synthesis.
unsafe extern "C" fn on_samples(samples: *mut c_short, count: c_int, events: *const Event) -> c_int {
    let sink = SINK.get().cast::<&mut SampleSink<'_>>();
    let count = usize::try_from(count).unwrap_or(0);
    if sink.is_null() {
        return 1;
    }
    if samples.is_null() {
        return 0;
    }
    // SAFETY: espeak-ng passes a list of events that is valid until this returns, or null.
    let words = unsafe { words(events) };
    if count == 0 && words.is_empty() {
        return 0;
    }
    // SAFETY: `sink` is not null, so `speak` runs on this thread and its receiver lives; espeak-ng passes `count` samples that are valid
    // until this returns, and calls this on one thread, so nothing else borrows the receiver.
    let go_on = unsafe { (*sink)(std::slice::from_raw_parts(samples, count), &words) };
    c_int::from(!go_on)
}

/// The places of the word events.
///
/// # Safety
/// `events` is null, or points to events of which one of the kind `LAST_EVENT` is the last.
unsafe fn words(events: *const Event) -> Vec<u64> {
    let mut words = Vec::new();
    if events.is_null() {
        return words;
    }
    for at in 0..MAX_EVENTS {
        // SAFETY: the caller promises a last event, and the loop ends there. Only plain numbers are read, not the union.
        let (kind, sample) = unsafe {
            let event = events.add(at);
            ((*event).kind, (*event).sample)
        };
        match (kind, u64::try_from(sample)) {
            (LAST_EVENT, _) => break,
            (WORD_EVENT, Ok(sample)) => words.push(sample),
            (_, _) => {}
        }
    }
    words
}
