"""Uses of `bgl` that no rule turns into `gpu`: their functions import it, so that the rest of the file works."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.rules.bgl import imports_of_bgl, is_gone, names_of_bgl, uses_of_bgl
from app.healing.sight import Sight

_REASON: Final = "`bgl` is gone since 5.0: only what needs it fails, where it needs it"
_STUB: Final = '''
class {kind}:
    """Stands in for `bgl`, which is gone since Blender 5.0: a constant is its name, and a function says what to do."""

    def __getattr__(self, name):
        if name.startswith("GL_"):
            return name
        raise ImportError(f"bgl.{{name}} is gone since Blender 5.0: draw by the module gpu")
'''


def bgl_inside(sight: Sight) -> Iterator[TreeEdit]:
    """`import bgl` at the top of a file keeps all of it from running."""
    tops = [imported for imported in imports_of_bgl(sight) if sight.function(imported) is None]
    tops = [top for top in tops if not sight.for_some_blenders(top) and not _may_fail(sight, top)]
    if not is_gone(sight) or not tops:
        return
    uses = [(name, use) for name, use in uses_of_bgl(sight) if not sight.for_some_blenders(use)]
    outside = [name for name, use in uses if function_around(sight, use) is None]
    if outside:
        if all(name.startswith("GL_") for name in outside) and len(tops) == 1:
            yield sight.instead(tops[0], *_stand_in(sight, tops[0]), reason=_REASON)
        return
    needed: dict[cst.FunctionDef, set[str]] = {}
    for _, use in uses:
        function = function_around(sight, use)
        if function:
            local = use.value.value if isinstance(use, cst.Attribute) and isinstance(use.value, cst.Name) else ""
            needed.setdefault(function, set()).add(local or sight.code(use))
    names = names_of_bgl(sight)
    for function, local_names in needed.items():
        if not any(outer is function for top in imports_of_bgl(sight) for outer in sight.around(top)):
            yield TreeEdit(_REASON, function, entry="\n".join(_imports(names, local_names)))


def _may_fail(sight: Sight, node: cst.CSTNode) -> bool:
    return any(isinstance(outer, cst.Try) for outer in sight.around(node))


def function_around(sight: Sight, node: cst.CSTNode) -> cst.FunctionDef | None:
    """The outermost function whose body has this node; the values of its parameters are made outside of it."""
    found, inner = None, node
    for outer in sight.around(node):
        if isinstance(outer, cst.FunctionDef) and inner is outer.body:
            found = outer
        inner = outer
    return found


def _imports(names: dict[str, str], used: set[str]) -> Iterator[str]:
    for local in sorted(used):
        name = names[local]
        renamed = f" as {local}" if local != (name or "bgl") else ""
        if not name:
            yield f"import bgl{renamed}"
    chosen = [names[local] if names[local] == local else f"{names[local]} as {local}" for local in sorted(used)]
    chosen = [name for local, name in zip(sorted(used), chosen, strict=True) if names[local]]
    if chosen:
        yield f"from bgl import {', '.join(chosen)}"


def _stand_in(sight: Sight, top: cst.Import | cst.ImportFrom) -> list[str]:
    """Statements that bind the names of an import of `bgl` to something that can be imported."""
    if isinstance(top, cst.ImportFrom):
        chosen = [local for local, name in names_of_bgl(sight).items() if name.startswith("GL_")]
        return [f'{local} = "{names_of_bgl(sight)[local]}"' for local in sorted(chosen)]
    rest = [sight.code(alias).rstrip(", ") for alias in top.names if sight.code(alias.name) != "bgl"]
    own = next(alias for alias in top.names if sight.code(alias.name) == "bgl")
    local = sight.code(own.asname.name) if own.asname else "bgl"
    made = [_STUB.strip().format(kind="GoneBgl"), f"\n\n{local} = GoneBgl()"]
    return [*([f"import {', '.join(rest)}"] if rest else []), *made]


RULES: Final = (Rule("bgl-inside", "5.0: uses of `bgl` that `gpu` has no place for, in functions", bgl_inside),)
