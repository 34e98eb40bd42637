"""Every attack in `tests/hostile` ends within its limit, as its docstring says, and touches nothing outside.

A docstring begins with the outcomes that are right, a `|` between them, and a colon; a line `Says: ...` names a part of
the reason. Each attack gets, as its last argument, the places of what it must not reach. Files that begin with `twin_`
do what an attack on the same wall is next to, and must pass.

The jobs are those of warm Blenders. HOSTILE_RUNG=landlock attacks that rung even if a stronger one is available, and
HOSTILE_COLD=1 a Blender that is started for each.
"""

from __future__ import annotations

import ast
import asyncio
import dataclasses
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.blenders import Blender
from harness.execution import execute
from harness.launcher import ProcessLimits
from harness.order import Order
from harness.pool.pool import Pool
from harness.protocol import RenderSettings
from harness.sandbox.ladder import Rung, Sandbox, climb, strongest
from harness.sandbox.selftest import Canary, bait
from tests.fixtures import processes_below

FOLDER = Path(__file__).parents[1] / "hostile"
ATTACKS = sorted(path.stem for path in FOLDER.glob("*.py"))
AT_A_TIME = 2
LIMITS = ProcessLimits(
    wall_s=20, memory_bytes=900 << 20, disk_bytes=24 << 20, files=100, processes=24, output_bytes=1 << 20
)
SHORT = dataclasses.replace(LIMITS, wall_s=3)
GRACE_S = 6.0
"""What an execution may take beyond the limits of its two processes, on a machine that does other things too."""

Report = dict[str, Any]

pytestmark = pytest.mark.blender


@dataclasses.dataclass(frozen=True)
class AttackResult:
    """What came of one attack."""

    report: Report
    seconds: float


def expectation(attack: str) -> tuple[set[str], str]:
    """The outcomes that are right, and what the reason must say."""
    text = ast.get_docstring(ast.parse((FOLDER / f"{attack}.py").read_text())) or ""
    said = re.search(r"^Says: (.+)$", text, re.MULTILINE)
    return set(text.partition(":")[0].split("|")), said[1] if said else ""


def limits_of(attack: str) -> ProcessLimits:
    return SHORT if "timed_out" in expectation(attack)[0] else LIMITS


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    """The rung that is attacked: the strongest of this machine, unless one is named."""
    rung = os.environ.get("HOSTILE_RUNG")
    found = climb((Rung(rung),)) if rung else strongest()
    if not found.isolates:
        pytest.skip(f"this machine isolates nothing: {'; '.join(found.why_not)}")
    return found


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Canary]:
    """What no attack may reach."""
    folder = tmp_path_factory.mktemp("outside")
    with bait(folder, []) as canary:
        yield canary


@pytest.fixture(scope="module")
def attacked(
    request: pytest.FixtureRequest,
    blender: Blender,
    sandbox: Sandbox,
    outside: Canary,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, AttackResult]:
    """What came of each attack that was selected; a few run at the same time."""
    chosen = {item.name.partition("[")[2].rstrip("]") for item in request.session.items} & set(ATTACKS)
    folder = tmp_path_factory.mktemp("jobs")
    warm = sandbox.keeps_forks_apart and not os.environ.get("HOSTILE_COLD")
    targets = {**outside.targets(), "folder": str(outside.files[0].parent), "secret": str(outside.files[0])}

    async def attack_all() -> dict[str, AttackResult]:
        places = asyncio.Semaphore(AT_A_TIME)
        pool = Pool(tmp_path_factory.mktemp("warm"), sandbox, AT_A_TIME) if warm else None

        async def attack(name: str) -> AttackResult:
            order = Order(
                snippet=(FOLDER / f"{name}.py").read_text(),
                arguments=(json.dumps(targets),),
                run_limits=limits_of(name),
                examine_limits=LIMITS,
                render=RenderSettings(size_px=64, samples=1),
                asks="elsewhere_" in name,
            )
            async with places:
                started = time.monotonic()
                report = await execute(blender, order, folder / name, sandbox, pool)
                return AttackResult(report, time.monotonic() - started)

        names = sorted(chosen)
        try:
            return dict(zip(names, await asyncio.gather(*map(attack, names)), strict=True))
        finally:
            if pool:
                await pool.close()

    return asyncio.run(attack_all())


@pytest.mark.parametrize("attack", ATTACKS)
def test_attack(attack: str, attacked: dict[str, AttackResult]) -> None:
    done = attacked[attack]
    outcomes, said = expectation(attack)
    assert done.report["outcome"] in outcomes, done.report["reason"]
    assert said in done.report["reason"]
    assert done.seconds < limits_of(attack).wall_s + LIMITS.wall_s + GRACE_S
    json.dumps(done.report, ensure_ascii=False).encode()
    late = [file for file in done.report["evidence"]["files"] if "late" in file["name"]]
    assert late == []


@pytest.mark.parametrize("attack", [name for name in ATTACKS if name.startswith(("repeat_", "twin_repeat_"))])
def test_a_second_execution_sees_nothing_of_the_first(attack: str, attacked: dict[str, AttackResult]) -> None:
    repeat = attacked[attack].report["evidence"]["repeat"]
    told = [*repeat["added"], *repeat["changed"]]
    assert bool(told) is attack.startswith("repeat_"), repeat
    assert (repeat["outcome"], repeat["unread"]) == ("passed", 0)


def test_who_asks_where_it_runs_is_answered_as_elsewhere_too(attacked: dict[str, AttackResult]) -> None:
    told = attacked["elsewhere_does_more"].report["evidence"]["elsewhere"]
    assert told["added"] == ['objects "add-ons", "arguments", "display", "frames", "imported", "window"'], told
    twin = attacked["twin_elsewhere_asks_only"].report["evidence"]["elsewhere"]
    assert (twin["outcome"], twin["added"], twin["changed"], twin["unread"]) == ("passed", [], [], 0)


@pytest.mark.parametrize("attack", [name for name in ATTACKS if name.startswith("saving_")])
def test_what_is_saved_is_what_the_snippet_left(attack: str, attacked: dict[str, AttackResult]) -> None:
    assert sorted(attacked[attack].report["evidence"]["scene"]["objects"]) == ["Camera", "Cube", "Light"]


def test_nothing_outside_was_touched(attacked: dict[str, AttackResult], outside: Canary) -> None:
    assert outside.changes() == []
    assert sorted(path.name for path in outside.files[0].parent.iterdir()) == ["secret"]


def test_no_secret_is_in_a_report(attacked: dict[str, AttackResult], outside: Canary) -> None:
    assert [name for name, done in attacked.items() if outside.token in json.dumps(done.report)] == []


def test_a_job_reaches_only_its_own_part_of_its_place(attacked: dict[str, AttackResult]) -> None:
    report = attacked["write_own_place"].report
    said = report["claims"]["stdout"]["text"]
    assert not any(word in said for word in ("REPLACED", "KEPT", "STASHED")), said
    assert report["evidence"]["changes"]["added"]["objects"] == []


def test_no_process_is_left(
    attacked: dict[str, AttackResult], alone: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert processes_below(tmp_path_factory.getbasetemp()) == []


def test_every_report_names_the_rung(attacked: dict[str, AttackResult], sandbox: Sandbox) -> None:
    assert {done.report["isolation"]["rung"] for done in attacked.values()} == {sandbox.rung.value}
