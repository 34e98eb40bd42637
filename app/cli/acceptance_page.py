"""Writes the kinds and fields of acceptance checks into docs/acceptance.md, with their examples.

python -m app.cli.acceptance_page
"""

from __future__ import annotations

from typing import Final

from app.accept import language
from app.cli.settings_page import GENERATED
from app.settings import CHECKOUT

PAGE: Final = CHECKOUT / "docs" / "acceptance.md"


def with_kinds(page: str) -> str:
    """The page with what the models and examples say today."""
    return GENERATED.sub(lambda found: f"{found[1]}{language.page()}{found[3]}", page)


if __name__ == "__main__":
    PAGE.write_text(with_kinds(PAGE.read_text()))
