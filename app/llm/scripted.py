"""The provider `scripted`: replays written answers (`script.py`) in place of a server; the rest of the path is real.

An answer is given to the first question that it fits; when none remains, the provider says so and is down.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import httpx2

from app.llm.script import WrittenAnswer, read_script


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
