use protocol::Claim;
use rules::Square;
use session::Reply;

/// Something typed that is no action of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// What can be typed.
    Help,
    /// The rules of the game.
    Rules,
    /// What is legal.
    Moves,
    /// A good move.
    Hint,
    /// Show the board.
    Board,
    /// Say what is on a square.
    Look(Square),
    /// Take back.
    Undo,
    /// Play again what was taken back.
    Redo,
    /// Keep a copy in a file.
    Save(Option<String>),
    /// Offer a draw.
    Draw,
    /// Give up.
    Resign,
    /// Answer the offer on the table.
    Reply(Reply),
    /// Play once more.
    Rematch,
    /// Say something to the others at a server's table.
    Say(String),
    /// Claim the match against a player who is away.
    Claim(Claim),
    /// Leave; what was played is kept.
    Quit,
}

/// The words for the commands: English, Ukrainian, Russian.
const WORDS: &[(&[&str], Command)] = &[
    (&["help", "?", "допомога", "довідка", "помощь", "справка"], Command::Help),
    (&["rules", "правила"], Command::Rules),
    (&["moves", "ходи", "ходы"], Command::Moves),
    (&["hint", "підказка", "подсказка"], Command::Hint),
    (&["board", "поле", "дошка", "доска"], Command::Board),
    (&["undo", "назад"], Command::Undo),
    (&["redo", "вперёд", "уперед"], Command::Redo),
    (&["draw", "нічия", "ничья"], Command::Draw),
    (&["resign", "здаюся", "сдаюсь"], Command::Resign),
    (&["accept", "прийняти", "принять"], Command::Reply(Reply::Accept)),
    (&["decline", "відхилити", "отклонить"], Command::Reply(Reply::Decline)),
    (&["rematch", "реванш"], Command::Rematch),
    (&["quit", "exit", "вийти", "выйти"], Command::Quit),
];

const SAVE: &[&str] = &["save", "зберегти", "сохранить"];
const LOOK: &[&str] = &["look", "що", "что"];
const SAY: &[&str] = &["say", "сказати", "сказать"];
const CLAIM: &[&str] = &["claim", "вимагаю", "требую"];
const WIN: &[&str] = &["win", "перемога", "победа"];
const DRAW: &[&str] = &["draw", "нічия", "ничья"];

impl Command {
    /// Reads a command in any of the three languages.
    ///
    /// No command is an action of any game, so an action and a command are never confused.
    pub(crate) fn read(text: &str) -> Option<Command> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let word = word.to_lowercase();
        let rest = rest.trim();
        if SAVE.contains(&word.as_str()) {
            return Some(Command::Save((!rest.is_empty()).then(|| rest.to_owned())));
        }
        if LOOK.contains(&word.as_str()) {
            return rest.parse().ok().map(Command::Look);
        }
        if SAY.contains(&word.as_str()) {
            return (!rest.is_empty()).then(|| Command::Say(rest.to_owned()));
        }
        if CLAIM.contains(&word.as_str()) {
            let claims = [(WIN, Claim::Win), (DRAW, Claim::Draw)];
            return claims.into_iter().find(|(words, _)| words.contains(&rest)).map(|(_, what)| Command::Claim(what));
        }
        let known = WORDS.iter().find(|(words, _)| words.contains(&word.as_str()))?;
        rest.is_empty().then(|| known.1.clone())
    }
}

/// What a text would be if the keyboard had been set to small Latin letters: `ф3у3` and `A3E3` are `a3e3`.
pub(crate) fn on_latin_keys(text: &str) -> String {
    const CYRILLIC: &str = "йцукенгшщзфівапролдячсмитьыє";
    const LATIN: &str = "qwertyuiopasdfghjklzxcvbnms'";
    text.chars()
        .map(|letter| {
            let small = letter.to_lowercase().next().unwrap_or(letter);
            CYRILLIC.chars().position(|other| other == small).and_then(|at| LATIN.chars().nth(at)).unwrap_or(small)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_in_three_languages() {
        assert_eq!(Command::read("undo"), Some(Command::Undo));
        assert_eq!(Command::read(" Допомога "), Some(Command::Help));
        assert_eq!(Command::read("save my game.fourfold"), Some(Command::Save(Some("my game.fourfold".to_owned()))));
        assert_eq!(Command::read("look b3"), Some(Command::Look(Square::new(1, 2))));
        assert_eq!(Command::read("say Good game!"), Some(Command::Say("Good game!".to_owned())));
        assert_eq!(Command::read("claim win"), Some(Command::Claim(Claim::Win)));
        assert_eq!(Command::read("вимагаю нічия"), Some(Command::Claim(Claim::Draw)));
        assert_eq!(Command::read("undo everything"), None);
        assert_eq!(Command::read("a3e3"), None);
    }

    #[test]
    fn a_keyboard_left_in_cyrillic_is_understood() {
        assert_eq!(on_latin_keys("ф3у3"), "a3e3");
        assert_eq!(on_latin_keys("сфе@ф2"), "cat@a2");
        assert_eq!(on_latin_keys("a3e3"), "a3e3");
        assert_eq!(on_latin_keys("CAT@A2"), "cat@a2");
    }
}
