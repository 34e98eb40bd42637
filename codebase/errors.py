"""What can be wrong with a repository; each message says what, and what to do.

RepositoryError
├── NotARepository    there is no readable folder at the path
├── GitFailed         git is missing, refused the repository, or took too long
├── IndexingBusy      another process indexes the same repository
├── SymbolUnclear     a symbol is not in the repository, or may be one of several
├── IndexUnusable     there is no index yet, or another version of it was written
├── IndexingFailed    the index cannot be written; the one before is unchanged
├── SettingsUnusable  the repository's own settings for us cannot be read
├── ResolverFailed    the typed resolver is not installed, took too long, or failed
├── NotWritable       a file may not be written, or is not as it was
└── PatchDoesNotApply a patch of ours is not what git makes of it
"""

from __future__ import annotations


class RepositoryError(Exception):
    """Base of all errors here."""


class NotARepository(RepositoryError):
    """There is no readable folder at the path."""


class GitFailed(RepositoryError):
    """Git is missing, refused the repository, or took too long."""


class IndexingBusy(RepositoryError):
    """Another process indexes the same repository."""


class SymbolUnclear(RepositoryError):
    """A symbol is not in the repository, or may be one of several."""


class IndexUnusable(RepositoryError):
    """There is no index yet, or another version of it was written."""


class IndexingFailed(RepositoryError):
    """The index cannot be written; the one before is unchanged."""


class PatchDoesNotApply(RepositoryError):
    """Git does not make of the old files what a patch of ours should; a fault of ours."""


class SettingsUnusable(RepositoryError):
    """The repository's own settings for us cannot be read."""


class ResolverFailed(RepositoryError):
    """The typed resolver is not installed, took too long, or failed."""


class NotWritable(RepositoryError):
    """A file may not be written, or is not as it was read."""
