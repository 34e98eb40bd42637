"""The command that prints the pages that messages name, such as docs/models.md."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.exits import USAGE
from app.cli.terminal import fail
from app.handbook import name_of, pages, title


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
    name = name_of(page)
    if name not in there:
        fail(f"There is no page {name}; the pages are {', '.join(there)}.", USAGE)
    print(there[name].read_text(encoding="utf-8"), end="")
