"""Registers and uses the add-ons of a repository as tests of a change: each passes, or fails with the problem."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.addons.discovery import Contents, addons_in
from harness.addons import CUT_OFF, WELL, Registration, use_addon
from harness.blenders import Blender
from harness.folders import passing_place
from harness.sandbox.ladder import Sandbox
from harness.suites import USE, TestResult


@dataclass(frozen=True)
class Registering:
    """Registers the add-ons of a repository, unregisters them, registers them again and uses them, on some Blenders."""

    name: str
    blenders: Sequence[Blender]
    sandbox: Sandbox

    async def __call__(self, files: Mapping[str, bytes]) -> list[TestResult]:
        """Register and use each add-on among these files on each Blender. Raises AddonsRefused and HarnessFault."""
        contents = Contents(self.name, dict(files), {})
        results: list[TestResult] = []
        for addon in await asyncio.to_thread(addons_in, contents):
            for blender in self.blenders:
                async with passing_place() as place:
                    done = await use_addon(blender, addon.build(files), self.sandbox, place)
                results += results_of(done, f"{addon.place or addon.module} on Blender {blender.version}")
        return results


def results_of(done: Registration, where: str) -> Iterator[TestResult]:
    """A test of the registration, and one per use that did well or raised; a use that was cut off is none."""
    yield TestResult(f"register {where}", "passed" if done.passed else "failed", "" if done.passed else done.said)
    for use in done.uses:
        if use.how in WELL:
            yield TestResult(f"{USE}{use.what} of {where}", "passed")
        elif use.problem and use.problem.type != CUT_OFF:
            yield TestResult(f"{USE}{use.what} of {where}", "failed", use.problem.said)


def registering(name: str, blenders: Sequence[Blender], sandbox: Sandbox) -> Registering | None:
    """A test that registers on these Blenders; None if there are none."""
    return Registering(name, blenders, sandbox) if blenders else None
