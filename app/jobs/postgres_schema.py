"""The tables in Postgres. Each step is done once, in order; the table `blendproof_schema` has the last one."""

from __future__ import annotations

from typing import Final

FIRST: Final = """
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
"""
SECOND: Final = """
ALTER TABLE leases ADD COLUMN places INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_recent ON runs (created_at, caller);
"""
STEPS: Final = (FIRST, SECOND)
LOCK: Final = 0x626C656E64
"""The advisory lock that is held while the tables are brought up to date."""
EXISTS: Final = "CREATE TABLE IF NOT EXISTS blendproof_schema (version INTEGER NOT NULL)"
