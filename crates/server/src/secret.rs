//! Random names, tokens and numbers, hashes and signatures.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::runtime;

/// Letters and digits that are not mistaken for each other.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// How long a name of a table or person is: 60 bits, which cannot be guessed.
const NAME: usize = 12;
/// How long a token is: 160 bits.
const TOKEN: usize = 32;

/// A new name for a table or a person.
pub(crate) fn name() -> String {
    letters(NAME)
}

/// A name that only we can make out of a text.
pub(crate) fn derived(key: &str, text: &str) -> String {
    let mut mac = new_mac(key);
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().iter().take(NAME).map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// A new token.
pub(crate) fn token() -> String {
    letters(TOKEN)
}

/// A new recovery code for people to write down: 80 bits in groups of four.
pub(crate) fn recovery_code() -> String {
    let groups: Vec<String> = (0..4).map(|_| letters(4)).collect();
    groups.join("-")
}

/// What is stored of a recovery code, however it was typed in.
pub(crate) fn recovery_code_hash(typed: &str) -> String {
    let plain: String = typed.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    hash(&plain)
}

/// Whether a text could be a name.
pub(crate) fn is_name(text: &str) -> bool {
    text.len() == NAME && text.bytes().all(|byte| LETTERS.contains(&byte))
}

fn letters(count: usize) -> String {
    (0..count).map(|_| char::from(LETTERS[below(32) as usize])).collect()
}

/// A number below another, each with the same odds; 0 if there is none.
pub(crate) fn below(bound: u32) -> u32 {
    if bound == 0 {
        return 0;
    }
    // Numbers from the last, incomplete, run through the bound would favour the small ones.
    let most = u32::MAX - u32::MAX % bound;
    loop {
        let number = runtime::random();
        if number < most {
            return number % bound;
        }
    }
}

/// What is kept of a token.
pub(crate) fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

/// Signs a text with a key.
pub(crate) fn sign(key: &str, text: &str) -> String {
    let mut mac = new_mac(key);
    mac.update(text.as_bytes());
    hex(&mac.finalize().into_bytes()[..16])
}

/// Whether a signature is right, in the same time whether it is or not.
pub(crate) fn is_signed(key: &str, text: &str, signature: &str) -> bool {
    let mut mac = new_mac(key);
    mac.update(text.as_bytes());
    unhex(signature).is_some_and(|given| given.len() == 16 && mac.verify_truncated_left(&given).is_ok())
}

fn new_mac(key: &str) -> Hmac<Sha256> {
    Hmac::new_from_slice(key.as_bytes()).expect("a key may have any length")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_its_text_and_key_alone() {
        let signature = sign("key", "guest");
        assert!(is_signed("key", "guest", &signature));
        assert!(!is_signed("key", "guesT", &signature));
        assert!(!is_signed("kez", "guest", &signature));
        assert!(!is_signed("key", "guest", &signature[..30]));
        assert!(!is_signed("key", "guest", ""));
        assert!(!is_signed("key", "guest", "zz"));
        assert!(!is_signed("key", "guest", "ї"));
    }

    #[test]
    fn names_are_names_and_numbers_are_below_their_bound() {
        assert!(is_name(&name()));
        assert!(!is_name("../../etc"));
        assert_eq!((below(0), below(1)), (0, 0));
        assert!((0..1000).all(|_| below(7) < 7));
    }
}
