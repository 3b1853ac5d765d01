-- The order in which heartbeats were cancelled. Those that were cancelled before have none.
ALTER TABLE heartbeats ADD COLUMN cancelled_seq BIGINT;

-- Of the cancelled heartbeats of a family, only the newest are kept.
CREATE INDEX heartbeats_cancelled ON heartbeats (family_id, cancelled_seq)
    WHERE state = 'cancelled';
