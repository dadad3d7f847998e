//! The few functions of libespeak-ng that are needed, behind a safe face.

use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_short, c_uint, c_void};
use std::path::Path;
use std::ptr;

use libloading::Library;

/// `AUDIO_OUTPUT_SYNCHRONOUS`: sound goes to the callback, on the thread that asked.
const SYNCHRONOUS: c_int = 2;
/// `espeakINITIALIZE_DONT_EXIT`: without it a missing data folder ends the process.
const DONT_EXIT: c_int = 0x8000;
/// `espeakCHARS_UTF8`. Neither mark-up nor phoneme codes in the text are obeyed.
const UTF8: c_uint = 1;
/// `POS_CHARACTER`.
const BY_CHARACTER: c_uint = 1;
/// Sound of one callback, in milliseconds: how soon it comes, and how soon a cancel takes effect.
const CALLBACK_MS: c_int = 60;

type Callback = unsafe extern "C" fn(*mut c_short, c_int, *mut c_void) -> c_int;
type Initialize = unsafe extern "C" fn(c_int, c_int, *const c_char, c_int) -> c_int;
type SetSynthCallback = unsafe extern "C" fn(Callback);
type SetVoiceByName = unsafe extern "C" fn(*const c_char) -> c_int;
type Synth =
    unsafe extern "C" fn(*const c_void, usize, c_uint, c_uint, c_uint, c_uint, *mut c_uint, *mut c_void) -> c_int;
type Terminate = unsafe extern "C" fn() -> c_int;

/// Bytes of a text that the library keeps in memory of its own: the clause that it works on, 800 of them, its words and its phonemes.
const KEPT: usize = 4096;

/// Where samples go while `speak` runs; returns whether to go on.
type Take<'a> = dyn FnMut(&[i16]) -> bool + 'a;

thread_local! {
    /// The taker of the `speak` that runs on this thread. Null outside of it.
    static TAKE: Cell<*mut c_void> = const { Cell::new(ptr::null_mut()) };
}

/// Why the library is of no use.
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

/// The library, with its data read. It keeps its state in globals: one at a time, on one thread.
pub struct Espeak {
    set_voice: SetVoiceByName,
    synth: Synth,
    terminate: Terminate,
    /// Samples a second.
    pub sample_rate: u32,
    // The functions above live as long as this.
    _library: Library,
}

impl Espeak {
    /// Loads the library from `library` and its data from `data`; `None` takes what the system has.
    pub fn open(library: &Path, data: Option<&Path>) -> Result<Self, OpenError> {
        let data = match data {
            Some(path) => Some(path.to_str().and_then(|p| CString::new(p).ok()).ok_or(OpenError::DataName)?),
            None => None,
        };
        let path = data.as_ref().map_or(ptr::null(), |p| p.as_ptr());
        // SAFETY: the initialisers of libespeak-ng do nothing that this program must uphold; the signatures are those of speak_lib.h
        // 1.51 and 1.52, whose third argument of the callback, a pointer to events, is not looked into. `path` lives through the call.
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
            set_callback(taken);
            Ok(Self { set_voice, synth, terminate, sample_rate, _library: library })
        }
    }

    /// Chooses a voice by its name or language; false if there is none.
    pub fn set_voice(&mut self, name: &str) -> bool {
        let Ok(name) = CString::new(name) else { return false };
        // SAFETY: `name` is a C string and lives through the call.
        unsafe { (self.set_voice)(name.as_ptr()) == 0 }
    }

    /// Speaks `text`: samples go to `take` as they are made, until it returns false. False where the library refused.
    pub fn speak(&mut self, text: &str, take: &mut Take<'_>) -> bool {
        // A character of value zero would end the text.
        let Ok(text) = CString::new(text.replace('\0', " ")) else { return false };
        let mut take = take;
        TAKE.set((&raw mut take).cast());
        // SAFETY: `text` lives through the call; the length counts its final zero. The callback runs on this thread before the call
        // returns, and finds `take`, which outlives the call.
        let code = unsafe {
            let bytes = text.as_bytes_with_nul();
            (self.synth)(bytes.as_ptr().cast(), bytes.len(), 0, BY_CHARACTER, 0, UTF8, ptr::null_mut(), ptr::null_mut())
        };
        TAKE.set(ptr::null_mut());
        code == 0
    }

    /// Overwrites what the library keeps of the last text (BUF-2), by having it read one that says nothing. No sound comes of it.
    pub fn forget(&mut self) {
        let nothing = "o ".repeat(KEPT / 2);
        // The first samples come when the clause has been worked through.
        self.speak(&nothing, &mut |_| false);
    }
}

impl Drop for Espeak {
    fn drop(&mut self) {
        // SAFETY: it was initialised, and nothing runs: all calls need `&mut self` and are synchronous.
        unsafe { (self.terminate)() };
    }
}

/// The callback: 1 ends the synthesis.
unsafe extern "C" fn taken(samples: *mut c_short, count: c_int, _events: *mut c_void) -> c_int {
    let take = TAKE.get().cast::<&mut Take<'_>>();
    let count = usize::try_from(count).unwrap_or(0);
    if take.is_null() {
        return 1;
    }
    if samples.is_null() || count == 0 {
        return 0;
    }
    // SAFETY: `take` is not null, so `speak` of this thread runs and its taker lives; espeak-ng hands `count` samples that stay until
    // this returns, and calls this on one thread, so that nothing else holds the taker.
    let go_on = unsafe { (*take)(std::slice::from_raw_parts(samples, count)) };
    c_int::from(!go_on)
}
