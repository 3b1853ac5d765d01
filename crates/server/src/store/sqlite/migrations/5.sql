-- Heartbeats fire. What was planned before this is not caught up with.
ALTER TABLE heartbeats ADD COLUMN missed_fires TEXT NOT NULL DEFAULT 'once';
ALTER TABLE heartbeats ADD COLUMN decided_until BIGINT NOT NULL DEFAULT 0;
ALTER TABLE heartbeats ADD COLUMN failed_in_row BIGINT NOT NULL DEFAULT 0;
-- When it fires next. It is unknown while this is NULL and the flag is 0, and never otherwise.
ALTER TABLE heartbeats ADD COLUMN next_fire_at BIGINT;
ALTER TABLE heartbeats ADD COLUMN is_next_fire_known BIGINT NOT NULL DEFAULT 0;
UPDATE heartbeats SET decided_until = CAST(strftime('%s', 'now') AS INTEGER) * 1000;

CREATE INDEX heartbeats_by_next_fire ON heartbeats (next_fire_at)
    WHERE state = 'active' AND next_fire_at IS NOT NULL;
CREATE INDEX heartbeats_without_next_fire ON heartbeats (seq)
    WHERE state = 'active' AND is_next_fire_known = 0;

-- Runs outlive their heartbeats, which are removed some time after they were cancelled.
CREATE TABLE runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    family_id TEXT NOT NULL REFERENCES families (id),
    id TEXT NOT NULL,
    heartbeat_id TEXT NOT NULL,
    skill_id TEXT NOT NULL,
    planned_at BIGINT NOT NULL,
    planned_local TEXT NOT NULL,
    decided_at BIGINT NOT NULL,
    state TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    claimed_by TEXT,
    lease_until BIGINT,
    started_at BIGINT,
    ended_at BIGINT,
    reason TEXT,
    may_have_repeated BIGINT NOT NULL,
    prompt_hash TEXT,
    result TEXT,
    UNIQUE (family_id, id),
    UNIQUE (family_id, heartbeat_id, planned_at)
);

CREATE INDEX runs_of_family ON runs (family_id, seq);
CREATE INDEX runs_of_heartbeat ON runs (family_id, heartbeat_id, seq);
CREATE INDEX runs_due ON runs (due_at) WHERE state = 'due';
CREATE INDEX runs_due_of_family ON runs (family_id, due_at) WHERE state = 'due';
CREATE INDEX runs_leased ON runs (lease_until) WHERE state IN ('claimed', 'running');
CREATE INDEX runs_ended ON runs (decided_at) WHERE state IN ('completed', 'failed', 'skipped');

ALTER TABLE server ADD COLUMN tzdb_version TEXT;
