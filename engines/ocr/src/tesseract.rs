//! Tesseract as the recogniser of Korean lines if there is no PP-OCR model for Korean. The library is loaded at run time into this process,
//! and each worker thread has its own instance.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr::{self, NonNull};
use std::sync::Arc;

use fast_image_resize::Resizer;
use libloading::Library;
use luna_engine_protocol::TesseractLoad;
use luna_engine_protocol::failure;
use luna_messages::engine::{EngineError, EngineErrorKind};

use crate::recognise::{LineImage, LineRecogniser, RecognisedText};
use crate::runtime::RunCanceller;

/// The name in results.
pub const NAME: &str = "tesseract";

/// The library's name: Debian's, and that of the installer for Windows.
const LIBRARY: &str = if cfg!(windows) { "libtesseract-5.dll" } else { "libtesseract.so.5" };
/// How to get the library and its data.
const REMEDY: &str = if cfg!(windows) {
    "Install Tesseract 5 with its Korean data, and add its folder to the PATH."
} else {
    "Install the packages libtesseract5, tesseract-ocr-kor and tesseract-ocr-eng."
};

/// Line height including the padding of the detection; letters are half as high, as in the training of its models.
const LINE_HEIGHT: usize = 56;
/// White padding in pixels; without it the first and last letters are lost.
const PADDING: usize = 12;
/// `PSM_SINGLE_LINE`: treats the picture as one line of text.
const SINGLE_LINE: c_int = 7;

type TesseractHandle = *mut c_void;

/// The functions of the C API that are used.
struct Functions {
    create: unsafe extern "C" fn() -> TesseractHandle,
    init: unsafe extern "C" fn(TesseractHandle, *const c_char, *const c_char) -> c_int,
    set_variable: unsafe extern "C" fn(TesseractHandle, *const c_char, *const c_char) -> c_int,
    set_mode: unsafe extern "C" fn(TesseractHandle, c_int),
    set_image: unsafe extern "C" fn(TesseractHandle, *const u8, c_int, c_int, c_int, c_int),
    set_resolution: unsafe extern "C" fn(TesseractHandle, c_int),
    text: unsafe extern "C" fn(TesseractHandle) -> *mut c_char,
    confidence: unsafe extern "C" fn(TesseractHandle) -> c_int,
    delete_text: unsafe extern "C" fn(*const c_char),
    clear: unsafe extern "C" fn(TesseractHandle),
    end: unsafe extern "C" fn(TesseractHandle),
    delete: unsafe extern "C" fn(TesseractHandle),
    // Last, so that it is unloaded after nothing can call into it any more.
    _library: Library,
}

impl Functions {
    fn load(path: &Path) -> Result<Self, libloading::Error> {
        // SAFETY: Tesseract's initialisers have no requirements; the types below are those of `tesseract/capi.h` of version 4 and 5, and
        // the library lives as long as the functions.
        unsafe {
            let library = Library::new(path)?;
            Ok(Self {
                create: *library.get(b"TessBaseAPICreate\0")?,
                init: *library.get(b"TessBaseAPIInit3\0")?,
                set_variable: *library.get(b"TessBaseAPISetVariable\0")?,
                set_mode: *library.get(b"TessBaseAPISetPageSegMode\0")?,
                set_image: *library.get(b"TessBaseAPISetImage\0")?,
                set_resolution: *library.get(b"TessBaseAPISetSourceResolution\0")?,
                text: *library.get(b"TessBaseAPIGetUTF8Text\0")?,
                confidence: *library.get(b"TessBaseAPIMeanTextConf\0")?,
                delete_text: *library.get(b"TessDeleteText\0")?,
                clear: *library.get(b"TessBaseAPIClear\0")?,
                end: *library.get(b"TessBaseAPIEnd\0")?,
                delete: *library.get(b"TessBaseAPIDelete\0")?,
                _library: library,
            })
        }
    }
}

/// The loaded library and its languages; creates an instance for each worker.
#[derive(Clone)]
pub struct TesseractLibrary {
    functions: Arc<Functions>,
    data: Option<CString>,
    languages: CString,
}

impl TesseractLibrary {
    /// Loads the library and locates its data.
    ///
    /// # Errors
    /// `BadModel` if the configured library exists but can't be loaded, `Missing` if library or data are not there; the error says what to install.
    pub fn load(load: &TesseractLoad) -> Result<Self, EngineError> {
        let missing = |message: String| failure(EngineErrorKind::Missing, message, REMEDY);
        let library = load.library.clone().unwrap_or_else(|| PathBuf::from(LIBRARY));
        let functions = Functions::load(&library).map_err(|error| {
            let kind = if load.library.as_ref().is_some_and(|path| path.is_file()) {
                EngineErrorKind::BadModel
            } else {
                EngineErrorKind::Missing
            };
            failure(kind, format!("Tesseract's library {} can't be loaded: {error}.", library.display()), REMEDY)
        })?;
        if let Some(folder) = &load.data {
            for language in load.languages.split('+') {
                let file = folder.join(format!("{language}.traineddata"));
                if !file.is_file() {
                    return Err(missing(format!("Tesseract's data {} is not there.", file.display())));
                }
            }
        }
        let text = |text: &str| CString::new(text).map_err(|_| missing("A path has a zero byte in it.".to_owned()));
        let data = load.data.as_ref().map(|folder| text(&folder.to_string_lossy())).transpose()?;
        Ok(Self { functions: Arc::new(functions), data, languages: text(&load.languages)? })
    }

    /// Creates an instance with the languages loaded.
    ///
    /// # Errors
    /// `BadModel`: the data is missing or damaged.
    pub fn instance(&self) -> Result<Tesseract, EngineError> {
        let functions = Arc::clone(&self.functions);
        let bad = |what: &str| {
            failure(
                EngineErrorKind::BadModel,
                format!("Tesseract {what} the languages {}.", self.languages.to_string_lossy()),
                "Install the packages tesseract-ocr-kor and tesseract-ocr-eng again.",
            )
        };
        // SAFETY: `create` may be called at any time.
        let handle = NonNull::new(unsafe { (functions.create)() }).ok_or_else(|| bad("has no memory for"))?;
        let instance = Tesseract { functions, handle, scaler: Resizer::new() };
        instance.set(c"debug_file", c"/dev/null");
        let data = self.data.as_ref().map_or(ptr::null(), |data| data.as_ptr());
        // SAFETY: the handle is alive; both strings end with zero and outlive the call; a null path means the default.
        let code = unsafe { (instance.functions.init)(handle.as_ptr(), data, self.languages.as_ptr()) };
        if code != 0 {
            return Err(bad("can't load"));
        }
        // Lines are already dark on light: trying the inverse would only cost time.
        instance.set(c"tessedit_do_invert", c"0");
        // SAFETY: the handle is alive and initialised.
        unsafe { (instance.functions.set_mode)(handle.as_ptr(), SINGLE_LINE) };
        Ok(instance)
    }
}

/// One instance, for one thread at a time.
pub struct Tesseract {
    functions: Arc<Functions>,
    handle: NonNull<c_void>,
    scaler: Resizer,
}

// SAFETY: an instance has no ties to the thread that made it; instances share nothing that is written after initialisation.
unsafe impl Send for Tesseract {}

impl Tesseract {
    fn set(&self, name: &CStr, value: &CStr) {
        // SAFETY: the handle is alive; both strings end with zero. An unknown name returns 0 and has no effect.
        unsafe { (self.functions.set_variable)(self.handle.as_ptr(), name.as_ptr(), value.as_ptr()) };
    }
}

impl LineRecogniser for Tesseract {
    fn name(&self) -> &str {
        NAME
    }

    fn knows_hangul(&self) -> bool {
        true
    }

    fn read(&mut self, line: &LineImage<'_>, _: &RunCanceller) -> Result<RecognisedText, EngineError> {
        let cut = line.cut(&mut self.scaler, LINE_HEIGHT);
        let grey = dark_on_light(cut.grey());
        let (width, height) = (cut.width + 2 * PADDING, cut.height + 2 * PADDING);
        // The padding has the background colour, so that no edge appears around the line.
        let mut image = vec![commonest(&grey); width * height];
        for (row, source) in image.chunks_exact_mut(width).skip(PADDING).zip(grey.chunks_exact(cut.width)) {
            row[PADDING..PADDING + cut.width].copy_from_slice(source);
        }
        let size = |pixels: usize| c_int::try_from(pixels).unwrap_or(c_int::MAX);
        let handle = self.handle.as_ptr();
        // SAFETY: the handle is alive and initialised. The image has `height` rows of `width` bytes, and Tesseract copies it. The text is
        // null or ends with zero, and is freed after it is copied.
        unsafe {
            (self.functions.set_image)(handle, image.as_ptr(), size(width), size(height), 1, size(width));
            (self.functions.set_resolution)(handle, 150);
            let text = (self.functions.text)(handle);
            let confidence = (self.functions.confidence)(handle).clamp(0, 100);
            let read = if text.is_null() {
                RecognisedText::default()
            } else {
                let words = CStr::from_ptr(text).to_string_lossy();
                RecognisedText {
                    text: words.split_whitespace().collect::<Vec<_>>().join(" "),
                    confidence: confidence as f32 / 100.0,
                }
            };
            if !text.is_null() {
                (self.functions.delete_text)(text);
            }
            (self.functions.clear)(handle);
            Ok(read)
        }
    }
}

impl Drop for Tesseract {
    fn drop(&mut self) {
        // SAFETY: the handle is alive, and nothing uses it after this.
        unsafe {
            (self.functions.end)(self.handle.as_ptr());
            (self.functions.delete)(self.handle.as_ptr());
        }
    }
}

/// The most common luminance, which is the background.
fn commonest(grey: &[u8]) -> u8 {
    let mut shades = [0usize; 256];
    grey.iter().for_each(|luminance| shades[usize::from(*luminance)] += 1);
    shades.iter().zip(0..=u8::MAX).max_by_key(|(count, _)| **count).map_or(255, |(_, luminance)| luminance)
}

/// Inverts light text on a dark background.
fn dark_on_light(mut grey: Vec<u8>) -> Vec<u8> {
    let mean = grey.iter().map(|luminance| u64::from(*luminance)).sum::<u64>() / (grey.len() as u64).max(1);
    if mean < 128 && commonest(&grey) < 128 {
        grey.iter_mut().for_each(|luminance| *luminance = 255 - *luminance);
    }
    grey
}
