"""The promise of a drafting source: a request in plain words becomes a snippet, or a refusal that says why.

    request ── Drafter ──> Draft            the snippet and how each part of the request was read
                     └───> NotUnderstood    the words that were not understood
                           └ ValueOutOfRange    understood, but Blender does not take that value

A request is understood as a whole or refused as a whole. For a refused request, `PartialDraft` has the
understood part.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Protocol

from app.accept import Check
from app.verdict.verdict import Author
from ingest.manifest import Manifest


@dataclass(frozen=True)
class SnippetDraft:
    """A snippet, its source, one note on how each part of the request was read, and the acceptance checks that follow
    from the request.
    """

    snippet: str
    source: Author
    notes: list[str]
    accept: list[Check] = dataclasses.field(default_factory=list[Check])


@dataclass(frozen=True)
class PartialDraft:
    """The understood part of a request that is not covered as a whole: a start for another source, never an answer.

    `understood` and `missing` are its sentences, each in the order of the request; `snippet` does exactly what the
    understood sentences say, and is empty if there are none.
    """

    snippet: str
    understood: list[str]
    missing: list[str]


class NotUnderstood(Exception):
    """The request is not covered as a whole, so no snippet is written.

    `words` are the words or phrases that were not understood, in order and as the user wrote them. `reason`
    says why, to the user; `allowed`, if it is known, what may stand in place of the words.
    """

    def __init__(self, words: list[str], reason: str, allowed: str = "") -> None:
        super().__init__(reason)
        self.words = words
        self.reason = reason
        self.allowed = allowed


class NothingSuch(NotUnderstood):
    """The words name nothing that is known, or do not begin like a command: plain words, for a model."""


class ValueOutOfRange(NotUnderstood):
    """A value that Blender does not take for this setting: outside its limits, or of the wrong kind or unit."""


class Drafter(Protocol):
    """A source of snippets."""

    def draft(self, request: str, manifest: Manifest) -> SnippetDraft:
        """Write the snippet that the request asks for, for the Blender of this manifest, or raise `NotUnderstood`."""
        ...

    def plan(self, request: str, manifest: Manifest) -> PartialDraft:
        """The understood part of a request that `draft` refuses."""
        ...
