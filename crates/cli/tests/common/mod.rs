//! `fourfold serve` as a process, for tests of several kinds.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// `fourfold serve` at any free port, in English and without settings of the tests' own environment.
pub(crate) fn serve(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fourfold"));
    command.args(["serve", "--port", "0"]).args(arguments).env("LC_ALL", "en_GB.UTF-8").env("RUST_LOG", "off");
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("FOURFOLD_")) {
        command.env_remove(name);
    }
    command
}

/// A process that ends with the test.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server that has started, and its address: `127.0.0.1:40123`.
pub(crate) fn started(arguments: &[&str]) -> (Running, String) {
    let mut child = serve(arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("Fourfold is at http://").and_then(|rest| rest.split('/').next());
    (Running(child), address.unwrap_or_else(|| panic!("{line:?}")).to_owned())
}
