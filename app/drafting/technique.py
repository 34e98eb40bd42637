"""Cuts a proven snippet to its technique: what it does for other versions, and what every snippet does, is left out.

    snippet ─> folding.py ─> the functions that use what the request needs, with their constants ─> text
                             and a line on each function that they call and that is left out

It parses the text of strangers, so the service has a reader do it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Final

from app.drafting.folding import Fold
from harness.syntax import parse_python

LEAST_USES: Final = 2
"""A function that uses fewer of the needed names has nothing to do with the request."""
CHARACTERS: Final = 1_500
"""Length from which functions are left out."""
LONGEST: Final = 2_400
"""A snippet that cannot be cut to this is not shown, because half of it teaches nothing."""
COMMON: Final = frozenset({
    "active_material", "app", "bmesh", "bpy", "collection", "context", "data", "default_value", "foreach_set", "free",
    "get", "inputs", "link", "links", "location", "material", "materials", "meshes", "modifiers", "name", "new",
    "node_tree", "nodes", "objects", "outputs", "polygons", "render", "scene", "to_mesh", "type", "use_nodes",
    "use_smooth", "version",
})  # fmt: skip
"""Names that snippets for any request use."""

Defined = dict[str, ast.FunctionDef | ast.ClassDef]


def technique(snippet: str, version: list[int], needed: list[str]) -> str:
    """The part of a snippet that shows how it is done, on a Blender of this version; empty if there is none.

    `needed` are the names of members and classes that an answer to the request uses.
    """
    try:
        tree = parse_python(snippet)
        defined = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
        purposes = {name: (ast.get_docstring(one) or "").partition("\n")[0] for name, one in defined.items()}
        tree = ast.fix_missing_locations(Fold(snippet, tuple(version)).visit(tree))
    except (SyntaxError, ValueError, RecursionError):
        return ""
    drop_docstrings(tree)
    text = written(used_only(tree.body))
    if len(text) > CHARACTERS:
        kept = chosen(defined, set(needed) - COMMON)
        said = names_of(defined[name] for name in kept)
        left_out = [f"# {name}() is not shown. {purposes[name]}".rstrip() for name in defined if name in said - kept]
        body = [one for one in tree.body if getattr(one, "name", "") in kept or bound(one) & said or is_import(one)]
        text = "\n".join([*left_out, written(used_only(body))]) if kept else ""
    return text if len(text) <= LONGEST else ""


def written(body: Sequence[ast.stmt]) -> str:
    return ast.unparse(ast.Module(list(body), [])).replace("\n\n\n", "\n\n")


def drop_docstrings(tree: ast.Module) -> None:
    """Leave docstrings out: the titles of exemplars say what they do."""
    for one in ast.walk(tree):
        if isinstance(one, ast.Module | ast.FunctionDef | ast.ClassDef):
            one.body = [part for part in one.body if not is_docstring(part)] or [ast.Pass()]


def is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def chosen(defined: Defined, needed: set[str]) -> set[str]:
    """The functions and classes that use the needed names most, as far as there is room."""
    uses = {name: len(names_of([one]) & needed) for name, one in defined.items()}
    kept: set[str] = set()
    room = CHARACTERS
    for name in sorted(defined, key=lambda name: -uses[name]):
        length = len(ast.unparse(defined[name]))
        if uses[name] >= LEAST_USES and (length <= room or not kept):
            kept.add(name)
            room -= length
    return kept


def used_only(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements without imports of nothing that the others use."""
    said = names_of(one for one in body if not is_import(one))
    return [one for one in body if not is_import(one) or bound(one) & said]


def is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom)


def names_of(nodes: Iterable[ast.AST]) -> set[str]:
    """The names, attributes and texts in pieces of code."""
    found: set[str] = set()
    for one in (inner for node in nodes for inner in ast.walk(node)):
        if isinstance(one, ast.Name):
            found.add(one.id)
        elif isinstance(one, ast.Attribute):
            found.add(one.attr)
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            found.add(one.value)
    return found


def bound(statement: ast.stmt) -> set[str]:
    """The names that an import or a constant binds."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
