"""The pages of the documentation that messages name, such as docs/models.md; a wheel has them too."""

from __future__ import annotations

from importlib.metadata import files
from pathlib import Path

from app.settings import CHECKOUT


def pages() -> dict[str, Path]:
    """The pages by their names: those of the checkout, otherwise those that were installed."""
    if (CHECKOUT / "pyproject.toml").exists():
        there = list((CHECKOUT / "docs").glob("*.md"))
    else:
        there = [Path(str(file.locate())) for file in files("blendproof") or () if file.match("blendproof/docs/*.md")]
    return {page.stem: page.resolve() for page in sorted(there, key=lambda page: page.stem)}


def name_of(page: str) -> str:
    """The name of a page that is written as models, models.md or docs/models.md."""
    return Path(page).name.removesuffix(".md")


def title(page: Path) -> str:
    """The first heading of a page."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return next((line.removeprefix("# ") for line in lines if line.startswith("# ")), "")
