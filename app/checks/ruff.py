"""The lint stage: ruff with the gate's own rules, without any settings of the host.

`# noqa` comments in a snippet have no effect. Ruff never runs what it reads.
"""

from __future__ import annotations

import sys
from typing import Final

from pydantic import BaseModel, ValidationError

from app.checks.annotations import Span, unevaluated_spans
from app.checks.tool import SNIPPET, Output, not_all_read, read_for, unreadable, workplace
from app.verdict.rules import Rules
from app.verdict.verdict import OURS, Author, Finding, shortlist
from harness.readers import Readers

_CHECK: Final = "ruff"

_ON_ANNOTATIONS: Final = frozenset({"F821", "F722"})
"""An undefined name, and a syntax error, that may stand in an annotation which is never evaluated."""

OLDEST_PYTHON: Final = "3.10"
"""The Python of Blender 3.4, the oldest that our own snippets support."""


async def check_ruff(
    snippet: str, author: Author, rules: Rules, *, python_version: str = "3.11", readers: Readers | None = None
) -> list[Finding]:
    """Lint a snippet for the Python of the target Blender. Raises `CheckerFailed` if ruff does not answer."""
    options = ["--isolated", "--no-cache", "--ignore-noqa", "--exit-zero", "--output-format=json-lines"]
    # Our own snippets run on every Blender, so they may not use features of newer Pythons.
    written_for = OLDEST_PYTHON if author in OURS else python_version
    target = f"--target-version=py{written_for.replace('.', '')}"
    select = f"--select={','.join(rules.selection(_CHECK, author))}"
    with workplace(snippet) as place:
        command = [sys.executable, "-m", "ruff", "check", *options, target, select, SNIPPET]
        output = await place.run(_CHECK, command)
    remarks = _read(output)
    if author not in OURS and any(remark.code in _ON_ANNOTATIONS for remark in remarks):
        spans = await read_for(_CHECK, readers, unevaluated_spans, snippet)
        remarks = [remark for remark in remarks if not (remark.code in _ON_ANNOTATIONS and remark.is_in(spans))]
    findings = [finding for remark in remarks if (finding := _finding(remark, author, rules))]
    return [*shortlist(findings), *not_all_read(_CHECK, output, author, rules)]


class _RuffPlace(BaseModel):
    row: int
    column: int


class _Fix(BaseModel):
    message: str | None


class _RuffRemark(BaseModel):
    code: str | None
    message: str
    location: _RuffPlace | None
    fix: _Fix | None

    def is_in(self, spans: list[Span]) -> bool:
        """True if the remark begins inside one of these spans."""
        place = (self.location.row, self.location.column) if self.location else (0, 0)
        return any(first <= place < last for first, last in spans)


def _read(output: Output) -> list[_RuffRemark]:
    try:
        remarks = [_RuffRemark.model_validate_json(line) for line in output.stdout.splitlines()]
    except ValidationError as error:
        raise unreadable(_CHECK, output) from error
    if output.whole and output.status != 0:
        raise unreadable(_CHECK, output)
    return remarks


def _finding(remark: _RuffRemark, author: Author, rules: Rules) -> Finding | None:
    code = remark.code or "invalid-syntax"
    severity = rules.severity(_CHECK, code, author)
    if severity is None:
        return None
    return Finding(
        check=_CHECK,
        code=code,
        severity=severity,
        message=remark.message,
        line=remark.location.row if remark.location else None,
        column=remark.location.column if remark.location else None,
        hint=remark.fix.message if remark.fix else None,
    )
