-- The version of each resource that has changed. The numbers are those of the whole store.
CREATE TABLE resource_versions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    family_id TEXT NOT NULL REFERENCES families (id),
    resource TEXT NOT NULL,
    version BIGINT NOT NULL,
    UNIQUE (family_id, resource)
);

CREATE INDEX resource_versions_in_order ON resource_versions (version);
