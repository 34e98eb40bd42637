"""Runs that ask the model server of the tests."""

from __future__ import annotations

from typing import Any

from pydantic import HttpUrl, SecretStr

from app.llm.providers import ProviderSettings
from app.settings import Settings
from tests.model_server import KEY, MODEL

SMALL: dict[str, Any] = {"size": 64, "samples": 4}


def asking(settings: Settings, url: str, **more: Any) -> Settings:
    """The settings with the test's server as the only provider."""
    table = ProviderSettings(model=MODEL, url=HttpUrl(url), key=SecretStr(KEY), price_in=1.0, price_out=2.0, **more)
    return settings.model_copy(update={"model_provider": "custom", "providers": {"custom": table}})


POEM = "Arrange the three objects of the scene like the stars of a belt"
