"""Runs pyrefly to learn which functions the calls of a repository reach.

It gets copies of the texts in a folder of their own, and our settings: it never sees the repository, its settings, its
environment or its links. It asks no interpreter, starts no program, and writes below that folder alone.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from codebase.errors import ResolverFailed

LIMIT_S: Final = 300.0
PYTHON: Final = "3.11"
PREFIX: Final = "typed-"
SOURCES, REPORT, OUTPUT = "sources", "report", "said"
ROOTS: Final = (".", "src", "lib")
"""Folders from which modules are imported, if the repository has them."""
TARGETS: Final = ("call_targets", "init_targets", "new_targets", "property_getters", "property_setters")
LONGEST_MESSAGE: Final = 300


class ResolvedCall(NamedTuple):
    """A call on a line of a file and the function that it reaches: its name, and where that name is defined.

    `target` is empty for a function outside of the repository.
    """

    path: str
    line: int
    name: str
    target: str
    target_line: int


def program() -> Path:
    """pyrefly beside the Python that runs this, or on the PATH. Raises ResolverFailed if there is none."""
    beside = Path(sys.executable).with_name("pyrefly")
    path = str(beside) if beside.is_file() else shutil.which("pyrefly")
    if not path:
        raise ResolverFailed("pyrefly is not installed: `pip install 'blendproof[types]'` installs it.")
    return Path(path)


def calls_in(texts: Iterable[tuple[str, str]], name: str, folder: Path, limit_s: float = LIMIT_S) -> list[ResolvedCall]:
    """The calls in the files of a repository of this name, given as relative path and text. Raises ResolverFailed.

    A folder inside `folder` is used meanwhile.
    """
    resolver = program()
    discard_leftovers(folder)
    try:
        with tempfile.TemporaryDirectory(prefix=PREFIX, dir=folder) as made:
            work = Path(made).resolve()
            root = work / SOURCES / name
            copy(texts, root)
            run(resolver, work, root, limit_s)
            # A file may be two modules: once by its path, and once inside the package that the repository is.
            return sorted(set(calls_of_report(work / REPORT, root)))
    except OSError as error:
        raise ResolverFailed(f"pyrefly cannot be run in {folder}: {error.strerror}.") from error
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
        wanted = "`pip install 'blendproof[types]'` installs the version that can"
        raise ResolverFailed(f"The report of {resolver} cannot be read: {wanted}.") from error


def discard_leftovers(folder: Path) -> None:
    """Remove the folders of processes that were killed."""
    for leftover in folder.glob(f"{PREFIX}*"):
        if leftover.is_dir() and time.time() - leftover.stat().st_mtime > 2 * LIMIT_S:
            shutil.rmtree(leftover, ignore_errors=True)


def copy(texts: Iterable[tuple[str, str]], root: Path) -> None:
    root.mkdir(parents=True)
    for path, text in texts:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")


def run(resolver: Path, work: Path, root: Path, limit_s: float) -> None:
    """Make it write its report. It stays in the process group of a worker, so that it ends with the worker."""
    roots = [str(root / folder) for folder in ROOTS if (root / folder).is_dir()]
    if (root / "__init__.py").is_file():
        # The repository is a package itself, as many add-ons are.
        roots.insert(0, str(root.parent))
    settings = [
        f"project-includes = {json.dumps([f'{SOURCES}/**/*.py'])}",
        f"search-path = {json.dumps(roots)}",
        "project-excludes = []",
        # The folder may lie in a hidden one, or in one that git ignores.
        "disable-project-excludes-heuristics = true",
        "use-ignore-files = false",
        "skip-interpreter-query = true",
        f"python-version = {json.dumps(PYTHON)}",
    ]
    (work / "pyrefly.toml").write_text("\n".join(settings), encoding="utf-8")
    command = [str(resolver), "check", "--config", "pyrefly.toml", "--threads", "2", "--output-format", "omit-errors"]
    command += ["--summary=none", "--progress-bar", "no", "--report-pysa", REPORT, "--report-pysa-format", "json"]
    with (work / OUTPUT).open("wb") as output:
        try:
            done = subprocess.run(
                command,
                cwd=work,
                env={"LANG": "C.UTF-8", "HOME": str(work), "TMPDIR": str(work)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=limit_s,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ResolverFailed(f"pyrefly took longer than {limit_s:g} s.") from error
    # Code 1 means type errors in the files, not a failure.
    if done.returncode not in (0, 1) or not (work / REPORT / "pyrefly.pysa.json").is_file():
        with (work / OUTPUT).open(encoding="utf-8", errors="replace") as output_text:
            message = " ".join(output_text.read(LONGEST_MESSAGE).split())
        raise ResolverFailed(f"pyrefly ended with code {done.returncode}: {message}")


def calls_of_report(report: Path, root: Path) -> Iterator[ResolvedCall]:
    """The calls of the files below `root`."""
    modules = json.loads((report / "pyrefly.pysa.json").read_text(encoding="utf-8"))["modules"]
    files = {
        int(number): (module["info_filename"], Path(path).relative_to(root).as_posix())
        for number, module in modules.items()
        if "info_filename" in module
        for path in module["source_path"].values()
        if Path(path).is_relative_to(root)
    }
    lines = {number: function_lines(report, name) for number, (name, _) in files.items()}
    for name, path in files.values():
        for line, target in calls_of_module(report, name):
            there = target["module_id"]
            defined = lines.get(there, {}).get(target["function_id"])
            yield ResolvedCall(path, line, target["function_name"], files[there][1] if defined else "", defined or 0)


def function_lines(report: Path, name: str) -> dict[str, int]:
    """The lines with the names of the functions of a module."""
    definitions = json.loads((report / "definitions" / name).read_text(encoding="utf-8"))["function_definitions"]
    return {
        number: int(definition["name_location"].partition(":")[0])
        for number, definition in definitions.items()
        if "name_location" in definition
    }


def calls_of_module(report: Path, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each call of a module: its line and its target."""
    graphs = json.loads((report / "call_graphs" / name).read_text(encoding="utf-8"))["call_graphs"]
    for calls in graphs.values():
        for place, facts in calls.items():
            for kind in ("Call", "AttributeAccess"):
                for group in TARGETS:
                    for reached in facts.get(kind, {}).get(group, ()):
                        target: Any = reached["target"]
                        if isinstance(target, dict):
                            # The call ends at the name: `a\n.b()` is on the second line.
                            yield int(place.partition(":")[0]), next(iter(cast("dict[str, Any]", target).values()))
