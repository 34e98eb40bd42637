"""Requests that nobody would send, made of pieces of requests: each is drafted or refused, none is a fault of ours."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from app.drafting.composer import Composer
from app.drafting.draft import NotUnderstood
from ingest.manifest import Manifest
from tests.test_composer import READ

TRIED = 60


def odd_requests() -> Iterator[str]:
    """Some words of a request, one clause of it, all but a word of it, its beginning with the end of another."""
    chance = random.Random(11)
    requests = [request for request, _ in READ]
    for _ in range(TRIED):
        words, others = (chance.choice(requests).split() for _ in range(2))
        cut, left_out, end = (chance.randrange(len(words)) for _ in range(3))
        yield " ".join(words[cut : cut + chance.randrange(1, 9)])
        yield chance.choice(re.split(r"(?<=[.!;,:])\s+", " ".join(words)))
        yield " ".join([*words[:left_out], *words[left_out + 1 :]])
        yield " ".join([*words[:end], *others[chance.randrange(len(others)) :]])


def test_every_piece_of_a_request_is_drafted_or_refused(manifest: Manifest) -> None:
    composer = Composer()
    ends = {"drafted": 0, "refused": 0}
    for request in odd_requests():
        try:
            composer.draft(request, manifest)
        except NotUnderstood:
            ends["refused"] += 1
        else:
            ends["drafted"] += 1
    assert min(ends.values()) > TRIED / 2, ends
