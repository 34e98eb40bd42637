"""A command imports what it needs: the heavy packages that each family may bring, and no others."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from app.cli.command_table import COMMANDS

pytestmark = pytest.mark.slow

HEAVY: Final = {
    "aiosqlite", "alembic", "fastapi", "httpx", "httpx2", "jinja2", "lancedb", "langchain_core", "langgraph",
    "langsmith", "lark", "libcst", "mcp", "numpy", "onnxruntime", "openai", "PIL", "prometheus_client", "pyarrow",
    "rustworkx", "scipy", "selectolax", "sqlalchemy", "starlette", "structlog", "tokenizers", "tree_sitter", "uvicorn",
    "watchfiles",
}  # fmt: skip
OF_CLIENTS: Final = {"httpx2", "structlog"}
OF_REPOSITORIES: Final = {"numpy", "rustworkx", "scipy"}
OF_SERVICES: Final = {
    *OF_REPOSITORIES,
    *("PIL", "aiosqlite", "fastapi", "httpx2", "jinja2", "lark", "prometheus_client", "starlette", "structlog"),
    *("uvicorn", "watchfiles"),
}
OF_GRAPHS: Final = {"httpx", "langchain_core", "langgraph", "langsmith", "libcst"}

MAY: Final[dict[str, set[str]]] = {
    "main": set(),
    "in_force": set(),
    "repositories": set(),
    "differences": set(),
    "packages": set(),
    "documentation": set(),
    "node": {"structlog"},
    "blenders": {"structlog"},
    "snippets": OF_CLIENTS,
    "quick_checks": OF_CLIENTS,
    "addon_checks": OF_CLIENTS,
    "lsp": OF_CLIENTS,
    "artifacts": OF_CLIENTS,
    "searching": {"numpy"},
    "ingesting": {"httpx2", "numpy", "selectolax"},
    "repo_watch": {*OF_REPOSITORIES, "watchfiles"},
    "repo_index": OF_REPOSITORIES,
    "repo_search": OF_REPOSITORIES,
    "relations": OF_REPOSITORIES,
    "sources": OF_REPOSITORIES,
    "repo_ask": {*OF_REPOSITORIES, "structlog"},
    "diagnosing": {*OF_REPOSITORIES, "structlog"},
    "editing": {*OF_REPOSITORIES, "structlog"},
    "doctor": {"PIL", "numpy", "structlog"},
    "mcp": {"httpx2", "mcp", "starlette", "structlog", "uvicorn", "watchfiles"},
    "serving": OF_SERVICES,
    "blenders_test": OF_SERVICES,
    "porting": {*OF_SERVICES, "libcst"},
    "changing": {*OF_SERVICES, *OF_GRAPHS},
}
"""By module of `app.cli`, the heavy packages that its import may bring."""


def heavy_after(code: str, *arguments: str, cwd: Path | None = None) -> set[str]:
    """The heavy packages that a Python has when it has carried out the code."""
    ending = "import atexit, sys; atexit.register(lambda: print('\\n', *sys.modules.keys() & HEAVY))"
    done = subprocess.run(
        [sys.executable, "-c", f"HEAVY = {HEAVY}\n{ending}\n{code}", *arguments],
        env={**os.environ, "BLENDPROOF_DATA": str(cwd)} if cwd else None,
        capture_output=True, text=True, check=True, cwd=cwd,
    )  # fmt: skip
    return set(done.stdout.splitlines()[-1].split())


def test_every_module_of_a_command_is_in_the_table() -> None:
    assert {"main", *(row.place.partition(":")[0] for row in COMMANDS.values() if row.place)} == MAY.keys()


@pytest.mark.parametrize("module", MAY)
def test_a_family_imports_what_it_may(module: str) -> None:
    assert heavy_after(f"import app.cli.{module}") <= MAY[module]


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("repo", "--help"), ("repo", "list"), ("settings",)], ids=" ".join
)
def test_what_is_only_printed_needs_no_heavy_package(arguments: tuple[str, ...], tmp_path: Path) -> None:
    assert heavy_after("from app.cli.main import main; main()", *arguments, cwd=tmp_path) == set()


def test_an_import_that_a_family_may_not_have_is_seen() -> None:
    assert heavy_after("import app.cli.in_force, numpy") - MAY["in_force"] == {"numpy"}


@pytest.mark.parametrize("name", [name for name, row in COMMANDS.items() if row.place])
def test_a_line_in_the_lists_is_the_first_of_the_docstring(name: str) -> None:
    module, _, function = COMMANDS[name].place.partition(":")
    said = inspect.getdoc(getattr(import_module(f"app.cli.{module}"), function)) or ""
    assert said.splitlines()[0] == COMMANDS[name].help
