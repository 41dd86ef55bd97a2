-- Whose a bot is, so that its token can be listed and withdrawn; when a token was last used. Bots from before have no owner.
ALTER TABLE people ADD COLUMN owner TEXT;
CREATE INDEX people_by_owner ON people (owner) WHERE owner IS NOT NULL;
ALTER TABLE sessions ADD COLUMN used_at BIGINT;
