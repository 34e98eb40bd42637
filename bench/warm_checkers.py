"""Compares type checkers that are kept warm with new processes: their speed, memory and findings.

    python -m bench.warm_checkers --stubs STUBS_FOLDER [--scripts FOLDER ...] [--rounds N]

Checks every script of the folders (by default the cookbook) with a new process and with a warm one, as our own and as a
caller's, in turns in one run. Every finding is kept, whatever its weight in the rules file, and compared. Prints
medians, the memory of the warm processes after the first and after the last check, and each script on which the two
differ; the exit code is 1 if there is one.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import structlog

from app.checks.types.check import check_mypy, check_pyright
from app.checks.types.warm.keep import WarmCheckers
from app.verdict.rules import Rules, Weight, load_rules
from app.verdict.verdict import Author, Finding

ROOT: Final = Path(__file__).resolve().parents[1]
AUTHORS: Final[dict[Author, str]] = {"commands": "strict", "caller": "relaxed"}

Check = Callable[[str, WarmCheckers | None], Awaitable[list[Finding]]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--stubs", type=Path, required=True, help="a folder written by build_stubs")
    parser.add_argument("--scripts", type=Path, nargs="*", default=[ROOT / "cookbook"], help="folders of .py files")
    parser.add_argument("--rounds", type=int, default=1, help="further rounds of warm checks, to see memory grow")
    options = parser.parse_args()
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    scripts = [file for folder in options.scripts for file in sorted(folder.rglob("*.py"))]
    with tempfile.TemporaryDirectory() as cache:
        sys.exit(asyncio.run(measure(scripts, options.stubs, Path(cache), options.rounds)))


async def measure(scripts: list[Path], stubs: Path, cache: Path, rounds: int) -> int:
    """Print one line per checker and flavour; return 1 if cold and warm differ."""
    texts = {str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file): file.read_text() for file in scripts}
    different = 0
    for author, flavour in AUTHORS.items():
        for name, check in checks(author, keep_all(load_rules()), stubs, cache).items():
            warm = WarmCheckers(1)
            await check("import bpy\n", None)
            began = time.perf_counter()
            await check("import bpy\n", warm)
            first, memory = time.perf_counter() - began, warm.memory_bytes[name]
            cold_s: list[float] = []
            warm_s: list[float] = []
            for script, text in texts.items():
                cold_found = await timed(check(text, None), cold_s)
                warm_found = await timed(check(text, warm), warm_s)
                if cold_found != warm_found:
                    different = 1
                    print(f"{name} {flavour} differs on {script}:", *difference(cold_found, warm_found), sep="\n    ")
            for _ in range(rounds - 1):
                for text in texts.values():
                    await check(text, warm)
            print(
                f"{name:8}{flavour:8} {len(texts)} scripts: cold {statistics.median(cold_s):.2f} s, "
                f"warm {statistics.median(warm_s):.3f} s (slowest {max(warm_s):.2f}, first {first:.1f}); "
                f"{memory >> 20} MiB, then {warm.memory_bytes[name] >> 20} MiB"
            )
            await warm.close()
    return different


def checks(author: Author, rules: Rules, stubs: Path, cache: Path) -> dict[str, Check]:
    """Both checkers, for snippets of one author."""

    async def mypy(text: str, warm: WarmCheckers | None) -> list[Finding]:
        return await check_mypy(text, author, rules, stubs, cache, warm=warm)

    async def pyright(text: str, warm: WarmCheckers | None) -> list[Finding]:
        return await check_pyright(text, author, rules, stubs, warm=warm)

    return {"mypy": mypy, "pyright": pyright}


def keep_all(rules: Rules) -> Rules:
    """The same selection with every finding kept."""
    kept: dict[str, Weight] = {"ours": "advice", "theirs": "advice"}
    every = {name: check.model_copy(update=kept) for name, check in rules.check.items()}
    return rules.model_copy(update={"check": every, "rule": []})


async def timed(answer: Awaitable[list[Finding]], into: list[float]) -> list[Finding]:
    """Wait for an answer and record how long it took."""
    began = time.perf_counter()
    found = await answer
    into.append(time.perf_counter() - began)
    return found


def difference(cold: list[Finding], warm: list[Finding]) -> list[str]:
    """The findings of only one of them, or a note that the order differs."""
    lines = [f"cold only: {one}" for one in cold if one not in warm]
    lines += [f"warm only: {one}" for one in warm if one not in cold]
    return lines or ["the same in another order"]


if __name__ == "__main__":
    main()
