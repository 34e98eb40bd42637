"""Docstrings in a manifest: the arguments of Python functions, and the types of their results."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Final

from app.reading.api.values import UNKNOWN, PyObject, Rna, Value
from ingest.manifest import Manifest, PythonMember
from python.parsing import parse_python

_DOC_TYPE: Final = re.compile(
    r"^:(?:r?type): +:class:`([\w.]+)`\.?(?: +\(?read-?only\)?)?$", re.MULTILINE | re.IGNORECASE
)
_IN_DOC: Final = re.compile(
    r"^(?:\.\. (?:\w*method|function):: *|BMeshOpFunc )[\w.]*(\(.*\))(?: *->.*)?$", re.MULTILINE
)
_ARGUMENTS_IN_DOC: Final = re.compile(r"^:(?:arg|param|type) (\w+):", re.MULTILINE)


@dataclass(frozen=True)
class Signature:
    """The arguments of a Python function. Not `exact` if only its docstring describes them."""

    positional: tuple[str, ...]
    keyword_only: tuple[str, ...]
    keywords: frozenset[str]
    more_positional: bool
    more_keywords: bool
    exact: bool


def signature_of(entry: PythonMember, bound: bool, extra: tuple[str, ...]) -> Signature | None:
    """The arguments, without the first if `bound` gives it, and with `extra` names; None if nothing describes them."""
    shown = _IN_DOC.findall(entry.doc)
    text = entry.signature or (shown[0] if len(shown) == 1 else "")
    if not text:
        return None
    try:
        tree = parse_python(f"def f{text}: ...").body[0]
    except (SyntaxError, ValueError):
        return None
    if not isinstance(tree, ast.FunctionDef):
        return None
    arguments = tree.args
    positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    takes_self = entry.kind == "method" and entry.signature and (not entry.static or positional[:1] == ["cls"])
    if takes_self and (bound or entry.static):
        positional = positional[1:]
    keyword_only = [argument.arg for argument in arguments.kwonlyargs]
    named = [*positional, *keyword_only, *_ARGUMENTS_IN_DOC.findall(entry.doc)]
    return Signature(
        positional=tuple(positional),
        keyword_only=tuple(keyword_only),
        keywords=frozenset([*named, *extra]),
        more_positional=arguments.vararg is not None,
        more_keywords=arguments.kwarg is not None,
        exact=bool(entry.signature),
    )


def value_told(manifest: Manifest, doc: str, home: str) -> Value:
    """The value that a docstring documents for a member, or for the result of a call; `home` is its module."""
    types = _DOC_TYPE.findall(doc)
    if len(types) != 1:
        return UNKNOWN
    prefix, _, name = types[0].rpartition(".")
    if prefix == "bpy.types":
        return Rna(name) if name in manifest.types else UNKNOWN
    module = prefix or home
    known = manifest.modules.get(module)
    return PyObject(module, name) if known and name in known.members else UNKNOWN
