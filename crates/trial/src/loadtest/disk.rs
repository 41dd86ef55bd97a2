//! What the disk can do meanwhile: an acknowledgement cannot come before the disk has the action.

use std::fs::File;
use std::io::{Seek, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Writes a page to a file of its own now and then, and measures how long the disk takes to have it.
pub(super) struct Probe {
    enough: Arc<AtomicBool>,
    waits: JoinHandle<Vec<Duration>>,
}

const PAUSE: Duration = Duration::from_millis(40);

impl Probe {
    pub(super) fn start() -> Probe {
        let enough = Arc::new(AtomicBool::new(false));
        let told = enough.clone();
        let waits = std::thread::spawn(move || probe(&told).unwrap_or_default());
        Probe { enough, waits }
    }

    /// The time that one in a hundred writes exceeded, in milliseconds; nothing was measured if it is 0.
    pub(super) fn finish(self) -> f64 {
        self.enough.store(true, Ordering::Relaxed);
        let mut waits = self.waits.join().unwrap_or_default();
        waits.sort_unstable();
        let Some(last) = waits.len().checked_sub(1) else { return 0.0 };
        waits[(last as f64 * 0.99).round() as usize].as_secs_f64() * 1000.0
    }
}

fn probe(enough: &AtomicBool) -> std::io::Result<Vec<Duration>> {
    let path = std::env::temp_dir().join(format!("fourfold-disk-{}", std::process::id()));
    let mut file = File::create(&path)?;
    let mut waits = Vec::new();
    while !enough.load(Ordering::Relaxed) {
        let began = Instant::now();
        file.rewind()?;
        file.write_all(&[7; 4096])?;
        file.sync_data()?;
        waits.push(began.elapsed());
        std::thread::sleep(PAUSE);
    }
    std::fs::remove_file(path)?;
    Ok(waits)
}
