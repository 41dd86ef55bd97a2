use crate::declare::{object, tagged, words};

object! {
    /// A person, or a program that plays under its own name.
    #[derive(Default)]
    pub struct Person {
        /// The id of the person.
        pub id: String,
        /// The name, which may be empty.
        pub name: String,
        /// What kind of person.
        pub kind: PersonKind,
    }
}

words! {
    /// What kind of person.
    #[derive(Default)]
    pub enum PersonKind {
        /// Without an account.
        #[default]
        Guest = "guest",
        /// With an account.
        Account = "account",
        /// A program with a token.
        Bot = "bot",
    }
}

tagged! {
    /// Who sits on a seat.
    pub enum Occupant by "type" {
        /// A person.
        Person(Person) = "person",
        /// A bot of the server's.
        Bot {
            /// From 1 to 8.
            level: u8,
        } = "bot",
    }
}

object! {
    /// A person's challenges whose tables still wait.
    #[derive(Default)]
    pub struct Challenges {
        /// Those to the person that were not declined, the latest first.
        pub received: Vec<Challenge>,
        /// Those by the person, the latest first.
        pub sent: Vec<Challenge>,
    }
}

object! {
    /// A table that one person offers to another.
    pub struct Challenge {
        /// The table: sit down there to accept.
        pub table: String,
        /// The game with its options.
        pub game: String,
        /// The clock.
        pub clock: String,
        /// Whether ratings change.
        pub rated: bool,
        /// The id of the other person.
        pub person: String,
        /// Their name.
        pub name: String,
        /// When, in milliseconds since 1970.
        pub at: u64,
        /// Whether it was declined.
        pub declined: bool,
    }
}
