"""The units of style sheets: rules, and the groups of rules that stand under an at-rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from codebase.units.documents import WINDOW_LINES
from codebase.units.trees import MAX_DEPTH, Node, parser
from codebase.units.unit import ParsedFile, Unit, without

BODIES: Final = ("block", "keyframe_block_list")


def style_units(text: str, lines: Sequence[str]) -> ParsedFile:
    """One unit per rule or at-rule with a body, and one for the rest; broken parts are skipped."""
    root = parser("css").parse(text.encode("utf-8", "replace")).root_node
    units: list[Unit] = []
    last = max(1, len(lines))
    inner = [append_units(node, units, ()) for node in rules(root)]
    return ParsedFile("css", (Unit("", "module", 1, last, own=without(1, last, inner)), *units))


def rules(node: Node, depth: int = 0) -> Iterator[Node]:
    """The outermost rules below a node, those inside broken parts too."""
    for child in node.children if depth < MAX_DEPTH else ():
        if body_of(child) is not None:
            yield child
        elif child.type == "ERROR":
            yield from rules(child, depth + 1)


def body_of(node: Node) -> Node | None:
    return next((child for child in node.children if child.type in BODIES), None) if node.type != "ERROR" else None


def append_units(node: Node, units: list[Unit], around: tuple[str, ...]) -> tuple[int, int]:
    """Append the unit of a rule; those inside it are units of their own only if it is long. Return its lines."""
    body: Node = body_of(node)
    first, last = node.start_point[0] + 1, node.end_point[0] + 1
    above = node.prev_sibling
    if above is not None and above.type == "comment" and first - above.end_point[0] <= 3 and stands_alone(above):
        first = above.start_point[0] + 1
    name = " ".join((node.text or b"")[: body.start_byte - node.start_byte].decode(errors="replace").split())
    place, inner = len(units), list[tuple[int, int]]()
    if last - first >= WINDOW_LINES and len(around) < MAX_DEPTH:
        inner = [append_units(rule, units, (*around, name)) for rule in rules(body)]
    own = without(first, last, inner) if inner else ()
    units.insert(place, Unit(name[:200], "rule", first, last, name[:300], ancestors=" > ".join(around), own=own))
    return first, last


def stands_alone(comment: Node) -> bool:
    """True unless a comment follows something else on its line."""
    before = comment.prev_sibling
    return before is None or before.end_point[0] < comment.start_point[0]
