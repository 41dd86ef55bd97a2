//! The command line in the user's language: help, and what was wrong with the arguments.

use std::error::Error;
use std::ffi::OsString;
use std::num::ParseIntError;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};
use fourfold::value::BadValue;
use game::BadGame;
use locale::Language;
use rules::excerpt;

use crate::error_text;

/// The language asked for, found before the arguments are read: help and errors are in it too.
pub(crate) fn asked_language(arguments: &[OsString]) -> Option<String> {
    let mut texts = arguments.iter().map(|argument| argument.to_string_lossy()).take_while(|argument| argument != "--");
    while let Some(text) = texts.next() {
        if text == "--lang" {
            return texts.next().map(Into::into);
        }
        if let Some(language) = text.strip_prefix("--lang=") {
            return Some(language.to_owned());
        }
    }
    None
}

/// The command and all its subcommands with their texts in a language.
pub(crate) fn in_words(command: Command, language: Language) -> Command {
    let name = command.get_name().to_owned();
    explained(command, language, &name, "")
}

/// `path` are the subcommands that lead here, joined by spaces; `name` is the same after the program's name.
fn explained(mut command: Command, language: Language, name: &str, path: &str) -> Command {
    if let Some(text) = about(language, path) {
        command = command.about(text).long_about(None);
    }
    let arguments: Vec<clap::Id> = command.get_arguments().map(|argument| argument.get_id().clone()).collect();
    for id in arguments {
        let text = argument_about(language, path, id.as_str());
        // A worker reads the settings of the nodes, most of which are not about it.
        let hidden = path == "worker" && !WORKER.contains(&id.as_str());
        command = command.mut_arg(id, |argument| with_text(argument, language, text).hide(hidden));
    }
    let heading = Some(language.help_options());
    command = command.disable_help_subcommand(true).disable_help_flag(true).arg(
        Arg::new("help")
            .short('h')
            .long("help")
            .action(ArgAction::Help)
            .help(language.help_help())
            .help_heading(heading),
    );
    if path.is_empty() {
        command = command.disable_version_flag(true).arg(
            Arg::new("version")
                .short('V')
                .long("version")
                .action(ArgAction::Version)
                .help(language.help_version())
                .help_heading(heading),
        );
    }
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for sub in names {
        let path = if path.is_empty() { sub.clone() } else { format!("{path} {sub}") };
        let name = format!("{name} {sub}");
        command = command.mut_subcommand(sub, |command| explained(command, language, &name, &path));
    }
    command = command.subcommand_help_heading(language.help_commands());
    command = command.subcommand_value_name(language.help_word_command());
    let usage = command.clone().bin_name(name).render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").replace("OPTIONS", language.help_word_options());
    let template = format!("{{about-with-newline}}\n{} {{usage}}\n\n{{all-args}}", language.help_usage());
    command.override_usage(usage).help_template(template)
}

fn with_text(argument: Arg, language: Language, text: Option<&'static str>) -> Arg {
    let heading = if argument.is_positional() { language.help_arguments() } else { language.help_options() };
    let argument = argument.help_heading(Some(heading));
    let Some(text) = text else { return argument };
    let usual: Vec<String> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    let is_flag = !argument.get_action().takes_values();
    let text = match usual.concat().is_empty() || is_flag {
        true => text.to_owned(),
        false => format!("{text} ({})", language.help_default(usual.join(","))),
    };
    let argument = argument.help(text).long_help(None);
    if is_flag { argument } else { argument.hide_default_value(true) }
}

/// The settings that matter to a worker.
const WORKER: [&str; 8] = ["bus", "bus_prefix", "database", "bot_threads", "tablebase", "log", "config", "lang"];

/// What a command does; `None` if it has no text yet.
fn about(l: Language, path: &str) -> Option<&'static str> {
    Some(match path {
        "" => l.help_about(),
        "play" => l.help_play(),
        "join" => l.help_join(),
        "ugi" => l.help_ugi(),
        "bench" => l.help_bench(),
        "learn" => l.help_learn(),
        "puzzle" => l.help_puzzle(),
        "puzzle daily" => l.help_puzzle_daily(),
        "puzzle rated" => l.help_puzzle_rated(),
        "puzzle streak" => l.help_puzzle_streak(),
        "puzzle storm" => l.help_puzzle_storm(),
        "puzzle own" => l.help_puzzle_own(),
        "puzzle login" => l.help_puzzle_login(),
        "puzzle logout" => l.help_puzzle_logout(),
        "puzzle leaders" => l.help_puzzle_leaders(),
        "puzzle pack" => l.help_puzzle_pack(),
        "puzzle choose" => l.help_puzzle_choose(),
        "puzzle make" => l.help_puzzle_make(),
        "puzzle grade" => l.help_puzzle_grade(),
        "puzzle check" => l.help_puzzle_check(),
        "analyse" => l.help_analyse(),
        "solve" => l.help_solve(),
        "tablebase" => l.help_tablebase(),
        "tablebase verify" => l.help_tablebase_verify(),
        "arena" => l.help_arena(),
        "serve" => l.help_serve(),
        "backup" => l.help_backup(),
        "restore" => l.help_restore(),
        "audit" => l.help_audit(),
        "doctor" => l.help_doctor(),
        "operator" => l.help_operator(),
        "operator tables" => l.help_operator_tables(),
        "operator end" => l.help_operator_end(),
        "operator ban" => l.help_operator_ban(),
        "operator unban" => l.help_operator_unban(),
        "operator bans" => l.help_operator_bans(),
        "operator reports" => l.help_operator_reports(),
        "worker" => l.help_worker(),
        "bot" => l.help_bot(),
        "book" => l.help_book(),
        "book quarto" => l.help_book_quarto(),
        "help" => l.help_of_command(),
        "completions" => l.help_completions(),
        "man" => l.help_man(),
        _ => return None,
    })
}

/// What an argument is for; `None` if it has no text yet.
fn argument_about(l: Language, path: &str, id: &str) -> Option<&'static str> {
    Some(match (path, id) {
        (_, "lang") => l.help_lang(),
        (_, "help") => l.help_help(),
        (_, "version") => l.help_version(),
        ("play", "game") => l.help_play_game(),
        ("play", "seats") => l.help_play_seats(),
        ("play", "clock") => l.help_play_clock(),
        ("play", "first") => l.help_play_first(),
        ("play", "signs") => l.help_play_signs(),
        ("play", "confer") => l.help_play_confer(),
        ("play", "position") => l.help_play_position(),
        ("play", "load") => l.help_play_load(),
        ("play", "save") => l.help_play_save(),
        ("play", "seed") => l.help_play_seed(),
        ("play" | "join", "plain") => l.help_play_plain(),
        ("join", "url") => l.help_join_url(),
        ("join", "seat") => l.help_join_seat(),
        ("join", "watch") => l.help_join_watch(),
        ("play" | "analyse" | "ugi" | "serve", "tablebase") => l.help_use_tables(),
        ("bench", "time") => l.help_bench_time(),
        ("bench", "games") => l.help_bench_games(),
        ("bench", "json") => l.help_bench_json(),
        ("learn", "game") => l.help_learn_game(),
        ("learn", "grade") => l.help_learn_grade(),
        ("learn", "number") => l.help_learn_number(),
        ("puzzle daily" | "puzzle rated" | "puzzle streak" | "puzzle storm", id) => match id {
            "game" => l.help_puzzle_game(),
            "theme" => l.help_puzzle_theme(),
            "day" => l.help_puzzle_day(),
            "other_rules" => l.help_puzzle_other_rules(),
            _ => return None,
        },
        ("puzzle own", "files") => l.help_puzzle_own_files(),
        ("puzzle own", "game") => l.help_puzzle_own_game(),
        ("puzzle login", "server") => l.help_puzzle_login_server(),
        ("puzzle leaders", "game") => l.help_puzzle_make_game(),
        ("puzzle leaders", "day") => l.help_puzzle_day(),
        ("puzzle leaders", "storm") => l.help_puzzle_leaders_storm(),
        ("puzzle leaders", "server") => l.help_puzzle_leaders_server(),
        ("puzzle pack", "packed") => l.help_puzzle_pack_packed(),
        ("puzzle make", "game") => l.help_puzzle_make_game(),
        ("puzzle make" | "puzzle choose", "seed") => l.help_puzzle_make_seed(),
        ("puzzle grade" | "puzzle pack", "file") => l.help_puzzle_grade_file(),
        ("puzzle make" | "puzzle grade" | "puzzle check", "threads") => l.help_puzzle_threads(),
        ("puzzle check" | "puzzle choose", "files") => l.help_puzzle_check_files(),
        ("puzzle check", "every") => l.help_puzzle_check_every(),
        ("analyse", "what") => l.help_analyse_what(),
        ("analyse", "game") => l.help_analyse_game(),
        ("analyse", "time") => l.help_analyse_time(),
        ("analyse", "json") => l.help_analyse_json(),
        ("analyse", "annotate") => l.help_analyse_annotate(),
        ("analyse", "hash") => l.help_hash(),
        ("solve", "game") => l.help_solve_game(),
        ("solve", "hash") => l.help_solve_hash(),
        ("solve" | "tablebase verify", "json") => l.help_result_json(),
        ("solve", "size") => l.help_solve_size(),
        ("solve", "gpu") => l.help_solve_gpu(),
        ("solve", "depth") => l.help_solve_depth(),
        ("solve", "out") => l.help_solve_out(),
        ("solve", "counts") => l.help_solve_counts(),
        ("solve", "least") => l.help_solve_least(),
        ("solve", "compare") => l.help_solve_compare(),
        ("solve", "each") => l.help_solve_each(),
        ("solve", "opening") => l.help_solve_opening(),
        ("solve", "opening_bytes") => l.help_solve_opening_bytes(),
        ("solve", "threads") => l.help_solve_threads(),
        ("tablebase verify", "dir") => l.help_tablebase_dir(),
        ("tablebase verify", "size") => l.help_tablebase_size(),
        ("tablebase verify", "count") => l.help_tablebase_count(),
        ("tablebase verify", "seed") => l.help_tablebase_seed(),
        ("arena", "game") => l.help_arena_game(),
        ("arena", "a") => l.help_arena_a(),
        ("arena", "b") => l.help_arena_b(),
        ("arena", "levels") => l.help_arena_levels(),
        ("arena", "games") => l.help_arena_games(),
        ("arena", "time") => l.help_arena_time(),
        ("arena", "cpu") => l.help_arena_cpu(),
        ("arena", "nodes") => l.help_arena_nodes(),
        ("arena", "opening") => l.help_arena_opening(),
        ("arena", "sprt") => l.help_arena_sprt(),
        ("arena", "jobs") => l.help_arena_jobs(),
        ("arena", "seed") => l.help_arena_seed(),
        ("arena", "hash") => l.help_arena_hash(),
        ("arena", "records") => l.help_arena_records(),
        ("arena", "plot") => l.help_arena_plot(),
        ("arena", "engine") => l.help_arena_engine(),
        ("arena", "clock") => l.help_arena_clock(),
        ("arena", "openings") => l.help_arena_openings(),
        ("arena", "adjudicate") => l.help_arena_adjudicate(),
        ("arena", "longest") => l.help_arena_longest(),
        ("arena", "resume") => l.help_arena_resume(),
        ("arena", "json") => l.help_arena_json(),
        ("serve", "port") => l.help_serve_port(),
        ("serve", "address") => l.help_serve_address(),
        ("serve", "database") => l.help_serve_database(),
        ("serve", "public") => l.help_serve_public(),
        ("serve", "tls") => l.help_serve_tls(),
        ("serve", "trusted_proxy") => l.help_serve_trusted_proxy(),
        ("serve", "most_tables") => l.help_serve_most_tables(),
        ("serve", "most_connections") => l.help_serve_most_connections(),
        ("serve", "bot_threads") => l.help_serve_bot_threads(),
        ("serve", "grace") => l.help_serve_grace(),
        ("serve", "requests_per_second") => l.help_serve_requests_per_second(),
        ("serve", "connections_per_address") => l.help_serve_connections_per_address(),
        ("serve", "tables_per_minute") => l.help_serve_tables_per_minute(),
        ("serve", "messages_per_second") => l.help_serve_messages_per_second(),
        ("serve", "bus") => l.help_serve_bus(),
        ("serve", "bus_prefix") => l.help_serve_bus_prefix(),
        ("serve", "most_writes") => l.help_serve_most_writes(),
        ("serve", "slowest_write") => l.help_serve_slowest_write(),
        ("serve", "drain") => l.help_serve_drain(),
        ("serve", "handover_per_second") => l.help_serve_handover_per_second(),
        ("serve", "empty_table_hours") => l.help_serve_empty_table_hours(),
        ("serve", "guest_days") => l.help_serve_guest_days(),
        ("serve", "chat_days") => l.help_serve_chat_days(),
        (path, "database") if path.starts_with("operator") => l.help_backup_database(),
        (path, "server") if path.starts_with("operator") => l.help_operator_server(),
        (path, "json") if path.starts_with("operator") => l.help_operator_json(),
        ("operator end", "table") => l.help_operator_end_table(),
        ("operator ban" | "operator unban", "target") => l.help_operator_target(),
        ("operator ban", "reason") => l.help_operator_reason(),
        ("worker", "database") => l.help_worker_database(),
        ("worker", "bot_threads") => l.help_worker_bot_threads(),
        ("serve", "log") => l.help_serve_log(),
        ("serve", "config") => l.help_serve_config(),
        ("serve", "print_config") => l.help_serve_print_config(),
        ("backup" | "restore", "copy") => l.help_backup_copy(),
        ("backup" | "restore", "database") => l.help_backup_database(),
        ("audit", "database") => l.help_backup_database(),
        ("audit", "json") => l.help_audit_json(),
        ("audit", "promises") => l.help_audit_promises(),
        ("bot", "server") => l.help_bot_server(),
        ("bot", "token") => l.help_bot_token(),
        ("bot", "engine") => l.help_bot_engine(),
        ("bot", "table") => l.help_bot_table(),
        ("bot", "config") => l.help_bot_config(),
        ("bot", "play") => l.help_bot_game(),
        ("bot", "clocks") => l.help_bot_clock(),
        ("bot", "opponent") => l.help_bot_opponent(),
        ("bot", "concurrency") => l.help_bot_concurrency(),
        ("bot", "movetime") => l.help_bot_movetime(),
        ("bot", "games") => l.help_bot_games(),
        ("book quarto", "out") => l.help_book_quarto_out(),
        ("book quarto", "threads") => l.help_book_quarto_threads(),
        ("book quarto", "hash") => l.help_book_quarto_hash(),
        ("book quarto", "empty") => l.help_book_quarto_empty(),
        ("help", "path") => l.help_of_command_path(),
        ("completions", "shell") => l.help_completions_shell(),
        ("man", "dir") => l.help_man_dir(),
        ("doctor", "server") => l.help_doctor_server(),
        ("worker" | "doctor", setting) => return argument_about(l, "serve", setting),
        _ => return None,
    })
}

/// What was wrong with the arguments, and where to find what is possible.
pub(crate) fn refusal(error: &clap::Error, language: Language, command: &Command, arguments: &[OsString]) -> String {
    let (last, name) = innermost(command, arguments);
    let l = language;
    let said = |kind| error.get(kind).map(context_text).unwrap_or_default();
    let argument = || said(ContextKind::InvalidArg);
    let mut text = match error.kind() {
        ErrorKind::UnknownArgument if argument().starts_with('-') => l.usage_unknown_argument(excerpt(&argument())),
        ErrorKind::UnknownArgument => l.usage_unexpected_argument(excerpt(&argument())),
        ErrorKind::InvalidSubcommand => {
            l.usage_unknown_command(excerpt(&said(ContextKind::InvalidSubcommand)), commands_of(last))
        }
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => match said(ContextKind::InvalidValue) {
            value if value.is_empty() => l.usage_value_missing(argument()),
            value => l.usage_bad_value(argument(), excerpt(&value), value_problem(error, l).trim_end_matches('.')),
        },
        ErrorKind::NoEquals | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            l.usage_value_missing(argument())
        }
        ErrorKind::ArgumentConflict if said(ContextKind::PriorArg) != argument() => {
            l.usage_conflict(argument(), said(ContextKind::PriorArg))
        }
        ErrorKind::ArgumentConflict => l.usage_too_many(argument()),
        ErrorKind::TooManyValues => l.usage_no_value(argument()),
        ErrorKind::MissingRequiredArgument => l.usage_missing(argument()),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            l.usage_missing_command(commands_of(last))
        }
        ErrorKind::InvalidUtf8 => l.usage_not_text().to_owned(),
        _ => l.usage_other().to_owned(),
    };
    for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand] {
        let suggested = said(kind);
        if !suggested.is_empty() {
            text = format!("{text}; {}", l.usage_did_you_mean(suggested));
        }
    }
    format!("{text}; {}", l.usage_see_help(name))
}

fn commands_of(command: &Command) -> String {
    command.get_subcommands().map(Command::get_name).collect::<Vec<_>>().join(", ")
}

/// The last subcommand that the arguments name, and how it is called.
fn innermost<'a>(command: &'a Command, arguments: &[OsString]) -> (&'a Command, String) {
    let (mut last, mut name) = (command, command.get_name().to_owned());
    for argument in arguments.iter().skip(1) {
        if let Some(next) = argument.to_str().and_then(|text| last.find_subcommand(text)) {
            last = next;
            name = format!("{name} {}", next.get_name());
        }
    }
    (last, name)
}

fn context_text(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(texts) => texts.join(", "),
        ContextValue::StyledStr(text) => text.to_string(),
        ContextValue::StyledStrs(texts) => texts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        ContextValue::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

/// Why a value is invalid.
fn value_problem(error: &clap::Error, l: Language) -> String {
    if let Some(possible) = error.get(ContextKind::ValidValue) {
        return context_text(possible);
    }
    let Some(source) = error.source() else { return l.usage_other().to_owned() };
    if let Some(problem) = source.downcast_ref::<BadGame>() {
        return error_text::game(l, problem);
    }
    if let Some(problem) = source.downcast_ref::<BadValue>() {
        return match problem {
            BadValue::Number { min, max } => l.value_number(min, max),
            BadValue::Seconds => l.value_seconds().to_owned(),
            BadValue::Levels => l.value_levels().to_owned(),
            BadValue::Elo => l.value_elo().to_owned(),
            BadValue::Contestant => l.value_contestant().to_owned(),
            BadValue::Adjudication => l.value_adjudication().to_owned(),
            BadValue::Clock => {
                let value = error.get(ContextKind::InvalidValue).map(context_text).unwrap_or_default();
                l.error_bad_clock(excerpt(&value))
            }
        };
    }
    if source.is::<ParseIntError>() {
        return l.value_any_number().to_owned();
    }
    if source.is::<std::net::AddrParseError>() {
        return l.value_address().to_owned();
    }
    // For a number out of range clap gives only the text "70000 is not in 0..=65535".
    let text = source.to_string();
    match text.split_once(" is not in ").and_then(|(_, range)| range.split_once("..=")) {
        Some((min, max)) => l.value_number(min, max),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::Arguments;

    fn walk(command: &Command, path: &str, look: &mut impl FnMut(&Command, &str)) {
        look(command, path);
        for sub in command.get_subcommands() {
            walk(sub, format!("{path} {}", sub.get_name()).trim_start(), look);
        }
    }

    #[test]
    fn every_command_and_argument_has_a_text_in_every_language() {
        for language in Language::ALL {
            walk(&Arguments::command(), "", &mut |command, path| {
                assert!(about(language, path).is_some(), "{path:?} has no help text: see usage.rs");
                for argument in command.get_arguments() {
                    let id = argument.get_id().as_str();
                    assert!(argument_about(language, path, id).is_some(), "{path:?}, {id}: no help text, see usage.rs");
                }
            });
        }
    }

    #[test]
    fn help_has_no_english_left_in_other_languages() {
        const ENGLISH: [&str; 8] =
            ["Usage", "Options", "Arguments", "Commands", "[default", "Print", "OPTIONS", "the "];
        for language in [Language::Ukrainian, Language::Russian] {
            walk(&in_words(Arguments::command(), language), "", &mut |command, path| {
                let help = command.clone().render_long_help().to_string();
                assert!(!help.contains(": )"), "{path:?} shows an empty default:\n{help}");
                for word in ENGLISH {
                    assert!(!help.contains(word), "{path:?} in {language:?} says {word:?}:\n{help}");
                }
            });
        }
    }

    #[test]
    fn wrong_arguments_are_named_in_the_language_asked_for() {
        let cases = [
            ("fly", "невідома команда «fly»"),
            ("play --fly", "невідомий параметр «--fly»"),
            ("bot http://127.0.0.1:9", "зайвий аргумент «http://127.0.0.1:9»"),
            ("play --clok 1", "може, --clock?"),
            ("play --seed x", "потрібне ціле число"),
            ("play quarto --load f", "не поєднується"),
            ("play --load", "бракує значення"),
            ("play --load a --load b", "більше ніж раз"),
            ("doctor --help=x", "пишуть без значення"),
            ("tablebase", "бракує команди, можливі: verify"),
            ("book --lang uk", "бракує команди, можливі: quarto"),
            ("play --seed \u{1b}[31m", "«\u{fffd}[31m»"),
            ("arena", "бракує аргументу: --game"),
            ("arena --game chess --a greedy --b random", "Гри «chess» немає"),
            ("arena --game quixo(players=3) --levels 1-8", "players не може бути «3»"),
            ("arena --game quixo --levels 8-1", "спершу нижчий"),
            ("arena --game quixo --a bot:9 --b bot:1", "bot:1 … bot:8"),
            ("arena --game quixo --levels 1-8 --sprt 5", "дві різниці Ело"),
            ("analyse x --hash 0", "від 1 до 65536"),
            ("serve --port 70000", "від 0 до 65535"),
            ("serve --address here", "адреса"),
            ("bench --time -1", "невідомий параметр «-1»"),
            ("bench --time 1e9", "від 0 до 3600"),
        ];
        for (line, part) in cases {
            let arguments: Vec<OsString> =
                ["fourfold"].into_iter().chain(line.split(' ')).map(OsString::from).collect();
            let command = in_words(Arguments::command(), Language::Ukrainian);
            let error = command.clone().try_get_matches_from(&arguments).unwrap_err();
            let text = refusal(&error, Language::Ukrainian, &command, &arguments);
            assert!(text.contains(part), "{line}: expected {part:?} in {text:?}");
            assert!(text.contains("--help"), "{text}");
        }
    }

    #[test]
    fn the_language_is_found_before_the_arguments_are_read() {
        let asked = |line: &str| asked_language(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(asked("fourfold play --lang uk --fly").as_deref(), Some("uk"));
        assert_eq!(asked("fourfold --lang=ru").as_deref(), Some("ru"));
        assert_eq!(asked("fourfold play -- --lang uk"), None);
        assert_eq!(asked("fourfold --lang"), None);
    }
}
