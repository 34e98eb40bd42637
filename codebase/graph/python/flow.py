"""The terms of names at a place of a text, where ways part and meet again. The work is in proportion to the changes."""

from __future__ import annotations

from collections.abc import Sequence

from codebase.graph.python.terms import Terms

Changes = dict[str, int | None]
"""The terms of names at the end of a way that changed them; None if it deleted them."""


class Flow:
    """The terms that names hold, and paths of attributes such as `self.item`."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self.held: dict[str, int] = {}
        self._parts: dict[str, set[str]] = {}
        self._before: list[Changes] = []

    def set(self, name: str, term: int | None) -> None:
        """Bind a name to a term, and forget the attributes of its old value."""
        for part in self._parts.pop(name, ()):
            self._put(part, None)
        root, dot, _ = name.partition(".")
        if dot:
            self._parts.setdefault(root, set()).add(name)
        self._put(name, term)

    def _put(self, name: str, term: int | None) -> None:
        if self._before:
            self._before[-1].setdefault(name, self.held.get(name))
        if term is None:
            self.held.pop(name, None)
        else:
            self.held[name] = term

    @property
    def has_paths(self) -> bool:
        """True if anything is known of attributes."""
        return bool(self._parts)

    @property
    def depth(self) -> int:
        """The number of open ways."""
        return len(self._before)

    def part(self) -> None:
        """Begin a way that may not be taken."""
        self._before.append({})

    def end(self) -> Changes:
        """End the way and undo its changes, which are returned."""
        before = self._before.pop()
        changes = {name: self.held.get(name) for name in before}
        for name, term in before.items():
            if term is None:
                self.held.pop(name, None)
            else:
                self.held[name] = term
        return changes

    def since(self, depth: int) -> Changes:
        """The changes so far of the ways from this depth on."""
        return {name: self.held.get(name) for before in self._before[depth:] for name in before}

    def meet(self, ways: Sequence[Changes]) -> None:
        """Go on after one of these ways was taken."""
        for name in dict.fromkeys(name for way in ways for name in way):
            every = [way[name] if name in way else self.held.get(name) for way in ways]
            known = [term for term in every if term is not None]
            # Of a path such as `self.item` nothing is known if one of the ways says nothing.
            lost = "." in name and len(known) < len(every)
            self.set(name, None if lost or not known else self._terms.union(known))
