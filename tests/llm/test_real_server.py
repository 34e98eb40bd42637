"""The client against a real server of the interface, `transformers serve`, with a tiny model that is made here."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import HttpUrl

from app.llm.message import Answer, Message, ModelUnavailable
from app.llm.models import Models, problem_of
from app.llm.providers import Provider, ProviderSettings, ready

pytestmark = pytest.mark.slow

STARTS_S = 90.0
LONG = 3000
"""Tokens of an answer that takes the tiny model many seconds."""
QUESTION = [Message("user", "Move the cube.")]


@pytest.fixture(scope="module")
def process_and_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str, str]]:
    """The process of the server, its address, and the name of its model."""
    for package in ("torch", "accelerate"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed; run `make test`")
    folder = tmp_path_factory.mktemp("tiny")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder), "HF_HUB_CACHE": str(folder), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.llm.tiny_model", str(folder / "model"), str(port)]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, env={**os.environ, **own}, stdout=log, stderr=log)
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}/health", process, folder / "log")
        yield process.pid, f"http://127.0.0.1:{port}/v1", str(folder / "model")
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def served(process_and_address: tuple[int, str, str]) -> tuple[str, str]:
    """The address of the server, and the name of its model."""
    return process_and_address[1:]


def used_s(process: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_healthy(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + STARTS_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx2.get(address, timeout=2).is_success:
                return
        except httpx2.HTTPError:
            time.sleep(0.2)
    raise AssertionError(f"the server did not start: {log.read_text()[-2000:]}")


def provider(served: tuple[str, str], **more: Any) -> Provider:
    return ready("custom", ProviderSettings(model=served[1], url=HttpUrl(served[0]), **more))


async def ask(one: Provider, seconds: float = 60.0, room: int = 12, **more: Any) -> Answer:
    models = Models([one])
    try:
        return await models.ask(QUESTION, seconds, room=room, **more)
    finally:
        await models.close()


async def test_the_server_is_asked_whole_and_streamed_and_says_the_same(served: tuple[str, str]) -> None:
    whole = await ask(provider(served), exactly=True)
    streamed = await ask(provider(served, stream=True), exactly=True)
    assert whole.text == streamed.text != ""
    assert (whole.finish, streamed.finish) == ("length", "length")
    assert (whole.tokens_in, whole.tokens_out) == (streamed.tokens_in, streamed.tokens_out)
    assert whole.tokens_out == 12 and whole.first_token_s is None
    assert streamed.first_token_s is not None and 0 < streamed.first_token_s <= streamed.seconds


async def test_a_form_of_the_answer_may_be_asked_for(served: tuple[str, str]) -> None:
    schema = {"type": "object", "properties": {"checks": {"type": "array"}}}
    assert (await ask(provider(served), schema=schema)).text
    assert (await ask(provider(served, stream=True), schema=schema)).text


async def test_the_first_words_come_long_before_the_last(served: tuple[str, str]) -> None:
    answer = await ask(provider(served, stream=True), room=200)
    assert answer.first_token_s is not None and answer.first_token_s < answer.seconds / 2


async def test_a_server_whose_asker_is_cancelled_stops_writing(
    process_and_address: tuple[int, str, str], served: tuple[str, str]
) -> None:
    process = process_and_address[0]
    task = asyncio.create_task(ask(provider(served, stream=True), room=LONG))
    began = used_s(process)
    await asyncio.sleep(1.0)
    writing = used_s(process) - began
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0.3)
    began = used_s(process)
    await asyncio.sleep(1.0)
    assert used_s(process) - began < writing / 3


# After the test above: the server goes on with an answer that is given up and was not streamed.
@pytest.mark.parametrize("stream", [False, True])
async def test_an_answer_that_takes_too_long_is_given_up(served: tuple[str, str], stream: bool) -> None:
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match=r"no answer within 0\.5 s|did not answer within"):
        await ask(provider(served, stream=stream, timeout_s=0.5), room=LONG)
    assert time.monotonic() - began < 5


async def test_a_model_that_is_not_there_is_said(served: tuple[str, str]) -> None:
    with pytest.raises(ModelUnavailable, match=r"pinned to|it answered 4"):
        await ask(provider((served[0], "another")))
    # It lists the models of its cache, and not the folder that it serves.
    assert "it has no model" in str(await problem_of(provider(served)))
