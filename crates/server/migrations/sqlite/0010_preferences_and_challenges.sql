-- What a person with an account has chosen in the app: the latest choice for each setting.
CREATE TABLE preferences (
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (person, name)
) WITHOUT ROWID;

-- Whom a waiting table is offered to.
CREATE TABLE challenges (
    table_id TEXT NOT NULL,
    challenged TEXT NOT NULL,
    challenger TEXT NOT NULL,
    at INTEGER NOT NULL,
    declined INTEGER NOT NULL,
    PRIMARY KEY (table_id, challenged)
) WITHOUT ROWID;
CREATE INDEX challenges_by_challenged ON challenges (challenged);
CREATE INDEX challenges_by_challenger ON challenges (challenger);
