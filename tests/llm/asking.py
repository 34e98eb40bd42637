"""A provider, and a question to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import HttpUrl, SecretStr

from app.llm.message import Answer, Message
from app.llm.models import Models
from app.llm.providers import Provider, ProviderName, ProviderSettings, ready
from tests.model_server import KEY, MODEL

QUESTION = [Message("system", "Be short."), Message("user", "Say hello.")]


def provider(url: str, name: ProviderName = "custom", **more: Any) -> Provider:
    settings: dict[str, Any] = {"model": MODEL, "url": HttpUrl(url), "key": SecretStr(KEY), **more}
    return ready(name, ProviderSettings(**settings))


async def ask(
    *providers: Provider, messages: Sequence[Message] = QUESTION, schema: dict[str, Any] | None = None
) -> Answer:
    models = Models(providers)
    try:
        return await models.ask(messages, seconds=20, schema=schema)
    finally:
        await models.close()
