"""The signatures on a page: their text, their arguments, and the description under them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from selectolax.lexbor import LexborNode

from ingest.article import children, text_of


def description_of(signature: LexborNode) -> LexborNode | None:
    """The description under a signature."""
    node = signature.next
    while node is not None and node.tag != "dd":
        node = node.next
    return node


def other_signatures(signature: LexborNode) -> list[LexborNode]:
    """Further ways to call the same thing: they share its description and have no anchor of their own."""
    owner = signature.parent
    return [node for node in children(owner) if node.tag == "dt" and "id" not in node.attributes] if owner else []


def signature_text(signatures: Iterable[LexborNode]) -> str:
    """The arguments in brackets, one line per way to call."""
    found: list[str] = []
    for signature in signatures:
        text = text_of(signature).partition("→")[0]
        if "(" in text:
            found.append(text[text.index("(") : text.rindex(")") + 1] if ")" in text else text[text.index("(") :])
    return "\n".join(found)


def arguments_of(signature: LexborNode) -> Iterator[tuple[str, str]]:
    """Name and default of each argument."""
    for argument in signature.css("em.sig-param"):
        named, _, default = text_of(argument).partition("=")
        name = named.partition(":")[0].strip().lstrip("*")
        if name.isidentifier():  # the bare * and / are none
            yield name, default.strip()
