"""Reading a page of the published reference into symbols.

article -> the place of each entry of the inventory -> its signature, fields and prose -> Symbol

Sphinx writes `<dl class="py attribute"><dt id="bpy.types.Bone.head">signature</dt><dd>prose, fields</dd></dl>`.
Text before and around these on the page of a module or a class is about that module or class.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from selectolax.lexbor import LexborNode

from ingest.article import blocks, classes_of, code_in, joined, parse_article, text_of
from ingest.enum_items import Enums, items_of, with_enums
from ingest.fields import Fields, entries_of_field, fields_of, further_fields, prose, type_and_rest, without_flag
from ingest.inventory import InventoryEntry
from ingest.neighbours import MAX_NEIGHBOURS, Family, Siblings, linked, mentions, owner_of, without_family
from ingest.signatures import arguments_of, description_of, other_signatures, signature_text
from ingest.symbol import Kind, Symbol, SymbolParameter

_KIND_BY_ROLE: Final[Mapping[str, Kind]] = {"module": "module", "class": "class", "exception": "class"}
_CALLED: Final = ("function", "method", "classmethod", "staticmethod", "decorator")

_IN_EVERY_CLASS: Final = (".bl_rna_get_subclass", ".bl_rna_get_subclass_py")

_READ_ONLY: Final = re.compile(r"\(read-?only\)", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class PageContent:
    symbols: tuple[Symbol, ...]
    missing: tuple[str, ...]
    """Names of the entries that the page does not describe in their place."""


def read_symbols(article: bytes, entries: Sequence[InventoryEntry], page_address: str, enums: Enums) -> PageContent:
    """A symbol for each entry, which all point into this page."""
    page = _Page(parse_article(article), entries, page_address, enums)
    symbols: list[Symbol] = []
    missing: list[str] = []
    for entry in entries:
        symbol = page.symbol(entry)
        if symbol:
            symbols.append(symbol)
        else:
            missing.append(entry.name)
    return PageContent(tuple(symbols), tuple(missing))


class _Page:
    """One parsed page, and the facts that its symbols share."""

    def __init__(self, body: LexborNode, entries: Sequence[InventoryEntry], address: str, enums: Enums) -> None:
        self._body = body
        self._address = address
        self._enums = enums
        self._places = {place: node for node in body.css("[id]") if (place := node.attributes.get("id"))}
        self._classes = {entry.name for entry in entries if entry.role in ("class", "exception")}
        self._siblings = Siblings(entry.name for entry in entries)
        self._members: dict[str, list[str]] = {}
        for entry in entries:
            if not entry.name.endswith(_IN_EVERY_CLASS):
                self._members.setdefault(owner_of(entry.name), []).append(entry.name)
        modules = [entry.name for entry in entries if entry.role == "module"]
        self._subject = next(iter(modules or [entry.name for entry in entries if entry.name in self._classes]), "")
        """The subject of the prose around the signatures."""

    def symbol(self, entry: InventoryEntry) -> Symbol | None:
        """The symbol of one entry, or None if the page has nothing at its place."""
        place = self._places.get(entry.anchor)
        if place is None:
            return None
        if entry.role == "module":
            return self._module(entry, place)
        if place.tag != "dt":
            return None
        return self._described(entry, place)

    def _module(self, entry: InventoryEntry, place: LexborNode) -> Symbol:
        section = _section_around(place)
        title = section.css_first("h1, h2")
        content = list(blocks(section))
        return Symbol(
            address=entry.name,
            kind="module",
            label=_label_in(text_of(title)) if title else "",
            description=joined(content),
            example=code_in(content),
            page=self._page_of(entry),
            see_also=self._neighbours(entry.name, [], mentions(section), self._members.get(entry.name, [])),
        )

    def _described(self, entry: InventoryEntry, signature: LexborNode) -> Symbol:
        description = description_of(signature)
        kind = self._kind(entry)
        if kind == "class":
            return self._class(entry, signature, description)
        if kind in ("attribute", "data"):
            return self._value(entry, kind, description)
        return self._callable(entry, kind, signature, description)

    def _kind(self, entry: InventoryEntry) -> Kind:
        """The kind by its place: Sphinx calls some members of a class data, and some functions method."""
        known = _KIND_BY_ROLE.get(entry.role)
        if known:
            return known
        in_class = owner_of(entry.name) in self._classes
        if entry.role not in _CALLED:
            return "attribute" if in_class else "data"
        if entry.name.startswith("bpy.ops."):
            return "operator"
        return "method" if in_class else "function"

    def _class(self, entry: InventoryEntry, signature: LexborNode, description: LexborNode | None) -> Symbol:
        fields = fields_of(description)
        content = list(prose(description))
        is_subject = entry.name == self._subject
        if is_subject:
            content += blocks(self._body)
        family = Family(entry.name, self._body if is_subject else None, description)
        is_made = not family.declared  # otherwise the brackets hold the base class
        return Symbol(
            address=entry.name,
            kind="class",
            signature=signature_text([signature]) if is_made else "",
            description=joined(without_family(content)),
            parameters=self._parameters([signature] if is_made else [], fields),
            bases=family.bases,
            example=code_in(content),
            page=self._page_of(entry),
            see_also=self._neighbours(
                entry.name,
                [*family.bases, *family.users, *family.heirs],
                mentions(description),
                self._members.get(entry.name, []),
            ),
        )

    def _value(self, entry: InventoryEntry, kind: Kind, description: LexborNode | None) -> Symbol:
        fields = fields_of(description)
        holds = fields.get("Type")
        type_text, readonly = without_flag(self._spelled_out(holds), "readonly")
        items, listed = items_of(description, holds, type_text, self._enums)
        content = list(prose(description, listed))
        return Symbol(
            address=entry.name,
            kind=kind,
            description=joined(content),
            type=type_text,
            readonly=readonly or _READ_ONLY.search(joined(content)) is not None,
            items=items,
            example=code_in(content),
            page=self._page_of(entry),
            see_also=self._neighbours(entry.name, linked(holds), mentions(description)),
        )

    def _callable(
        self, entry: InventoryEntry, kind: Kind, signature: LexborNode, description: LexborNode | None
    ) -> Symbol:
        fields = fields_of(description)
        returns = fields.get("Return type")
        signatures = [signature, *other_signatures(signature)]
        content = [*prose(description), *further_fields(fields)]
        return Symbol(
            address=entry.name,
            kind=kind,
            signature=signature_text(signatures),
            description=joined(content),
            type=self._spelled_out(returns) or text_of(signature).partition("→")[2].strip(),
            parameters=self._parameters(signatures, fields),
            example=code_in(content),
            page=self._page_of(entry),
            see_also=self._neighbours(
                entry.name, [*linked(returns), *linked(fields.get("Parameters"))], mentions(description)
            ),
        )

    def _page_of(self, entry: InventoryEntry) -> str:
        return f"{self._address}#{entry.anchor}"

    def _parameters(self, signatures: Sequence[LexborNode], fields: Fields) -> tuple[SymbolParameter, ...]:
        """The arguments in the order of the signature, then those which only the fields know."""
        told = {
            parameter.name: parameter
            for field in ("Parameters", "Keyword Arguments")
            for node in entries_of_field(fields.get(field))
            if (parameter := self._parameter(node))
        }
        defaults = {name: default for signature in signatures for name, default in arguments_of(signature)}
        return tuple(
            dataclasses.replace(told.get(name, SymbolParameter(name)), default=defaults.get(name, ""))
            for name in dict.fromkeys([*defaults, *told])
        )

    def _parameter(self, node: LexborNode) -> SymbolParameter | None:
        """An argument as the fields describe it: `name (type) - description`."""
        strong = node.css_first("strong")
        if strong is None:
            return None
        text = with_enums(joined(blocks(node)), node, self._enums)
        type_text, description = type_and_rest(text.removeprefix(text_of(strong)).strip())
        type_text, _ = without_flag(type_text, "optional")  # its default says so
        return SymbolParameter(text_of(strong).lstrip("*"), type_text, "", description)

    def _spelled_out(self, field: LexborNode | None) -> str:
        """A type as one line."""
        return with_enums(joined(blocks(field), " "), field, self._enums) if field else ""

    def _neighbours(
        self, address: str, relatives: Iterable[str], mentions: Iterable[str], members: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """The next places to look, the most useful first.

        `relatives` are bases and users of a class, or types that the symbol holds, takes or returns.
        """
        owner = owner_of(address)
        names = [owner] if owner in self._classes else []
        names += [*relatives, *mentions, *self._siblings.of(address), *members, owner]
        return tuple(name for name in dict.fromkeys(names) if name and name != address)[:MAX_NEIGHBOURS]


def _section_around(place: LexborNode) -> LexborNode:
    """The section that a module's anchor stands in, or is."""
    node: LexborNode | None = place
    while node is not None:
        if node.tag in ("section", "article") or "section" in classes_of(node):
            return node
        node = node.parent
    return place


def _label_in(title: str) -> str:
    """The title of a module's page without the module's name; empty if the title says nothing else."""
    label = re.sub(r"\s*\(.*\)$", "", title)
    return "" if label.endswith("submodule") else label
