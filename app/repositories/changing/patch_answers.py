"""Applies the edits that a model wrote to files of a repository, within the limits of a change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.llm.answers import AnswerUnusable
from app.llm.applying import BOM, apply_edits
from app.llm.edits import read_edits
from codebase.index.secrets import is_secret
from codebase.tree.writing import refusal
from codebase.units.read import spans_of
from python.parsing import parse_python

MOST_FILES: Final = 20


def changed_by(answer: str, finish: str, files: Mapping[str, str], only: str = "") -> dict[str, str]:
    """The files that an answer changes or adds, whole. `files` are the texts that may be changed, by path; with `only`,
    that file alone. Raises AnswerUnusable with the message for the model.
    """
    edits = read_edits(answer, finish, files)
    if not edits:
        raise AnswerUnusable(f"the answer has no line <<BEGIN_FILE {only or 'path'}>>, so it changes nothing")
    for path in dict.fromkeys(edit.path for edit in edits):
        reason = refusal(path) or ("files of this name hold secrets" if is_secret(path) else None)
        reason = reason or (f"only {only} was asked for" if only not in ("", path) else None)
        if reason:
            raise AnswerUnusable(f"{path} cannot be changed: {reason}")
    changed = apply_edits(edits, files, spans_of)
    if len(changed) > MOST_FILES:
        raise AnswerUnusable(f"the answer changes {len(changed)} files; change at most {MOST_FILES}")
    for path, body in changed.items():
        check_python(path, body, files.get(path))
    return changed


def check_python(path: str, new: str, old: str | None) -> None:
    """Raise AnswerUnusable if a Python file does not parse that is new or parsed before."""
    if path.endswith(".py") and (old is None or not fault_of(old)):
        fault = fault_of(new)
        if fault:
            raise AnswerUnusable(f"{path} would not be Python: {fault}")


def fault_of(text: str) -> str:
    """The reason why a text is not Python; empty if it is."""
    try:
        parse_python(text.removeprefix(BOM))
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or type(error).__name__
    return ""
