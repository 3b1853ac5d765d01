-- Contents of the Skills Protocol. A large one is a file, in a directory with this id.
CREATE TABLE blobs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    family_id TEXT NOT NULL REFERENCES families (id),
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    mime TEXT NOT NULL,
    encoding TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    content TEXT,
    directory TEXT,
    created_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL
);

CREATE INDEX blobs_of_owner ON blobs (family_id, owner, used_at, size_bytes);
CREATE INDEX blobs_by_use ON blobs (used_at);
CREATE INDEX blobs_in_files ON blobs (directory, id) WHERE directory IS NOT NULL;

-- Runs of skills and of code. What has no skill is a run of code.
CREATE TABLE skill_runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    family_id TEXT NOT NULL,
    id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    skill TEXT,
    skill_version TEXT,
    status TEXT NOT NULL,
    error_type TEXT,
    started_at BIGINT NOT NULL,
    milliseconds BIGINT NOT NULL,
    summary TEXT NOT NULL,
    UNIQUE (family_id, id),
    FOREIGN KEY (family_id, user_id) REFERENCES users (family_id, id)
);

-- One index for each way to list runs, and one for the removal of the oldest.
CREATE INDEX skill_runs_of_family ON skill_runs (family_id, seq);
CREATE INDEX skill_runs_failed ON skill_runs (family_id, seq) WHERE status = 'failed';
CREATE INDEX skill_runs_by_age ON skill_runs (family_id, started_at);
