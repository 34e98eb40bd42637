"""Functions that run code in a text, and a reader of that code."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Mapping
from typing import Final, Literal

_TAKES: Final[Mapping[str, Literal["code", "code for later", "module"]]] = {
    "builtins.exec": "code",
    "builtins.eval": "code",
    "builtins.compile": "code for later",
    "builtins.__import__": "module",
    "importlib.import_module": "module",
}
"""The kind of text in the first argument of a function."""

RUNS_CODE: Final = frozenset(name for name, what in _TAKES.items() if what != "code for later")
"""Functions that are as harmless as the code or the module name in their argument."""

READS_CODE: Final = frozenset(name for name, what in _TAKES.items() if what != "module")
"""Functions whose argument is code, whether it runs at once or later."""


def code_in(node: ast.expr) -> str | None:
    """The code in a constant, text or bytes; None for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text.strip()
        case ast.Constant(value=bytes(data)):
            try:
                # Its first lines may name an encoding.
                return importlib.util.decode_source(data).strip()
            except (SyntaxError, ValueError, LookupError):
                return None
        case _:
            return None
