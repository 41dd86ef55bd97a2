-- What a person with an account has chosen in the app: the latest choice for each setting.
CREATE TABLE preferences (
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, name)
);

-- Whom a waiting table is offered to.
CREATE TABLE challenges (
    table_id TEXT NOT NULL,
    challenged TEXT NOT NULL,
    challenger TEXT NOT NULL,
    at BIGINT NOT NULL,
    declined BIGINT NOT NULL,
    PRIMARY KEY (table_id, challenged)
);
CREATE INDEX challenges_by_challenged ON challenges (challenged);
CREATE INDEX challenges_by_challenger ON challenges (challenger);
