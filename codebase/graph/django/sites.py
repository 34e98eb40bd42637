"""Names in templates and scripts: of other templates, routes, files, tags, addresses and components."""

from __future__ import annotations

import bisect
import re
from typing import Final

from codebase.graph.edge import SourceText
from codebase.units.tags import Tag, tags_of, without_tags
from codebase.units.trees import Node, parser, query
from codebase.units.unit import Unit

Site = tuple[int, int, str, str]
"""Local number of the unit, line, kind of the named thing, and its name:

    template   a template that is extended or included       parent     the template that this one extends
    block      a block that this template defines            route      the name of a route
    static     the path of a static file                     library    a library of tags
    tag        a tag, filter                                 path       the path of a request, with `\\0` for values
    component  called by `x-data` or a handler                made       defined by `Alpine.data`
"""

QUOTED: Final = re.compile(r"""\s*\(?\s*["']([^"']+)["']""")
FILTER: Final = re.compile(r"\|\s*([A-Za-z_]\w*)")
CALL_IN_VALUE: Final = re.compile(r"""\b(url|static)\(\s*["']([^"']+)["']""")
STRING: Final = re.compile(r""""[^"\n]*"|'[^'\n]*'""")
NAME: Final = re.compile(r"\s*([A-Za-z_$][\w$]*)\s*(?:\(|$)")
CALLED: Final = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]*)\s*\(")
REQUESTS: Final = re.compile(r"(data-)?hx-(get|post|put|patch|delete)|action|formaction|href")
HANDLERS: Final = re.compile(r"on[a-z]+|@[\w.:-]+|x-on:[\w.:-]+|x-init")
ATTRIBUTES: Final = """
(attribute (attribute_name) @name [(quoted_attribute_value (attribute_value) @value) (attribute_value) @value])
"""
SCRIPTS: Final = "(script_element (raw_text) @text)"
CALLS: Final = "(call_expression function: (_) @called arguments: (arguments . (_) @first . (_)? @second)) @call"
FETCHED: Final = {
    **dict.fromkeys(("fetch", "$.get", "$.post", "$.getJSON", "jQuery.get", "jQuery.post"), 0),
    **dict.fromkeys((f"axios.{name}" for name in ("get", "post", "put", "patch", "delete")), 0),
    "htmx.ajax": 1,
}
"""Functions that request a path, and the position of that argument."""
KEYWORDS: Final = frozenset({"if", "for", "while", "switch", "function", "return", "catch", "typeof"})


class Sites:
    """The sites of one text."""

    def __init__(self, source: SourceText) -> None:
        self._units = source.units
        self._starts = [unit.first for unit in source.units]
        self.sites: list[Site] = []

    def add(self, line: int, kind: str, name: str) -> None:
        site = unit_at(self._units, self._starts, line), line, kind, name[:200]
        if site[0] >= 0:
            self.sites.append(site)

    def template(self, text: str) -> None:
        """Add the names in a template."""
        data = text.encode("utf-8", "replace")
        tags = list(tags_of(data))
        for tag in tags:
            self._tag(tag)
        root = parser("html").parse(without_tags(data, tags)).root_node
        starts = [tag.start for tag in tags]
        for _, nodes in query("html", ATTRIBUTES).matches(root):
            name, value = nodes["name"][0], nodes["value"][0]
            written = (name.text or b"").decode(errors="replace")
            if REQUESTS.fullmatch(written):
                self._path(value, data, tags, starts)
            elif written == "x-data" or HANDLERS.fullmatch(written):
                self._component(written, value, data)
        for _, nodes in query("html", SCRIPTS).matches(root):
            node = nodes["text"][0]
            self.script((node.text or b""), node.start_point[0])

    def _tag(self, tag: Tag) -> None:
        quoted = QUOTED.match(tag.rest)
        if tag.mark == "%":
            self._named_tag(tag, quoted[1] if quoted else None)
        if tag.mark != "#":
            bare = STRING.sub('""', tag.rest)
            for name in FILTER.findall(bare):
                self.add(tag.line, "tag", name)
            for called, name in CALL_IN_VALUE.findall(tag.rest):
                self.add(tag.line, "route" if called == "url" else "static", name)

    def _named_tag(self, tag: Tag, quoted: str | None) -> None:
        if tag.name in ("extends", "include", "import", "from") and quoted:
            self.add(tag.line, "template", quoted)
            if tag.name == "extends":
                self.add(tag.line, "parent", quoted)
        elif tag.name == "url" and quoted:
            self.add(tag.line, "route", quoted)
        elif tag.name == "static" and quoted:
            self.add(tag.line, "static", quoted)
        elif tag.name == "load":
            names, _, library = tag.rest.partition(" from ")
            for name in (library or names).split():
                self.add(tag.line, "library", name)
        elif tag.name == "block":
            self.add(tag.line, "block", tag.rest.partition(" ")[0])
        elif tag.name and not tag.name.startswith("end"):
            self.add(tag.line, "tag", tag.name)

    def _path(self, value: Node, data: bytes, tags: list[Tag], starts: list[int]) -> None:
        """Add the path that an attribute requests; a value that a template inserts may be anything."""
        inside = [tag for tag in tags[bisect.bisect_left(starts, value.start_byte) :][:20] if tag.end <= value.end_byte]
        if any(tag.mark == "%" for tag in inside):
            return
        text, place = b"", value.start_byte
        for tag in inside:
            text, place = text + data[place : tag.start] + b"\0", tag.end
        text += data[place : value.end_byte]
        self._add_path(value.start_point[0] + 1, text.decode(errors="replace"))

    def _add_path(self, line: int, path: str) -> None:
        path = re.split(r"[?#]", path, maxsplit=1)[0]
        if path.startswith("/") and not path.startswith("//") and path.strip("/\0"):
            self.add(line, "path", path)

    def _component(self, attribute: str, value: Node, data: bytes) -> None:
        text, line = data[value.start_byte : value.end_byte].decode(errors="replace"), value.start_point[0] + 1
        if attribute == "x-data":
            if match := NAME.match(text):
                self.add(line, "component", match[1])
            return
        for name in dict.fromkeys(CALLED.findall(STRING.sub('""', text))):
            if name not in KEYWORDS:
                self.add(line, "component", name)

    def script(self, text: bytes, above: int = 0, language: str = "javascript") -> None:
        """Add the requests and definitions of a script, `above` lines below the start of the file."""
        if not any(mark in text for mark in (b"fetch", b"Alpine", b"htmx", b"$.", b"axios", b"jQuery")):
            return
        root = parser(language).parse(text).root_node
        for _, nodes in query(language, CALLS).matches(root):
            called = b"".join((nodes["called"][0].text or b"").split()).decode(errors="replace").removeprefix("window.")
            line = nodes["call"][0].start_point[0] + 1 + above
            given = [*nodes["first"], *nodes.get("second", [])]
            if called in FETCHED and FETCHED[called] < len(given):
                self._add_path(line, string_of(given[FETCHED[called]]) or "")
            elif called in ("Alpine.data", "Alpine.store") and (name := string_of(given[0])):
                self.add(line, "made", name)


def string_of(node: Node) -> str | None:
    """The text of a string, or of one that others are added to; values inside are `\\0`."""
    added: list[str] = []
    while node.type == "binary_expression":
        left, right = (node.child_by_field_name(side) for side in ("left", "right"))
        if left is None:
            return None
        added.append((literal_of(right) if right is not None else None) or "\0")
        node = left
    start = literal_of(node)
    if not added:
        return start
    return "".join([start, *reversed(added)]) if start else None


def literal_of(node: Node) -> str | None:
    """The text of one string."""
    if node.type == "string":
        return (node.text or b"")[1:-1].decode(errors="replace")
    if node.type == "template_string":
        parts = ["\0" if part.type == "template_substitution" else text_of(part) for part in node.named_children]
        return "".join(parts)
    return None


def text_of(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def unit_at(units: tuple[Unit, ...], starts: list[int], line: int) -> int:
    """The innermost unit at a line; -1 if there is none."""
    for place in range(bisect.bisect_right(starts, line) - 1, -1, -1):
        unit = units[place]
        if unit.last >= line and unit.kind != "window":
            return place
    return -1


def sites_of(source: SourceText) -> list[Site] | None:
    """The sites of a template or script; None if there are none."""
    sites = Sites(source)
    if source.language == "html":
        sites.template(source.text)
    else:
        language = "javascript" if source.language == "javascript" else "tsx"
        sites.script(source.text.encode("utf-8", "replace"), language=language)
    return list(dict.fromkeys(sites.sites)) or None
