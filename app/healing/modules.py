"""Heals the modules that a request brings next to its snippet, by the same rules.

    the request's files ── those that are Python ── the rules, and the exception if it was raised there ──> healed texts

No guess is made in a module, and nothing is done for a second execution.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from app.healing.encodings import text_of_module
from app.healing.heal import HealedSnippet, heal_by_rules
from app.healing.rules import RULES
from app.verdict.verdict import STAGES, Finding, Severity, Verdict, judged, make_verdict
from ingest.manifest import Manifest

_FRAME: Final = re.compile(r'^  File "([^"\n]+)", line (\d+)', re.MULTILINE)
_UNSURE: Final = frozenset(rule.name for rule in RULES if rule.guess or rule.repeat)


def modules_of(files: Iterable[tuple[str, bytes]], healed: Mapping[str, str]) -> dict[str, str]:
    """The text of each Python file by its name, as it was healed or as it came; those that Python refuses to read are
    left out."""
    texts = {name: healed.get(name) or text_of_module(content) for name, content in files if name.endswith(".py")}
    return {name: text for name, text in texts.items() if text is not None}


def place_of_exception(exception: Mapping[str, Any] | None, names: Collection[str]) -> tuple[str, int] | None:
    """The module that raised, and the line in it, if the last line of code of the request's own was in a module."""
    found: tuple[str, int] | None = None
    for path, line in _FRAME.findall(exception["traceback"]) if exception else ():
        if path == "snippet.py":
            found = None
        named = next((name for name in names if path == name or path.endswith(f"/{name}")), None)
        if named:
            found = named, int(line)
    return found


def heal_modules(
    modules: Mapping[str, str],
    verdict: Verdict,
    manifest: Manifest,
    exception: Mapping[str, Any] | None = None,
    without: Collection[str] = (),
) -> dict[str, HealedSnippet]:
    """The healed modules by name, without those that no rule changes."""
    place = place_of_exception(exception, modules)
    healed: dict[str, HealedSnippet] = {}
    for name, text in modules.items():
        there = place is not None and place[0] == name
        seen = verdict if verdict.passed else verdict_on_file(place[1] if place and there else None, exception)
        raised = dict(exception) if exception and there else None
        module = heal_by_rules(text, seen, manifest, raised, {*without, *_UNSURE})
        if module:
            healed[name] = module
    return healed


def verdict_on_file(line: int | None, exception: Mapping[str, Any] | None) -> Verdict:
    """The verdict on a file among others: that it raised at this line, or only that the run failed elsewhere."""
    message = f"{exception['type']}: {exception['message']}" if exception else "the run failed"
    finding = Finding(check="execute", code="raised", severity=Severity.ERROR, message=message, line=line)
    return make_verdict([judged(name, [finding] if name == "execute" else []) for name in STAGES], {})
