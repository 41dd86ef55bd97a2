//! How single values are written.

use locale::Language;
use serde::{Deserialize, Deserializer};

use crate::{Event, Phrase, Refusal};

/// A seat as its number, from 1.
pub(crate) mod seat {
    use rules::Seat;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(seat: &Seat, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(seat.number())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Seat::all(4).find(|seat| seat.number() == number).ok_or_else(|| D::Error::custom("a seat is 1, 2, 3 or 4"))
    }
}

/// A seat as its number, from 1, or nothing.
pub(crate) mod optional_seat {
    use rules::Seat;
    use serde::{Deserialize, Deserializer, Serializer};

    #[derive(Deserialize)]
    struct Number(#[serde(with = "super::seat")] Seat);

    pub(crate) fn serialize<S: Serializer>(seat: &Option<Seat>, serializer: S) -> Result<S::Ok, S::Error> {
        match seat {
            Some(seat) => serializer.serialize_u8(seat.number()),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Seat>, D::Error> {
        Ok(Option::<Number>::deserialize(deserializer)?.map(|Number(seat)| seat))
    }
}

/// A value that a newer server may send in a form that this program does not know.
pub(crate) trait MaybeUnknown {
    const UNKNOWN: Self;
}

impl MaybeUnknown for Event {
    const UNKNOWN: Event = Event::Unknown;
}

impl MaybeUnknown for Refusal {
    const UNKNOWN: Refusal = Refusal::Unknown;
}

/// Reads a value; one that cannot be read, for whatever field in it, is unknown and no error: an event must not be lost
/// with its number, nor a refusal with the id of its request.
pub(crate) fn known_or_unknown<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<T, D::Error>
where
    T: MaybeUnknown + serde::de::DeserializeOwned,
{
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).unwrap_or(T::UNKNOWN))
}

impl Phrase {
    /// The phrase in a reader's language.
    pub fn text(self, language: Language) -> &'static str {
        match self {
            Phrase::Hello => language.phrase_hello(),
            Phrase::GoodLuck => language.phrase_good_luck(),
            Phrase::WellPlayed => language.phrase_well_played(),
            Phrase::Thanks => language.phrase_thanks(),
            Phrase::Oops => language.phrase_oops(),
            Phrase::OneMoment => language.phrase_one_moment(),
            Phrase::Again => language.phrase_again(),
            Phrase::Bye => language.phrase_bye(),
        }
    }
}
