"""The provider `scripted`: replays written answers from a file in place of a server; the rest of the path is real.

    request = "..."            # optional: the request that the answers are for
    [[answer]]
    when = "draft"             # optional: text that the question must contain
    text = '''
    ...                        # the answer, word for word
    '''
    finish = "stop"            # optional; "length" for one that was cut off
    times = 2                  # optional: the number of times that it is given

An answer is given to the first question that it fits; when none remains, the provider says so and is down.
"""

from __future__ import annotations

import json
import threading
import tomllib
from pathlib import Path
from typing import Any

import httpx2
from pydantic import BaseModel, ConfigDict, Field, ValidationError


class ScriptInvalid(ValueError):
    """The file of answers cannot be read; the message says where."""


class WrittenAnswer(BaseModel):
    """One answer of the file."""

    model_config = ConfigDict(extra="forbid")

    text: str
    when: str = ""
    finish: str = "stop"
    times: int = Field(default=1, ge=1)


class AnswerScript(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid")

    answer: list[WrittenAnswer]
    request: str = ""
    """The request that the answers were written for."""


def read_script(path: Path) -> AnswerScript:
    """Read the file at `path`; raises ScriptInvalid."""
    try:
        return AnswerScript.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError, ValidationError) as error:
        raise ScriptInvalid(f"{path.name}: {error}") from error


class ScriptedTransport(httpx2.AsyncBaseTransport):
    """Answers the requests of an HTTP client from a script."""

    def __init__(self, path: Path) -> None:
        self._answers = read_script(path).answer
        self._lock = threading.Lock()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The next answer that fits the question, as a completion."""
        asked: dict[str, Any] = json.loads(await request.aread())
        question = text_of(asked["messages"])
        with self._lock:
            found = next((answer for answer in self._answers if answer.times and answer.when in question), None)
            if found is None:
                error = {"message": "the script has no answer left that fits the question"}
                return httpx2.Response(410, json={"error": error}, request=request)
            found.times -= 1
        return httpx2.Response(200, json=completion(asked["model"], found, len(question)), request=request)


def text_of(messages: list[dict[str, Any]]) -> str:
    """The whole question as one text."""
    parts = [message["content"] for message in messages]
    texts = [part if isinstance(part, str) else " ".join(piece.get("text", "") for piece in part) for part in parts]
    return "\n".join(texts)


def completion(model: str, answer: WrittenAnswer, question_length: int) -> dict[str, Any]:
    """The answer in the form of the OpenAI interface; tokens are counted as four characters each."""
    message = {"role": "assistant", "content": answer.text}
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish}],
        "usage": {
            "prompt_tokens": question_length // 4,
            "completion_tokens": len(answer.text) // 4,
            "total_tokens": (question_length + len(answer.text)) // 4,
        },
    }
