"""The time that commands take, and how soon `blendproof mcp` and a service answer.

    python -m bench.start [--times 5] [--repository NAME]

Of each command the seconds of CPU and on the clock, the least of several calls, and the CPU as a multiple of that of a
Python that does nothing, which is the same on a busy machine. The service gets a data folder of its own; its first
verdict is on a snippet that imports `bpy`, sent as soon as `/health` has answered.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import httpx2

COMMAND: Final = [sys.executable, "-m", "app.cli.main"]
HELLO: Final = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5, help="Calls of each command.")
    parser.add_argument("--repository", help="An indexed repository to search.")
    options = parser.parse_args()
    commands = [["--help"], ["repo", "list"], ["settings"], ["blenders"], ["search", "metaball resolution"]]
    if options.repository:
        commands.append(["repo", "search", options.repository, "where is the index written"])
    nothing, _ = least([sys.executable, "-c", "pass"], options.times)
    print(f"{'python -c pass':<28} {nothing:6.2f} s of CPU")
    for arguments in commands:
        cpu, wall = least([*COMMAND, *arguments], options.times)
        print(f"{' '.join(arguments[:2]):<28} {cpu:6.2f} s of CPU, {wall:6.2f} s, {cpu / nothing:5.0f} times nothing")
    with tempfile.TemporaryDirectory() as data:
        print_mcp({**os.environ, "BLENDPROOF_DATA": data})
    with tempfile.TemporaryDirectory() as data:
        print_service({**os.environ, "BLENDPROOF_DATA": data, "BLENDPROOF_PORT": "0"})


def least(command: Sequence[str], times: int) -> tuple[float, float]:
    """The least seconds of CPU of a command, and the least on the clock."""
    cpu: list[float] = []
    wall: list[float] = []
    for _ in range(times):
        before, begun = os.times(), time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        after = os.times()
        wall.append(time.monotonic() - begun)
        cpu.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(cpu), min(wall)


def print_mcp(environment: dict[str, str]) -> None:
    """Print when `initialize` and the list of tools are answered."""
    begun = time.monotonic()
    with subprocess.Popen([*COMMAND, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdin and server.stdout
        for number, (method, params) in enumerate((("initialize", HELLO), ("tools/list", dict[str, Any]()))):
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            server.stdin.write(json.dumps(message).encode() + b"\n")
            server.stdin.flush()
            server.stdout.readline()
            print_moment(f"mcp: {method}", begun, server.pid)
        if server.stdin:
            server.stdin.close()


def print_service(environment: dict[str, str]) -> None:
    """Print when `/health` is answered, and when the first verdict comes."""
    begun = time.monotonic()
    with subprocess.Popen([*COMMAND, "serve"], stderr=subprocess.PIPE, text=True, env=environment) as service:
        try:
            assert service.stderr is not None
            line = next(line for line in service.stderr if "listens on" in line)
            with httpx2.Client(base_url=line.split("listens on ")[1].split()[0], timeout=300) as client:
                client.get("/health").raise_for_status()
                print_moment("serve: /health", begun, service.pid)
                run = client.post("/validate", json={"snippet": "import bpy\n"}).raise_for_status().json()
                print_moment(f"serve: first verdict ({run['status']})", begun, service.pid)
        finally:
            service.terminate()
            service.wait(timeout=60)


def print_moment(name: str, begun: float, process: int) -> None:
    """Print the seconds since the begin, and those of CPU of the process itself."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    print(f"{name:<28} {cpu:6.2f} s of CPU, {time.monotonic() - begun:6.2f} s")


if __name__ == "__main__":
    main()
