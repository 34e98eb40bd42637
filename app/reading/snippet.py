"""The check itself, and the list of addresses for retrieval."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from app.reading.api.schema import api_of
from app.reading.notes import Notes
from app.reading.reader import SnippetReader
from app.reading.removals import Removals
from app.reading.survey import Survey, survey
from app.reading.usage.fits import Judge
from app.verdict.coping import TOO_DEEP, does_not_cope
from app.verdict.parse import syntax_tree
from app.verdict.rules import Rules
from app.verdict.verdict import Author, Finding, Severity, shortlist
from ingest.manifest import Manifest


@dataclass(frozen=True)
class ApiReading:
    """The result of reading a snippet with a manifest: the findings, and the addresses that it uses."""

    findings: list[Finding]
    symbols: list[str]


def read_api(snippet: str, manifest: Manifest, author: Author, rules: Rules) -> ApiReading:
    """Both answers from one reading; see `check_api` and `addresses_used`."""
    notes = read(snippet, manifest)
    return ApiReading(findings_of(notes, snippet, lambda code: rules.severity("api", code, author)), symbols_of(notes))


def check_api(
    snippet: str, manifest: Manifest, severity: Callable[[str], Severity | None], others: Survey | None = None
) -> list[Finding]:
    """The findings of the API check, in source order, each once.

    `severity` weighs a code; None drops it. A snippet that does not parse has no findings here, because the parse
    check reports it. One that nests too deep is read up to that point, and a finding says so. `others` is the survey
    of the other files of its package. Never raises.
    """
    return findings_of(read(snippet, manifest, others), snippet, severity)


def findings_of(notes: Notes, snippet: str, severity: Callable[[str], Severity | None]) -> list[Finding]:
    """The remarks that weigh something, in source order, each once."""
    lines = re.split(r"\r\n|\r|\n", snippet)
    findings: dict[tuple[int, int, str], Finding] = {}
    for remark in notes.remarks:
        weight = severity(remark.fault.code)
        key = (remark.place.line, remark.place.byte_offset, remark.fault.message)
        if weight is not None and key not in findings:
            findings[key] = remark.finding(weight, lines)
    return [*shortlist([findings[key] for key in sorted(findings)]), *([] if notes.whole else [does_not_cope("api")])]


def addresses_used(snippet: str, manifest: Manifest) -> list[str]:
    """The addresses of the API that a snippet uses, in the order of their first use, each once.

    A member is listed under the type that declares it; uncertain ones are left out.
    """
    return symbols_of(read(snippet, manifest))


def symbols_of(notes: Notes) -> list[str]:
    """The addresses that were used, in the order of their first use, each once."""
    uses = sorted(notes.uses, key=lambda use: (use[0].line, use[0].byte_offset))
    return list(dict.fromkeys(address for _, address in uses))


def read(snippet: str, manifest: Manifest, others: Survey | None = None) -> Notes:
    """The notes from reading a snippet with this manifest. Code that nests too deep is read up to that point."""
    tree = syntax_tree(snippet)
    if tree is None:
        return Notes()
    api = api_of(manifest)
    notes = Notes()
    try:
        reader = SnippetReader(Judge(api, survey(tree).among(others), Removals.for_version(api.version)))
        notes = reader.notes
        reader.read(tree)
        reader.note_settings_without_effect()
    except TOO_DEEP:
        notes.whole = False
    return notes
