//! Streams a model file to whisper.cpp, so that it reads the very file that was checked, even if its path changes meanwhile.

use std::ffi::c_void;
use std::fs::File;
use std::io::{BufReader, Read};
use std::ptr::NonNull;

use whisper_rs::whisper_rs_sys as sys;

struct LoaderSource {
    file: BufReader<File>,
    /// Set after a short read.
    ended: bool,
}

/// Loads a model; `None` if whisper.cpp rejects it.
pub(super) fn load(file: File, params: sys::whisper_context_params) -> Option<NonNull<sys::whisper_context>> {
    let mut source = LoaderSource { file: BufReader::with_capacity(1 << 18, file), ended: false };
    let mut loader = sys::whisper_model_loader {
        context: (&raw mut source).cast(),
        read: Some(read),
        eof: Some(is_at_end),
        close: Some(close),
    };
    // SAFETY: `source` and `loader` outlive the call, which does not keep them.
    NonNull::new(unsafe { sys::whisper_init_with_params_no_state(&raw mut loader, params) })
}

unsafe extern "C" fn read(source: *mut c_void, output: *mut c_void, size: usize) -> usize {
    if size == 0 {
        return 0;
    }
    // SAFETY: `load` passed it, and no other reference to it exists meanwhile.
    let source = unsafe { &mut *source.cast::<LoaderSource>() };
    // SAFETY: whisper.cpp has `size` bytes there, which are only written to.
    let output = unsafe { std::slice::from_raw_parts_mut(output.cast::<u8>(), size) };
    let mut done = 0;
    while done < size {
        match source.file.read(&mut output[done..]) {
            Ok(0) => break,
            Ok(count) => done += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    source.ended |= done < size;
    done
}

unsafe extern "C" fn is_at_end(source: *mut c_void) -> bool {
    // SAFETY: as in `read`.
    unsafe { &*source.cast::<LoaderSource>() }.ended
}

unsafe extern "C" fn close(_: *mut c_void) {}
