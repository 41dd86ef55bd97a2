//! Memory of the program in the browser.
//!
//! Blocks have the sizes of powers of two, and what is freed waits in a list for the next block of its size. The standard
//! library's allocator wastes less memory, but takes 3 kB of what every first visit loads, and longer to answer.

// An allocator is unsafe; a browser runs the program in one thread.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::ptr;

/// The size of the smallest block; no type asks for a stricter alignment.
const SMALLEST: usize = 16;

/// The unit in which memory grows, and by how many of them at least.
const PAGE: usize = 1 << 16;
const FEWEST_PAGES: usize = 4;

/// Hands out blocks of memory.
pub struct Blocks {
    /// The first free block of each size; the first word of a free block is the address of the next one.
    free: [Cell<usize>; 32],
    /// What is left of the pages that were asked for last.
    rest: Cell<(usize, usize)>,
}

unsafe impl Sync for Blocks {}

impl Blocks {
    /// Without any memory.
    pub const fn empty() -> Blocks {
        Blocks { free: [const { Cell::new(0) }; 32], rest: Cell::new((0, 0)) }
    }

    /// A block that was never used; 0 if there is no memory left.
    fn fresh(&self, size: usize) -> usize {
        let (mut start, mut end) = self.rest.get();
        if end - start < size {
            let pages = size.div_ceil(PAGE).max(FEWEST_PAGES);
            let Some(grown) = grow(pages) else { return 0 };
            // New pages follow the old ones, unless something else has asked for some; then the rest of those is given up.
            if grown != end {
                start = grown;
            }
            end = grown + pages * PAGE;
        }
        self.rest.set((start + size, end));
        start
    }
}

/// The address of so many new pages.
#[cfg(target_family = "wasm")]
fn grow(pages: usize) -> Option<usize> {
    let before = core::arch::wasm32::memory_grow::<0>(pages);
    (before != usize::MAX).then(|| before * PAGE)
}

#[cfg(not(target_family = "wasm"))]
fn grow(pages: usize) -> Option<usize> {
    Some(vec![0_u128; pages * PAGE / SMALLEST].leak().as_mut_ptr().expose_provenance())
}

/// Which power of two is large enough for so many bytes.
const fn class(size: usize) -> usize {
    let size = if size < SMALLEST { SMALLEST } else { size };
    (usize::BITS - (size - 1).leading_zeros()) as usize
}

unsafe impl GlobalAlloc for Blocks {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let class = class(layout.size());
        let Some(free) = self.free.get(class).filter(|_| layout.align() <= SMALLEST) else { return ptr::null_mut() };
        let first = free.get();
        if first == 0 {
            return ptr::with_exposed_provenance_mut(self.fresh(1 << class));
        }
        let block = ptr::with_exposed_provenance_mut::<usize>(first);
        free.set(unsafe { block.read() });
        block.cast()
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Some(free) = self.free.get(class(layout.size())) {
            unsafe { block.cast::<usize>().write(free.get()) };
            free.set(block.expose_provenance());
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Ok(wanted) = Layout::from_size_align(size, layout.align()) else { return ptr::null_mut() };
        if class(size) == class(layout.size()) {
            return block;
        }
        unsafe {
            let other = self.alloc(wanted);
            if !other.is_null() {
                ptr::copy_nonoverlapping(block, other, size.min(layout.size()));
                self.dealloc(block, layout);
            }
            other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_do_not_overlap_keep_their_content_and_are_used_again() {
        let blocks = Blocks::empty();
        let layout = |size| Layout::from_size_align(size, 8).unwrap();
        let sizes = [1, 16, 17, 1000, 300_000, 24, 5_000, 64, 2_000_000, 3];
        let all = sizes.map(|size| unsafe { (blocks.alloc(layout(size)), size) });
        for (number, (block, size)) in all.into_iter().enumerate() {
            assert!(block.addr().is_multiple_of(SMALLEST));
            unsafe { block.write_bytes(number as u8, size) };
        }
        for (number, (block, size)) in all.into_iter().enumerate() {
            assert!((0..size).all(|at| unsafe { block.add(at).read() } == number as u8), "{size}");
        }
        let grown = unsafe { blocks.realloc(all[3].0, layout(1000), 1024) };
        assert_eq!(grown, all[3].0);
        let moved = unsafe { blocks.realloc(grown, layout(1024), 1025) };
        assert!(moved != grown && (0..1000).all(|at| unsafe { moved.add(at).read() } == 3));
        assert_eq!(unsafe { blocks.alloc(layout(600)) }, grown);
    }
}
