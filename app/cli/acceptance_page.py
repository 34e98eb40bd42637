"""Writes the kinds, fields and parts of acceptance checks into their pages in docs, with their examples.

python -m app.cli.acceptance_page
"""

from __future__ import annotations

from typing import Final

from app.accept import language
from app.cli.settings_page import GENERATED
from app.settings import CHECKOUT

PAGES: Final = tuple(CHECKOUT / "docs" / f"acceptance-{name}.md" for name in ("objects", "others", "parts"))


def with_kinds(page: str) -> str:
    """The page with the present words of models and examples."""
    return GENERATED.sub(lambda match: f"{match[1]}{language.page(match[2])}{match[3]}", page)


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(with_kinds(path.read_text(encoding="utf-8")), encoding="utf-8")
