"""The command that prints the pages that messages name, such as docs/models.md; a wheel has them too."""

from __future__ import annotations

from importlib.metadata import files
from pathlib import Path
from typing import Annotated

import typer

from app.cli.exits import USAGE
from app.cli.terminal import fail
from app.settings import CHECKOUT


def pages() -> dict[str, Path]:
    """The pages by their names: those of the checkout, otherwise those that were installed."""
    if (CHECKOUT / "pyproject.toml").exists():
        there = list((CHECKOUT / "docs").glob("*.md"))
    else:
        there = [Path(str(file.locate())) for file in files("blendproof") or () if file.match("blendproof/docs/*.md")]
    return {page.stem: page.resolve() for page in sorted(there, key=lambda page: page.stem)}


def docs(
    page: Annotated[str | None, typer.Argument(help="A page, such as models or docs/models.md.")] = None,
) -> None:
    """Print a page of the documentation, or list the pages."""
    there = pages()
    if page is None:
        width = max(map(len, there), default=0)
        for name, file in there.items():
            print(f"{name:{width}}  {title(file)}")
        return
    name = Path(page).name.removesuffix(".md")
    if name not in there:
        fail(f"There is no page {name}; the pages are {', '.join(there)}.", USAGE)
    print(there[name].read_text(encoding="utf-8"), end="")


def title(page: Path) -> str:
    """The first heading of a page."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return next((line.removeprefix("# ") for line in lines if line.startswith("# ")), "")
