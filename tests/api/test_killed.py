"""A service that is killed with -9 in the middle of a job: the next one takes it up, and no answer is paid twice."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.api.served_changes import WANTED, served
from tests.model_server import Reply, model_server, models_at
from tests.repositories.shop import MEETS, NEW_TEST, RIGHT, SHOP, file, replies, unit, whole

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("root")]

SERVICE: Final = """
import asyncio, json, sys
from pathlib import Path
from tests.api.served_changes import served
from tests.model_server import models_at

async def main():
    folder, url, path, body = sys.argv[1:]
    async with served(Path(folder), models=models_at(url)) as (client, _):
        await client.post(path, json=json.loads(body))
        await asyncio.Event().wait()

asyncio.run(main())
"""
SLOW_S: Final = 60.0
CHANGES: Final = "/repositories/shop/changes"
BETTER: Final = Reply(whole(SHOP.replace("2 * count", "3 * count")), when="shop.py")
KINDS: Final[dict[str, tuple[str, dict[str, Any], list[Reply], int, str]]] = {
    "change": (
        CHANGES,
        WANTED,
        [Reply(MEETS, when="You review a patch", delay_s=SLOW_S), *replies(unit(RIGHT) + file("test_n.py", NEW_TEST))],
        3,
        "accepted",
    ),
    "edit": (
        CHANGES,
        {"kind": "edit", "request": "triple it", "place": "."},
        [BETTER, Reply("", delay_s=SLOW_S), Reply("no file", times=9)],
        2,
        "proposal",
    ),
    "ask": ("/repositories/shop/ask", {"question": "price"}, [Reply("x", delay_s=SLOW_S)], 1, "interrupted"),
}
"""By kind, the request, the answers of the model with a slow one among them, its number, and the end of the job."""


@pytest.mark.parametrize("kind", KINDS)
async def test_a_job_is_taken_up_after_a_kill_and_pays_no_answer_twice(kind: str, tmp_path: Path) -> None:
    path, body, answers, slow, end = KINDS[kind]
    with model_server(*answers) as server:
        given = (str(tmp_path), server.url, path, json.dumps(body))
        process = subprocess.Popen([sys.executable, "-c", SERVICE, *given])  # noqa: ASYNC220
        try:
            async with asyncio.timeout(90):
                while len(server.asked) < slow:  # noqa: ASYNC110 - another process has to come so far
                    await asyncio.sleep(0.05)
        finally:
            process.kill()
            process.wait()
        async with served(tmp_path, models=models_at(server.url)) as (client, service):
            (listed,) = (await client.get("/jobs")).json()["jobs"]
            job = await service.until_ended(listed["id"])
            calls = (await client.get(f"/jobs/{job.id}")).json()["model_calls"]
        assert (job.kind, job.status) == (kind, end)
        # Only the question without an answer is asked again, and a question that nobody waits for is not.
        assert len(server.asked) == slow + (end != "interrupted")
        assert len(calls) == (slow if end != "interrupted" else 0)
