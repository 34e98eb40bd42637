"""Reading a page of the published reference into symbols.

article -> the place of each entry of the inventory -> its signature, fields and prose -> Symbol

Sphinx writes `<dl class="py attribute"><dt id="bpy.types.Bone.head">signature</dt><dd>prose, fields</dd></dl>`.
What is said before and around these on the page of a module or a class is about that module or class.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from selectolax.lexbor import LexborNode

from ingest.article import (
    EN_DASH,
    Block,
    Paragraph,
    addresses_in,
    blocks,
    blocks_among,
    children,
    classes_of,
    code_in,
    joined,
    parse_article,
    text_of,
)
from ingest.inventory import Entry
from ingest.symbol import Item, Kind, Parameter, Symbol

ENUM_ITEMS_FOLDER: Final = "bpy_types_enum_items/"
"""Pages that list the items of an enumeration which several properties share."""

MAX_SPELLED_OUT: Final = 64
"""Items of a shared enumeration that are written out in a type; with more, the type names the enumeration."""

MAX_NEIGHBOURS: Final = 12
MAX_SIBLINGS: Final = 6

Enums = Mapping[str, tuple[Item, ...]]
"""The shared enumerations, by their page."""

Fields = Mapping[str, LexborNode]
"""The fields under a signature, such as Type or Returns, by their names."""

_KIND_BY_ROLE: Final[Mapping[str, Kind]] = {"module": "module", "class": "class", "exception": "class"}
_CALLED: Final = ("function", "method", "classmethod", "staticmethod", "decorator")

_FIELDS_READ: Final = ("Type", "Parameters", "Keyword Arguments", "Return type", "File")
"""Read into parts of a symbol of their own, or, as the file in Blender's source, not at all."""

_IN_EVERY_CLASS: Final = (".bl_rna_get_subclass", ".bl_rna_get_subclass_py")

_FAMILY: Final = re.compile(r"(base class(es)?|subclasses) —|Class hierarchy:")
_READ_ONLY: Final = re.compile(r"\(read-?only\)", re.IGNORECASE)
_QUOTED: Final = re.compile(r"'([^']+)'")
_LISTED: Final = re.compile(r"^enum (?:set )?in [\[{](.*?)[\]}](?:,|$)")


@dataclasses.dataclass(frozen=True)
class PageContent:
    symbols: tuple[Symbol, ...]
    missing: tuple[str, ...]
    """Names of the entries that the page does not describe where it should."""


def read_symbols(article: bytes, entries: Sequence[Entry], page_address: str, enums: Enums) -> PageContent:
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


class _Page:
    """One parsed page, and what its symbols have in common."""

    def __init__(self, body: LexborNode, entries: Sequence[Entry], address: str, enums: Enums) -> None:
        self._body = body
        self._address = address
        self._enums = enums
        self._places = {place: node for node in body.css("[id]") if (place := node.attributes.get("id"))}
        self._classes = {entry.name for entry in entries if entry.role in ("class", "exception")}
        self._siblings = _Siblings(entry.name for entry in entries)
        self._members: dict[str, list[str]] = {}
        for entry in entries:
            if not entry.name.endswith(_IN_EVERY_CLASS):
                self._members.setdefault(_owner(entry.name), []).append(entry.name)
        modules = [entry.name for entry in entries if entry.role == "module"]
        self._subject = next(iter(modules or [entry.name for entry in entries if entry.name in self._classes]), "")
        """What the prose around the signatures is about."""

    def symbol(self, entry: Entry) -> Symbol | None:
        """The symbol of one entry, or None where the page has nothing at its place."""
        place = self._places.get(entry.anchor)
        if place is None:
            return None
        if entry.role == "module":
            return self._module(entry, place)
        if place.tag != "dt":
            return None
        return self._described(entry, place)

    def _module(self, entry: Entry, place: LexborNode) -> Symbol:
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
            see_also=self._neighbours(entry.name, [], _mentions(section), self._members.get(entry.name, [])),
        )

    def _described(self, entry: Entry, signature: LexborNode) -> Symbol:
        description = _description_of(signature)
        kind = self._kind(entry)
        if kind == "class":
            return self._class(entry, signature, description)
        if kind in ("attribute", "data"):
            return self._value(entry, kind, description)
        return self._callable(entry, kind, signature, description)

    def _kind(self, entry: Entry) -> Kind:
        """The kind by where it stands: Sphinx calls some members of a class data, and some functions method."""
        known = _KIND_BY_ROLE.get(entry.role)
        if known:
            return known
        in_class = _owner(entry.name) in self._classes
        if entry.role not in _CALLED:
            return "attribute" if in_class else "data"
        if entry.name.startswith("bpy.ops."):
            return "operator"
        return "method" if in_class else "function"

    def _class(self, entry: Entry, signature: LexborNode, description: LexborNode | None) -> Symbol:
        fields = _fields(description)
        content = list(_prose(description))
        is_subject = entry.name == self._subject
        if is_subject:
            content += blocks(self._body)
        family = _Family(entry.name, self._body if is_subject else None, description)
        is_made = not family.declared  # otherwise the brackets hold the base class
        return Symbol(
            address=entry.name,
            kind="class",
            signature=_signature_text([signature]) if is_made else "",
            description=joined(_without_family(content)),
            parameters=self._parameters([signature] if is_made else [], fields),
            bases=family.bases,
            example=code_in(content),
            page=self._page_of(entry),
            see_also=self._neighbours(
                entry.name,
                [*family.bases, *family.users, *family.heirs],
                _mentions(description),
                self._members.get(entry.name, []),
            ),
        )

    def _value(self, entry: Entry, kind: Kind, description: LexborNode | None) -> Symbol:
        fields = _fields(description)
        holds = fields.get("Type")
        type_text, readonly = _without_flag(self._spelled_out(holds), "readonly")
        items, listed = self._items(description, holds, type_text)
        content = list(_prose(description, listed))
        return Symbol(
            address=entry.name,
            kind=kind,
            description=joined(content),
            type=type_text,
            readonly=readonly or _READ_ONLY.search(joined(content)) is not None,
            items=items,
            example=code_in(content),
            page=self._page_of(entry),
            see_also=self._neighbours(entry.name, _linked(holds), _mentions(description)),
        )

    def _callable(self, entry: Entry, kind: Kind, signature: LexborNode, description: LexborNode | None) -> Symbol:
        fields = _fields(description)
        returns = fields.get("Return type")
        signatures = [signature, *_other_signatures(signature)]
        content = [*_prose(description), *_further_fields(fields)]
        return Symbol(
            address=entry.name,
            kind=kind,
            signature=_signature_text(signatures),
            description=joined(content),
            type=self._spelled_out(returns) or text_of(signature).partition("→")[2].strip(),
            parameters=self._parameters(signatures, fields),
            example=code_in(content),
            page=self._page_of(entry),
            see_also=self._neighbours(
                entry.name, [*_linked(returns), *_linked(fields.get("Parameters"))], _mentions(description)
            ),
        )

    def _page_of(self, entry: Entry) -> str:
        return f"{self._address}#{entry.anchor}"

    def _parameters(self, signatures: Sequence[LexborNode], fields: Fields) -> tuple[Parameter, ...]:
        """The arguments in the order of the signature, then those which only the fields know."""
        told = {
            parameter.name: parameter
            for field in ("Parameters", "Keyword Arguments")
            for node in _entries_of_field(fields.get(field))
            if (parameter := self._parameter(node))
        }
        defaults = {name: default for signature in signatures for name, default in _arguments(signature)}
        return tuple(
            dataclasses.replace(told.get(name, Parameter(name)), default=defaults.get(name, ""))
            for name in dict.fromkeys([*defaults, *told])
        )

    def _parameter(self, node: LexborNode) -> Parameter | None:
        """An argument as the fields describe it: `name (type) - description`."""
        strong = node.css_first("strong")
        if strong is None:
            return None
        text = self._with_enums(joined(blocks(node)), node)
        type_text, description = _type_and_rest(text.removeprefix(text_of(strong)).strip())
        type_text, _ = _without_flag(type_text, "optional")  # its default says so
        return Parameter(text_of(strong).lstrip("*"), type_text, "", description)

    def _spelled_out(self, field: LexborNode | None) -> str:
        """A type as one line."""
        return self._with_enums(joined(blocks(field), " "), field) if field else ""

    def _with_enums(self, text: str, node: LexborNode) -> str:
        """Put the items of shared enumerations in the place of their names."""
        for link in _links_to_enums(node):
            items = self._enums.get(_page_linked(link), ())
            if not 0 < len(items) <= MAX_SPELLED_OUT:
                continue
            name = text_of(link)
            identifiers = ", ".join(repr(item.identifier) for item in items)
            text = text.replace(f"enum set in {name}", f"enum set in {{{identifiers}}}", 1)
            text = text.replace(f" in {name}", f" in [{identifiers}]", 1)
        return text

    def _items(
        self, description: LexborNode | None, holds: LexborNode | None, type_text: str
    ) -> tuple[tuple[Item, ...], LexborNode | None]:
        """The items of an enumeration, and the list that they were read from where it stands in the prose."""
        if description is None or holds is None or not type_text.startswith("enum"):
            return (), None
        listed = next((child for child in children(description) if child.tag == "ul"), None)
        if listed is not None and (items := _listed_items(listed)):
            return items, listed
        for link in _links_to_enums(holds):
            if items := self._enums.get(_page_linked(link), ()):
                return items, None
        named = _LISTED.search(type_text)
        return tuple(Item(identifier) for identifier in _QUOTED.findall(named.group(1) if named else "")), None

    def _neighbours(
        self, address: str, relatives: Iterable[str], mentions: Iterable[str], members: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """What to look at next, the most useful first.

        `relatives` are bases and users of a class, or types that the symbol holds, takes or returns.
        """
        owner = _owner(address)
        found = [owner] if owner in self._classes else []
        found += [*relatives, *mentions, *self._siblings.of(address), *members, owner]
        return tuple(name for name in dict.fromkeys(found) if name and name != address)[:MAX_NEIGHBOURS]


class _Family:
    """What a class descends from, what descends from it, and what uses it."""

    def __init__(self, name: str, page: LexborNode | None, description: LexborNode | None) -> None:
        self.bases: tuple[str, ...] = ()
        self.heirs: list[str] = []
        self.users: list[str] = []
        self.declared = False
        paragraphs = page.css("p") if page else []
        paragraphs += [child for child in children(description) if child.tag == "p"] if description else []
        for paragraph in paragraphs:
            self._read(name, paragraph)
        for section in page.css('[id^="references"]') if page else []:
            users = [user for table in section.css("table.hlist") for user in addresses_in(table)]
            self.users = [user for user in users if not user.startswith(f"{name}.")][:MAX_SIBLINGS]

    def _read(self, name: str, paragraph: LexborNode) -> None:
        told = _FAMILY.match(text_of(paragraph))
        if told is None:
            return
        relatives = [address for address in addresses_in(paragraph) if address != name]
        if told.group() == "subclasses —":
            self.heirs = relatives[:MAX_SIBLINGS]
            return
        self.bases = tuple(reversed(relatives))
        self.declared = True


class _Siblings:
    """Finds, among what stands in the same class or module, what has words of its name in common."""

    def __init__(self, addresses: Iterable[str]) -> None:
        self._by_word: dict[tuple[str, str], list[str]] = {}
        for address in addresses:
            for key in self._keys(address):
                self._by_word.setdefault(key, []).append(address)

    def of(self, address: str) -> list[str]:
        """The nearest first; a word that few share weighs more than one that many share."""
        scores: dict[str, float] = {}
        for key in self._keys(address):
            sharing = self._by_word.get(key, [])
            for sibling in sharing:
                scores[sibling] = scores.get(sibling, 0.0) + 1 / len(sharing)
        scores.pop(address, None)
        return sorted(scores, key=lambda sibling: -scores[sibling])[:MAX_SIBLINGS]

    @staticmethod
    def _keys(address: str) -> list[tuple[str, str]]:
        owner, _, leaf = address.rpartition(".")
        return [(owner, word) for word in dict.fromkeys(leaf.split("_")) if word]


def _owner(address: str) -> str:
    return address.rpartition(".")[0]


def _linked(field: LexborNode | None) -> list[str]:
    """The symbols that a field links to."""
    return addresses_in(field) if field else []


def _mentions(description: LexborNode | None) -> list[str]:
    """The symbols that the prose links to, but not those in lists, which are long and seldom about the subject."""
    if description is None:
        return []
    told = [child for child in children(description) if child.tag in ("p", "div") and not _is_family(child)]
    return [address for child in told for address in addresses_in(child)]


def _is_family(node: LexborNode) -> bool:
    return _FAMILY.match(text_of(node)) is not None


def _section_around(place: LexborNode) -> LexborNode:
    """The section that a module's anchor stands in, or is."""
    node: LexborNode | None = place
    while node is not None:
        if node.tag in ("section", "article") or "section" in classes_of(node):
            return node
        node = node.parent
    return place


def _label_in(title: str) -> str:
    """The title of a module's page without the module's name; empty where the title says nothing else."""
    label = re.sub(r"\s*\(.*\)$", "", title)
    return "" if label.endswith("submodule") else label


def _description_of(signature: LexborNode) -> LexborNode | None:
    node = signature.next
    while node is not None and node.tag != "dd":
        node = node.next
    return node


def _other_signatures(signature: LexborNode) -> list[LexborNode]:
    """Further ways to call the same thing: they share its description and have no anchor of their own."""
    owner = signature.parent
    return [node for node in children(owner) if node.tag == "dt" and "id" not in node.attributes] if owner else []


def _signature_text(signatures: Iterable[LexborNode]) -> str:
    """The arguments in brackets, one line for each way to call."""
    found: list[str] = []
    for signature in signatures:
        text = text_of(signature).partition("→")[0]
        if "(" in text:
            found.append(text[text.index("(") : text.rindex(")") + 1] if ")" in text else text[text.index("(") :])
    return "\n".join(found)


def _arguments(signature: LexborNode) -> Iterator[tuple[str, str]]:
    """Name and default of each argument."""
    for argument in signature.css("em.sig-param"):
        named, _, default = text_of(argument).partition("=")
        name = named.partition(":")[0].strip().lstrip("*")
        if name.isidentifier():  # the bare * and / are none
            yield name, default.strip()


def _fields(description: LexborNode | None) -> Fields:
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


def _entries_of_field(field: LexborNode | None) -> list[LexborNode]:
    """The parts of a field: Sphinx makes a list of several, and none of a single one."""
    if field is None:
        return []
    parts = children(field)
    return children(parts[0]) if parts and parts[0].tag == "ul" else [field]


def _prose(description: LexborNode | None, listed: LexborNode | None = None) -> Iterator[Block]:
    """What a description says beside its fields, and beside the list that was read already."""
    if description is None:
        return iter(())
    left_out = listed.mem_id if listed else None
    nodes = description.iter(include_text=True)
    return blocks_among(node for node in nodes if not _is_field_list(node) and node.mem_id != left_out)


def _further_fields(fields: Fields) -> Iterator[Block]:
    """What no part of a symbol holds, such as Returns and Raises: each a paragraph that begins with its name."""
    for name, field in fields.items():
        text = "" if name in _FIELDS_READ else joined(blocks(field))
        if text:
            yield Paragraph(f"{name}:\n{text}" if "\n" in text else f"{name}: {text}")


def _without_family(content: Iterable[Block]) -> Iterator[Block]:
    return (block for block in content if not _FAMILY.match(block.text))


def _type_and_rest(text: str) -> tuple[str, str]:
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


def _without_flag(type_text: str, flag: str) -> tuple[str, bool]:
    """Take a flag such as `readonly` out of the brackets at the end of a type."""
    without = re.sub(rf"\({flag}, ", "(", type_text)
    without = re.sub(rf",? *\({flag}\)", "", without)
    return without, without != type_text


def _listed_items(listed: LexborNode) -> tuple[Item, ...]:
    """Items from a list of `IDENTIFIER` Name - Description; empty where the list is of something else."""
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
    """A name as the user interface has it; the reference ends it as a sentence."""
    return name.removesuffix(".")


def _links_to_enums(node: LexborNode) -> list[LexborNode]:
    return node.css(f'a[href^="{ENUM_ITEMS_FOLDER}"]')


def _page_linked(link: LexborNode) -> str:
    return (link.attributes.get("href") or "").partition("#")[0]
