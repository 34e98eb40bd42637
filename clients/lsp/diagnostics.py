"""A check as diagnostics: each fault once, at its word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from lsprotocol import types as lsp

SEVERITIES: Final = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "info": lsp.DiagnosticSeverity.Information,
}
WORD: Final = re.compile(r"\w+")
GUESSED: Final = ("mypy", "pyright")
"""Checks with the stubs of Blender, which say less than the API check about the same line."""


def does_not_parse(report: Mapping[str, Any]) -> bool:
    """True if the text is not Python, so that nothing else was checked."""
    return any(
        stage["name"] == "parse" and stage["state"] == "failed" for row in report["blenders"] for stage in row["stages"]
    )


def diagnostics_of(report: Mapping[str, Any], lines: Sequence[str]) -> list[lsp.Diagnostic]:
    """The diagnostics of a check, their columns in characters from 0."""
    found = list(findings(report))
    by_api = {finding["line"] for finding, _ in found if finding["check"] == "api"}
    return [
        diagnostic(finding, on, lines)
        for finding, on in found
        if not (finding["check"] in GUESSED and finding["line"] in by_api)
    ]


def findings(report: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Each finding that is shown once, and the Blenders that it holds on, if not all of them."""
    seen: dict[tuple[Any, ...], tuple[dict[str, Any], list[str]]] = {}
    for row in report["blenders"]:
        for finding in (one for stage in row["stages"] for one in stage["findings"] if one["severity"] != "info"):
            key = tuple(finding[part] for part in ("check", "code", "line", "column", "hint"))
            seen.setdefault(key, (finding, []))[1].append(row["blender"])
    count = len(report["blenders"])
    yield from ((finding, [] if len(on) == count else on) for finding, on in seen.values())


def diagnostic(finding: Mapping[str, Any], on: Sequence[str], lines: Sequence[str]) -> lsp.Diagnostic:
    """One finding at the word where it is, or at its line."""
    line = min(max((finding["line"] or 1) - 1, 0), max(len(lines) - 1, 0))
    text = lines[line].rstrip("\r\n") if lines else ""
    begin = min((finding["column"] or 1) - 1, len(text))
    word = WORD.match(text, begin) if finding["column"] else None
    said = finding["message"] + (f" (Blender {', '.join(on)})" if on else "")
    return lsp.Diagnostic(
        range=lsp.Range(lsp.Position(line, begin), lsp.Position(line, word.end() if word else len(text))),
        message=f"{said}\n{finding['hint']}" if finding["hint"] else said,
        severity=SEVERITIES[finding["severity"]],
        code=f"{finding['check']}/{finding['code']}",
        source="blendproof",
        tags=[lsp.DiagnosticTag.Deprecated] if finding["code"].endswith("removed") else None,
    )
