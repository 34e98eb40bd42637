"""Terms: the meaning of expressions, as far as their text alone shows it. Rows of JSON name each other by number.

?                          not known
v type                     a literal of a builtin type
n name                     a name of this module, or a builtin
i module name              what `from module import name` binds; the module as written, with its dots
m dotted                   what `import dotted` binds
d n                        the function or class that is definition n of the text
s n, k n, z n              an instance of class n (`self`), the class itself (`cls`), `super()` in it
a term name                an attribute
c term                     what a call returns
t term                     an instance of a type, as an annotation says it
g term terms               the same for a type with arguments, such as `list[Item]`
u terms                    one of these
e term, x term             what an iteration over it gives; what a subscript of it gives
y term n                   the n-th part of it if it is unpacked
w term                     what `with` binds
l terms, p terms           a list or set, a tuple
h term term                an attribute that was just assigned to, and what; a property keeps nothing
r term term                what is narrowed, and the type that it is narrowed to
q term term                what a function from outside gives for what it is given
@ n terms                  definition n with decorators, the innermost first
D terms terms              a dict: keys, values
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

UNKNOWN: Final = 0
MOST: Final = 12
"""A union or a list of more says nothing."""


class Terms:
    """The terms of a text; equal ones are one."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = [["?"]]
        self._known: dict[tuple[Any, ...], int] = {("?",): UNKNOWN}

    def add(self, *row: Any) -> int:
        """The number of a term."""
        known = self._known.get(row)
        if known is None:
            known = self._known[row] = len(self.rows)
            # A part is a number, a text, or a tuple of numbers.
            self.rows.append([[*part] if isinstance(part, tuple) else part for part in row])  # pyright: ignore[reportUnknownVariableType]
        return known

    def tag(self, term: int) -> str:
        return str(self.rows[term][0])

    def union(self, terms: Iterable[int]) -> int:
        """One of several terms."""
        different = tuple(dict.fromkeys(terms))[:MOST]
        return different[0] if len(different) == 1 else self.add("u", different) if different else UNKNOWN

    def open_union(self, terms: Iterable[int]) -> int:
        """A union that more terms may be added to: that of a name at the head of a loop."""
        self.rows.append(["u", list(dict.fromkeys(terms))])
        return len(self.rows) - 1

    def widen(self, term: int, more: int) -> None:
        """Add a term to an open union."""
        if more != term and more not in self.rows[term][1]:
            self.rows[term][1].append(more)
