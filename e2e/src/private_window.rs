//! Windows for visits, in browsers that are kept: to start a browser takes as much of the processor as a short test.
//!
//! Each visit has a window in a browser context of its own, as a private window has one: no storage, cache, cookie or
//! service worker of another visit is there, and all of them go with it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thirtyfour::prelude::*;

use crate::Problem;

/// Switches that keep a browser quiet, reproducible, and able to run as root in a container. Those after the size are what
/// the driver gives to browsers that it starts itself.
const SWITCHES: [&str; 27] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--window-size=1200,1000",
    "--allow-pre-commit-input",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-client-side-phishing-detection",
    "--disable-default-apps",
    "--disable-hang-monitor",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--enable-automation",
    "--no-service-autorun",
    "--password-store=basic",
    "--test-type=webdriver",
    "--use-mock-keychain",
    // The first two are the driver's too. The others are lists under the address bar: pages of their own in every window,
    // which nobody sees and which cost more than the window.
    "--disable-features=IgnoreDuplicateNavs,Prewarm,WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    // A visit opens its own.
    "--no-startup-window",
    // The driver comes to the port; windows are made and thrown away through the pipe.
    "--remote-debugging-port=0",
];

/// Browsers in which no visit takes place.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());

/// A window that shares nothing with those of other visits, and the browser that no other visit uses meanwhile.
#[derive(Debug)]
pub(crate) struct PrivateWindow {
    browser: Browser,
    context: String,
    name: String,
}

impl PrivateWindow {
    /// Opens a window in a browser that is idle, or in a new one.
    pub(crate) fn open() -> Result<PrivateWindow, Problem> {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut browser = idle.map_or_else(Browser::start, Ok)?;
        let context = browser.ask("Target.createBrowserContext", &json!({}))?;
        let context = text(&context, "browserContextId")?;
        let window = json!({ "url": "about:blank", "newWindow": true, "browserContextId": context });
        let window = browser.ask("Target.createTarget", &window)?;
        Ok(PrivateWindow { browser, context, name: text(&window, "targetId")? })
    }

    /// What the browser calls the context, for commands that concern all of it.
    pub(crate) fn context(&self) -> &str {
        &self.context
    }

    /// Lets a driver at a port into this window.
    pub(crate) async fn drive(&self, driver_port: u16) -> Result<WebDriver, Problem> {
        let mut capabilities = DesiredCapabilities::chrome();
        capabilities.set_debugger_address(&format!("127.0.0.1:{}", self.browser.port))?;
        let driver = WebDriver::new(&format!("http://127.0.0.1:{driver_port}"), capabilities).await?;
        driver.switch_to_window(self.name.clone().into()).await?;
        Ok(driver)
    }

    /// Closes the window with all that the visit left, and keeps the browser for another one.
    pub(crate) fn close(mut self) -> Result<(), Problem> {
        self.browser.ask("Target.disposeBrowserContext", &json!({ "browserContextId": self.context }))?;
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self.browser);
        Ok(())
    }
}

fn text(answer: &Value, name: &str) -> Result<String, Problem> {
    Ok(answer[name].as_str().ok_or_else(|| format!("the browser names no {name}: {answer}"))?.to_owned())
}

/// A running browser. It ends when this is dropped, or the whole program ends: then its pipe is closed.
#[derive(Debug)]
struct Browser {
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    asked: u64,
    port: u16,
}

impl Browser {
    fn start() -> Result<Browser, Problem> {
        let folder = profile_folder();
        std::fs::create_dir_all(&folder)?;
        let mut browser = Command::new("sh")
            // The browser talks through its third and fourth file, and leaves its profile behind.
            .args(["-c", "folder=$1; shift; \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1; rm -rf \"$folder\"", "sh"])
            .arg(&folder)
            .arg(chromium())
            .args(SWITCHES)
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", folder.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let commands = browser.stdin.take().ok_or("the browser takes no commands")?;
        let answers = BufReader::new(browser.stdout.take().ok_or("the browser gives no answers")?);
        let mut browser = Browser { commands, answers, asked: 0, port: 0 };
        // It answers once it stands.
        browser.ask("Browser.getVersion", &json!({}))?;
        browser.port = port(&folder)?;
        Ok(browser)
    }

    /// The answer to a command of the developer tools.
    fn ask(&mut self, command: &str, parameters: &Value) -> Result<Value, Problem> {
        self.asked += 1;
        let message = json!({ "id": self.asked, "method": command, "params": parameters });
        self.commands.write_all(format!("{message}\0").as_bytes())?;
        loop {
            let mut answer = Vec::new();
            self.answers.read_until(0, &mut answer)?;
            if answer.pop().is_none() {
                return Err("the browser has ended".into());
            }
            let mut answer: Value = serde_json::from_slice(&answer)?;
            // What happens meanwhile is told too, without a number.
            if answer["id"] == self.asked {
                return if answer["error"].is_null() {
                    Ok(answer["result"].take())
                } else {
                    Err(format!("{command}: {}", answer["error"]).into())
                };
            }
        }
    }
}

/// The port for drivers, which the browser writes into its profile.
fn port(folder: &Path) -> Result<u16, Problem> {
    let began = Instant::now();
    loop {
        let written = std::fs::read_to_string(folder.join("DevToolsActivePort")).unwrap_or_default();
        // The second line is written with the first.
        if let Some((port, _)) = written.split_once('\n') {
            return Ok(port.parse()?);
        }
        if began.elapsed() > Duration::from_secs(20) {
            return Err("the browser opens no port for its driver".into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn chromium() -> &'static str {
    let names = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];
    names.into_iter().find(|name| Path::new(name).exists()).unwrap_or("chromium")
}

fn profile_folder() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("fourfold-browser-{}-{number}", std::process::id()))
}
