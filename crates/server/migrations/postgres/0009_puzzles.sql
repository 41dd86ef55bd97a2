-- Attempts at puzzles; the id is the client's, so that a repeated request changes nothing.
CREATE TABLE puzzle_attempts (
    person TEXT NOT NULL,
    id TEXT NOT NULL,
    puzzle TEXT NOT NULL,
    game TEXT NOT NULL,
    day TEXT NOT NULL,
    clean BIGINT NOT NULL,
    seconds BIGINT NOT NULL,
    before DOUBLE PRECISION NOT NULL,
    after DOUBLE PRECISION NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, id)
);
CREATE INDEX puzzle_attempts_by_puzzle ON puzzle_attempts (person, puzzle);
CREATE INDEX puzzle_attempts_by_day ON puzzle_attempts (day, game, clean, seconds);

-- Ratings of solvers and of puzzles (Glicko-2).
CREATE TABLE puzzle_solvers (
    person TEXT NOT NULL,
    game TEXT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    attempts BIGINT NOT NULL,
    PRIMARY KEY (person, game)
);
CREATE TABLE puzzle_ratings (
    puzzle TEXT NOT NULL PRIMARY KEY,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    attempts BIGINT NOT NULL
);

-- The best storm of a person in a game.
CREATE TABLE puzzle_storms (
    person TEXT NOT NULL,
    game TEXT NOT NULL,
    solved BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, game)
);
CREATE INDEX puzzle_storms_by_game ON puzzle_storms (game, solved);
