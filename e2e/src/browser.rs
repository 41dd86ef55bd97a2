use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use futures_util::FutureExt as _;
use thirtyfour::prelude::*;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::page::Served;
use crate::private_window::PrivateWindow;
use crate::{Page, Problem};

/// Opens a fresh window at a fresh server, takes the steps, and always closes both. Nothing is left of earlier visits.
///
/// A picture of the page at the moment of a failure is left in `target/e2e`.
///
/// # Panics
///
/// If a step fails.
pub async fn visit(name: &str, steps: impl AsyncFnOnce(&mut Page) -> Result<(), Problem>) {
    let window = PrivateWindow::open().expect("the browser opens a window");
    let (mut driver, port) = start_driver().await.expect("chromedriver starts");
    let session = window.drive(port).await.expect("the driver finds the window");
    let page = Page::new(session, serve()).in_context(window.context());
    let done = go_through(name, page, &mut driver, steps).await;
    keep_if_fine(window, &done);
    judge(name, done);
}

fn serve() -> Served {
    Served::start(axum::Router::new()).expect("the server starts")
}

/// Closes a window. After a failure its browser ends too, so that no other test fails for the same reason.
pub(crate) fn keep_if_fine(window: PrivateWindow, done: &std::thread::Result<Result<(), Problem>>) {
    if matches!(done, Ok(Ok(()))) {
        // A browser that does not close a window ends.
        let _ = window.close();
    }
}

/// Takes the steps, makes a picture if one fails, and ends the driver.
async fn go_through(
    name: &str,
    mut page: Page,
    driver: &mut Child,
    steps: impl AsyncFnOnce(&mut Page) -> Result<(), Problem>,
) -> std::thread::Result<Result<(), Problem>> {
    let done = AssertUnwindSafe(steps(&mut page)).catch_unwind().await;
    if !matches!(done, Ok(Ok(()))) {
        photograph(&page, name).await;
    }
    // A browser that its driver started must be gone before the driver, or it stays behind.
    let _ = page.close().await;
    let _ = driver.kill().await;
    done
}

/// The same in Firefox, where it and its driver are installed; otherwise nothing is tested, and that is said.
///
/// # Panics
///
/// If a step fails.
pub async fn visit_firefox(name: &str, steps: impl AsyncFnOnce(&mut Page) -> Result<(), Problem>) {
    let Ok((mut driver, port)) = start_firefox_driver().await else {
        eprintln!(
            "{name} was not tested: geckodriver is missing (apt-get install firefox-esr, cargo install geckodriver)"
        );
        return;
    };
    let mut capabilities = DesiredCapabilities::firefox();
    capabilities.set_headless().expect("the switches are valid");
    let session = WebDriver::new(&format!("http://127.0.0.1:{port}"), capabilities).await.expect("Firefox opens");
    judge(name, go_through(name, Page::new(session, serve()), &mut driver, steps).await);
}

/// Starts Firefox's driver at a free port.
async fn start_firefox_driver() -> Result<(Child, u16), Problem> {
    let port = std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
    let mut command = Command::new("geckodriver");
    command.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let driver = command.spawn()?;
    for _ in 0..200 {
        if tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
            return Ok((driver, port));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err("geckodriver does not answer".into())
}

/// Leaves a picture of a page in `target/e2e`.
pub(crate) async fn photograph(page: &Page, name: &str) {
    let folder = root().join("target/e2e");
    let _ = std::fs::create_dir_all(&folder);
    let _ = page.driver().screenshot(&folder.join(format!("{name}.png"))).await;
}

/// Panics if the steps failed.
pub(crate) fn judge(name: &str, done: std::thread::Result<Result<(), Problem>>) {
    match done {
        Ok(Ok(())) => {}
        Ok(Err(problem)) => panic!("{name}: {problem}"),
        Err(panicked) => resume_unwind(panicked),
    }
}

/// Starts the driver at a port of its own choice. It exits if another program has that port in the other address
/// family, so it is tried again.
pub(crate) async fn start_driver() -> Result<(Child, u16), Problem> {
    for _ in 0..2 {
        if let Ok(started) = try_driver().await {
            return Ok(started);
        }
    }
    try_driver().await
}

/// Starts the driver and waits until it says at which port.
async fn try_driver() -> Result<(Child, u16), Problem> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let out = driver.stdout.take().ok_or("chromedriver has no output")?;
    let mut lines = BufReader::new(out).lines();
    let port = async {
        while let Some(line) = lines.next_line().await? {
            if let Some((_, rest)) = line.split_once("started successfully on port ") {
                return Ok(rest.trim_end_matches('.').parse()?);
            }
        }
        Err(Problem::from("chromedriver ended before it said its port"))
    };
    let port = tokio::time::timeout(Duration::from_secs(20), port).await??;
    // The output is not read any further, but the pipe stays open, so that the driver can write.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    Ok((driver, port))
}

/// The folder of the whole repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
