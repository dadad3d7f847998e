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

use crate::reading::{LineReading, ReadCharacter};
use crate::recognise::{LineImage, LineRecogniser};
use crate::runtime::RunCanceller;
use crate::spaces;

/// The name in results.
pub const NAME: &str = "tesseract";

/// The library's name: Debian's, and that of the installer for Windows.
const LIBRARY: &str = if cfg!(windows) { "libtesseract-5.dll" } else { "libtesseract.so.5" };
/// How to get the library and its data.
const REMEDY: &str = if cfg!(windows) {
    "Install Tesseract 5 with its Korean data, and add its folder to the PATH."
} else {
    "Install the packages libtesseract5 and tesseract-ocr-kor."
};

/// Height of the ink of a line in pixels. A reading that is not sure is tried again at the second height, because a font is often read well at
/// one height and badly at another: of heights from 32 to 56, single ones left 0.7 to 1.9 % errors on printed lines of several fonts, this pair
/// 0.7 %.
const INK_HEIGHTS: [usize; 2] = [44, 32];
/// Confidence from which a reading is not tried again.
const SURE: f32 = 0.9;
/// Line height at which the ink is looked for.
const LOOKING_HEIGHT: usize = 48;
/// A line is at most this many times as high as its ink.
const MOST_MARGIN: f32 = 2.5;
/// White padding in pixels; without it the first and last letters are lost.
const PADDING: usize = 12;
/// `PSM_SINGLE_LINE`: treats the picture as one line of text.
const SINGLE_LINE: c_int = 7;

/// `RIL_WORD` and `RIL_SYMBOL`: levels of an iterator over results.
const WORD: c_int = 3;
const SYMBOL: c_int = 4;

type TesseractHandle = *mut c_void;
/// Also a page iterator: the C API converts without moving.
type IteratorHandle = *mut c_void;

/// The functions of the C API that are used.
struct Functions {
    create: unsafe extern "C" fn() -> TesseractHandle,
    init: unsafe extern "C" fn(TesseractHandle, *const c_char, *const c_char) -> c_int,
    set_variable: unsafe extern "C" fn(TesseractHandle, *const c_char, *const c_char) -> c_int,
    set_mode: unsafe extern "C" fn(TesseractHandle, c_int),
    set_image: unsafe extern "C" fn(TesseractHandle, *const u8, c_int, c_int, c_int, c_int),
    set_resolution: unsafe extern "C" fn(TesseractHandle, c_int),
    recognise: unsafe extern "C" fn(TesseractHandle, *mut c_void) -> c_int,
    iterator: unsafe extern "C" fn(TesseractHandle) -> IteratorHandle,
    next: unsafe extern "C" fn(IteratorHandle, c_int) -> c_int,
    whole_text: unsafe extern "C" fn(TesseractHandle) -> *mut c_char,
    text: unsafe extern "C" fn(IteratorHandle, c_int) -> *mut c_char,
    confidence: unsafe extern "C" fn(IteratorHandle, c_int) -> f32,
    page_iterator: unsafe extern "C" fn(IteratorHandle) -> IteratorHandle,
    bounds: unsafe extern "C" fn(IteratorHandle, c_int, *mut c_int, *mut c_int, *mut c_int, *mut c_int) -> c_int,
    delete_iterator: unsafe extern "C" fn(IteratorHandle),
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
                recognise: *library.get(b"TessBaseAPIRecognize\0")?,
                iterator: *library.get(b"TessBaseAPIGetIterator\0")?,
                next: *library.get(b"TessResultIteratorNext\0")?,
                whole_text: *library.get(b"TessBaseAPIGetUTF8Text\0")?,
                text: *library.get(b"TessResultIteratorGetUTF8Text\0")?,
                confidence: *library.get(b"TessResultIteratorConfidence\0")?,
                page_iterator: *library.get(b"TessResultIteratorGetPageIterator\0")?,
                bounds: *library.get(b"TessPageIteratorBoundingBox\0")?,
                delete_iterator: *library.get(b"TessResultIteratorDelete\0")?,
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
                "Install the package tesseract-ocr-kor again.",
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

    fn read(&mut self, line: &LineImage<'_>, _: &RunCanceller) -> Result<LineReading, EngineError> {
        let inked = spaces::inked_rows(&line.cut(&mut self.scaler, LOOKING_HEIGHT)).max(1.0 / MOST_MARGIN);
        let mut best = LineReading::default();
        for ink_height in INK_HEIGHTS {
            let reading = self.read_at(line, (ink_height as f32 / inked).round() as usize);
            if best.is_empty() || reading.confidence() > best.confidence() {
                best = reading;
            }
            if best.confidence() >= SURE {
                break;
            }
        }
        Ok(best)
    }
}

impl Tesseract {
    /// Reads a line, scaled to `height` pixels.
    fn read_at(&mut self, line: &LineImage<'_>, height: usize) -> LineReading {
        let cut = line.cut(&mut self.scaler, height);
        let grey = on_even_ground(dark_on_light(cut.grey()), cut.width);
        let (width, height) = (cut.width + 2 * PADDING, cut.height + 2 * PADDING);
        // The padding has the background colour, so that no edge appears around the line.
        let mut image = vec![commonest(&grey); width * height];
        for (row, source) in image.chunks_exact_mut(width).skip(PADDING).zip(grey.chunks_exact(cut.width)) {
            row[PADDING..PADDING + cut.width].copy_from_slice(source);
        }
        let size = |pixels: usize| c_int::try_from(pixels).unwrap_or(c_int::MAX);
        let handle = self.handle.as_ptr();
        // SAFETY: the handle is alive and initialised. The image has `height` rows of `width` bytes, and Tesseract copies it. A null monitor
        // means none.
        let code = unsafe {
            (self.functions.set_image)(handle, image.as_ptr(), size(width), size(height), 1, size(width));
            (self.functions.set_resolution)(handle, 150);
            (self.functions.recognise)(handle, ptr::null_mut())
        };
        let reading = if code == 0 { self.characters(cut.width) } else { LineReading::default() };
        // SAFETY: the handle is alive, and no iterator is any more.
        unsafe { (self.functions.clear)(handle) };
        reading
    }

    /// The characters of the line that was recognised last, which is `width` pixels wide without its padding.
    fn characters(&self, width: usize) -> LineReading {
        let mut reading = LineReading::default();
        let functions = &self.functions;
        // SAFETY: the handle is alive and has recognised. The iterator is null without text, else alive until it is deleted at the end; its
        // page iterator is the same object. Texts are copied and freed by `owned`.
        unsafe {
            // Only the whole text tells spaces: the iterator parts Korean words of a wide font into syllables.
            let whole = self.owned((functions.whole_text)(self.handle.as_ptr()));
            let mut rest = whole.chars().peekable();
            let iterator = (functions.iterator)(self.handle.as_ptr());
            if iterator.is_null() {
                return reading;
            }
            let page = (functions.page_iterator)(iterator);
            loop {
                let symbol = self.owned((functions.text)(iterator, SYMBOL)).trim().to_owned();
                let (mut left, mut top, mut right, mut bottom) = (0, 0, 0, 0);
                let placed = (functions.bounds)(page, SYMBOL, &mut left, &mut top, &mut right, &mut bottom) != 0;
                let place = |x: c_int| ((x as f32 - PADDING as f32) / width as f32).clamp(0.0, 1.0);
                if placed && !symbol.is_empty() {
                    let mut spaced = false;
                    while rest.next_if(|char| char.is_whitespace()).is_some() {
                        spaced = true;
                    }
                    for char in symbol.chars() {
                        rest.next_if_eq(&char);
                    }
                    reading.characters.push(ReadCharacter {
                        text: symbol,
                        start: place(left),
                        end: place(right),
                        // That of a single character is high for nonsense, too.
                        confidence: ((functions.confidence)(iterator, WORD) / 100.0).clamp(0.0, 1.0),
                        spaced: spaced && !reading.is_empty(),
                    });
                }
                if (functions.next)(iterator, SYMBOL) == 0 {
                    break;
                }
            }
            (functions.delete_iterator)(iterator);
        }
        reading
    }

    /// Copies and frees a text.
    ///
    /// # Safety
    /// `text` is null or one that Tesseract has made and that nothing else uses.
    unsafe fn owned(&self, text: *mut c_char) -> String {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: the text ends with zero and is freed once, after it is copied.
        unsafe {
            let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
            (self.functions.delete_text)(text);
            copy
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

/// Lightens dark ground to white, piece by piece: Tesseract takes the dark end of a gradient for ink. Ground is lighter than most of the pixels of
/// a piece as wide as the line is high.
fn on_even_ground(mut grey: Vec<u8>, width: usize) -> Vec<u8> {
    const LIGHTEST: usize = 5;
    let height = grey.len() / width.max(1);
    let pieces = width.div_ceil(height.max(1)).max(1);
    let grounds: Vec<f32> = (0..pieces)
        .map(|piece| {
            let columns =
                piece * width / pieces..((piece + 1) * width / pieces).max(piece * width / pieces + 1).min(width);
            let mut shades: Vec<u8> =
                grey.chunks_exact(width).flat_map(|row| row[columns.clone()].iter().copied()).collect();
            let at = shades.len() - 1 - shades.len() / LIGHTEST;
            f32::from(*shades.select_nth_unstable(at).1).max(64.0)
        })
        .collect();
    let ground_at = |x: usize| {
        let place = ((x as f32 + 0.5) / width as f32 * pieces as f32 - 0.5).clamp(0.0, (pieces - 1) as f32);
        let (left, part) = (place as usize, place.fract());
        grounds[left] * (1.0 - part) + grounds[(left + 1).min(pieces - 1)] * part
    };
    let factors: Vec<f32> = (0..width).map(|x| 255.0 / ground_at(x)).collect();
    for row in grey.chunks_exact_mut(width) {
        row.iter_mut().zip(&factors).for_each(|(value, factor)| *value = (f32::from(*value) * factor).min(255.0) as u8);
    }
    grey
}

/// Inverts light text on a dark background.
fn dark_on_light(mut grey: Vec<u8>) -> Vec<u8> {
    let mean = grey.iter().map(|luminance| u64::from(*luminance)).sum::<u64>() / (grey.len() as u64).max(1);
    if mean < 128 && commonest(&grey) < 128 {
        grey.iter_mut().for_each(|luminance| *luminance = 255 - *luminance);
    }
    grey
}
