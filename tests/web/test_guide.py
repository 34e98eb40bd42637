"""The documentation as pages of the service: where its links and pictures lead."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from markdown_it import MarkdownIt

from app.handbook import shelf
from app.web.guide import followed, read_guide


def test_no_link_and_no_picture_of_the_documentation_is_broken() -> None:
    there = shelf()
    guides = {name: str(read_guide(name[:-3])["guide"]) for name in there if name.endswith(".md")}
    pictures = 0
    for name, guide in guides.items():
        for place in re.findall(r'(?:href|src)="([^"]+)"', guide):
            target, _, anchor = urljoin(name, place).partition("#")
            pictures += target.endswith(".png")
            assert "://" in target or target in there, f"{name}: {place}"
            assert not anchor or "://" in target or f'id="{anchor}"' in guides[target], f"{name}: {place}"
    assert len(guides) > 100 and pictures >= 10
    text = "[a](../b.md) [*b*](c.md) [c](https://x.y/) [d](#e) ![f](g.png) ![h](/etc/i.png)"
    tokens = MarkdownIt().parse(text)[1].children or []
    shown = MarkdownIt().renderer.render(followed(tokens, "in", {"b.md", "in/g.png"}), MarkdownIt().options, {})
    kept = '<a href="../b.md">a</a> <em>b</em> <a href="https://x.y/">c</a> <a href="#e">d</a> <img src="g.png" alt="f"'
    assert shown.startswith(kept) and shown.endswith("> h")
