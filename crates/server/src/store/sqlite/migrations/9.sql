-- What a client may do for a user, as the user allowed it.
CREATE TABLE grants (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    family_id TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    client_name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    audience TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at BIGINT,
    FOREIGN KEY (family_id, user_id) REFERENCES users (family_id, id)
);

CREATE INDEX grants_of_family ON grants (family_id, seq);

ALTER TABLE tokens ADD COLUMN grant_id TEXT REFERENCES grants (id);
ALTER TABLE tokens ADD COLUMN audience TEXT;
ALTER TABLE tokens ADD COLUMN used_at BIGINT;

CREATE INDEX tokens_of_grant ON tokens (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX tokens_by_expiry ON tokens (expires_at) WHERE grant_id IS NOT NULL;

-- Clients that registered with the server.
CREATE TABLE clients (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    metadata TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL
);

CREATE INDEX clients_by_use ON clients (used_at);

-- Secrets that are valid for some time: codes, links, sessions of browsers, and tokens that get others.
CREATE TABLE credentials (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    digest TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    family_id TEXT,
    user_id TEXT,
    grant_id TEXT REFERENCES grants (id),
    value TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    FOREIGN KEY (family_id, user_id) REFERENCES users (family_id, id)
);

CREATE INDEX credentials_of_grant ON credentials (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX credentials_of_user ON credentials (family_id, user_id, kind) WHERE user_id IS NOT NULL;
CREATE INDEX credentials_by_expiry ON credentials (expires_at);
