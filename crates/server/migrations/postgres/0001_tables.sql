-- A table's log is the truth; everything else in `tables` and `seats` can be derived from it and is kept for finding.
CREATE TABLE tables (
    id TEXT PRIMARY KEY NOT NULL,
    wish TEXT NOT NULL,
    game TEXT NOT NULL,
    maker TEXT NOT NULL,
    state TEXT NOT NULL,
    seq BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    due_at BIGINT,
    result TEXT,
    cause TEXT
);
CREATE INDEX tables_by_state ON tables (state, changed_at);

CREATE TABLE events (
    table_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
);

CREATE TABLE seats (
    table_id TEXT NOT NULL,
    seat BIGINT NOT NULL,
    person TEXT NOT NULL,
    PRIMARY KEY (table_id, seat)
);
CREATE INDEX seats_by_person ON seats (person);

CREATE TABLE people (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    login TEXT UNIQUE,
    password TEXT,
    created_at BIGINT NOT NULL
);

CREATE TABLE sessions (
    token_hash TEXT PRIMARY KEY NOT NULL,
    person TEXT NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_person ON sessions (person);

-- When a server ran, so that nobody's clock is charged for the time it did not.
CREATE TABLE runs (
    id TEXT PRIMARY KEY NOT NULL,
    started_at BIGINT NOT NULL,
    alive_at BIGINT NOT NULL
);

CREATE TABLE settings (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
);
