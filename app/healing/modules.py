"""Heals the modules that a request brings next to its snippet, by the same rules.

    the request's files ── those that are Python ── the rules, and the exception if it was raised there ──> healed texts

No guess is made in a module, and nothing is done for a second execution.
"""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from app.healing.heal import HealedSnippet, heal_by_rules
from app.healing.rules import RULES
from app.verdict.verdict import STAGES, Finding, Severity, Verdict, judged, make_verdict
from harness.syntax import parse_python
from ingest.manifest import Manifest

_FRAME: Final = re.compile(r'^  File "([^"\n]+)", line (\d+)', re.MULTILINE)
_EACH_BYTE: Final = "blendproof-each-byte"
_UNSURE: Final = frozenset(rule.name for rule in RULES if rule.guess or rule.repeat)


def modules_of(files: Iterable[tuple[str, bytes]], healed: Mapping[str, str]) -> dict[str, str]:
    """The text of each Python file by its name, as it was healed or as it came; those that Python refuses to read are
    left out."""
    texts = {name: healed.get(name) or text_of_module(content) for name, content in files if name.endswith(".py")}
    return {name: text for name, text in texts.items() if text is not None}


def encoding_of(content: bytes) -> str:
    """The encoding that a Python file says it has; UTF-8 if it says nothing, or what no text has."""
    try:
        return tokenize.detect_encoding(io.BytesIO(content).readline)[0]
    except SyntaxError:
        return "utf-8"


def text_of_module(content: bytes) -> str | None:
    """The text of a Python file as Python reads it; None if Python refuses it.

    Python does not read its comments: a byte there may be in no encoding, and is taken for one character.
    """
    try:
        return content.decode(encoding_of(content))
    except UnicodeDecodeError:
        return content.decode("utf-8", _EACH_BYTE) if parses(content) else None


def parses(content: bytes) -> bool:
    """True if Python takes the bytes of a file."""
    try:
        parse_python(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def bytes_of_module(text: str, content: bytes) -> bytes:
    """The bytes of a healed text in the encoding of the file that it was made from."""
    try:
        return text.encode(encoding_of(content))
    except UnicodeEncodeError:
        return text.encode()


def _each_byte(error: UnicodeError) -> tuple[str, int]:
    """Take each byte that is no UTF-8 for the character of its number."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_EACH_BYTE, _each_byte)


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
