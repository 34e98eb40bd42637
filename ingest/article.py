"""Cuts the article out of a page that Sphinx made, and reads it as paragraphs and code.

Every page of the Blender reference repeats the whole navigation, 300 kB around an article of 30 kB. So the article
is cut out of the bytes, and only the article is kept and parsed.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

_ARTICLE: Final = re.compile(rb"<article\b[^>]*>")
_MAIN: Final = re.compile(rb'<(?:div|main)\b[^>]*\brole="main"[^>]*>')
_MAIN_END: Final = re.compile(rb'<footer\b|<div\b[^>]*\bclass="(?:sphinxsidebar|footer)\b|</body>')

# Sphinx turns straight quotes into typographic ones; scripts and searches need the straight ones.
_TYPED: Final = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2026": "...", "\u00a0": " "}
)

EN_DASH: Final = "\u2013"
"""Sphinx's separator before a description; a plain hyphen would not do, because many descriptions contain one."""

_PYTHON: Final = ("highlight-python", "highlight-default", "highlight-ipython", "doctest")
_HEADINGS: Final = ("h2", "h3", "h4", "h5", "h6")
_INLINE: Final = frozenset(
    {"-text", "a", "abbr", "b", "cite", "code", "em", "i", "kbd", "span", "strong", "sub", "sup"}
)
_ITEM_OF_LIST: Final = "- "

UNDOCUMENTED: Final = "Undocumented, consider contributing."
"""The reference's text for an entry without a description."""


@dataclasses.dataclass(frozen=True)
class Paragraph:
    text: str


@dataclasses.dataclass(frozen=True)
class CodeBlock:
    """Python code of the page."""

    text: str


Block = Paragraph | CodeBlock


def cut_article(page: bytes) -> bytes | None:
    """The part of a page that holds its article, or None if there is none.

    An article without its end extends to the end of the page.
    """
    start = _ARTICLE.search(page)
    if start:
        end = page.rfind(b"</article>")
        return page[start.start() : end + len(b"</article>") if end > start.start() else len(page)]
    start = _MAIN.search(page)
    if start:
        end_of_main = _MAIN_END.search(page, start.end())
        return page[start.start() : end_of_main.start() if end_of_main else len(page)]
    return None


def parse_article(article: bytes) -> LexborNode:
    """The article as a tree, without the links of headings to themselves.

    Broken HTML is read in the way of a browser.
    """
    tree = LexborHTMLParser(article)
    found = tree.css_first('article, [role="main"]') or tree.root
    assert found is not None  # lexbor gives every document a root
    for link in found.css("a.headerlink"):
        link.decompose()
    return found


def text_of(node: LexborNode) -> str:
    """All the text in a node, on one line, with straight quotes."""
    return tidy(node.text())


def tidy(text: str) -> str:
    return " ".join(text.translate(_TYPED).split())


def classes_of(node: LexborNode) -> list[str]:
    return (node.attributes.get("class") or "").split()


def children(node: LexborNode) -> list[LexborNode]:
    """The child elements of a node."""
    return list(node.iter())


def addresses_in(node: LexborNode) -> list[str]:
    """The symbols that the text of a node links to."""
    links = node.css("a.internal[title]")
    return [address for link in links if (address := link.attributes.get("title"))]


def blocks(node: LexborNode) -> Iterator[Block]:
    """The paragraphs and the Python code in a node, in their order.

    Leaves out descriptions of symbols, which are read separately, and tables of contents.
    """
    return blocks_among(node.iter(include_text=True))


def blocks_among(nodes: Iterable[LexborNode]) -> Iterator[Block]:
    """Like `blocks`, for several nodes in order."""
    loose = ""
    for child in nodes:
        if child.tag in _INLINE:  # text outside a paragraph, as older versions of Sphinx write it
            loose += child.text()
            continue
        yield from _paragraph(tidy(loose))
        loose = ""
        yield from _blocks_of(child)
    yield from _paragraph(tidy(loose))


def _blocks_of(node: LexborNode) -> Iterator[Block]:
    tag = node.tag
    if tag == "p":
        yield from _paragraph(text_of(node))
    elif tag in ("ul", "ol"):
        yield from _list(node)
    elif tag == "dl":
        yield from _definitions(node)
    elif tag == "table":
        yield from _table(node)
    elif tag == "section" or "section" in classes_of(node):
        yield from _section(node)
    elif tag == "div":
        yield from _division(node)
    elif tag == "pre":
        yield CodeBlock(node.text().strip("\n"))
    elif tag == "blockquote":
        yield from blocks(node)


def _paragraph(text: str) -> Iterator[Block]:
    if text and text != UNDOCUMENTED:
        yield Paragraph(text)


def _list(node: LexborNode) -> Iterator[Block]:
    for item in children(node):
        for position, block in enumerate(blocks(item)):
            is_first = position == 0 and isinstance(block, Paragraph)
            yield Paragraph(_ITEM_OF_LIST + block.text) if is_first else block


def _definitions(node: LexborNode) -> Iterator[Block]:
    """A list of terms. Descriptions of symbols have the class of their domain, `py`, and are left out."""
    if "py" in classes_of(node):
        return
    term = ""
    for child in children(node):
        if child.tag == "dt":
            term = text_of(child).rstrip(":")
            continue
        inner = list(blocks(child))
        yield Paragraph(f"{term}: {joined(inner, ' ')}".rstrip(": "))
        yield from (block for block in inner if isinstance(block, CodeBlock))


def _table(node: LexborNode) -> Iterator[Block]:
    # An hlist repeats the inherited members of a class and the references to it.
    if "hlist" in classes_of(node):
        return
    for row in node.css("tr"):
        yield from _paragraph(" | ".join(text_of(cell) for cell in children(row)))


def _section(node: LexborNode) -> Iterator[Block]:
    """A heading with its contents; left out if the contents are."""
    heading = next((text_of(child) for child in children(node) if child.tag in _HEADINGS), "")
    inner = list(blocks(node))
    if heading and inner:
        yield Paragraph(heading)
    yield from inner


def _division(node: LexborNode) -> Iterator[Block]:
    classes = classes_of(node)
    if any(name.startswith("highlight-") or name == "doctest" for name in classes):
        yield from _code(node, classes)
    elif "admonition" in classes:
        yield from _admonition(node)
    elif "toctree-wrapper" not in classes:
        yield from blocks(node)


def _code(node: LexborNode, classes: list[str]) -> Iterator[Block]:
    shown = node.css_first("pre")
    if shown is not None and any(name.startswith(_PYTHON) for name in classes):
        yield CodeBlock(shown.text().strip("\n"))


def _admonition(node: LexborNode) -> Iterator[Block]:
    """A note or warning: one paragraph that begins with its title."""
    title = ""
    inner: list[Block] = []
    for child in children(node):
        if "admonition-title" in classes_of(child):
            title = text_of(child)
        else:
            inner += _blocks_of(child)
    yield Paragraph(f"{title}: {joined(inner, ' ')}".strip(": "))
    yield from (block for block in inner if isinstance(block, CodeBlock))


def joined(parts: Iterable[Block], between: str = "\n") -> str:
    """The paragraphs among the blocks as one text."""
    return between.join(block.text for block in parts if isinstance(block, Paragraph))


def code_in(parts: Iterable[Block]) -> str:
    """The Python code among the blocks as one text."""
    return "\n\n\n".join(block.text for block in parts if isinstance(block, CodeBlock))
