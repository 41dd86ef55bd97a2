//! What builders need: set-up, tests, tables, golden files, checks. `cargo xtask --help` lists it.

mod ahead;
mod arrows;
mod beside;
mod compiled;
mod deny;
mod dist;
mod e2e;
mod mutants;
mod no_games;
mod server;
mod setup;
mod shell;
mod simulate;
mod steps;
mod tidy;
mod web;
mod wheel;

use std::process::ExitCode;

use shell::TaskError;

const HELP: &str = "\
what builders need; every command does its own set-up and says what it installs

usage: cargo xtask <command>

  run                  builds the browser app and the `fourfold` program around it, and serves it: prints the address
  run -- serve …       the same with arguments, such as `--address 0.0.0.0`
  run -- ARGUMENTS     builds in release and runs `fourfold` with these arguments, such as `play quixo`
  web                  builds the browser app into target/web-bundle and says how heavy it is
      [--quick]        in the shortest time, to look at a change: several times as large
  frames               measures the longest gap between frames while the strongest level thinks, in a real browser
  lighthouse [PAGE…]   asks Lighthouse (npm) about every page; less than 100, or 98 for performance, fails
  look [WORD…]         takes pictures of every page, or of those with such a name, into target/look: three widths,
                       both themes, three languages, or those of `--width`, `--theme` and `--language` alone
  icons                draws the PNG icons of the installed app anew, from the SVG
  wheel                builds the Python package into target/wheels
  pictures             takes the README's pictures of all games in a real browser
  test                 every check there is, with a summary at the end
       --only STEP     just this step; may be repeated
       --skip STEP     all but this step; may be repeated
       --quick         format and the tests of the crates under all programs: for the inner loop
       --list          the steps and what they do
  golden [--check]     writes the golden playthroughs anew, or compares them
  perft [--check]      counts the perft tables anew, or compares them
  bench [--check]      records the bench signature, or compares it
  fuzz [--seconds N]   runs every fuzz target for N seconds, default 60 (needs nightly and cargo-fuzz)
       [--target NAME] just this target
  dist [--check] [--all] makes the release files in target/dist: static program, archive, Debian package, container image,
                       list of components; --all for aarch64 too; --check builds them a second time elsewhere and compares
       --of PROGRAM    packs a program that was compiled otherwise
       --publish TAG   puts them into a release on GitHub (needs gh and GH_TOKEN)
       --try [OLDER.deb] installs them in a bare Debian and in a root with nothing, plays over them, upgrades from the
                       older package and rolls back under load, and purges (needs root, mmdebstrap, busybox-static)
  simulate             runs nodes, a database, a broker and clients on simulated time, with faults, and checks what is
                       promised; --seed N, --seeds COUNT, --minutes M, --trace
       --planted       plants the bugs of crates/simulator/bugs.txt in a copy, and counts the seeds until each is found
  mutants [PART|FILE]  changes the rules, matches, sessions and the server's tables in small ways, one at a time, and says
                       which changes no test notices and how long that took; --jobs=N, --missed (those of the last time),
                       --together (not those that need a compilation of their own), --every=N (each N-th alone)
  site                 makes a static site of the documents in target/site
  fix                  formats the code and applies what clippy can apply by itself
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["run", "--", rest @ ..] | ["run", rest @ ..] => steps::run(rest),
        ["web"] => web::check(),
        ["web", "--quick"] => web::quick(),
        ["simulate", "--planted", names @ ..] => simulate::planted(names),
        ["simulate", rest @ ..] => simulate::run(rest),
        ["frames"] => e2e::frames(),
        ["lighthouse", words @ ..] => e2e::lighthouse(words),
        ["look", words @ ..] => e2e::look(words),
        ["icons"] => e2e::icons(),
        ["pictures"] => e2e::pictures(),
        ["wheel"] => wheel::wheel().map(drop),
        ["test", rest @ ..] => steps::test(rest),
        ["golden"] => steps::tables("golden", steps::Tables::Write),
        ["golden", "--check"] => steps::tables("golden", steps::Tables::Check),
        ["perft"] => steps::tables("perft", steps::Tables::Write),
        ["perft", "--check"] => steps::tables("perft", steps::Tables::Check),
        ["bench"] => steps::bench(steps::Tables::Write),
        ["bench", "--check"] => steps::bench(steps::Tables::Check),
        ["fuzz", rest @ ..] => steps::fuzz_command(rest),
        ["mutants", words @ ..] => mutants::mutants(words),
        ["dist"] => dist::dist(false),
        ["dist", "--all"] => dist::dist(true),
        ["dist", "--check"] => dist::check(false),
        ["dist", "--check", "--all"] => dist::check(true),
        ["dist", "--publish", tag] => dist::publish(tag),
        ["dist", "--of", program] => dist::dist_of(program),
        ["dist", "--try"] => dist::try_out(None),
        ["dist", "--try", older] => dist::try_out(Some(older)),
        ["site"] => steps::site(),
        ["fix"] => steps::fix(),
        ["-h" | "--help" | "help"] => {
            print!("{HELP}");
            Ok(())
        }
        [] => Err(TaskError::usage(format!("a command is missing\n\n{HELP}"))),
        [other, ..] => Err(TaskError::usage(format!("cannot do {other:?} with these arguments\n\n{HELP}"))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::from(failure.exit_code)
        }
    }
}
