CREATE TABLE families (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    chat_id TEXT NOT NULL
);

-- The id is unique among all families, since idempotency keys belong to a user alone.
CREATE TABLE users (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    family_id TEXT NOT NULL REFERENCES families (id),
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    UNIQUE (family_id, id)
);

CREATE TABLE children (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    family_id TEXT NOT NULL REFERENCES families (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    birth_date TEXT NOT NULL,
    UNIQUE (family_id, id)
);

CREATE TABLE canvases (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    family_id TEXT NOT NULL REFERENCES families (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    emoji TEXT,
    age_range TEXT,
    UNIQUE (family_id, id)
);

CREATE TABLE tokens (
    digest TEXT PRIMARY KEY,
    family_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    scopes TEXT NOT NULL,
    FOREIGN KEY (family_id, user_id) REFERENCES users (family_id, id)
);

CREATE TABLE skills (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    family_id TEXT NOT NULL REFERENCES families (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    category TEXT,
    hands TEXT NOT NULL,
    inputs TEXT NOT NULL,
    kid_callable BIGINT,
    canvases TEXT NOT NULL,
    age_range TEXT,
    is_archived BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    last_triggered_at BIGINT,
    prompt TEXT NOT NULL,
    UNIQUE (family_id, id)
);

-- One index for each way to list skills, so that a page costs the same wherever it begins.
CREATE INDEX skills_all ON skills (family_id, seq);
CREATE INDEX skills_current ON skills (family_id, is_archived, seq);
CREATE INDEX skills_of_category ON skills (family_id, COALESCE(category, 'generic'), seq);
CREATE INDEX skills_current_of_category
    ON skills (family_id, COALESCE(category, 'generic'), is_archived, seq);

CREATE TABLE results (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    family_id TEXT NOT NULL,
    id TEXT NOT NULL,
    skill_id TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    posted_at BIGINT NOT NULL,
    result TEXT NOT NULL,
    UNIQUE (family_id, id),
    FOREIGN KEY (family_id, skill_id) REFERENCES skills (family_id, id),
    FOREIGN KEY (family_id, user_id) REFERENCES users (family_id, id)
);

CREATE TABLE heartbeats (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    family_id TEXT NOT NULL REFERENCES families (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    cron TEXT NOT NULL,
    tz TEXT NOT NULL,
    run_skill_id TEXT NOT NULL,
    assignment_skill_id TEXT,
    child_id TEXT,
    skill_input TEXT NOT NULL,
    post_result_notify BIGINT NOT NULL,
    state TEXT NOT NULL,
    chat_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_run_at BIGINT,
    UNIQUE (family_id, id),
    UNIQUE (family_id, chat_id),
    FOREIGN KEY (family_id, run_skill_id) REFERENCES skills (family_id, id),
    FOREIGN KEY (family_id, assignment_skill_id) REFERENCES skills (family_id, id),
    FOREIGN KEY (family_id, child_id) REFERENCES children (family_id, id)
);

CREATE INDEX heartbeats_not_cancelled ON heartbeats (family_id, seq) WHERE state <> 'cancelled';

CREATE TABLE heartbeat_members (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    family_id TEXT NOT NULL,
    heartbeat_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    role TEXT NOT NULL,
    UNIQUE (family_id, heartbeat_id, user_id),
    FOREIGN KEY (family_id, heartbeat_id) REFERENCES heartbeats (family_id, id),
    FOREIGN KEY (family_id, user_id) REFERENCES users (family_id, id)
);

CREATE TABLE answers (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    answer TEXT NOT NULL,
    answered_at BIGINT NOT NULL,
    UNIQUE (user_id, idempotency_key)
);

CREATE INDEX answers_by_age ON answers (answered_at);
