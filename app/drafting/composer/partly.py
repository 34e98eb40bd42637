"""What is understood of a request that is not covered as a whole, sentence by sentence: the plan that a model starts from.

    'Add a sphere called "Sun". Let a planet circle it in 120 frames. Set the end frame to 120.'
     \\____________________/    \\___________________________/       \\____________________/
          understood                    missing                          understood

A sentence counts together with those before it that were understood, so "it" is what they left. Behind one that was not,
it has to be understood alone, and not speak of anything before: what that was cannot be known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from app.drafting.composer.tokens import tokenize
from app.drafting.draft import NotUnderstood, Plan

ACTIVE: Final = "active_object()"
"""What stands in the snippet for a thing that was not named."""
ENDING: Final = frozenset(".;!?")
REFERRING: Final = frozenset({
    "it", "its", "it's", "itself", "them", "their", "they", "this", "these", "those", "that", "there", "both", "one", "ones",
    "same", "each", "other", "others", "another", "result", "former", "latter", "copy", "copies", "again",
})  # fmt: skip
"""Words that may speak of something that was said before."""


def planned(request: str, draft: Callable[[str], str]) -> Plan:
    """The plan of a request; `draft` gives the snippet for some of its sentences, or raises `NotUnderstood`."""
    understood: list[str] = []
    missing: list[str] = []
    snippet = ""
    for sentence in sentences(request):
        try:
            if missing:
                check_alone(sentence, draft)
            snippet = draft(" ".join([*understood, sentence]))
        except NotUnderstood:
            missing.append(sentence)
        else:
            understood.append(sentence)
    return Plan(snippet, understood, missing)


def sentences(request: str) -> Iterator[str]:
    """The sentences of a request, each with its full stop; where one goes on with "then", so does another sentence."""
    start = 0
    for token in tokenize(request):
        if token.kind == "mark" and token.text in ENDING:
            yield from steps(request[start : token.start])
            start = token.end
    yield from steps(request[start:])


_THEN: Final = re.compile(r",?\s+(?:and\s+)?then\s+(?=\w)", re.IGNORECASE)


def steps(sentence: str) -> Iterator[str]:
    """What stands before and behind each "then"."""
    yield from (f"{step.strip()}." for step in _THEN.split(sentence) if step.strip())


def check_alone(sentence: str, draft: Callable[[str], str]) -> None:
    """Raise `NotUnderstood` where a sentence is not understood alone, or may speak of another one."""
    referring = [token.text for token in tokenize(sentence) if token.word in REFERRING]
    if referring or ACTIVE in draft(sentence):
        raise NotUnderstood(referring, "It speaks of something that was not understood.")
