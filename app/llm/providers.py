"""The servers that models are asked at: their address, model, limits and prices.

    [providers.ollama]                       blendproof.toml; or, to use this provider alone,
    model = "qwen2.5-coder:14b"              BLENDPROOF_MODEL_PROVIDER=ollama BLENDPROOF_MODEL_NAME=qwen2.5-coder:14b

All of them have the OpenAI interface. `scripted` replays written answers from a file, for tests and demos.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import unquote, urlsplit, urlunsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, HttpUrl, SecretStr

from app.llm.script import read_script

ProviderName = Literal["vllm", "lmstudio", "ollama", "custom", "openrouter", "openai", "scripted"]

URLS: Final[Mapping[ProviderName, str]] = {
    "vllm": "http://127.0.0.1:8000/v1",
    "lmstudio": "http://127.0.0.1:1234/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "openai": "https://api.openai.com/v1",
    "scripted": "http://scripted.invalid/v1",
}
"""The default address of each provider; `custom` has none."""

IN_TURN: Final[tuple[ProviderName, ...]] = ("scripted", "vllm", "lmstudio", "ollama", "custom", "openrouter", "openai")
"""The order in which `auto` tries the configured providers: local ones first."""

WITH_KEY: Final[frozenset[ProviderName]] = frozenset({"openrouter", "openai"})
"""The providers that need a key."""
SHORTEST_KEY: Final = 12
"""Shorter ones are placeholders such as `EMPTY` or `none`, for servers that ask for none; code has such words too."""
SHOWN_LENGTH: Final = 300
"""Characters of a server's words that are shown or logged."""


def shown_address(url: str) -> str:
    """The address to show: without a user name, a password or a query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def without_user(text: str) -> str:
    """A text that may be meant as an address: without what stands before the last @, except `http://` or the like."""
    return re.sub(r"^([\w+.-]+:/+)?.*@", r"\1", text, flags=re.DOTALL)


def a_plain_key(key: SecretStr | None) -> SecretStr | None:
    if key is not None and not (key.get_secret_value().isascii() and key.get_secret_value().isprintable()):
        raise ValueError("a key is made of printable ASCII characters")
    return key


class ProviderSettings(BaseModel):
    """One table `[providers.NAME]` of blendproof.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, protected_namespaces=())

    model: str | None = Field(default=None, min_length=1)
    """The name of the model at the server."""
    url: HttpUrl | None = None
    """Base address, usually ending in `/v1`."""
    key: Annotated[SecretStr | None, AfterValidator(a_plain_key)] = None
    """The key that the server asks for."""
    context: int = Field(default=16384, ge=2048)
    """Tokens that question and answer may have together."""
    images: bool = False
    """True if the model takes pictures."""
    small: bool = False
    """True for a weak model: its prompts are shorter, it plans before it writes, and it sends whole snippets."""
    stream: bool = False
    """True to read an answer while it is written: the server then stops when a run is cancelled or out of time."""
    price_in: float = Field(default=0.0, ge=0)
    """US dollars per million tokens of questions."""
    price_out: float = Field(default=0.0, ge=0)
    """US dollars per million tokens of answers."""
    replicas: list[HttpUrl] = []
    """Further addresses with the same model and key; the one with the fewest questions under way is asked."""
    hedge_after_s: float | None = Field(default=None, gt=0)
    """Send a question without an answer after this many seconds to another replica too, and take the first answer."""
    requests_at_once: int | None = Field(default=None, ge=1)
    """Most questions under way at each address, the others wait; any number unless given."""
    requests_per_minute: int | None = Field(default=None, ge=1)
    """Most requests per minute to each address; any number unless given."""
    timeout_s: float = Field(default=180.0, gt=0)
    """Longest time to wait for one answer, in seconds."""
    script: Path | None = None
    """The file of written answers (`scripted` only)."""


@dataclass(frozen=True)
class Provider:
    """A provider that is ready to be asked."""

    name: ProviderName
    url: str
    model: str
    key: SecretStr | None
    context: int
    images: bool
    small: bool
    stream: bool
    price_in: float
    price_out: float
    urls: tuple[str, ...]
    """All addresses with this model; `url` is one of them."""
    hedge_after_s: float | None
    requests_at_once: int | None
    requests_per_minute: int | None
    timeout_s: float
    script: Path | None

    def each(self) -> list[Provider]:
        """The provider at each of its addresses."""
        return [replace(self, url=url) for url in self.urls]

    @property
    def shown_url(self) -> str:
        """The address to show: without a user name, a password or a query."""
        return shown_address(self.url)

    @property
    def on_loopback(self) -> bool:
        """True if it runs on this machine."""
        return urlsplit(self.url).hostname in ("127.0.0.1", "localhost", "::1")

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """US dollars for one answer."""
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1e6

    def scrub(self, text: str) -> str:
        """A text from the server without the key and the secret parts of the address."""
        parts = urlsplit(self.url)
        key = self.key.get_secret_value() if self.key else ""
        secrets = {key if len(key) >= SHORTEST_KEY else "", parts.password or "", unquote(parts.password or "")}
        for secret in sorted(secrets - {""}, key=len, reverse=True):
            text = text.replace(secret, "***")
        return text

    def shown(self, text: str) -> str:
        """The same in one line and no longer than people read."""
        return self.scrub(" ".join(text.split()))[:SHOWN_LENGTH]


def ready(name: ProviderName, given: ProviderSettings) -> Provider:
    """The provider of these settings; raises ValueError that names the missing ones."""
    if name == "scripted":
        if given.script is None or not given.script.is_file():
            raise ValueError(f"`script` must name a file of written answers; {given.script} is not a file")
        read_script(given.script)
    elif given.model is None:
        raise ValueError("no model is named: write `model` in its table, or BLENDPROOF_MODEL_NAME")
    if name == "custom" and given.url is None:
        raise ValueError("no address is given: write `url` in its table, or BLENDPROOF_MODEL_URL")
    if name in WITH_KEY and given.key is None:
        raise ValueError("no key is given: write `key` in its table, or BLENDPROOF_MODEL_KEY")
    if given.hedge_after_s and not given.replicas:
        raise ValueError("`hedge_after_s` needs another address with the same model: write `replicas` in its table")
    url = str(given.url) if given.url else URLS[name]
    return Provider(
        name=name,
        url=url,
        urls=(url, *map(str, given.replicas)),
        model=given.model or "script",
        key=given.key,
        context=given.context,
        images=given.images,
        small=given.small,
        stream=given.stream,
        price_in=given.price_in,
        price_out=given.price_out,
        hedge_after_s=given.hedge_after_s,
        requests_at_once=given.requests_at_once,
        requests_per_minute=given.requests_per_minute,
        timeout_s=given.timeout_s,
        script=given.script,
    )
