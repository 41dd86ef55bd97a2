//! How a function of a chunk waits for its chunk, in place of `wasm_split_helpers`, whose locks and messages for threads that
//! no page has are two kilobytes of every visit.

#![allow(unsafe_code)]

/// A chunk could not be fetched.
#[derive(Clone, Copy, Debug)]
pub struct SplitLoaderError;

/// What `#[wasm_split]` asks for.
pub mod rt {
    use std::cell::RefCell;
    use std::ffi::c_void;
    use std::pin::Pin;
    use std::rc::Rc;
    use std::task::{Context, Poll, Waker};

    use super::SplitLoaderError;

    /// What the script that loads chunks calls when it has.
    pub type LoadCallbackFn = unsafe extern "C" fn(*const c_void, bool);

    /// That script's function for a chunk.
    pub type LoadFn = unsafe extern "C" fn(LoadCallbackFn, *const c_void);

    /// A chunk to be fetched. What was fetched before is known to the script.
    pub struct LazySplitLoader(LoadFn);

    impl LazySplitLoader {
        /// # Safety
        ///
        /// `load` must call back exactly once, with the pointer that it was given.
        pub const unsafe fn new(load: LoadFn) -> LazySplitLoader {
            LazySplitLoader(load)
        }
    }

    /// Fetches a chunk; ready at once if it is here.
    pub fn ensure_loaded(loader: Pin<&'static LazySplitLoader>) -> Loading {
        Loading::ToDo(loader.get_ref().0)
    }

    /// A chunk on its way.
    pub enum Loading {
        /// Not asked for yet.
        ToDo(LoadFn),
        /// Asked for.
        Begun(Rc<Answer>),
    }

    /// Whether the chunk was fetched, once that is known, and whom to tell.
    #[derive(Default)]
    pub struct Answer(RefCell<(Option<bool>, Option<Waker>)>);

    impl Future for Loading {
        type Output = Result<(), SplitLoaderError>;

        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
            if let Loading::ToDo(load) = *self {
                let answer = Rc::new(Answer::default());
                // SAFETY: `answered` takes over the count that is given away here, once.
                unsafe { load(answered, Rc::into_raw(answer.clone()).cast()) };
                *self = Loading::Begun(answer);
            }
            let Loading::Begun(answer) = &*self else { return Poll::Pending };
            let (loaded, waker) = &mut *answer.0.borrow_mut();
            match loaded {
                Some(loaded) => Poll::Ready(loaded.then_some(()).ok_or(SplitLoaderError)),
                None => {
                    *waker = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        }
    }

    unsafe extern "C" fn answered(answer: *const c_void, loaded: bool) {
        // SAFETY: the pointer is the one that `poll` gave away.
        let answer = unsafe { Rc::<Answer>::from_raw(answer.cast()) };
        let waker = {
            let (known, waker) = &mut *answer.0.borrow_mut();
            *known = Some(loaded);
            waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
