//! An allocator that wipes freed memory (BUF-2): screen text passes through many strings and buffers, also inside libraries, and this wipes each of
//! them. Each program declares it as its global allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;

/// The system's allocator, which overwrites memory with zeros before it frees it.
///
/// Wiping costs as much as writing the memory, some ten microseconds per megabyte.
#[derive(Debug, Default, Clone, Copy)]
pub struct WipingAlloc;

// SAFETY: all memory comes from `System` and returns to it with the layout of its allocation; only the content of a freed block is changed.
// `realloc` is the trait's default: a new block, a copy, and `dealloc` of the old block, so that the old block of a moved allocation is wiped, too.
unsafe impl GlobalAlloc for WipingAlloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `alloc_zeroed`, which is the same.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller owns `layout.size()` bytes at `block` and no longer uses them.
        unsafe { block.write_bytes(0, layout.size()) };
        // Keeps the optimiser from removing the write before the free as a dead store.
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
        // SAFETY: the block has `SIZE` bytes. It is read after it was freed, past the first bytes, where the system's allocator may keep its own
        // data; no other code runs here that could have allocated the block meanwhile.
        let left = unsafe {
            block.write_bytes(0xA7, SIZE);
            WipingAlloc.dealloc(block, layout);
            (64..SIZE).filter(|at| block.add(*at).read_volatile() == 0xA7).count()
        };
        assert_eq!(left, 0);
    }

    #[test]
    fn what_moves_keeps_its_content() {
        // A different value than in the other test, whose freed block this allocation may reuse.
        let (block, layout) = block();
        // SAFETY: the block has `SIZE` bytes, later 4 × `SIZE`, and is freed with its layout.
        unsafe {
            block.write_bytes(0x5C, SIZE);
            let larger = WipingAlloc.realloc(block, layout, 4 * SIZE);
            assert!((0..SIZE).all(|at| larger.add(at).read() == 0x5C));
            WipingAlloc.dealloc(larger, Layout::from_size_align_unchecked(4 * SIZE, 8));
        }
    }
}
