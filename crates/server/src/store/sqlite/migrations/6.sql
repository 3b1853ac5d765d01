-- The events of a family are numbered without gaps, so that the oldest are found without counting.
CREATE TABLE activity (
    family_id TEXT NOT NULL REFERENCES families (id),
    number BIGINT NOT NULL,
    type TEXT NOT NULL,
    actor_id TEXT,
    refs TEXT NOT NULL,
    payload TEXT NOT NULL,
    at BIGINT NOT NULL,
    UNIQUE (family_id, number),
    FOREIGN KEY (family_id, actor_id) REFERENCES users (family_id, id)
);

-- The results that were posted are the cards of the inbox. The heartbeat and the run may be gone.
ALTER TABLE results ADD COLUMN kind TEXT NOT NULL DEFAULT 'result';
ALTER TABLE results ADD COLUMN state TEXT NOT NULL DEFAULT 'unread';
ALTER TABLE results ADD COLUMN heartbeat_id TEXT;
ALTER TABLE results ADD COLUMN run_id TEXT;

-- Skills that were written before have no schema of their results.
ALTER TABLE skills ADD COLUMN response_model TEXT;

-- One index for each way to list cards.
CREATE INDEX results_by_state ON results (family_id, state, seq);
CREATE INDEX results_of_thread ON results (family_id, thread_id, seq);
