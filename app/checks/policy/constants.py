"""Texts that a snippet puts together from constants, such as `"re" + "move"`, so that a name can be read anyway."""

from __future__ import annotations

import ast
from typing import Final

from app.checks.policy.scopes import NameScope

LONGEST: Final = 200
"""Characters of a text that can be a name."""
PATIENCE: Final = 40


def text_of(node: ast.AST | None, scope: NameScope, patience: int = PATIENCE) -> str | None:
    """The text of an expression of constants, or None if the syntax does not show it."""
    text = _text(node, scope, patience - 1) if patience > 0 else None
    return text if text is not None and len(text) <= LONGEST else None


def _text(node: ast.AST | None, scope: NameScope, patience: int) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Constant(value=bytes(data)) if len(data) <= LONGEST:
            return data.decode("utf-8", "replace")
        case ast.Name(id=name):
            return _text_of_name(name, scope, patience)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined([left, right], "", scope, patience)
        case ast.JoinedStr(values=parts):
            return _joined(parts, "", scope, patience)
        case ast.FormattedValue(value=value, format_spec=None):
            return text_of(value, scope, patience)
        case ast.Subscript(value=value, slice=ast.Slice(lower=None, upper=None, step=ast.UnaryOp(op=ast.USub()))):
            backwards = text_of(value, scope, patience)
            return backwards[::-1] if backwards is not None else None
        case ast.Call(func=ast.Attribute(value=value, attr=method), args=arguments):
            return _called(value, method, arguments, scope, patience)
        case ast.Call(func=ast.Name(id="chr"), args=[ast.Constant(value=int(number))]) if 0 < number < 0x110000:
            return chr(number)
        case _:
            return None


def _text_of_name(name: str, scope: NameScope, patience: int) -> str | None:
    home, bound = scope.binding(name), scope.only_value(name)
    if home is None or not isinstance(bound, ast.AST):
        return None
    if name not in home.texts:
        home.texts[name] = None
        home.texts[name] = text_of(bound, scope, patience)
    return home.texts[name]


def _called(value: ast.expr, method: str, arguments: list[ast.expr], scope: NameScope, patience: int) -> str | None:
    """The text that a method of a text returns, for the few that put a name together."""
    text = text_of(value, scope, patience)
    if text is None:
        return None
    match method, arguments:
        case "join", [ast.List(elts=parts) | ast.Tuple(elts=parts)]:
            return _joined(parts, text, scope, patience)
        case "decode", _:
            return text
        case "lower", []:
            return text.lower()
        case "strip", []:
            return text.strip()
        case "replace", [old, new]:
            pair = text_of(old, scope, patience), text_of(new, scope, patience)
            return text.replace(pair[0], pair[1]) if pair[0] and pair[1] is not None else None
        case _:
            return None


def _joined(parts: list[ast.expr], between: str, scope: NameScope, patience: int) -> str | None:
    texts = [text_of(part, scope, patience) for part in parts[:LONGEST]]
    known = [text for text in texts if text is not None]
    return between.join(known) if len(known) == len(parts) else None
