"""The drafting source that needs no model.

request ── reader ──> plan ── writer ──> snippet
             │                   │
          lexicon              parts
"""

from __future__ import annotations

from app.drafting.composer.lexicon import load_lexicon, read_toml
from app.drafting.composer.plan import describe
from app.drafting.composer.reader import read
from app.drafting.composer.writer import write
from app.drafting.draft import Draft


def load_examples() -> tuple[str, ...]:
    """Requests that the composer answers, from examples.toml."""
    return tuple(read_toml("examples.toml")["requests"])


class Composer:
    """Answers requests that name Blender things, and refuses every other one as a whole."""

    def draft(self, request: str) -> Draft:
        """Write the snippet that the request asks for; the same request always gives the same snippet.

        Raises `NotUnderstood` if a word found no place, `ValueOutOfRange` if Blender does not take a value.
        """
        lexicon = load_lexicon()
        plan = read(lexicon, request)
        return Draft(snippet=write(plan, lexicon, request), source="composer", notes=describe(plan))
