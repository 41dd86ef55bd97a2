-- Attempts at puzzles; the id is the client's, so that a repeated request changes nothing.
CREATE TABLE puzzle_attempts (
    person TEXT NOT NULL,
    id TEXT NOT NULL,
    puzzle TEXT NOT NULL,
    game TEXT NOT NULL,
    day TEXT NOT NULL,
    clean INTEGER NOT NULL,
    seconds INTEGER NOT NULL,
    before REAL NOT NULL,
    after REAL NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (person, id)
) WITHOUT ROWID;
CREATE INDEX puzzle_attempts_by_puzzle ON puzzle_attempts (person, puzzle);
CREATE INDEX puzzle_attempts_by_day ON puzzle_attempts (day, game, clean, seconds);

-- Ratings of solvers and of puzzles (Glicko-2).
CREATE TABLE puzzle_solvers (
    person TEXT NOT NULL,
    game TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (person, game)
) WITHOUT ROWID;
CREATE TABLE puzzle_ratings (
    puzzle TEXT NOT NULL PRIMARY KEY,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    attempts INTEGER NOT NULL
) WITHOUT ROWID;

-- The best storm of a person in a game.
CREATE TABLE puzzle_storms (
    person TEXT NOT NULL,
    game TEXT NOT NULL,
    solved INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (person, game)
) WITHOUT ROWID;
CREATE INDEX puzzle_storms_by_game ON puzzle_storms (game, solved);
