use super::people::end_sessions;
use super::{Store, StoreError, Write, on};

impl Store {
    /// Replaces a person's recovery codes.
    pub(crate) async fn replace_recovery_codes(&self, person: &str, hashes: &[String]) -> Result<(), StoreError> {
        let mut write = Write::default().also("DELETE FROM recovery_codes WHERE person = $1", [person.into()]);
        for hash in hashes {
            let sql = "INSERT INTO recovery_codes (person, code_hash) VALUES ($1, $2)";
            write = write.also(sql, [person.into(), hash.as_str().into()]);
        }
        self.write(write).await
    }

    /// Whether a person has this code and has not used it.
    pub(crate) async fn has_recovery_code(&self, person: &str, hash: &str) -> Result<bool, StoreError> {
        on!(self, pool => {
            let sql = "SELECT 1 FROM recovery_codes WHERE person = $1 AND code_hash = $2";
            Ok(sqlx::query(sql).bind(person).bind(hash).fetch_optional(pool).await?.is_some())
        })
    }

    /// How many codes a person has left.
    pub(crate) async fn recovery_codes_left(&self, person: &str) -> Result<i64, StoreError> {
        on!(self, pool => {
            let sql = "SELECT count(*) FROM recovery_codes WHERE person = $1";
            Ok(sqlx::query_scalar(sql).bind(person).fetch_one(pool).await?)
        })
    }

    /// Uses a code up to set a new password, and ends all sessions; a conflict if the code was used meanwhile.
    pub(crate) async fn recover(&self, person: &str, code_hash: &str, password: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM recovery_codes WHERE person = $1 AND code_hash = $2";
        let write = Write::only_if(sql, [person.into(), code_hash.into()]);
        let write = write.also("UPDATE people SET password = $1 WHERE id = $2", [password.into(), person.into()]);
        self.write(write.and(end_sessions(person))).await
    }
}
