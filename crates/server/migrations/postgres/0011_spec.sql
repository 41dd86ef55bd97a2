-- What a table was made with, under the name that the program uses.
ALTER TABLE tables RENAME COLUMN wish TO spec;
