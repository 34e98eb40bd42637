"""Reads the cookbook: one recipe per file, `cookbook/<area>/<what_it_does>.py`.

    a Python file ── its docstring ──> title, and other wordings of the request
                  └─ the whole ──────> the snippet, with only the title as its docstring

Recipes run inside Blender; here they are only read.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from python.parsing import parse_python

COOKBOOK: Final = Path(__file__).resolve().parent.parent / "cookbook"

_ASKED_AS: Final = "Asked as:"


class RecipeError(ValueError):
    """A file of the cookbook does not have the form of a recipe. The message names the file."""


@dataclass(frozen=True)
class CookbookRecipe:
    """One snippet of ours, with the requests for it.

    `name` is its path without the suffix, as "modelling/merge_by_distance". `title` is the request in plain
    words, without a full stop; `asks` are other wordings of it.
    """

    name: str
    title: str
    asks: tuple[str, ...]
    snippet: str


def load_cookbook(folder: Path = COOKBOOK) -> tuple[CookbookRecipe, ...]:
    """Every recipe of a cookbook, by name. Raises `RecipeError` if there is none, or if one has the wrong form."""
    files = sorted(path for path in folder.glob("*/*.py") if not path.name.startswith("_"))
    if not files:
        raise RecipeError(f"{folder} holds no recipes")
    return tuple(_read_recipe(path.relative_to(folder).with_suffix("").as_posix(), path) for path in files)


def _read_recipe(name: str, path: Path) -> CookbookRecipe:
    source = path.read_text(encoding="utf-8")
    try:
        tree = parse_python(source)
    except SyntaxError as error:
        raise RecipeError(f"{name}.py is not valid Python: {error}") from error
    docstring = ast.get_docstring(tree)
    if docstring is None:
        raise RecipeError(f"{name}.py has no docstring")
    title, _, rest = docstring.partition("\n")
    if not title.endswith("."):
        raise RecipeError(f"{name}.py: the first line of its docstring is not a sentence with a full stop: {title!r}")
    label, found, wordings = rest.strip().partition(_ASKED_AS)
    asks = tuple(" ".join(wording.split()) for wording in wordings.split(";"))
    if label or not found or not all(asks):
        raise RecipeError(f'{name}.py: its docstring does not go on with "{_ASKED_AS} one wording; another wording"')
    return CookbookRecipe(name, title.removesuffix("."), asks, _with_docstring(source, tree.body[0], title))


def _with_docstring(source: str, statement: ast.stmt, title: str) -> str:
    """The source with this docstring instead of its own, which is `statement`."""
    lines = source.splitlines(keepends=True)
    return "".join([*lines[: statement.lineno - 1], f'"""{title}"""\n', *lines[statement.end_lineno :]])
