-- Tokens that were issued before have no name, and do not expire.
ALTER TABLE tokens ADD COLUMN name TEXT;
ALTER TABLE tokens ADD COLUMN created_at BIGINT;
ALTER TABLE tokens ADD COLUMN expires_at BIGINT;
