use sqlx::query_as;

use super::row::row;
use super::{Store, StoreError, Write, on};

row! {
    /// A setting of the app that a person has chosen, and when.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct PreferenceRow {
        pub(crate) name: String,
        pub(crate) value: String,
        pub(crate) at: i64,
    }
}

impl Store {
    /// What a person has chosen, by name.
    pub(crate) async fn preferences(&self, person: &str) -> Result<Vec<PreferenceRow>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT name, value, at FROM preferences WHERE person = $1 ORDER BY name";
            Ok(query_as(sql).bind(person).fetch_all(pool).await?)
        })
    }

    /// Keeps choices. Of two for the same setting the later one stays; beyond `most` settings nothing is added.
    pub(crate) async fn keep_preferences(
        &self,
        person: &str,
        chosen: Vec<PreferenceRow>,
        most: i64,
    ) -> Result<(), StoreError> {
        // The parameters are cast because PostgreSQL does not know their types in a SELECT.
        let sql = "INSERT INTO preferences (person, name, value, at) \
                   SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT) \
                   WHERE (SELECT count(*) FROM preferences WHERE person = $1 AND name <> $2) < $5 \
                   ON CONFLICT (person, name) DO UPDATE SET value = excluded.value, at = excluded.at \
                   WHERE excluded.at > preferences.at";
        let add = |write: Write, row: PreferenceRow| {
            write.also(sql, [person.into(), row.name.into(), row.value.into(), row.at.into(), most.into()])
        };
        self.write(chosen.into_iter().fold(Write::default(), add)).await
    }
}
