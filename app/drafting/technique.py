"""Cuts a proven snippet to its technique, without code for other versions and code that every snippet has.

    snippet ─> folding.py ─> the functions that use what the request needs, with their constants ─> text
                             and a line on each function that they call and that is left out

It parses the text of strangers, so the service has a reader do it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Final

from app.drafting.folding import Fold
from python.parsing import parse_python

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
    """The part of a snippet that shows its technique on a Blender of this version; empty without such a part.

    `needed` are the names of members and classes that an answer to the request uses.
    """
    try:
        tree = parse_python(snippet)
        defined = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        purposes = {name: (ast.get_docstring(node) or "").partition("\n")[0] for name, node in defined.items()}
        tree = ast.fix_missing_locations(Fold(snippet, tuple(version)).visit(tree))
    except (SyntaxError, ValueError, RecursionError):
        return ""
    drop_docstrings(tree)
    text = source_of(without_unused_imports(tree.body))
    if len(text) > CHARACTERS:
        kept = choose(defined, set(needed) - COMMON)
        said = names_of(defined[name] for name in kept)
        left_out = [f"# {name}() is not shown. {purposes[name]}".rstrip() for name in defined if name in said - kept]
        body = [
            statement
            for statement in tree.body
            if getattr(statement, "name", "") in kept or bindings_of(statement) & said or is_import(statement)
        ]
        text = "\n".join([*left_out, source_of(without_unused_imports(body))]) if kept else ""
    return text if len(text) <= LONGEST else ""


def source_of(body: Sequence[ast.stmt]) -> str:
    return ast.unparse(ast.Module(list(body), [])).replace("\n\n\n", "\n\n")


def drop_docstrings(tree: ast.Module) -> None:
    """Leave docstrings out, because exemplars have titles."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
            node.body = [part for part in node.body if not is_docstring(part)] or [ast.Pass()]


def is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def choose(defined: Defined, needed: set[str]) -> set[str]:
    """The functions and classes that use the needed names most, as far as there is room."""
    uses = {name: len(names_of([node]) & needed) for name, node in defined.items()}
    kept: set[str] = set()
    room = CHARACTERS
    for name in sorted(defined, key=lambda name: -uses[name]):
        length = len(ast.unparse(defined[name]))
        if uses[name] >= LEAST_USES and (length <= room or not kept):
            kept.add(name)
            room -= length
    return kept


def without_unused_imports(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements without imports that the others do not use."""
    said = names_of(statement for statement in body if not is_import(statement))
    return [statement for statement in body if not is_import(statement) or bindings_of(statement) & said]


def is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom)


def names_of(nodes: Iterable[ast.AST]) -> set[str]:
    """The names, attributes and texts in pieces of code."""
    names: set[str] = set()
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)
    return names


def bindings_of(statement: ast.stmt) -> set[str]:
    """The names that an import or a constant binds."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
