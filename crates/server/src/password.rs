//! Password hashes (argon2id). Each takes memory and time on purpose, so few are computed at once, also for clients that
//! hang up, and their memory is used again.

use std::sync::{Arc, Mutex, PoisonError};

use argon2::password_hash::{Output, ParamsString, PasswordHash, Salt, SaltString};
use argon2::{ARGON2ID_IDENT, Argon2, Block, Params, Version};
use protocol::Refusal;

use crate::api::JobQueue;
use crate::secret;

/// Computes and checks password hashes.
pub(crate) struct Passwords {
    queue: JobQueue,
    buffers: Arc<Buffers>,
}

/// The memory of hashes that are done, for the next ones.
#[derive(Default)]
struct Buffers(Mutex<Vec<Vec<Block>>>);

/// The hash of an unknown text: a login of a name that does not exist takes as long as any other.
const UNKNOWN: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$YWFhYWFhYWFhYWFhYWFhYQ$Gd1CkLyHGm9hPBjHrJ7o7fYvl4N5yVt3QZqXm0bXn2E";

impl Passwords {
    pub(crate) fn new() -> Passwords {
        Passwords { queue: JobQueue::for_passwords(), buffers: Arc::default() }
    }

    /// The hash of a new password.
    pub(crate) async fn hash(&self, password: String) -> Result<String, Refusal> {
        let buffers = self.buffers.clone();
        let work = move || {
            let salt = SaltString::encode_b64(&secret::token().as_bytes()[..16]).ok()?;
            let params = Params::default();
            let output = buffers.compute(&params, &password, salt.as_salt(), Params::DEFAULT_OUTPUT_LEN)?;
            let hash = PasswordHash {
                algorithm: ARGON2ID_IDENT,
                version: Some(Version::V0x13.into()),
                params: ParamsString::try_from(&params).ok()?,
                salt: Some(salt.as_salt()),
                hash: Some(output),
            };
            Some(hash.to_string())
        };
        self.queue.run(work).await?.ok_or(Refusal::BadPassword)
    }

    /// Whether a password has this hash; never without one.
    pub(crate) async fn is_right(&self, password: String, hash: Option<String>) -> Result<bool, Refusal> {
        let buffers = self.buffers.clone();
        let work = move || {
            let parsed = PasswordHash::new(hash.as_deref().unwrap_or(UNKNOWN)).ok()?;
            let (params, expected) = (Params::try_from(&parsed).ok()?, parsed.hash?);
            let output = buffers.compute(&params, &password, parsed.salt?, expected.len())?;
            // `Output` compares in constant time.
            Some(output == expected && hash.is_some())
        };
        Ok(self.queue.run(work).await?.unwrap_or(false))
    }
}

impl Buffers {
    fn compute(&self, params: &Params, password: &str, salt: Salt<'_>, length: usize) -> Option<Output> {
        let mut buffer = self.free().pop().unwrap_or_default();
        buffer.resize(params.block_count(), Block::new());
        let argon2 = Argon2::new(argon2::Algorithm::Argon2id, Version::V0x13, params.clone());
        let mut salt_bytes = [0; 64];
        let salt = salt.decode_b64(&mut salt_bytes).ok()?;
        let output = Output::init_with(length, |out| {
            Ok(argon2.hash_password_into_with_memory(password.as_bytes(), salt, out, &mut buffer[..])?)
        });
        self.free().push(buffer);
        output.ok()
    }

    fn free(&self) -> std::sync::MutexGuard<'_, Vec<Vec<Block>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};

    use super::*;

    #[tokio::test]
    async fn hashes_are_those_of_the_library_both_ways() {
        let passwords = Passwords::new();
        let ours = passwords.hash("correct horse".to_owned()).await.unwrap();
        let parsed = PasswordHash::new(&ours).unwrap();
        assert!(Argon2::default().verify_password(b"correct horse", &parsed).is_ok());
        let salt = SaltString::encode_b64(b"sixteen letters!").unwrap();
        let theirs = Argon2::default().hash_password(b"battery", &salt).unwrap().to_string();
        for (password, hash, right) in [
            ("correct horse", Some(&ours), true),
            ("correct cow", Some(&ours), false),
            ("battery", Some(&theirs), true),
            ("battery", None, false),
        ] {
            assert_eq!(passwords.is_right(password.to_owned(), hash.cloned()).await, Ok(right));
        }
        assert_eq!(passwords.buffers.free().len(), 1, "one after another, they share the memory");
    }

    #[tokio::test]
    async fn clients_that_hang_up_do_not_make_room_for_more_hashes() {
        let passwords = Arc::new(Passwords::new());
        for _ in 0..20 {
            let login = passwords.is_right("wrong".to_owned(), None);
            let _ = tokio::time::timeout(Duration::from_millis(2), login).await;
        }
        // The two that were begun are done before the next, and no more than two buffers were ever needed.
        assert_eq!(passwords.is_right("wrong".to_owned(), None).await, Ok(false));
        assert!(passwords.buffers.free().len() <= 2, "{}", passwords.buffers.free().len());
    }
}
