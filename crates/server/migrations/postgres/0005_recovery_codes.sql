-- One-time codes that replace a forgotten password; there is no mail. Only their hashes are stored.
CREATE TABLE recovery_codes (
    person TEXT NOT NULL,
    code_hash TEXT NOT NULL,
    PRIMARY KEY (person, code_hash)
);
