-- How ratings changed, for the charts of player pages.
CREATE TABLE rating_history (
    person TEXT NOT NULL,
    game TEXT NOT NULL,
    games INTEGER NOT NULL,
    rating REAL NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (person, game, games)
) WITHOUT ROWID;
CREATE INDEX ratings_by_game ON ratings (game, rating);

-- Whom a person follows.
CREATE TABLE follows (
    person TEXT NOT NULL,
    followed TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (person, followed)
) WITHOUT ROWID;
