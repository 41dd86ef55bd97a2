//! Rows of answers as structs.

/// A struct whose fields are the columns of a row. `sqlx`'s own derive does the same, but compiles both databases, SQLite's C
/// included, a second time for the compiler's use.
macro_rules! row {
    (
        $(#[$about:meta])*
        $seen:vis struct $name:ident {
            $($(#[$field_about:meta])* $field_seen:vis $field:ident: $kind:ty),+ $(,)?
        }
    ) => {
        $(#[$about])*
        $seen struct $name {
            $($(#[$field_about])* $field_seen $field: $kind),+
        }

        impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for $name
        where
            &'static str: sqlx::ColumnIndex<R>,
            $($kind: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,)+
        {
            fn from_row(row: &'r R) -> Result<$name, sqlx::Error> {
                Ok($name { $($field: row.try_get(stringify!($field))?),+ })
            }
        }
    };
}

pub(super) use row;
