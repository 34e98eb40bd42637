"""Verdicts of a typed resolver on the calls of an index: confirmed, contradicted, or missing in the index.

Only calls of Python functions are judged. `==` and `!=` are left out, because pyrefly names the method of the right
side.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from codebase.ask.pyrefly import ResolvedCall, calls_in
from codebase.graph.code import Code
from codebase.graph.edge import Edge, Gap
from codebase.index.snapshot import Snapshot
from codebase.index.store import open_index

Pair = tuple[int, int]
"""The unit that calls and the unit that is called."""
Verdict = Literal["confirmed", "contradicted"]
LEFT_OUT: Final = ("__eq__", "__ne__")
KEPT: Final = "typed.json"


@dataclasses.dataclass(frozen=True)
class TypedCalls:
    """The calls of the resolver between units, each with a line, and the names that it knows on each line.

    `places` are the unit, line and name of every call whose function is in the repository.
    """

    code: Code
    pairs: dict[Pair, int]
    names: dict[tuple[str, int], set[str]]
    places: set[tuple[int, int, str]]

    def verdict(self, pair: Pair, line: int) -> Verdict | None:
        """The verdict on a pair of ours: `contradicted` if it knows another function of that name on the line.

        None if it has no answer: most often because it knows no type of the receiver.
        """
        if pair in self.pairs:
            return "confirmed"
        name = last_name(self.code.units[pair[1]].name)
        return "contradicted" if name in self.names.get((self.code.owner(pair[0]).path, line), ()) else None


@dataclasses.dataclass(frozen=True)
class Tier:
    """The verdicts on some edges, and the calls that only the resolver has, as edges."""

    typed: TypedCalls
    added: frozenset[Edge]

    def says(self, edge: Edge) -> Verdict | Literal["added"] | None:
        """The verdict on an edge; None if there is none, or if it is no call of a Python function."""
        if edge in self.added:
            return "added"
        pair = pair_of(self.typed.code, edge)
        return self.typed.verdict(pair, edge.line) if pair else None

    def follows(self, gap: Gap) -> bool:
        """True if it knows the target of a call that could not be followed."""
        return (gap.source, gap.line, last_name(gap.name)) in self.typed.places


def tier_of(root: Path, snapshot: Snapshot, edges: Sequence[Edge]) -> Tier:
    """The verdicts of the resolver on these edges of a repository. Raises ResolverFailed."""
    typed = typed_of(snapshot.code, calls_of(root, snapshot))
    ours = {pair_of(snapshot.code, edge) for edge in edges}
    missing = ((pair, line) for pair, line in typed.pairs.items() if pair not in ours)
    return Tier(typed, frozenset(Edge(*pair, "calls", "inferred", line) for pair, line in missing))


def typed_of(code: Code, calls: Iterable[ResolvedCall]) -> TypedCalls:
    """Calls as pairs of units."""
    pairs: dict[Pair, int] = {}
    names: dict[tuple[str, int], set[str]] = defaultdict(set)
    places: set[tuple[int, int, str]] = set()
    for call in calls:
        names[call.path, call.line].add(call.name)
        source = code.files[call.path].at(call.line)
        target = code.files[call.target].at(call.target_line) if call.target else None
        if source is not None and target is not None and judged_name(code, target) == call.name:
            pairs.setdefault((source, target), call.line)
            places.add((source, call.line, call.name))
    return TypedCalls(code, pairs, dict(names), places)


def pair_of(code: Code, edge: Edge) -> Pair | None:
    """The pair that an edge stands for; None if it is no call of a Python function."""
    file = code.owner(edge.source)
    if edge.kind != "calls" or file.language != "python" or not judged_name(code, edge.target):
        return None
    return file.at(edge.line) or edge.source, edge.target


def judged_name(code: Code, unit: int) -> str | None:
    """The name of a function whose calls are judged; None for any other unit."""
    name = last_name(code.units[unit].name)
    return name if code.units[unit].kind in ("function", "method") and name not in LEFT_OUT else None


def last_name(name: str) -> str:
    return name.rpartition(".")[2]


def calls_of(root: Path, snapshot: Snapshot) -> list[ResolvedCall]:
    """The calls that the resolver finds; asked again only if a file of Python changed. Raises ResolverFailed."""
    files = [(entry.path, entry.sha256) for entry in snapshot.entries if entry.path.endswith(".py")]
    key = hashlib.sha256(json.dumps(files).encode()).hexdigest()
    # Anything but a whole answer for these files is ignored.
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        kept = json.loads((snapshot.folder / KEPT).read_text(encoding="utf-8"))
        if kept["key"] == key:
            return [ResolvedCall(*row) for row in kept["calls"]]
    texts = texts_of(snapshot.folder, [path for path, _ in files])
    calls = calls_in(texts, root.resolve().name, snapshot.folder)
    keep(snapshot.folder, json.dumps({"key": key, "calls": calls}))
    return calls


def texts_of(folder: Path, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The texts of the files, as indexed."""
    with open_index(folder) as store:
        yield from ((path, store.text(path) or "") for path in paths)


def keep(folder: Path, text: str) -> None:
    """Write an answer down at once or not at all; without room for it, it is made again the next time."""
    with contextlib.suppress(OSError):
        descriptor, name = tempfile.mkstemp(prefix="typed-", dir=folder)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            Path(name).replace(folder / KEPT)
        except OSError:
            Path(name).unlink(missing_ok=True)
