"""Resolves an expression to the dotted name of its import, whatever the snippet calls it."""

from __future__ import annotations

import ast
from typing import Final

from app.checks.policy.constants import text_of
from app.checks.policy.forbidden import code_of
from app.checks.policy.scopes import Bound, NameScope

# `os` is made of `posix` or `nt`; a path of any flavour is a path.
_SAME_AS: Final = {
    "posix": "os",
    "nt": "os",
    "_socket": "socket",
    "pathlib.PosixPath": "pathlib.Path",
    "pathlib.WindowsPath": "pathlib.Path",
}

# Members of a pathlib.Path that are paths themselves, or yield paths.
_PATH_TO_PATH: Final = frozenset(
    {
        *("parent", "absolute", "resolve", "expanduser", "joinpath", "with_name", "with_stem", "with_suffix"),
        *("home", "cwd", "iterdir", "glob", "rglob"),
    }
)

# Builtins that matter here: they run code, import, access a member or a name, or exit.
_BUILTINS: Final = frozenset(
    {"exec", "eval", "compile", "getattr", "vars", "globals", "locals", "__import__", "exit", "quit", "next"}
)

# Modules that others have imported: `shutil.os` is `os`.
_INNER: Final = {"os": "os", "_os": "os", "sys": "sys", "_sys": "sys"}

_GETTERS: Final = frozenset({"operator.attrgetter", "operator.methodcaller"})

PATIENCE: Final = 40
"""The length of a chain of aliases to follow; code that is meant to be read has no longer ones."""


def origin_of(node: ast.AST, scope: NameScope, patience: int = PATIENCE) -> str | None:
    """The dotted origin of an expression, such as `os.system`, or None if the syntax does not show it."""
    if patience == 0:
        return None
    less = patience - 1
    match node:
        case ast.Name(id=name):
            return _name_origin(name, scope, less)
        case ast.Attribute(value=base, attr=attribute):
            return _member(origin_of(base, scope, less), attribute)
        case ast.Call():
            return _call_origin(node, scope, less)
        case ast.BinOp(left=left, op=ast.Div()) if origin_of(left, scope, less) == "pathlib.Path":
            return "pathlib.Path"
        case ast.Subscript(value=ast.Call(func=names, args=[]), slice=key) if is_all_names(names, scope, less):
            named = text_of(key, scope, less)
            return _name_origin(named, scope, less) if named is not None else None
        case ast.Subscript(value=base, slice=key):
            return _item(origin_of(base, scope, less), text_of(key, scope, less))
        case ast.NamedExpr(value=value) | ast.Await(value=value):
            return origin_of(value, scope, less)
        case _:
            return None


def is_all_names(function: ast.expr, scope: NameScope, patience: int = PATIENCE) -> bool:
    """True for `globals` and its like, whose result has all names."""
    return origin_of(function, scope, patience) in ("builtins.globals", "builtins.locals", "builtins.vars")


def _name_origin(name: str, scope: NameScope, patience: int) -> str | None:
    home = scope.binding(name)
    if home is not None:
        if name not in home.origins:
            home.origins[name] = None
            home.origins[name] = _first_origin(home.names[name], home, patience)
        return home.origins[name]
    for module in scope.stars():
        if code_of(f"{module}.{name}") is not None:
            return f"{module}.{name}"
    return f"builtins.{name}" if name in _BUILTINS else None


def _first_origin(values: list[Bound], scope: NameScope, patience: int) -> str | None:
    for value in values:
        origin = origin_of(value, scope, patience) if isinstance(value, ast.AST) else value
        if origin is not None:
            return _SAME_AS.get(origin, origin)
    return None


def _member(base: str | None, attribute: str) -> str | None:
    if base is None:
        return None
    if base == "pathlib.Path" and attribute in _PATH_TO_PATH:
        return base
    if attribute in _INNER and base.partition(".")[0] != "bpy":
        return _INNER[attribute]
    path = f"{base}.{attribute}"
    return _SAME_AS.get(path, path)


def _item(base: str | None, key: str | None) -> str | None:
    """The origin of an item of a module's members, or of the loaded modules."""
    if base is None or key is None:
        return None
    if base == "sys.modules":
        return _SAME_AS.get(key, key)
    return _member(base.removesuffix(".__dict__"), key) if base.endswith(".__dict__") else None


def _call_origin(call: ast.Call, scope: NameScope, patience: int) -> str | None:
    """The origin of the result of a call, for the few calls whose result has one."""
    function = origin_of(call.func, scope, patience)
    match function, call.args:
        case "pathlib.Path", _:
            return "pathlib.Path"
        case "builtins.getattr", [base, name, *_] if (attribute := text_of(name, scope, patience)) is not None:
            return _member(origin_of(base, scope, patience), attribute)
        case "builtins.vars", [base]:
            return _member(origin_of(base, scope, patience), "__dict__")
        case "builtins.__import__", [name, *_] if (module := text_of(name, scope, patience)) is not None:
            return module.partition(".")[0]
        case "importlib.import_module", [name, *_] if (module := text_of(name, scope, patience)) is not None:
            return module
        case None, [base, *_]:
            return _got(call.func, base, scope, patience)
        case str(of), [name, *_] if of.endswith((".__dict__.get", ".__getattribute__", "sys.modules.get")):
            owner, _, method = of.rpartition(".")
            owner = owner if method == "get" else f"{owner}.__dict__"
            return _item(owner, text_of(name, scope, patience))
        case _:
            return None


def gets_unknown(call: ast.Call, scope: NameScope) -> str | None:
    """The origin of the object of which `operator.attrgetter(name)(os)` gets a member that the syntax does not name."""
    match call:
        case ast.Call(func=ast.Call(func=maker, args=[name, *_]), args=[base]) if (
            origin_of(maker, scope) in _GETTERS and text_of(name, scope) is None
        ):
            return origin_of(base, scope)
        case _:
            return None


def _got(getter: ast.expr, base: ast.expr, scope: NameScope, patience: int) -> str | None:
    """The origin of `operator.attrgetter("remove")(os)`, and of a method that `methodcaller` calls."""
    match getter:
        case ast.Call(func=maker, args=[name, *_]) if origin_of(maker, scope, patience) in _GETTERS:
            attribute = text_of(name, scope, patience)
            return _member(origin_of(base, scope, patience), attribute) if attribute is not None else None
        case _:
            return None
