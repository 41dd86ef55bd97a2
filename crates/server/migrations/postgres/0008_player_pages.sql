-- How ratings changed, for the charts of player pages.
CREATE TABLE rating_history (
    person TEXT NOT NULL,
    game TEXT NOT NULL,
    games BIGINT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, game, games)
);
CREATE INDEX ratings_by_game ON ratings (game, rating);

-- Whom a person follows.
CREATE TABLE follows (
    person TEXT NOT NULL,
    followed TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, followed)
);
