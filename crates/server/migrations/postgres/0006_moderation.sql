-- What an operator has banned: a network by its first address, or a person.
CREATE TABLE bans (
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    reason TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (kind, subject)
);

-- Whose chat a person does not want to read, and with whom they do not want to be paired.
CREATE TABLE blocks (
    person TEXT NOT NULL,
    blocked TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, blocked)
);
CREATE INDEX blocks_by_blocked ON blocks (blocked);

-- Whether the chat of a game that ended long ago has been removed.
ALTER TABLE tables ADD COLUMN chat_removed BIGINT NOT NULL DEFAULT 0;
