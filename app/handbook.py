"""The pages of the documentation that messages name, such as docs/models.md; a wheel has them too."""

from __future__ import annotations

from importlib.metadata import files
from pathlib import Path

from app.settings import CHECKOUT


def shelf() -> dict[str, Path]:
    """Every page and picture of the documentation by its path there, such as decisions/README.md or pictures/page.png:
    those of the checkout, otherwise those that were installed."""
    if (CHECKOUT / "pyproject.toml").exists():
        docs = CHECKOUT / "docs"
        there = {file.relative_to(docs).as_posix(): file for file in sorted(docs.rglob("*"))}
    else:
        parted = [(file, file.as_posix().partition("/blendproof/docs/")[2]) for file in files("blendproof") or ()]
        there = {name: Path(str(file.locate())) for file, name in parted}
    return {name: file.resolve() for name, file in there.items() if name.endswith((".md", ".png"))}


def pages() -> dict[str, Path]:
    """The pages that messages name, by their names."""
    there = {name.removesuffix(".md"): file for name, file in shelf().items() if name.endswith(".md")}
    return {name: there[name] for name in sorted(there) if "/" not in name}


def name_of(page: str) -> str:
    """The name of a page that is written as models, models.md or docs/models.md."""
    return Path(page).name.removesuffix(".md")


def title(page: Path) -> str:
    """The first heading of a page."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return next((line.removeprefix("# ") for line in lines if line.startswith("# ")), "")
