//! Counts what a thread allocates: a measure of work that is the same on every machine and at every run.
//!
//! A test binary that counts makes [`Counting`] its allocator:
//!
//! ```
//! use testkit::{Allocations, Counting};
//!
//! #[global_allocator]
//! static COUNTING: Counting = Counting;
//!
//! let work = Allocations::of(|| vec![1_u8; 100]);
//! assert_eq!(work, Allocations { count: 1, bytes: 100 });
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts what each thread asks for.
pub struct Counting;

/// What a thread has asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allocations {
    /// How often.
    pub count: u64,
    /// How many bytes in all.
    pub bytes: u64,
}

thread_local! {
    static SO_FAR: Cell<Allocations> = const { Cell::new(Allocations { count: 0, bytes: 0 }) };
}

impl Allocations {
    /// What `work` allocates on this thread; nothing is counted where [`Counting`] is not the allocator.
    pub fn of<T>(work: impl FnOnce() -> T) -> Allocations {
        let before = SO_FAR.get();
        let done = work();
        let after = SO_FAR.get();
        drop(done);
        Allocations { count: after.count - before.count, bytes: after.bytes - before.bytes }
    }
}

fn add(bytes: usize) {
    // A thread that is ending has no counter any more.
    let _ = SO_FAR.try_with(|so_far| {
        let Allocations { count, bytes: sum } = so_far.get();
        so_far.set(Allocations { count: count + 1, bytes: sum + bytes as u64 });
    });
}

#[expect(unsafe_code, reason = "an allocator is unsafe; this one only counts and hands on")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}
