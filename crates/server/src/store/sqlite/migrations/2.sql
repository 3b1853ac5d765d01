-- The identity of this database, by which clients recognize it at every address.
CREATE TABLE server (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    id TEXT NOT NULL
);

INSERT INTO server (only, id) VALUES (1, 'srv_' || lower(hex(randomblob(16))));

-- Of the results of a family, only the newest are kept.
CREATE INDEX results_of_family ON results (family_id, seq);
