//! The table: a match being played or looked at.

use std::cell::RefCell;
use std::time::Duration;

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use locale::Language;
use rules::{Seat, Viewer};
use scene::{Button, Counter, CounterKind, Scene, Spot, TrayPlace};
use table::{Event, Match, Record};

use crate::app::{TopBar, settings};
use crate::art::{self, Icon, icon};
use crate::board::{BoardView, Marks, Turned};
use crate::browser::store;
use crate::lean::{list, live, press, say, showing, spawn, tool};
use crate::pages::analyse::whole_game_link;
use crate::pages::new_game::start_game;
use crate::play::{self, Play, rematch};
use crate::route::Route;
use crate::words;

thread_local! {
    /// The last match with its record, in case the browser keeps nothing.
    static HANDED: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
}

/// Hands a match to the table page, for when the browser keeps nothing.
pub fn hand_over(key: &str, record: String) {
    HANDED.with_borrow_mut(|handed| *handed = Some((key.to_owned(), record)));
}

/// The table page: finds the match, then shows it.
#[component]
pub fn Table(
    /// The key of the match on this device.
    key_: String,
) -> impl IntoView {
    let settings = settings();
    let found = RwSignal::new(None::<Result<Match, String>>);
    let key = key_.clone();
    spawn(async move {
        let language = settings.language.get_untracked();
        let kept = store::get(&key).await.ok().flatten();
        let record =
            kept.or_else(|| HANDED.with_borrow(|handed| handed.clone().filter(|(k, _)| *k == key)).map(|it| it.1));
        found.set(Some(match record {
            None => Err(language.web_no_such_game().to_string()),
            Some(record) => open(&record).map_err(|problem| language.web_broken_record(&problem).to_string()),
        }));
    });
    move || {
        match found.get() {
        None => view! { <main class="waiting" aria-busy="true"></main> }.into_any(),
        Some(Ok(game)) => {
            let play = Play::new(key_.clone(), game, settings);
            play.go_on();
            view! { <MatchView play /> }.into_any()
        }
        Some(Err(problem)) => view! {
            <TopBar title=Signal::derive(|| "Fourfold".to_owned()) />
            <main class="home"><p class="notice" role="alert">{problem}</p><p><a class="button main" href="#/">{say(Language::web_home)}</a></p></main>
        }
        .into_any(),
    }
    }
}

fn open(record: &str) -> Result<Match, String> {
    let records = Record::read_all(record).map_err(|problem| problem.to_string())?;
    let record = records.last().ok_or_else(String::new)?;
    record.replay().map_err(|problem| problem.to_string())
}

#[component]
fn MatchView(play: Play) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let id = play.game.with_untracked(|game| game.setup().game.id());
    let scene = Memo::new(move |_| play.scene());
    let marks = Memo::new(move |_| play.marks());
    let names = Memo::new(move |_| play.names(lang()));
    let turned = RwSignal::new(Turned::default());
    let ticking = set_interval_with_handle(move || play.tick(), Duration::from_millis(200)).ok();
    on_cleanup(move || {
        if let Some(ticking) = ticking {
            ticking.clear();
        }
    });
    play.accept_drags();
    let touch = Callback::new(move |spot| play.touch(spot));
    let plates = move |mine: bool| {
        let viewer = play.viewer();
        Seat::all(play.game.with(|game| game.position().seats()))
            .filter(|seat| (viewer == Viewer::Seat(*seat)) == mine)
            .map(|seat| view! { <Plate seat play scene names /> })
            .collect::<Vec<_>>()
    };
    view! {
        <TopBar title=Signal::derive(move || words::game(id).name(lang()).to_owned()) />
        <main class=format!("table {id}") data-match=play.key() on:keydown=move |event| if event.key() == "Escape" { play.back() }>
            <section class="others">{list(move || plates(false))}</section>
            <section class="stage"><div class="frame">
                <BoardView scene=scene.into() marks=marks.into() turned language=Signal::derive(lang) names=names.into()
                    coordinates=settings.coordinates on_touch=touch />
            </div></section>
            <section class="side">
                <Status play names />
                <Held play scene names />
                <Stock play scene marks />
                <Buttons play scene names marks />
            </section>
            <section class="mine">{list(move || plates(true))}<Cards play scene marks /></section>
            <Actions play turned />
            <Moves play />
        </main>
        <Curtain play names />
    }
}

/// A seat: its name, clock and counters, and whether it is its turn.
#[component]
fn Plate(seat: Seat, play: Play, scene: Memo<Scene>, names: Memo<locale::Names>) -> impl IntoView {
    let settings = settings();
    let now = RwSignal::new(play::now());
    let ticking = set_interval_with_handle(move || now.set(play::now()), Duration::from_millis(250)).ok();
    on_cleanup(move || {
        if let Some(ticking) = ticking {
            ticking.clear();
        }
    });
    let turn = move || play.game.with(|game| game.to_act() == Some(seat));
    let clock = move || {
        let left = play.game.with(|game| game.clock().left(seat, now.get()))?;
        Some(view! { <span class="clock" aria-label=say(Language::web_clock_label)>{words::time(left)}</span> })
    };
    let counters = move || {
        scene
            .with(|scene| {
                scene.counters.iter().filter(|counter| counter.seat == Some(seat)).copied().collect::<Vec<_>>()
            })
            .into_iter()
            .map(|counter| view! { <CounterView counter /> })
            .collect_view()
    };
    let piece = move || scene.with(|scene| seat_sign(scene, seat)).map(art::piece).unwrap_or_default();
    let backs = move || {
        let cards = scene.with(|scene| {
            scene.hands.iter().find(|hand| hand.seat == seat).map(|hand| {
                (hand.cards.iter().filter(|card| card.card.is_none()).count(), hand.discards.last().copied())
            })
        });
        let (hidden, top) = cards?;
        Some(view! {
            <span class="backs" data-place=format!("hand-{seat}")>{(0..hidden).map(|_| view! { <i class="card-back"></i> }).collect_view()}</span>
            <span class="discard" data-place=format!("discards-{seat}") inner_html=top.map(art::card_face).unwrap_or_default()></span>
        })
    };
    view! {
        <div class="plate" class:turn=turn class:out=live(move || play.game.with(|game| game.is_out(seat))) data-place=format!("plate-{seat}")>
            <span class="sign" inner_html=piece></span>
            <span class="name">{live(move || names.with(|names| plate_name(settings.lang(), names, seat)))}</span>
            {backs}
            <span class="counters">{counters}</span>
            {clock}
        </div>
    }
}

/// The person at this device is “you”, whatever else the seat is called.
fn plate_name(language: locale::Language, names: &locale::Names, seat: Seat) -> String {
    if names.is_you(seat) { language.you().to_owned() } else { names.seat(seat).to_owned() }
}

/// The piece a seat plays with, where it has one.
fn seat_sign(scene: &Scene, seat: Seat) -> Option<scene::Piece> {
    use scene::{Ground, Mark, Piece};
    match scene.board.cells.get(1)?.ground {
        Ground::Slot => Some(Piece::Cube(Some(Mark { side: rules::Side::from_index(seat.index() & 1), dot: None }))),
        Ground::Cell => Some(Piece::Stone(seat)),
        Ground::Picture(_) | Ground::Corner | Ground::Unlaid => Some(Piece::Chip(seat)),
        Ground::Well => None,
    }
}

#[component]
fn CounterView(counter: Counter) -> impl IntoView {
    let settings = settings();
    let text = match counter.of {
        Some(of) if counter.kind != CounterKind::Movements => format!("{}/{of}", counter.value),
        _ => counter.value.to_string(),
    };
    let pips = (counter.kind == CounterKind::Movements).then(|| {
        let usual = counter.of.unwrap_or(4);
        let class = move |n| if n >= usual { "pip bonus" } else { "pip" };
        (0..counter.value).map(|n| view! { <i class=class(n)></i> }).collect_view()
    });
    view! {
        <span class="counter" title=live(move || locale::counter(settings.lang(), counter.kind))>
            <small>{live(move || locale::counter(settings.lang(), counter.kind))}</small>
            {pips}
            <b>{text}</b>
        </span>
    }
}

/// What to do, what happened, and whether somebody thinks.
#[component]
pub fn Status(
    /// The match.
    play: Play,
    /// What everybody is called.
    names: Memo<locale::Names>,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let said = move || {
        let ended = play.game.with(|game| {
            game.ending().and_then(|ending| names.with(|names| words::ending(lang(), ending, game, names)))
        });
        ended.unwrap_or_else(|| names.with(|names| locale::message(lang(), &play.prompt(), names)))
    };
    let happened = move || {
        let happening = play.happening.get()?;
        Some(names.with(|names| locale::message(lang(), &happening.message, names)))
    };
    let over = move || play.game.with(|game| game.ending().is_some());
    view! {
        <div class="status" class:over=over>
            <p class="say" role="status" aria-live="polite">{said}</p>
            <p class="quiet" aria-live="polite">{happened}</p>
            {showing(move || play.thinking.get(), move || view! {
                <p class="thinking"><span class="dots" aria-hidden="true"></span>
                    <button type="button" class="button" on:click=press(move || play.hurry())>{say(Language::web_hurry)}</button></p>
            })}
            <p class="notice" role="status">{live(move || play.notice.get())}</p>
        </div>
    }
}

/// Quarto's piece in hand, large, with its four words.
#[component]
pub fn Held(
    /// The match.
    play: Play,
    /// What is shown.
    scene: Memo<Scene>,
    /// What everybody is called.
    names: Memo<locale::Names>,
) -> impl IntoView {
    let settings = settings();
    let has_stock = Memo::new(move |_| scene.with(|scene| scene.stock.is_some()));
    let held = Memo::new(move |_| scene.with(|scene| scene.held));
    let title = move || {
        held.get().map(|(seat, _)| {
            names.with(|names| {
                if names.is_you(seat) {
                    settings.lang().web_in_hand().to_string()
                } else {
                    settings.lang().web_held_by(names.seat(seat)).to_string()
                }
            })
        })
    };
    let described =
        move || held.get().map(|(_, piece)| names.with(|names| locale::piece(settings.lang(), piece, names)));
    let _ = play;
    view! {
        {showing(move || has_stock.get(), move || view! {
            <div class="held">
                <div class="pedestal" data-place="held" data-drag="held"><span class="piece" inner_html=live(move || held.get().map(|(_, piece)| art::piece(piece)).unwrap_or_default())></span></div>
                <p><b>{title}</b><br />{described}</p>
            </div>
        })}
    }
}

/// Pieces beside the board, each in its own place.
#[component]
pub fn Stock(
    /// The match.
    play: Play,
    /// What is shown.
    scene: Memo<Scene>,
    /// What is marked.
    marks: Memo<Marks>,
) -> impl IntoView {
    let settings = settings();
    let places = Memo::new(move |_| {
        scene.with(|scene| scene.stock.as_ref().map(|tray| tray.places.clone()).unwrap_or_default())
    });
    let columns = move || scene.with(|scene| scene.stock.as_ref().map_or(4, |tray| tray.columns));
    let names = Memo::new(move |_| play.names(settings.lang()));
    let place = move |place: TrayPlace| {
        let next = Memo::new(move |_| marks.with(|marks| marks.next.contains(&place.spot)));
        let label = move || names.with(|names| locale::piece(settings.lang(), place.piece, names));
        view! {
            <button type="button" class="place" class:next=next class:gone=!place.present data-spot=place.spot.to_string()
                data-drag=place.present.then(|| place.spot.to_string())
                aria-label=label title=label disabled=!place.present on:click=press(move || play.touch(place.spot))>
                {place.present.then(|| view! { <span class="piece" inner_html=art::piece(place.piece)></span> })}
            </button>
        }
    };
    view! {
        {showing(move || !places.read().is_empty(), move || view! {
            <div class="stock" role="group" aria-label=say(Language::stock_title) style=live(move || format!("--columns:{}", columns()))>
                {list(move || places.get().into_iter().map(place))}
            </div>
        })}
    }
}

/// The viewer's hand of cards.
#[component]
pub fn Cards(
    /// The match.
    play: Play,
    /// What is shown.
    scene: Memo<Scene>,
    /// What is marked.
    marks: Memo<Marks>,
) -> impl IntoView {
    let settings = settings();
    let cards = Memo::new(move |_| {
        scene.with(|scene| {
            let open = scene.hands.iter().filter(|hand| play.viewer() == Viewer::Seat(hand.seat));
            open.flat_map(|hand| hand.cards.clone()).collect::<Vec<_>>()
        })
    });
    let card = move |held: scene::HandCard| {
        let card = held.card?;
        let spot = Spot::Card(card);
        let dead = locale::card_state(settings.lang(), held.state);
        let class = Memo::new(move |_| {
            let (next, touched) = marks.with(|marks| (marks.next.contains(&spot), marks.touched.contains(&spot)));
            let mut class = String::from("card");
            if next {
                class.push_str(" next");
            }
            if touched {
                class.push_str(" touched");
            }
            if dead.is_some() {
                class.push_str(" dead");
            }
            class
        });
        Some(view! {
            <button type="button" class=class data-spot=spot.to_string() data-drag=spot.to_string() on:click=press(move || play.touch(spot))>
                <span class="face" inner_html=art::card_face(card)></span>
                <span class="name">{live(move || locale::card(settings.lang(), card))}</span>
                {dead.map(|dead| view! { <small>{dead}</small> })}
            </button>
        })
    };
    view! {
        {showing(move || !cards.read().is_empty(), move || view! {
            <div class="hand" role="group" aria-label=say(Language::hand_title)>
                {list(move || cards.get().into_iter().filter_map(card))}
            </div>
        })}
    }
}

/// What is done by pressing: call, pass, end, exchange, the dot; and the table's own counters.
#[component]
pub fn Buttons(
    /// The match.
    play: Play,
    /// What is shown.
    scene: Memo<Scene>,
    /// What everybody is called.
    names: Memo<locale::Names>,
    /// What is marked.
    marks: Memo<Marks>,
) -> impl IntoView {
    let settings = settings();
    let buttons = Memo::new(move |_| scene.with(|scene| scene.buttons.clone()));
    let button = move |button: Button| {
        let spot = Spot::Button(button);
        let usable =
            Memo::new(move |_| play.may_act() && (spot.is_quiet() || marks.with(|marks| marks.next.contains(&spot))));
        view! {
            <button type="button" class="button" class:main=usable data-spot=spot.to_string() disabled=live(move || !usable.get()) on:click=press(move || play.touch(spot))>
                {live(move || names.with(|names| locale::button(settings.lang(), button, names)))}
            </button>
        }
    };
    let counters = move || {
        let own = scene
            .with(|scene| scene.counters.iter().filter(|counter| counter.seat.is_none()).copied().collect::<Vec<_>>());
        own.into_iter()
            .map(|counter| {
                let place = (counter.kind == CounterKind::Pile).then_some("pile");
                view! { <span data-place=place><CounterView counter /></span> }
            })
            .collect_view()
    };
    view! {
        <div class="buttons">{list(move || buttons.get().into_iter().map(button))}</div>
        <div class="counters">{counters}</div>
    }
}

/// Undo, hint, resign and what else a table offers.
#[component]
fn Actions(play: Play, turned: RwSignal<Turned>) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let over = move || play.game.with(|game| game.ending().is_some());
    let (asking, set_asking) = signal(false);
    let typing = RwSignal::new(false);
    let typed = NodeRef::<leptos::html::Input>::new();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(input) = typed.get_untracked()
            && play.type_action(input.value().trim())
        {
            input.set_value("");
        }
    };
    let again = move |_| spawn(start_game(play.game.with_untracked(|game| rematch(game.setup()))));
    let id = play.game.with_untracked(|game| game.setup().game.id());
    let full = move |_| {
        if document().fullscreen_element().is_some() {
            document().exit_fullscreen();
        } else if let Some(root) = document().document_element() {
            let _ = root.request_fullscreen();
        }
    };
    view! {
        <nav class="actions">
            {tool(Icon::Undo, Language::action_undo, move || play.undo())}
            {tool(Icon::Redo, Language::action_redo, move || play.redo())}
            {showing(move || !over(), move || view! {
                {tool(Icon::Hint, Language::action_hint, move || play.ask_hint())}
                {tool(Icon::Hands, Language::action_offer_draw, move || play.offer_draw())}
                {tool(Icon::Flag, Language::action_resign, move || set_asking.set(true))}
            })}
            {tool(Icon::Type, Language::web_type_move, move || typing.update(|on| *on = !*on))}
            {tool(Icon::Rotate, Language::web_rotate, move || turned.update(|turned| *turned = (*turned + 1) % 4))}
            {tool(Icon::Grid, Language::web_coordinates, move || settings.coordinates.update(|on| *on = !*on))}
            {tool(Icon::Save, Language::web_download, move || play.download())}
            <button type="button" class="button plain" aria-label=say(Language::web_full_screen) title=say(Language::web_full_screen) on:click=full inner_html=icon(Icon::Full)></button>
            <a class="button plain" href=Route::Learn(id).link() aria-label=say(Language::menu_rules) title=say(Language::menu_rules) inner_html=icon(Icon::Book)></a>
            {showing(over, move || view! {
                <button type="button" class="button main" on:click=again>{say(Language::action_rematch)}</button>
                <a class="button" href=live(move || Route::Analyse(play.game.with(whole_game_link)).link())>{say(Language::web_analyse)}</a>
                <a class="button" href=Route::New(id, String::new()).link()>{say(Language::web_new_game)}</a>
            })}
            {showing(move || typing.get(), move || view! {
                <form class="typing" on:submit=submit>
                    <input type="text" node_ref=typed autocomplete="off" autocapitalize="off" spellcheck="false" aria-label=say(Language::web_type_label) placeholder=live(move || play.game.with(|game| game.legal().first().cloned().unwrap_or_default())) />
                    <button type="submit" class="button">{say(Language::menu_play)}</button>
                </form>
            })}
            {showing(move || play.offered().is_some(), move || view! {
                <div class="question" role="alertdialog" aria-label=say(Language::action_offer_draw)>
                    <p>{live(move || play.offered().map(|seat| lang().draw_offered(play.names(lang()).seat(seat))))}</p>
                    <button type="button" class="button main" on:click=press(move || play.answer_draw(true))>{say(Language::action_accept)}</button>
                    <button type="button" class="button" on:click=press(move || play.answer_draw(false))>{say(Language::action_decline)}</button>
                </div>
            })}
            {showing(move || asking.get(), move || view! {
                <div class="question" role="alertdialog" aria-label=say(Language::resign_question)>
                    <p>{say(Language::resign_question)}</p>
                    <button type="button" class="button main" on:click=press(move || { set_asking.set(false); play.resign(); })>{say(Language::action_yes)}</button>
                    <button type="button" class="button" on:click=press(move || set_asking.set(false))>{say(Language::action_no)}</button>
                </div>
            })}
        </nav>
    }
}

/// The moves played; one click looks back.
#[component]
fn Moves(play: Play) -> impl IntoView {
    let moves = Memo::new(move |_| {
        let viewer = play.viewer();
        play.game.with(|game| seen_moves(game, viewer))
    });
    let row = move |(number, length, text): (usize, usize, String)| {
        let shown = move || play.looking.get() == Some(length);
        view! {
            <li><button type="button" class="move" aria-current=live(move || shown().then_some("step")) on:click=press(move || play.looking.set(Some(length)))>
                <small>{number}</small>{text}
            </button></li>
        }
    };
    view! {
        <section class="moves">
            <h2>{say(Language::moves_title)}</h2>
            {showing(move || moves.read().is_empty(), move || view! {<p class="quiet">{say(Language::no_moves_yet)}</p>})}
            <ol>{list(move || moves.get().into_iter().map(row))}</ol>
            {showing(move || play.looking.get().is_some(), move || view! {
                <button type="button" class="button" on:click=press(move || play.looking.set(None))>{say(Language::web_back_to_now)}</button>
            })}
        </section>
    }
}

/// The actions of seats as a viewer may see them: number, length of the log after it, text.
fn seen_moves(game: &Match, viewer: Viewer) -> Vec<(usize, usize, String)> {
    let positions = game.positions();
    let mut moves = Vec::new();
    let actions = game.log().iter().enumerate().filter_map(|(at, entry)| match &entry.event {
        Event::Action(action) => Some((at, action)),
        _ => None,
    });
    for (position, (at, action)) in positions.iter().zip(actions) {
        if matches!(position.turn(), rules::Turn::Seat(_)) {
            let text = position.seen_action(action, viewer).unwrap_or_default();
            moves.push((moves.len() + 1, at + 1, text));
        }
    }
    moves
}

/// Between two people with hidden hands: nothing is seen until the right one says so.
#[component]
fn Curtain(play: Play, names: Memo<locale::Names>) -> impl IntoView {
    let settings = settings();
    let curtain = Memo::new(move |_| play.curtain());
    let name = move || curtain.get().map(|seat| names.with(|names| names.seat(seat).to_owned())).unwrap_or_default();
    view! {
        {showing(move || curtain.get().is_some(), move || view! {
            <div class="curtain" role="dialog" aria-modal="true" aria-label=live(move || settings.lang().curtain_pass_to(name()).to_string())>
                <h2>{live(move || settings.lang().curtain_pass_to(name()).to_string())}</h2>
                <button type="button" class="button main large" on:click=press(move || play.revealed.set(curtain.get_untracked()))>{say(Language::web_reveal)}</button>
            </div>
        })}
    }
}
