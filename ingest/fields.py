"""The parts under a signature: the fields, such as Type or Returns, and the prose around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from selectolax.lexbor import LexborNode

from ingest.article import EN_DASH, Block, Paragraph, blocks, blocks_among, children, classes_of, joined, text_of

Fields = Mapping[str, LexborNode]
"""The fields under a signature, such as Type or Returns, by their names."""

_FIELDS_READ: Final = ("Type", "Parameters", "Keyword Arguments", "Return type", "File")
"""Fields that are read into parts of a symbol of their own, or, as the file in Blender's source, not at all."""


def fields_of(description: LexborNode | None) -> Fields:
    """The fields of a description, by name; the first of those of one name."""
    fields: dict[str, LexborNode] = {}
    for field_list in children(description) if description else []:
        if not _is_field_list(field_list):
            continue
        name = ""
        for child in children(field_list):
            if child.tag == "dt":
                name = text_of(child).rstrip(": ")
            else:
                fields.setdefault(name, child)
    return fields


def _is_field_list(node: LexborNode) -> bool:
    return node.tag == "dl" and "field-list" in classes_of(node)


def entries_of_field(field: LexborNode | None) -> list[LexborNode]:
    """The parts of a field: Sphinx makes a list of several parts, and none of a single one."""
    if field is None:
        return []
    parts = children(field)
    return children(parts[0]) if parts and parts[0].tag == "ul" else [field]


def further_fields(fields: Fields) -> Iterator[Block]:
    """Fields without a part of their own in a symbol, such as Returns: each a paragraph that begins with its name."""
    for name, field in fields.items():
        text = "" if name in _FIELDS_READ else joined(blocks(field))
        if text:
            yield Paragraph(f"{name}:\n{text}" if "\n" in text else f"{name}: {text}")


def prose(description: LexborNode | None, listed: LexborNode | None = None) -> Iterator[Block]:
    """The prose of a description, without its fields and without the list that was read already."""
    if description is None:
        return iter(())
    left_out = listed.mem_id if listed else None
    nodes = description.iter(include_text=True)
    return blocks_among(node for node in nodes if not _is_field_list(node) and node.mem_id != left_out)


def type_and_rest(text: str) -> tuple[str, str]:
    """Split `(type) - description`; the type may have brackets of its own, and may be missing."""
    end = _closing_bracket(text) if text.startswith("(") else -1
    return text[1:end] if end > 0 else "", text[end + 1 :].lstrip(f" {EN_DASH}\n")


def _closing_bracket(text: str) -> int:
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return position
    return -1


def without_flag(type_text: str, flag: str) -> tuple[str, bool]:
    """Take a flag such as `readonly` out of the brackets at the end of a type."""
    without = re.sub(rf"\({flag}, ", "(", type_text)
    without = re.sub(rf",? *\({flag}\)", "", without)
    return without, without != type_text
