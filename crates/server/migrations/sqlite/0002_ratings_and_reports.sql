CREATE TABLE ratings (
    person TEXT NOT NULL,
    game TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    games INTEGER NOT NULL,
    PRIMARY KEY (person, game)
) WITHOUT ROWID;

CREATE TABLE reports (
    id TEXT PRIMARY KEY NOT NULL,
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    person TEXT NOT NULL,
    words TEXT NOT NULL,
    at INTEGER NOT NULL
);
