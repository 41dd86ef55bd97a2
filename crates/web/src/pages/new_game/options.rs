//! The rules and the clock of what is being set up.

use game::{ClockRule, Game, GameId, MatchSettings};
use locale::Language;
use rules::{OptionSpec, OptionValues, Preset};
use session::words;
use ui::prelude::*;

use super::link::usual;
use crate::app::settings;
use crate::fitting_game::fitting_game;
use crate::views::{live, press, say};
use art::option;

/// Ways to play as the printed sheets describe them: a choice of options and clock together.
#[component]
pub fn Presets(
    /// What is being set up.
    chosen: RwSignal<MatchSettings>,
) -> impl IntoView {
    let settings = settings();
    let id = chosen.with_untracked(|setup| setup.game.id());
    let plain = Preset { name: "", options: "", clock: "none", offered: rules::Offered::Among };
    let button = |preset: Preset| {
        let name = live(move || match preset.name {
            "" => settings.lang().web_preset_none(),
            _ => locale::preset_name(settings.lang(), id, &preset),
        });
        view! {
            <button type="button" class="button" aria-pressed=live(move || chosen.with(|setup| is_preset(setup, &preset)))
                on:click=press(move || choose_preset(chosen, &preset))>{name}</button>
        }
    };
    let buttons: Vec<_> = [plain].into_iter().chain(id.presets().iter().copied()).map(button).collect();
    (buttons.len() > 1).then(|| {
        view! {
            <section role="group" aria-label=say(Language::menu_preset)>
                <h2>{say(Language::menu_preset)}</h2>
                <div class="choices presets">{buttons}</div>
            </section>
        }
    })
}

/// The game of a preset; the usual rules have the board that fits this screen. A test reads every preset.
fn game_of(id: GameId, preset: &Preset) -> Option<Game> {
    if preset.options.is_empty() { Some(fitting_game(id)) } else { Game::with_options(id, preset.options).ok() }
}

fn is_preset(setup: &MatchSettings, preset: &Preset) -> bool {
    game_of(setup.game.id(), preset).is_some_and(|game| game == setup.game) && setup.clock.to_string() == preset.clock
}

fn choose_preset(chosen: RwSignal<MatchSettings>, preset: &Preset) {
    let game = game_of(chosen.with_untracked(|setup| setup.game.id()), preset);
    if let (Some(game), Ok(clock)) = (game, preset.clock.parse::<ClockRule>()) {
        change_game(chosen, game);
        chosen.update(|setup| setup.clock = clock);
    }
}

/// Plays another variant of the game; the players keep their seats as far as there are any.
fn change_game(chosen: RwSignal<MatchSettings>, game: Game) {
    let old = chosen.get_untracked();
    let mut setup = usual(game);
    for (sitter, old) in setup.sitters.iter_mut().zip(&old.sitters) {
        sitter.clone_from(old);
    }
    setup.clock = old.clock;
    // With another number of sides the signs are chosen anew.
    if setup.game.sides() == old.game.sides() {
        old.chosen_signs().into_iter().for_each(|signs| setup.choose_signs(signs));
    }
    old.conferring().into_iter().for_each(|conferring| setup.agree_conferring(conferring));
    chosen.set(setup);
}

/// One option of the game that is being set up.
#[component]
pub fn OptionChoice(
    /// The option.
    spec: OptionSpec,
    /// What is being set up.
    chosen: RwSignal<MatchSettings>,
) -> impl IntoView {
    let settings = settings();
    let id = chosen.with_untracked(|setup| setup.game.id());
    let lang = move || settings.lang();
    let value = move || chosen.with(|setup| setup.game.option(spec.name)).unwrap_or_default();
    let set = move |value: String| set_option(chosen, spec.name, &value);
    let controls = match spec.values {
        OptionValues::OneOf(words) => words
            .iter()
            .map(|word| {
                view! {
                    <button type="button" class="button" aria-pressed=live(move || value() == *word)
                        on:click=press(move || set((*word).to_owned()))>
                        {live(move || locale::option_value(lang(), id, spec.name, word))}
                    </button>
                }
            })
            .collect_view()
            .into_any(),
        OptionValues::Subset(words) => words
            .iter()
            .map(|word| {
                let on = move || value().split('+').any(|other| other == *word);
                view! {
                    <button type="button" class="button" aria-pressed=on
                        on:click=press(move || set(toggled(&value(), word, words)))>
                        {live(move || locale::option_value(lang(), id, spec.name, word))}
                    </button>
                }
            })
            .collect_view()
            .into_any(),
        OptionValues::Number { min, max } => view! {
            <input type="number" min=min max=max prop:value=value aria-label=live(move || locale::option_name(lang(), id, spec.name))
                on:change=move |event| set(event_target_value(&event)) />
            <small class="quiet">{format!("{min}–{max}")}</small>
        }
        .into_any(),
    };
    view! {
        <div class="option" role="group" aria-label=live(move || locale::option_name(lang(), id, spec.name))>
            <span class="sign" inner_html=option(spec.name)></span>
            <strong class="name">{live(move || locale::option_name(lang(), id, spec.name))}</strong>
            <p class="quiet">{live(move || locale::option_about(lang(), id, spec.name))}</p>
            <div class="choices">{controls}</div>
        </div>
    }
}

/// A word more or less in a `+`-joined choice; the last one stays.
fn toggled(value: &str, word: &str, words: &[&str]) -> String {
    let on = |other: &str| value.split('+').any(|it| it == other);
    let chosen: Vec<&str> = words.iter().copied().filter(|other| on(other) != (*other == word)).collect();
    if chosen.is_empty() { value.to_owned() } else { chosen.join("+") }
}

/// Sets one option; an impossible value changes nothing.
fn set_option(chosen: RwSignal<MatchSettings>, name: &str, value: &str) {
    let old = chosen.with_untracked(|setup| setup.game.clone());
    let id = old.id();
    // Numbers whose default depends on another option go back to it when that one changes.
    let kept = id.options().iter().filter(|spec| spec.name != name && (name != "size"));
    let mut options: Vec<String> =
        kept.filter_map(|spec| Some(format!("{}={}", spec.name, old.option(spec.name)?))).collect();
    options.push(format!("{name}={value}"));
    match Game::with_options(id, &options.join(",")) {
        Ok(game) => change_game(chosen, game),
        // The field goes back to what is played.
        Err(_) => chosen.update(|_| {}),
    }
}

/// The clock.
#[component]
pub fn ClockChoice(
    /// What is being set up.
    chosen: RwSignal<MatchSettings>,
    /// Whether there are clocks with days for a turn.
    slow: bool,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let clocks = ["none", "turn=60", "turn=20", "fischer=300+5", "delay=600+10"];
    let days: &[&str] = if slow { &["turn=86400", "turn=259200", "turn=604800"] } else { &[] };
    let buttons = clocks
        .into_iter()
        .chain(days.iter().copied())
        .filter_map(|text| text.parse::<ClockRule>().ok())
        .map(|rule| {
            view! {
                <button type="button" class="button" aria-pressed=live(move || chosen.with(|setup| setup.clock == rule))
                    on:click=press(move || chosen.update(|setup| setup.clock = rule))>
                    {live(move || words::clock(lang(), rule))}
                </button>
            }
        })
        .collect_view();
    let about = move || match chosen.with(|setup| setup.clock) {
        ClockRule::None => lang().clock_none_about(),
        ClockRule::PerTurn(_) => lang().clock_turn_about(),
        ClockRule::Fischer { .. } => lang().clock_fischer_about(),
        ClockRule::Delay { .. } => lang().clock_delay_about(),
    };
    view! {
        <div class="option" role="group" aria-label=say(Language::clock)>
            <span class="sign" inner_html=option("clock")></span>
            <h3>{say(Language::clock)}</h3>
            <p class="quiet">{about}</p>
            <div class="choices">{buttons}</div>
        </div>
    }
}
