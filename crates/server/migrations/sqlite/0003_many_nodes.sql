-- What was found out about finished games.
CREATE TABLE analyses (
    table_id TEXT PRIMARY KEY NOT NULL,
    found TEXT NOT NULL,
    at INTEGER NOT NULL
);
