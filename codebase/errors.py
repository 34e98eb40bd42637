"""Errors of a repository; each message says which fault there is, and the way to mend it.

RepositoryError
├── NotARepository          there is no readable folder at the path
├── GitFailed               git is missing, refused the repository, or took too long
│   └── GitTooSlow          git took too long
├── IndexingBusy            another process indexes the same repository
├── SymbolUnclear           a symbol is not in the repository, or may be one of several
├── RepositoryIndexUnusable there is no index yet, or another version wrote it
├── IndexingFailed          the index cannot be written; the one before is unchanged
├── SettingsUnusable        the repository's own settings for us cannot be read
├── ResolverFailed          the typed resolver is not installed, took too long, or failed
├── NotWritable             a file may not be written, or is not as it was
└── PatchDoesNotApply       git makes something else of a patch of ours
"""

from __future__ import annotations


class RepositoryError(Exception):
    """Base class of all errors here."""


class NotARepository(RepositoryError):
    """There is no readable folder at the path."""


class GitFailed(RepositoryError):
    """Git is missing, refused the repository, or took too long."""


class GitTooSlow(GitFailed):
    """Git took too long."""


class IndexingBusy(RepositoryError):
    """Another process indexes the same repository."""


class SymbolUnclear(RepositoryError):
    """A symbol is not in the repository, or may be one of several."""


class RepositoryIndexUnusable(RepositoryError):
    """There is no index yet, or another version wrote it."""


class IndexingFailed(RepositoryError):
    """The index cannot be written; the one before is unchanged."""


class PatchDoesNotApply(RepositoryError):
    """Git makes something else of the old files than a patch of ours says; a fault of ours."""


class SettingsUnusable(RepositoryError):
    """The repository's own settings for us cannot be read."""


class ResolverFailed(RepositoryError):
    """The typed resolver is not installed, took too long, or failed."""


class NotWritable(RepositoryError):
    """A file may not be written, or is not as it was read."""
