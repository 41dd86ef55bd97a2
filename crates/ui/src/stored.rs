//! Values of nodes: of any type, and each read as the type it has.
//!
//! A handle and its node are made together for one type, a number of a node is never used again, and handles stay in their
//! thread, so what a handle finds has its type. `Any` would prove it each time with a number of sixteen bytes, of which no
//! compressor makes less: about 1.5 % of all the code that pages load. Where assertions are on, it is proved all the same.

#![allow(unsafe_code)]

#[cfg(debug_assertions)]
use std::any::TypeId;

/// What a node may hold.
pub(crate) trait Stored: 'static {
    /// Which type it is.
    #[cfg(debug_assertions)]
    fn kind(&self) -> TypeId {
        TypeId::of::<Self>()
    }
}

impl<T: 'static> Stored for T {}

/// The value of a handle for this type.
pub(crate) fn typed<T: 'static>(value: &dyn Stored) -> &T {
    check::<T>(value);
    // As above.
    unsafe { &*std::ptr::from_ref(value).cast::<T>() }
}

/// The value of a handle for this type, to be changed.
pub(crate) fn typed_mut<T: 'static>(value: &mut dyn Stored) -> &mut T {
    check::<T>(value);
    // As above.
    unsafe { &mut *std::ptr::from_mut(value).cast::<T>() }
}

/// The value of a handle for this type, by itself.
pub(crate) fn unboxed<T: 'static>(value: Box<dyn Stored>) -> T {
    check::<T>(&*value);
    // As above; the box was made with this type.
    *unsafe { Box::from_raw(Box::into_raw(value).cast::<T>()) }
}

fn check<T: 'static>(_value: &dyn Stored) {
    #[cfg(debug_assertions)]
    assert_eq!(_value.kind(), TypeId::of::<T>(), "a handle is for the type of its node");
}
