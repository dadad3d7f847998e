//! A heap whose freed memory holds nothing (BUF-2): text of the screen passes through many strings and buffers, those of libraries included, and
//! none of them can be forgotten here. Each program declares it as its global allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;

/// The system's allocator; what is given back is overwritten with zeros first.
///
/// Wiping costs what writing the memory costs, some ten microseconds for a megabyte.
#[derive(Debug, Default, Clone, Copy)]
pub struct WipingAlloc;

// SAFETY: all memory comes from `System` and goes back to it with the layout that it was asked for with; between, nothing is changed but the
// content of a block that its owner gave back. `realloc` is the trait's own: a new block, a copy, and `dealloc` of the old one, so that a block
// which moves leaves nothing behind.
unsafe impl GlobalAlloc for WipingAlloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the rules of `alloc`, which are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the rules of `alloc_zeroed`, which are the same.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller owns `layout.size()` bytes at `block`, and nobody reads them any more.
        unsafe { block.write_bytes(0, layout.size()) };
        // The optimiser may not take the writing for useless because the block is freed.
        let block = black_box(block);
        // SAFETY: `block` came from `System` with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 4096;

    fn block() -> (*mut u8, Layout) {
        let layout = Layout::from_size_align(SIZE, 8).unwrap_or(Layout::new::<u64>());
        // SAFETY: the size is not zero.
        (unsafe { WipingAlloc.alloc(layout) }, layout)
    }

    // BUF-2
    #[test]
    fn what_is_freed_holds_nothing_buf_2() {
        let (block, layout) = block();
        // SAFETY: the block has so many bytes. Behind the first ones, if the system's allocator keeps notes of its own in a freed block, the
        // memory is looked at after it was given back: nothing else runs here that could have got it meanwhile.
        let left = unsafe {
            block.write_bytes(0xA7, SIZE);
            WipingAlloc.dealloc(block, layout);
            (64..SIZE).filter(|at| block.add(*at).read_volatile() == 0xA7).count()
        };
        assert_eq!(left, 0);
    }

    #[test]
    fn what_moves_keeps_its_content() {
        // Not the sign of the other test, whose freed block this one may get.
        let (block, layout) = block();
        // SAFETY: the block has so many bytes, and is given back with the layout that it has.
        unsafe {
            block.write_bytes(0x5C, SIZE);
            let larger = WipingAlloc.realloc(block, layout, 4 * SIZE);
            assert!((0..SIZE).all(|at| larger.add(at).read() == 0x5C));
            WipingAlloc.dealloc(larger, Layout::from_size_align_unchecked(4 * SIZE, 8));
        }
    }
}
