"""`blendproof blenders test`: a small job on each Blender."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from app.blenders.preparation import BlenderTrial, blenders_of, try_blender
from app.cli.blenders import row
from app.cli.exits import NOT_PROVEN
from app.cli.terminal import expected_errors, fail, own_settings, talk
from app.observing.logs import log_for_people
from app.service.startup import prove_sandbox
from harness.blenders import choose


def blenders_test(
    name: Annotated[str | None, typer.Argument(help="Version, series or label; every one unless given.")] = None,
) -> None:
    """Run a small job on each Blender, as the service would.

    One line per Blender: version, kind, source, label, rung of the sandbox, start, seconds, ok or what failed.
    """
    log_for_people()
    settings = own_settings()
    with expected_errors():
        found = blenders_of(settings)
        chosen = [choose(found, name)] if name or not found else found
        sandbox = prove_sandbox(settings)
    failed = 0
    for blender in chosen:
        with talk.status(f"Blender {blender.version}"):
            trial = asyncio.run(try_blender(blender, sandbox, warm=settings.warm_workers > 0))
        failed += bool(trial.problem)
        print(trial_row(trial), flush=True)
    if failed:
        fail(f"{failed} of {len(chosen)} failed: see above.", NOT_PROVEN)


def trial_row(trial: BlenderTrial) -> str:
    return row(trial.blender, trial.rung, trial.start, f"{trial.seconds:.2f} s", trial.problem or "ok")
