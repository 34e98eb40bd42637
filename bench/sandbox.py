"""Measures the cost of each layer of the sandbox, compared with a process without it; all in turns, in one run.

    python -m bench.sandbox [--rounds 30] [--blender-rounds 5]

Starts the keeper with an interpreter that does nothing, with one layer after another; then executes a small snippet in
Blender on each rung that this machine allows. Prints medians and the ratio to the process without a sandbox.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import functools
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from app.blenders.preparation import blenders_of
from app.settings import read_settings
from harness.blenders import Blender, choose
from harness.execution import execute
from harness.order import Order
from harness.sandbox import selftest
from harness.sandbox.jail import JailSpec
from harness.sandbox.ladder import Rung, Sandbox, climb, run_jailed, strongest

SNIPPET: Final = "import bpy\nbpy.data.objects['Cube'].location.x = 1\n"
BARE: Final = "no sandbox"


@dataclasses.dataclass(frozen=True)
class LayeredSandbox(Sandbox):
    """A sandbox with only some layers."""

    layers: tuple[str, ...] = ()

    def place_of(self, folder: Path) -> Path:
        """The path at which the jobs see their place."""
        return super().place_of(folder) if "namespaces" in self.layers else folder

    def jail(self, readable: list[str], writable: list[str], place: str = "") -> JailSpec | None:
        """The jail with only the named layers."""
        whole = Sandbox(Rung.NAMESPACES, self.landlock).jail(readable, writable, place)
        if whole is None or not self.layers:
            return None
        return dataclasses.replace(
            whole,
            namespaces="namespaces" in self.layers,
            landlock=self.landlock if "Landlock" in self.layers else 0,
            seccomp=whole.seccomp if "call filter" in self.layers else "",
        )


def measure(contestants: Mapping[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    """The median seconds of each, measured in turns after one round that does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(rounds + 1):
        for name, contestant in contestants.items():
            started = time.perf_counter()
            contestant()
            if number:
                seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(taken) for name, taken in seconds.items()}


def show(title: str, medians: dict[str, float]) -> None:
    bare = medians[BARE]
    print(f"\n{title}")
    for name, median in medians.items():
        print(f"  {name:34} {median * 1000:8.1f} ms   {(median - bare) * 1000:+7.1f} ms   {median / bare:5.2f} times")


def start_layers(offered: int, layers: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        end, said = run_jailed(LayeredSandbox(Rung.NAMESPACES, offered, layers=layers), ["-c", "pass"], folder)
    if end is None or end.exit_code != 0:
        raise SystemExit(f"a process with {layers} did not start: {said}")


def execute_on(blender: Blender, sandbox: Sandbox) -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = asyncio.run(execute(blender, Order(SNIPPET), Path(folder, "job"), sandbox))
    if report["outcome"] != "passed":
        raise SystemExit(f"on {sandbox.rung} the snippet did not pass: {report['reason']}")


def main() -> None:
    """Measure and print; see the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--blender-rounds", type=int, default=5)
    options = parser.parse_args()
    found = strongest()
    layers: list[tuple[str, ...]] = [("Landlock",), ("call filter",), ("Landlock", "call filter")]
    if found.rung is Rung.NAMESPACES:
        layers += [("namespaces",), ("namespaces", "Landlock", "call filter")]
    contestants = {BARE: functools.partial(start_layers, found.landlock, ())}
    contestants |= {" + ".join(part): functools.partial(start_layers, found.landlock, part) for part in layers}
    show("an interpreter that does nothing, keeper included", measure(contestants, options.rounds))

    settings = read_settings()
    blender = choose(blenders_of(settings), None)
    rungs = [climb((rung,)) for rung in (Rung.LANDLOCK, Rung.NAMESPACES)]
    executions = {BARE: functools.partial(execute_on, blender, Sandbox(Rung.PROCESS))}
    executions |= {f"rung {on.rung}": functools.partial(execute_on, blender, on) for on in rungs if on.isolates}
    show(f"one execution in Blender {blender.version}, both processes", measure(executions, options.blender_rounds))

    started = time.perf_counter()
    tested = selftest.examine(found, [])
    print(
        f"\nself-test: {tested.attempts} escapes in {(time.perf_counter() - started) * 1000:.0f} ms; {tested.escapes}"
    )


if __name__ == "__main__":
    main()
