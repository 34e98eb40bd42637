"""Times a request, part by part, on this machine: medians over the examples of the command language.

    python -m bench.requests [--requests 12]

Prints seconds from request to finished run, and within it the static checks and the execution, which run side by
side; and the share of each phase of the execution. One run at a time.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from app.drafting.commands import load_examples
from app.jobs.request import GenerateRequest
from app.service.startup import open_service
from app.settings import read_settings


def main() -> None:
    """Send the requests and print the medians."""
    parser = argparse.ArgumentParser(description="Time requests to the service, without HTTP.")
    parser.add_argument("--requests", type=int, default=12, help="how many of the examples to send")
    count = parser.parse_args().requests
    rows = asyncio.run(measure(list(load_examples()[:count])))
    print(f"{len(rows)} requests, all proven; median (fastest - slowest) seconds")
    for name in rows[0]:
        values = [row.get(name, 0.0) for row in rows]
        print(f"{name:<10} {statistics.median(values):6.2f}  ({min(values):.2f} - {max(values):.2f})")


async def measure(requests: list[str]) -> list[dict[str, float]]:
    """Seconds of each part per request, without the first one, which fills the caches of the checkers."""
    rows: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        settings = read_settings().model_copy(update={"data": Path(folder)})
        async with open_service(settings) as service:
            for request in [requests[0], *requests]:
                started = time.monotonic()
                run = await service.finished((await service.submit(GenerateRequest(request=request))).id)
                seconds = time.monotonic() - started
                if run.status != "proven":
                    raise SystemExit(f"not proven, so not measured: {request}")
                rows.append(parts(run.model_dump(), seconds))
    return rows[1:]


def parts(run: dict[str, Any], seconds: float) -> dict[str, float]:
    """The whole, the stages that take time, and the phases of the execution."""
    attempt = run["attempts"][-1]
    stages = {stage["name"]: stage["seconds"] for stage in attempt["verdict"]["stages"]}
    timings: dict[str, float] = attempt["report"]["evidence"]["timings"]
    return {
        "request": seconds,
        "lint": stages["lint"],
        "types": stages["types"],
        "execute": stages["execute"],
        **{f" {name.removesuffix('_s')}": value for name, value in timings.items() if name != "total_s"},
    }


if __name__ == "__main__":
    main()
