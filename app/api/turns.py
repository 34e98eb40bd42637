"""Reads a conversation: the last message of the user is the request, which goes on from the turns before it.

user: a red tower          ─┐
assistant: ```python ...    ├─> earlier: these requests, the last snippet
user: make it taller       ─┘
user: and blue             ───> the request
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Final, Literal

from pydantic import BaseModel, Field

from app.errors import InvalidRequest
from app.jobs.earlier import LONGEST_REQUEST, LONGEST_SNIPPET, Earlier, as_many_as_fit
from app.repositories.tasks import as_text

MOST_MESSAGES: Final = 1000
LONGEST_READ: Final = 1 << 20
"""The most characters of a message, and of the turns before it: a million lines take a fifth of a second."""
FENCE: Final = re.compile(r"(`{3,})(python|py)?[ \t]*")
TEXT_ONLY: Final = "Describe it in words; pictures and files are not read here."


Role = Literal["system", "developer", "user", "assistant", "tool", "function"]


class ContentPart(BaseModel):
    """A part of a message; only text is read."""

    type: str
    text: str | None = None


class ChatMessage(BaseModel):
    """A message of a conversation, as OpenAI's clients send it."""

    role: Role
    content: str | list[ContentPart] | None = None


class Conversation(BaseModel):
    """The part of the body that all requests to chat have."""

    messages: list[ChatMessage] = Field(min_length=1, max_length=MOST_MESSAGES)


def read_turns(messages: Sequence[ChatMessage]) -> tuple[str, Earlier | None]:
    """The request, and the earlier turns that it goes on from; raises InvalidRequest.

    A request counts as answered if a snippet came after it. What a user brings as a block of code is gone on from too.
    """
    said = [(place, turn.role) for place, turn in enumerate(messages) if turn.role in ("user", "assistant")]
    last = next((place for place, role in reversed(said) if role == "user"), None)
    if last is None:
        raise InvalidRequest("body.messages: there is no message of the user.", "Say in one what the snippet is to do.")
    text, snippet = request_of(messages[last], last)
    if not text:
        raise InvalidRequest(f"body.messages.{last}.content: it has no words.", "Say what the snippet is to do.")
    if len(text) > LONGEST_REQUEST:
        problem = f"it has {len(text)} characters besides code; at most {LONGEST_REQUEST} are read."
        raise InvalidRequest(f"body.messages.{last}.content: {problem}", "Say it in fewer words.")
    requests: list[str] = []
    if snippet is None:
        requests, snippet = answered_requests(messages, latest(messages, [place for place, _ in said if place < last]))
    if snippet is None:
        return text, None
    if len(snippet) > LONGEST_SNIPPET:
        problem = f"the code has {len(snippet)} characters; at most {LONGEST_SNIPPET} can be gone on from."
        raise InvalidRequest(f"body.messages: {problem}", "Send it to POST /validate.")
    return text, Earlier(requests=as_many_as_fit(requests, text), snippet=snippet)


def request_of(message: ChatMessage, place: int) -> tuple[str, str | None]:
    """The words of a message, and its last block of code; raises InvalidRequest if it has more than text."""
    if isinstance(message.content, list) and any(part.type != "text" for part in message.content):
        kind = next(part.type for part in message.content if part.type != "text")
        raise InvalidRequest(f"body.messages.{place}.content: it has a part of type {kind[:60]!r}.", TEXT_ONLY)
    text = text_of(message)
    if len(text) > LONGEST_READ:
        problem = f"it has {len(text)} characters; at most {LONGEST_READ} are read."
        raise InvalidRequest(f"body.messages.{place}.content: {problem}", "Send long code to POST /validate.")
    return without_code(text)


def latest(messages: Sequence[ChatMessage], places: Sequence[int]) -> list[int]:
    """The places of the last messages, as many as are read."""
    lengths = itertools.accumulate(len(text_of(messages[place])) for place in reversed(places))
    return [place for place, length in zip(reversed(places), lengths, strict=True) if length <= LONGEST_READ][::-1]


def answered_requests(messages: Sequence[ChatMessage], places: Sequence[int]) -> tuple[list[str], str | None]:
    """The requests that were answered with a snippet, and the last of these snippets."""
    requests, snippet = list[str](), None
    for before, after in itertools.pairwise(places):
        asked, answer = messages[before], messages[after]
        if asked.role == "user" and answer.role == "assistant":
            words, brought = without_code(text_of(asked))
            _, written = without_code(text_of(answer))
            if written is not None:
                # A snippet that the user brought in between does not answer the requests before it.
                requests = [words] if brought is not None else [*requests, words]
                snippet = written
    return [words for words in requests if words and len(words) <= LONGEST_REQUEST], snippet


def text_of(message: ChatMessage) -> str:
    """The text of a message, without halves of pairs, which JSON may bring."""
    if isinstance(message.content, list):
        return as_text("\n".join(part.text or "" for part in message.content))
    return as_text(message.content or "")


def without_code(text: str) -> tuple[str, str | None]:
    """The text without its blocks of Python, and the last of these; a block that does not end is text."""
    words, code, fence, block = list[str](), None, "", list[str]()
    for line in text.replace("\r\n", "\n").split("\n"):
        if fence:
            if line.rstrip() == fence:
                # A block without code does not count.
                code, fence = "\n".join([*block, ""]) if any(map(str.strip, block)) else code, ""
            else:
                block.append(line)
        elif line.startswith("```") and (found := FENCE.fullmatch(line)):
            fence, block = found[1], []
        else:
            words.append(line)
    return "\n".join(words + block if fence else words).strip(), code
