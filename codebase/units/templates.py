"""The units of HTML files and templates: blocks, elements with an id, functions of inline scripts."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from codebase.units.documents import WINDOW_LINES, window_units
from codebase.units.tags import Tag, tags_of, without_tags
from codebase.units.trees import Node, node_text, parser, query, tree_units
from codebase.units.unit import OPEN, Kind, ParsedFile, Unit, without

BLOCKS: Final = {"block": "endblock", "partialdef": "endpartialdef", "startpartial": "endpartial", "macro": "endmacro"}
FEWEST_LINES: Final = 3
"""Shorter blocks and elements stay a part of the unit around them."""
MOST_DEEP: Final = 8
"""Nesting of units; deeper ones stay a part of the last unit, so that the work is bounded on any input."""
ELEMENTS: Final = """
(element (start_tag (attribute (attribute_name) @name
  [(quoted_attribute_value (attribute_value) @id) (attribute_value) @id])) @tag
  (#any-of? @name "id" "ID")) @element
"""
MOST_OPEN: Final = 2000
"""The grammar keeps a list of the open elements, and copies it at each one."""
ELEMENT: Final = re.compile(rb"<(/?)([a-zA-Z][\w:-]*)([^<>]*)>")
ENDLESS: Final = frozenset(
    b"area base br col dd dt embed hr img input li link meta option p param path source td th tr track wbr".split()
)
SCRIPTS: Final = "(script_element (start_tag) @tag (raw_text) @text)"


def template_units(text: str, lines: Sequence[str]) -> ParsedFile:
    """One unit per block, per element with an id, per function of an inline script, and one for the rest."""
    data = text.encode("utf-8", "replace")
    tags = list(tags_of(data))
    if deepest(data) > MOST_OPEN:
        return dataclasses.replace(window_units(lines, "html"), problem="its elements nest too deep")
    root = parser("html").parse(without_tags(data, tags)).root_node
    last = max(1, len(lines))
    inner = [*blocks(tags), *elements(root, data, last), *scripts(root)]
    above = next((tag for tag in tags if tag.name == "extends"), None)
    head = Unit("", "module", 1, last, signature=f"{{% extends {above.rest} %}}" if above else "")
    units = sorted((part for unit in nest(head, inner) for part in parts(unit)), key=by_lines)
    return ParsedFile("html", tuple(units))


def deepest(data: bytes) -> int:
    """The most elements that are open at once, without those that need no end."""
    steps = (
        -1 if end else 1
        for end, name, rest in ELEMENT.findall(data)
        if not (rest.endswith(b"/") or name.lower() in ENDLESS)
    )
    return max(itertools.accumulate(steps, lambda depth, step: max(0, depth + step)), default=0)


def blocks(tags: Iterable[Tag]) -> Iterator[Unit]:
    """The blocks, partials and macros of a template."""
    opened: list[Tag] = []
    for tag in tags:
        if tag.name in BLOCKS:
            opened.append(tag)
        elif opened and tag.name == BLOCKS[opened[-1].name]:
            start = opened.pop()
            name = start.rest.partition("(")[0].partition(" ")[0]
            kind: Kind = "function" if start.name == "macro" else "block"
            if kind == "function" or tag.line - start.line + 1 >= FEWEST_LINES:
                yield Unit(name[:200], kind, start.line, tag.line, f"{start.name} {start.rest}"[:300])


def elements(root: Node, data: bytes, most: int) -> Iterator[Unit]:
    """The elements with an id, in a page of `most` lines."""
    for _, nodes in query("html", ELEMENTS).matches(root):
        element, tag, name = nodes["element"][0], nodes["tag"][0], nodes["id"][0]
        # An element that nothing closes ends behind the last line.
        first, last = element.start_point[0] + 1, min(element.end_point[0] + 1, most)
        if last - first + 1 >= FEWEST_LINES:
            shown = " ".join(data[tag.start_byte : tag.end_byte].decode(errors="replace").split())
            id_ = data[name.start_byte : name.end_byte].decode(errors="replace")
            yield Unit(f"#{id_[:200]}", "element", first, last, shown[:300])


def scripts(root: Node) -> Iterator[Unit]:
    """The functions and classes of inline scripts."""
    for _, nodes in query("html", SCRIPTS).matches(root):
        text = node_text(nodes["text"][0], None)
        if b"json" not in (nodes["tag"][0].text or b"") and text.strip():
            above = nodes["text"][0].start_point[0]
            parsed = tree_units(text, text.split("\n"), "javascript")
            for unit in parsed.units[1:]:
                own = tuple((first + above, last + above) for first, last in unit.own)
                yield dataclasses.replace(unit, first=unit.first + above, last=unit.last + above, own=own)


def nest(head: Unit, units_inside: Iterable[Unit]) -> list[Unit]:
    """The units in the order of their lines, each with its ancestors; a unit owns no lines of an inner one."""
    units, inner = [head], [list[tuple[int, int]]()]
    around = [0]
    for unit in sorted(units_inside, key=by_lines):
        while not (units[around[-1]].first <= unit.first and unit.last <= units[around[-1]].last):
            around.pop()
        if len(around) > MOST_DEEP:
            continue
        inner[around[-1]].append((unit.first, unit.last))
        outer = " > ".join(units[place].signature for place in around[1:])
        around.append(len(units))
        units.append(dataclasses.replace(unit, ancestors=" > ".join(filter(None, (outer, unit.ancestors)))))
        inner.append([])
    return [
        dataclasses.replace(unit, own=without(unit.first, unit.last, spans)) if unit.kind in OPEN else unit
        for unit, spans in zip(units, inner, strict=True)
    ]


def by_lines(unit: Unit) -> tuple[int, int]:
    """Sort key: outer units before inner ones."""
    return unit.first, -unit.last


def parts(unit: Unit) -> Iterator[Unit]:
    """A unit, and the windows into which its lines are split if they are many."""
    if unit.kind not in OPEN:
        yield unit
        return
    short: list[tuple[int, int]] = []
    windows: list[Unit] = []
    for first, last in unit.own:
        short.append((first, min(last, first + WINDOW_LINES - 1)))
        for start in range(first + WINDOW_LINES, last + 1, WINDOW_LINES):
            above = " > ".join(filter(None, (unit.ancestors, unit.signature)))
            windows.append(Unit("", "window", start, min(last, start + WINDOW_LINES - 1), ancestors=above))
    yield dataclasses.replace(unit, own=tuple(short))
    yield from windows
