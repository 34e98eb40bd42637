"""Answers that are read while they are written: their parts, their faults, and servers that know no streams."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.llm.message import ModelUnavailable
from tests.llm.asking import ask, provider
from tests.model_server import KEY, Reply, model_server

EVENTS = {"content-type": "text/event-stream"}
PART: dict[str, Any] = {"choices": [{"delta": {"content": "Hel"}}]}
LAST: dict[str, Any] = {"choices": [{"delta": {"content": "lo."}, "finish_reason": "stop"}]}
USAGE: dict[str, Any] = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}


def events(*parts: object, end: str = "data: [DONE]\n\n") -> bytes:
    """A stream of these parts, with the lines that servers put between them."""
    return (": ping\n\n" + "".join(f"data: {json.dumps(part)}\n\n" for part in parts) + end).encode()


async def test_the_parts_are_put_together() -> None:
    with model_server(Reply(raw=events(PART, LAST, USAGE), headers=EVENTS)) as server:
        answer = await ask(provider(server.url, stream=True))
    assert (answer.text, answer.finish, answer.tokens_in, answer.tokens_out) == ("Hello.", "stop", 7, 2)
    assert answer.first_token_s is not None
    assert server.asked[0]["stream"] is True


async def test_a_server_without_streams_answers_whole() -> None:
    with model_server(Reply("Hello.")) as server:
        answer = await ask(provider(server.url, stream=True))
    assert (answer.text, answer.first_token_s) == ("Hello.", None)


async def test_what_is_not_to_be_streamed_is_not() -> None:
    with model_server(Reply("Hello.")) as server:
        await ask(provider(server.url))
    assert "stream" not in server.asked[0]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(raw=events(PART, {"error": {"message": f"no room for {KEY}"}}), headers=EVENTS), r"no room for \*\*\*"),
        (Reply(raw=events(PART, end="data: {half\n\n"), headers=EVENTS), "a part of its answer is none: {half"),
        (Reply(raw=events(PART, LAST), headers=EVENTS, half=True), "broke off"),
        (Reply(raw=b"<html>", headers={}), "not a completion"),
        (Reply(status=401, raw=b'{"error": {"message": "wrong key"}}'), "it answered 401"),
    ],
)
async def test_a_stream_with_a_fault_is_no_answer(reply: Reply, said: str) -> None:
    with model_server(reply) as server, pytest.raises(ModelUnavailable, match=said):
        await ask(provider(server.url, stream=True))
