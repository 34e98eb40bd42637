"""Finds the names nearest to one that does not exist."""

from __future__ import annotations

import contextlib
import difflib
import re
from collections.abc import Generator, Iterable
from contextvars import ContextVar
from typing import Final

_NEAR: Final = 0.72
_MISSPELT: Final = 0.82
_SHORT: Final = 3
_SLIP: Final = 2
"""The most that a typing error makes a name longer or shorter."""
_MOST: Final = 3


_lookups_left: ContextVar[list[int] | None] = ContextVar("names still looked up", default=None)


@contextlib.contextmanager
def at_most(names: int) -> Generator[None]:
    """Limit the number of lookups: a snippet may be wrong in thousands of places, and each lookup takes time."""
    token = _lookups_left.set([names])
    try:
        yield
    finally:
        _lookups_left.reset(token)


def nearest(name: str, candidates: Iterable[str], most: int = _MOST) -> list[str]:
    """The candidates that may have been meant, the likeliest first; empty if none is near."""
    lookups = _lookups_left.get()
    if lookups is not None:
        if lookups[0] <= 0:
            return []
        lookups[0] -= 1
    known = {candidate for candidate in candidates if candidate}
    parts = _parts(name)
    alike = {
        candidate: 1.0 if _parts(candidate) == parts else _ratio(name, candidate)
        for candidate in known
        if _could_be(name, candidate) and _in_its_words(name, candidate)
    }
    near = [candidate for candidate, ratio in alike.items() if ratio >= _NEAR]
    # A longer name that contains all the given words is near too: "Emission" and "Emission Color".
    holding = [candidate for candidate in known if parts and parts < _parts(candidate)]
    ranked = sorted(near, key=lambda candidate: (-alike[candidate], candidate))
    longer = sorted(set(holding) - set(near), key=lambda candidate: (len(candidate), candidate))
    return [*ranked, *longer][:most]


def misspelt(name: str, candidates: Iterable[str]) -> bool:
    """True if the name is one of the candidates with a typing error."""
    if len(name) < _SHORT:
        return False
    return any(
        _ratio(name, candidate) >= _MISSPELT or _is_swapped(name, candidate)
        for candidate in set(candidates)
        if abs(len(name) - len(candidate)) <= _SLIP and _could_be(name, candidate)
    )


def did_you_mean(names: list[str]) -> str | None:
    """The hint that offers these names."""
    if not names:
        return None
    quoted = [f"`{name}`" for name in names]
    return (
        f"Did you mean {quoted[0]}?" if len(quoted) == 1 else f"Did you mean {', '.join(quoted[:-1])} or {quoted[-1]}?"
    )


def _in_its_words(name: str, candidate: str) -> bool:
    """True if every word of the name is in the candidate, perhaps misspelt: `unified_paint_settings` is not
    `curve_paint_settings`, though most letters are the same.
    """
    given, known = _parts(name), _parts(candidate)
    if len(given) < 2 or len(known) < 2:
        return True
    return all(word in known or any(_ratio(word, other) >= _NEAR for other in known) for word in given)


def _could_be(name: str, candidate: str) -> bool:
    """A cheap comparison of lengths: a name that fails it cannot reach the ratio."""
    return 2 * min(len(name), len(candidate)) >= _NEAR * (len(name) + len(candidate))


def _ratio(name: str, candidate: str) -> float:
    """The similarity of two names, from 0 to 1; 0 if it cannot be enough."""
    matcher = difflib.SequenceMatcher(None, name.lower(), candidate.lower())
    return matcher.ratio() if matcher.quick_ratio() >= _NEAR else 0.0


def _is_swapped(name: str, candidate: str) -> bool:
    """True if two neighbouring letters changed places: in a short name that alone makes a low ratio."""
    places = [at for at, (letter, other) in enumerate(zip(name, candidate, strict=False)) if letter != other]
    if len(name) != len(candidate) or len(name) <= _SHORT or len(places) != _SLIP:
        return False
    first, second = places
    return second == first + 1 and name[first] == candidate[second] and name[second] == candidate[first]


def _parts(name: str) -> frozenset[str]:
    return frozenset(part for part in re.split(r"[\W_]+", name.lower()) if part)
