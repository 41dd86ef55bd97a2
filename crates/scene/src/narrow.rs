use crate::Spot;

/// An action with the touches that spell it.
///
/// The action may be of any type: the typed action inside the program, its text on the other side of a wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<A> {
    /// The action.
    pub action: A,
    /// The spots to touch, in order.
    pub touches: Vec<Spot>,
}

/// What some touches leave open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrowed<A> {
    /// The action the touches spell, if they spell one.
    pub complete: Option<A>,
    /// What may be touched next, in order and each once; empty when an action is complete or the touches lead nowhere.
    pub next: Vec<Spot>,
    /// How many actions are still possible.
    pub possible: usize,
}

/// Says which action the touches spell, or what may be touched next.
///
/// ```
/// use rules::{Position, quixo::Quixo};
/// use scene::{Spot, choices, narrow};
///
/// let choices = choices(&Quixo::start(&Default::default()));
/// let spots = |names: &str| names.split(' ').map(|name| name.parse().unwrap()).collect::<Vec<Spot>>();
///
/// assert_eq!(narrow(&choices, &[]).next.len(), 16);
/// assert_eq!(narrow(&choices, &spots("a3")).next, spots("a1 a5 e3"));
/// assert_eq!(narrow(&choices, &spots("a3 e3")).complete, Some("a3e3".parse()?));
/// assert_eq!(narrow(&choices, &spots("c3")).possible, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn narrow<A: Clone>(choices: &[Choice<A>], touched: &[Spot]) -> Narrowed<A> {
    let possible: Vec<&Choice<A>> = choices.iter().filter(|choice| choice.touches.starts_with(touched)).collect();
    let complete =
        possible.iter().find(|choice| choice.touches.len() == touched.len()).map(|choice| choice.action.clone());
    let mut next: Vec<Spot> = Vec::new();
    if complete.is_none() {
        for spot in possible.iter().filter_map(|choice| choice.touches.get(touched.len())) {
            insert(&mut next, *spot);
        }
    }
    Narrowed { complete, next, possible: possible.len() }
}

/// Puts a value into its place in a list without doubles: far less code for a browser than sorting, and fast enough for a
/// board.
pub(crate) fn insert<T: Ord>(list: &mut Vec<T>, value: T) {
    if let Err(place) = list.binary_search(&value) {
        list.insert(place, value);
    }
}

/// A choice in the making: the touches so far, which can be taken back or begun anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picker {
    touched: Vec<Spot>,
}

/// What a touch led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touched<A> {
    /// An action is spelled; the picker is empty again.
    Complete(A),
    /// The touch was taken and more are needed.
    Further,
    /// The touch began another choice; the former is forgotten.
    Anew,
    /// The spot touched last was touched again, and is taken back.
    TakenBack,
    /// The spot leads nowhere. The picker is unchanged, or empty after a wrong call; these are the touches that were tried, for
    /// [`Staged::meant`](crate::Staged::meant).
    Nowhere(Vec<Spot>),
}

impl Picker {
    /// Nothing is touched yet.
    pub const fn new() -> Picker {
        Picker { touched: Vec::new() }
    }

    /// The touches so far.
    pub fn touched(&self) -> &[Spot] {
        &self.touched
    }

    /// What may be touched next; nothing while a row is called, for the caller has to know it.
    pub fn next<A: Clone>(&self, choices: &[Choice<A>]) -> Vec<Spot> {
        if self.is_calling() { Vec::new() } else { narrow(choices, &self.touched).next }
    }

    /// Whether a call has begun, which says nothing about whether there is something to call.
    fn is_calling(&self) -> bool {
        self.touched.first().is_some_and(|first| first.is_quiet())
    }

    /// Touches a spot.
    ///
    /// A spot that continues the choice comes before all else; otherwise the last spot again takes it back, and a
    /// spot that begins another choice begins it.
    ///
    /// A call can always be begun, and is judged when two squares of the row are touched: a wrong one is forgotten.
    pub fn touch<A: Clone>(&mut self, choices: &[Choice<A>], spot: Spot) -> Touched<A> {
        if self.touched.is_empty() && spot.is_quiet() || self.is_calling() && spot.square().is_some() {
            return self.touch_called(choices, spot);
        }
        if self.accept(choices, spot) {
            return self.finish(choices, Touched::Further);
        }
        if self.touched.last() == Some(&spot) {
            self.touched.pop();
            return Touched::TakenBack;
        }
        let mut anew = Picker::new();
        if !self.touched.is_empty() && anew.accept(choices, spot) {
            *self = anew;
            return self.finish(choices, Touched::Anew);
        }
        let mut tried = self.touched.clone();
        tried.push(spot);
        Touched::Nowhere(tried)
    }

    fn touch_called<A: Clone>(&mut self, choices: &[Choice<A>], spot: Spot) -> Touched<A> {
        if self.touched.last() == Some(&spot) {
            self.touched.pop();
            return Touched::TakenBack;
        }
        self.touched.push(spot);
        match self.finish(choices, Touched::Further) {
            Touched::Further if self.touched.len() > 2 => Touched::Nowhere(std::mem::take(&mut self.touched)),
            judged => judged,
        }
    }

    /// Takes the last touch back; `false` if there was none.
    pub fn back(&mut self) -> bool {
        self.touched.pop().is_some()
    }

    /// Forgets all touches, as after another seat's action.
    pub fn clear(&mut self) {
        self.touched.clear();
    }

    fn accept<A: Clone>(&mut self, choices: &[Choice<A>], spot: Spot) -> bool {
        let accepted = narrow(choices, &self.touched).next.contains(&spot);
        if accepted {
            self.touched.push(spot);
        }
        accepted
    }

    fn finish<A: Clone>(&mut self, choices: &[Choice<A>], otherwise: Touched<A>) -> Touched<A> {
        match narrow(choices, &self.touched).complete {
            Some(action) => {
                self.clear();
                Touched::Complete(action)
            }
            None => otherwise,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots(names: &str) -> Vec<Spot> {
        names.split_whitespace().map(|name| name.parse().unwrap()).collect()
    }

    fn choices() -> Vec<Choice<&'static str>> {
        ["a1 a5", "a1 e1", "a5 a1", "b2", "card:cat c3", "card:cat c4", "button:end", "a3 c3 button:dot:1"]
            .map(|names| Choice { action: names, touches: spots(names) })
            .to_vec()
    }

    #[test]
    fn every_first_touch_is_offered_once_and_in_order() {
        let open = narrow(&choices(), &[]);
        assert_eq!(open.next, spots("a1 a3 a5 b2 card:cat button:end"));
        assert_eq!((open.complete, open.possible), (None, 8));
    }

    #[test]
    fn touches_narrow_until_an_action_is_complete() {
        assert_eq!(narrow(&choices(), &spots("a1")).next, spots("a5 e1"));
        assert_eq!(narrow(&choices(), &spots("a1 e1")).complete, Some("a1 e1"));
        assert_eq!(narrow(&choices(), &spots("a1 e1")).next, []);
        assert_eq!(narrow(&choices(), &spots("b2")).complete, Some("b2"));
        assert_eq!(narrow(&choices(), &spots("a3 c3")).next, spots("button:dot:1"));
        assert_eq!(narrow(&choices(), &spots("c3")).possible, 0);
    }

    #[test]
    fn a_choice_can_be_taken_back_by_the_same_spot_or_a_key() {
        let mut picker = Picker::new();
        assert_eq!(picker.touch(&choices(), spots("a1")[0]), Touched::Further);
        assert_eq!(picker.touch(&choices(), spots("a1")[0]), Touched::TakenBack);
        assert_eq!(picker.touched(), []);
        assert_eq!(picker.touch(&choices(), spots("a1")[0]), Touched::Further);
        assert!(picker.back());
        assert!(!picker.back());
    }

    #[test]
    fn another_first_spot_begins_anew_unless_it_continues() {
        let mut picker = Picker::new();
        picker.touch(&choices(), spots("a1")[0]);
        assert_eq!(picker.touch(&choices(), spots("card:cat")[0]), Touched::Anew);
        assert_eq!(picker.touched(), spots("card:cat"));
        assert_eq!(picker.touch(&choices(), spots("b2")[0]), Touched::Complete("b2"));
        picker.touch(&choices(), spots("a1")[0]);
        assert_eq!(picker.touch(&choices(), spots("a5")[0]), Touched::Complete("a1 a5"), "a5 continues a1");
        assert_eq!(picker.touched(), []);
    }

    #[test]
    fn a_touch_that_leads_nowhere_changes_nothing() {
        let mut picker = Picker::new();
        picker.touch(&choices(), spots("a1")[0]);
        assert_eq!(picker.touch(&choices(), spots("c3")[0]), Touched::Nowhere(spots("a1 c3")));
        assert_eq!(picker.touched(), spots("a1"));
    }

    #[test]
    fn a_call_is_judged_by_the_row_that_is_touched() {
        let mut choices = choices();
        choices.push(Choice { action: "!", touches: spots("button:call a1 a4") });
        for (touches, expected) in [
            ("button:call a1 a4", Touched::Complete("!")),
            ("button:call a1 b2", Touched::Nowhere(spots("button:call a1 b2"))),
            // With another action under way on the same square, a call never plays that action.
            ("button:call b2 a1", Touched::Nowhere(spots("button:call b2 a1"))),
            ("button:call a1 a1", Touched::TakenBack),
            ("button:call a1", Touched::Further),
        ] {
            let mut picker = Picker::new();
            let touched = spots(touches).into_iter().map(|spot| picker.touch(&choices, spot)).last();
            assert_eq!(touched, Some(expected), "{touches}");
            assert_eq!(picker.next(&choices).is_empty(), picker.touched().first().is_some_and(|it| it.is_quiet()));
        }
    }
}
