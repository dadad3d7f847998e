//! Memory shared with the X server.

use std::ptr::NonNull;

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use x11rb::connection::Connection as _;
use x11rb::protocol::shm::{ConnectionExt as _, Seg};

use crate::PlatformError;
use crate::x11::{Failure, XConnection};

/// A mapped segment. The server frees its side at [`SharedMemorySegment::detach`] or when the connection closes; this
/// side is unmapped on drop.
pub(super) struct SharedMemorySegment {
    id: Seg,
    memory: NonNull<u8>,
    len: usize,
}

// SAFETY: the mapping belongs to this value alone, and may be used and unmapped from any thread.
unsafe impl Send for SharedMemorySegment {}

impl SharedMemorySegment {
    /// Allocates at least `bytes` bytes.
    pub(super) fn new(connection: &XConnection, bytes: usize) -> Result<Self, Failure> {
        // The size is rounded up, so that regions of slightly different sizes can reuse the segment.
        let len = bytes.next_multiple_of(256 * 1024);
        let size = u32::try_from(len).map_err(|_| PlatformError::OutsideScreen)?;
        let id = connection.generate_id()?;
        let file = connection.shm_create_segment(id, size, false)?.reply()?.shm_fd;
        // SAFETY: a new mapping at an address chosen by the kernel overlaps nothing.
        let mapped =
            unsafe { mmap(std::ptr::null_mut(), len, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED, &file, 0) };
        let memory = mapped.ok().and_then(|memory| NonNull::new(memory.cast::<u8>()));
        let Some(memory) = memory else {
            // The server's segment is useless without the mapping.
            connection.shm_detach(id)?;
            return Err(PlatformError::unavailable(
                "There is no memory for a picture of the screen.",
                "Close programs that use much memory.",
            )
            .into());
        };
        Ok(Self { id, memory, len })
    }

    pub(super) fn id(&self) -> Seg {
        self.id
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The first `bytes` bytes. Call it only after the server's reply, when the server has written them.
    pub(super) fn written(&self, bytes: usize) -> &[u8] {
        // SAFETY: the mapping holds `len` readable bytes while `self` lives; the server writes only between a request
        // and its reply, and `&self` prevents another request with this segment meanwhile (requests need `&mut
        // CaptureSession`).
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr(), bytes.min(self.len)) }
    }

    /// Zeroes the first `bytes` bytes.
    pub(super) fn wipe(&mut self, bytes: usize) {
        // SAFETY: as in `written`; `&mut self` ensures that no slice of it is in use.
        let memory = unsafe { std::slice::from_raw_parts_mut(self.memory.as_ptr(), bytes.min(self.len)) };
        memory.fill(0);
        std::hint::black_box(&*memory);
    }

    /// Frees the segment, including the server's side.
    pub(super) fn detach(self, connection: &XConnection) {
        // If the connection is lost, the server's side is gone as well.
        let _ = connection.shm_detach(self.id);
    }
}

impl Drop for SharedMemorySegment {
    fn drop(&mut self) {
        // SAFETY: `memory` and `len` are those of the mapping made in `new`, and nothing uses it any more.
        let _ = unsafe { munmap(self.memory.as_ptr().cast(), self.len) };
    }
}
