"""A server that an operator allowed may be hostile: what it answers costs a clone a bounded memory."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import pytest

from app.repositories import cloning
from app.repositories.allowed import RepositoryRefused
from tests.api.git_server import git_server
from tests.codebase.small import repository, run_git, write
from tests.listening import listening

MEMORY: Final = 64 << 20
BEGIN: Final = b"001e# service=git-upload-pack\n0000"
REFERENCE: Final = b"003f" + b"0" * 40 + b" refs/heads/aaaaaa\n"
ANSWERS: Final = {
    "/unfolds": (gzip.compress(BEGIN + bytes(4 * MEMORY), 1), "gzip"),
    "/endless": (BEGIN + REFERENCE * (4 * MEMORY // len(REFERENCE)), "identity"),
}


class HostileAnswers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body, coding = ANSWERS[self.path.partition("/info/")[0]]
        self.send_response(200)
        self.send_header("Content-Type", "application/x-git-upload-pack-advertisement")
        self.send_header("Content-Encoding", coding)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def hostile() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), HostileAnswers)
    with listening(server):
        yield f"http://127.0.0.1:{server.server_port}"


@pytest.mark.parametrize("path", ANSWERS)
def test_what_an_answer_unfolds_to_is_bounded(
    path: str, hostile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cloning, "CLONE_MEMORY", MEMORY)
    with pytest.raises(RepositoryRefused, match=r"[Oo]ut of memory"):
        cloning.clone(f"{hostile}{path}", tmp_path / "clone")
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(("bytes_said", "refused"), [(600_000, True), (4_000, False)])
def test_the_words_of_git_count_as_bytes_of_the_clone(
    bytes_said: int, refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = write(
        tmp_path,
        {
            "bin/git": f"""#!/bin/sh
for folder; do :; done
mkdir -p "$folder"
head -c 600000 /dev/zero > "$folder/a"
head -c {bytes_said} /dev/zero >&2
"""
        },
    )
    (fake / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    monkeypatch.setattr(cloning, "CLONE_BYTES", 1 << 20)
    if refused:
        with pytest.raises(RepositoryRefused, match="is larger than 1 MiB"):
            cloning.clone("http://a", tmp_path / "clone")
    else:
        cloning.clone("http://a", tmp_path / "clone")
    assert (tmp_path / "clone").exists() is not refused


def test_a_repository_is_cloned_within_the_same_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cloning, "CLONE_MEMORY", MEMORY)
    root = repository(tmp_path / "root", {"a.py": "x = 1\n"})
    run_git(tmp_path, "clone", "-q", "--bare", str(root), "served/a.git")
    with git_server(tmp_path / "served") as url:
        cloning.clone(f"{url}/a.git", tmp_path / "clone")
    assert (tmp_path / "clone" / "a.py").read_text() == "x = 1\n"
