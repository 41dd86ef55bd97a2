-- What the name of an account looks like, so that no other name passes for it; filled in by the program.
ALTER TABLE people ADD COLUMN lookalike TEXT;
CREATE INDEX people_by_lookalike ON people (lookalike) WHERE lookalike IS NOT NULL;
