"""A real Postgres for the tests, as Debian packages it, with a database per test."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.objects import free_ports

USER = "nobody" if os.geteuid() == 0 else None
"""Postgres does not run as root."""


class Server:
    """A server of its own on a free port; its disk is not waited for."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self._folder = folder
        self._programs = programs
        (self.port,) = free_ports(1)
        self._call("initdb", "-D", str(folder), "-A", "trust", "-U", "tests", "--no-sync", "-E", "UTF8")
        self.start()

    def _call(self, program: str, *words: str) -> None:
        # In a folder that this user may look into.
        subprocess.run(
            [self._programs / program, *words], user=USER, cwd="/", check=True, stdout=subprocess.DEVNULL, timeout=60
        )

    def start(self) -> None:
        """Start it, and wait until it answers."""
        given = f"-p {self.port} -k {self._folder} -h 127.0.0.1 -F -c max_connections=60"
        log = str(self._folder / "log")
        self._call("pg_ctl", "-D", str(self._folder), "-w", "-l", log, "-o", given, "start")

    def stop(self) -> None:
        """End it at once, with every connection."""
        self._call("pg_ctl", "-D", str(self._folder), "-m", "immediate", "-w", "stop")

    def database(self) -> str:
        """The address of a new database."""
        name = f"test_{secrets.token_hex(4)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.address(name)

    def address(self, name: str) -> str:
        """The address of a database."""
        return f"postgresql://tests@127.0.0.1:{self.port}/{name}"


def programs() -> Path:
    """The folder of Postgres's programs; skips the test if there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    named = shutil.which("initdb")
    if not found and not named:
        pytest.skip("there is no Postgres; install the Debian package postgresql")
    return (found[-1] if found else Path(str(named)).resolve()).parent


@contextmanager
def server() -> Generator[Server]:
    """A server, which ends with the block."""
    at = programs()
    folder = Path(tempfile.mkdtemp(prefix="blendproof-postgres-"))
    if USER:
        shutil.chown(folder, USER)
    running = Server(folder, at)
    try:
        yield running
    finally:
        try:
            running.stop()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
