CREATE TABLE ratings (
    person TEXT NOT NULL,
    game TEXT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games BIGINT NOT NULL,
    PRIMARY KEY (person, game)
);

CREATE TABLE reports (
    id TEXT PRIMARY KEY NOT NULL,
    table_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    person TEXT NOT NULL,
    words TEXT NOT NULL,
    at BIGINT NOT NULL
);
