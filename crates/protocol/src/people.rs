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
