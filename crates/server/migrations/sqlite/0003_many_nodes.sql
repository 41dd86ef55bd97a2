-- What was found out about finished games.
CREATE TABLE analyses (
    table_id TEXT PRIMARY KEY NOT NULL,
    found TEXT NOT NULL,
    at INTEGER NOT NULL
);

-- Where somebody without a seat has said something, so that the name can be taken out again.
CREATE TABLE spoke (
    person TEXT NOT NULL,
    table_id TEXT NOT NULL,
    PRIMARY KEY (person, table_id)
);
