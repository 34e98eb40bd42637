"""The changes by rules in a file, as edits with their reasons."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lsprotocol import types as lsp

LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends, as editors and Python count them: a form feed or U+2028 does not end one."""
    return LINE.findall(text)


@dataclass(frozen=True)
class LineFix:
    """A change of some lines, and why; without reasons it only goes with others, such as an import."""

    first: int
    """The first old line, from 0."""
    end: int
    """The old line behind the last one."""
    text: str
    reasons: tuple[str, ...]

    def edit(self) -> lsp.TextEdit:
        """The change as an edit of whole lines."""
        return lsp.TextEdit(lsp.Range(lsp.Position(self.first, 0), lsp.Position(self.end, 0)), self.text)


def fixes_of(report: Mapping[str, Any], text: str) -> list[LineFix]:
    """The changes that the rules would make for the first Blender of a check of this text."""
    row = report["blenders"][0]
    if row["fixed"] is None:
        return []
    # The fixed text comes without a byte order mark.
    old, new = lines_of(text.removeprefix("\ufeff")), lines_of(row["fixed"])

    def fix(first: int, end: int, begin: int, stop: int) -> LineFix:
        reasons = [one["reason"] for one in row["fixes"] if first < one["line"] <= max(end, first + 1)]
        return LineFix(first, end, "".join(new[begin:stop]), tuple(dict.fromkeys(reasons)))

    found: list[LineFix] = []
    for kind, first, end, begin, stop in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            single = [fix(first + at, first + at + 1, begin + at, begin + at + 1) for at in range(end - first)]
            apart = end - first == stop - begin and all(one.reasons for one in single)
            found += single if apart else [fix(first, end, begin, stop)]
    return found


def actions(fixes: Sequence[LineFix], uri: str, wanted: lsp.Range) -> list[lsp.CodeAction]:
    """The fixes of the lines that are wanted, each alone, and all of them."""
    along = [fix.edit() for fix in fixes if not fix.reasons]
    near = [fix for fix in fixes if fix.reasons and fix.first <= wanted.end.line and fix.end > wanted.start.line]
    made = [
        action("; ".join(fix.reasons), lsp.CodeActionKind.QuickFix, uri, [*along, fix.edit()], preferred=True)
        for fix in near
    ]
    if fixes:
        every = [fix.edit() for fix in fixes]
        title = f"Fix all that Blendproof can in this file ({sum(bool(fix.reasons) for fix in fixes)})"
        kinds = [lsp.CodeActionKind.SourceFixAll, *([lsp.CodeActionKind.QuickFix] if near else [])]
        made += [action(title, kind, uri, every) for kind in kinds]
    return made


def action(
    title: str, kind: lsp.CodeActionKind, uri: str, edits: list[lsp.TextEdit], preferred: bool = False
) -> lsp.CodeAction:
    """A code action that makes edits in a file."""
    edit = lsp.WorkspaceEdit(changes={uri: edits})
    return lsp.CodeAction(title=title, kind=kind, edit=edit, is_preferred=preferred or None)
