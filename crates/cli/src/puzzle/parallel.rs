//! Work cut into items that threads take one by one.

use std::sync::Mutex;

/// Does the work for every item on so many threads; the results are in the order of the items.
pub(super) fn in_parallel<T, R>(items: Vec<T>, threads: usize, work: impl Fn(T) -> R + Sync) -> Vec<R>
where
    T: Send,
    R: Send,
{
    if threads < 2 || items.len() < 2 {
        return items.into_iter().map(work).collect();
    }
    let count = items.len();
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    let take = || {
        let mut done = Vec::new();
        while let Some((index, item)) = next() {
            done.push((index, work(item)));
        }
        done
    };
    let mut results: Vec<Option<R>> = (0..count).map(|_| None).collect();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(count)).map(|_| scope.spawn(take)).collect();
        for worker in workers {
            match worker.join() {
                Ok(done) => done.into_iter().for_each(|(index, result)| results[index] = Some(result)),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items_whatever_the_number_of_threads() {
        let squares: Vec<u64> = (0..100).map(|n| n * n).collect();
        for threads in [1, 2, 7, 300] {
            assert_eq!(in_parallel((0..100).collect(), threads, |n: u64| n * n), squares);
        }
    }
}
