-- The tables of release 0.1 in Postgres, with a run that has ended and one that waits.
CREATE TABLE runs (
    number BIGINT GENERATED ALWAYS AS IDENTITY,
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    stage TEXT NOT NULL,
    title TEXT NOT NULL,
    blender TEXT NOT NULL,
    request TEXT NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    started_at TEXT COLLATE "C",
    finished_at TEXT COLLATE "C",
    artifact TEXT,
    error TEXT,
    resumes INTEGER NOT NULL DEFAULT 0,
    retrieved TEXT NOT NULL DEFAULT '[]',
    caller TEXT NOT NULL DEFAULT '',
    key TEXT,
    digest TEXT,
    cost DOUBLE PRECISION NOT NULL DEFAULT 0,
    owner TEXT,
    place TEXT,
    leased_until TIMESTAMPTZ,
    cancel BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE UNIQUE INDEX runs_by_number ON runs (number);
CREATE UNIQUE INDEX runs_by_key ON runs (caller, key) WHERE key IS NOT NULL;
CREATE INDEX runs_open ON runs (caller, number) WHERE finished_at IS NULL;
CREATE INDEX runs_by_status ON runs (status, number);
CREATE INDEX runs_by_caller ON runs (caller, created_at);
CREATE INDEX runs_served ON runs (caller, started_at);
CREATE TABLE attempts (
    run TEXT NOT NULL,
    number INTEGER NOT NULL,
    attempt TEXT NOT NULL,
    PRIMARY KEY (run, number)
);
CREATE TABLE records (
    run TEXT NOT NULL,
    kind TEXT NOT NULL,
    number BIGINT NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (run, kind, number)
);
CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL, until TIMESTAMPTZ NOT NULL);
ALTER TABLE leases ADD COLUMN places INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_recent ON runs (created_at, caller);
CREATE TABLE blendproof_schema (version INTEGER NOT NULL);
INSERT INTO blendproof_schema VALUES (1), (2);
INSERT INTO runs (id, kind, status, stage, title, blender, request, created_at, finished_at, artifact, caller, cost)
VALUES ('r-1', 'generate', 'proven', 'publish', 'add a cube', '5.0.1', '{"request": "add a cube"}',
    '2026-01-01T00:00:00.000+00:00', '2026-01-01T00:00:09.000+00:00', 'a-1', 'ada', 0.25),
    ('r-2', 'validate', 'queued', 'queued', 'import bpy', '5.0.1', '{"snippet": "import bpy"}',
    '2026-01-02T00:00:00.000+00:00', NULL, NULL, '', 0);
INSERT INTO records VALUES ('r-1', 'event', 1, '{"number": 1, "at": "x", "kind": "ended", "facts": {"status": "proven"}}');
