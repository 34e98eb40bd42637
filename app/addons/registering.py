"""Registers the add-ons of a repository as a test of a change: it passes, or fails with the problem."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.addons.discovery import Contents, FoundAddon, addons_in
from harness.addons import register_addon
from harness.blenders import Blender
from harness.folders import passing_place
from harness.sandbox.ladder import Sandbox
from harness.suites import TestResult


@dataclass(frozen=True)
class Registering:
    """Registers the add-ons of a repository, unregisters them, and registers them again, on each of some Blenders."""

    name: str
    blenders: Sequence[Blender]
    sandbox: Sandbox

    async def __call__(self, files: Mapping[str, bytes]) -> list[TestResult]:
        """Register each add-on among these files on each Blender. Raises AddonsRefused and HarnessFault."""
        contents = Contents(self.name, dict(files), {})
        addons = await asyncio.to_thread(addons_in, contents)
        return [await self._register(addon, files, blender) for addon in addons for blender in self.blenders]

    async def _register(self, addon: FoundAddon, files: Mapping[str, bytes], blender: Blender) -> TestResult:
        async with passing_place() as place:
            done = await register_addon(blender, addon.build(files), self.sandbox, place)
        name = f"register {addon.place or addon.module} on Blender {blender.version}"
        return TestResult(name, "passed" if done.passed else "failed", "" if done.passed else done.said)


def registering(name: str, blenders: Sequence[Blender], sandbox: Sandbox) -> Registering | None:
    """A test that registers on these Blenders; None if there are none."""
    return Registering(name, blenders, sandbox) if blenders else None
