"""The items of enumerations: in the prose of a property, in its type, or on a page that several properties share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from selectolax.lexbor import LexborNode

from ingest.article import EN_DASH, blocks, children, joined, parse_article, text_of
from ingest.symbol import Item

ENUM_ITEMS_FOLDER: Final = "bpy_types_enum_items/"
"""Pages that list the items of an enumeration which several properties share."""

MAX_SPELLED_OUT: Final = 64
"""Items of a shared enumeration that are written out in a type; with more, the type names the enumeration."""

Enums = Mapping[str, tuple[Item, ...]]
"""The shared enumerations, by their page."""

_QUOTED: Final = re.compile(r"'([^']+)'")
_LISTED: Final = re.compile(r"^enum (?:set )?in [\[{](.*?)[\]}](?:,|$)")


def read_enum_items(article: bytes) -> tuple[Item, ...]:
    """The items that a page of `ENUM_ITEMS_FOLDER` lists."""
    items: list[Item] = []
    identifier = ""
    for node in parse_article(article).css("dl.field-list > dt, dl.field-list > dd"):
        if node.tag == "dt":
            identifier = text_of(node).removesuffix(":")
        elif identifier:
            name, _, description = joined(blocks(node)).partition("\n")
            items.append(Item(identifier, _without_stop(name), " ".join(description.split())))
    return tuple(items)


def with_enums(text: str, node: LexborNode, enums: Enums) -> str:
    """Put the items of shared enumerations in the place of their names."""
    for link in _links_to_enums(node):
        items = enums.get(_page_linked(link), ())
        if not 0 < len(items) <= MAX_SPELLED_OUT:
            continue
        name = text_of(link)
        identifiers = ", ".join(repr(item.identifier) for item in items)
        text = text.replace(f"enum set in {name}", f"enum set in {{{identifiers}}}", 1)
        text = text.replace(f" in {name}", f" in [{identifiers}]", 1)
    return text


def items_of(
    description: LexborNode | None, holds: LexborNode | None, type_text: str, enums: Enums
) -> tuple[tuple[Item, ...], LexborNode | None]:
    """The items of an enumeration, and the list that they were read from, if it is in the prose."""
    if description is None or holds is None or not type_text.startswith("enum"):
        return (), None
    listed = next((child for child in children(description) if child.tag == "ul"), None)
    if listed is not None and (items := _listed_items(listed)):
        return items, listed
    for link in _links_to_enums(holds):
        if items := enums.get(_page_linked(link), ()):
            return items, None
    named = _LISTED.search(type_text)
    return tuple(Item(identifier) for identifier in _QUOTED.findall(named.group(1) if named else "")), None


def _listed_items(listed: LexborNode) -> tuple[Item, ...]:
    """Items from a list of `IDENTIFIER` Name - Description; empty if the list is of something else."""
    items = [_listed_item(entry) for entry in children(listed)]
    return tuple(item for item in items if item) if all(items) else ()


def _listed_item(entry: LexborNode) -> Item | None:
    code = entry.css_first("code")
    text = joined(blocks(entry), " ")
    if code is None or not text.startswith(text_of(code)):
        return None
    identifier = text_of(code)
    name, _, description = text.removeprefix(identifier).strip(f" {EN_DASH}").partition(f" {EN_DASH} ")
    return Item(identifier, _without_stop(name), description)


def _without_stop(name: str) -> str:
    """A name in the form of the user interface; the reference ends it as a sentence."""
    return name.removesuffix(".")


def _links_to_enums(node: LexborNode) -> list[LexborNode]:
    return node.css(f'a[href^="{ENUM_ITEMS_FOLDER}"]')


def _page_linked(link: LexborNode) -> str:
    return (link.attributes.get("href") or "").partition("#")[0]
