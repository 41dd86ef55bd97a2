//! What `cargo xtask test` does beside its first steps, so that no later step waits for it: downloads, which need the network
//! and no processor, and the modules of the browser app, whose last part keeps only one processor busy.

use std::thread::JoinHandle;

use crate::shell::TaskError;
use crate::{e2e, server, web, wheel};

/// Work under way.
#[derive(Default)]
pub(crate) struct Ahead {
    downloads: Option<JoinHandle<()>>,
    app: Option<JoinHandle<Result<(), TaskError>>>,
}

impl Ahead {
    /// Begins what the steps of these names will need.
    pub(crate) fn start(steps: &[&str]) -> Ahead {
        let needed = |step: &str| steps.contains(&step);
        let mut ahead = Ahead::default();
        let (browser, services, python) = (needed("e2e"), needed("server"), needed("python"));
        // A single missing tool is fetched by its step.
        if steps.len() > 3 && (browser || services || python) {
            ahead.downloads = Some(std::thread::spawn(move || {
                // The system's package manager works for one at a time; pip does not mind.
                let packages = std::thread::spawn(move || {
                    if browser {
                        e2e::fetch();
                    }
                    if services {
                        server::fetch();
                    }
                });
                if python {
                    wheel::fetch();
                }
                if services {
                    server::fetch_api_tools();
                }
                let _ = packages.join();
            }));
        }
        if needed("web") && needed("clippy") {
            ahead.app = Some(std::thread::spawn(web::compile_ahead));
        }
        ahead
    }

    /// Waits for what a step needs.
    pub(crate) fn wait_for(&mut self, step: &str) -> Result<(), TaskError> {
        match step {
            "web" => match self.app.take().map(JoinHandle::join) {
                Some(Ok(result)) => result,
                Some(Err(_)) => Err(TaskError::new("the build of the app panicked")),
                None => Ok(()),
            },
            "e2e" | "server" | "python" => {
                // What could not be fetched is reported by the step that misses it.
                let _ = self.downloads.take().map(JoinHandle::join);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
